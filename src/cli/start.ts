#!/usr/bin/env node
// Starts the command line, unless this Node is too old for it.
import { nodeVersionProblem } from '../core/node-version.ts'

const problem = nodeVersionProblem()
if (problem === undefined) {
  const { runProgram } = await import('./main.ts')
  await runProgram()
} else {
  process.stderr.write(`error: ${problem}\n`)
  process.exitCode = 1
}

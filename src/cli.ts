#!/usr/bin/env node
// Starts the command line, unless this Node is too old for it.
import { findNodeVersionProblem } from './mock/node-version.ts'

const problem = findNodeVersionProblem()
if (problem === undefined) {
  const { runProgram } = await import('./tools/cli/main.ts')
  await runProgram()
} else {
  process.stderr.write(`error: ${problem}\n`)
  process.exitCode = 1
}

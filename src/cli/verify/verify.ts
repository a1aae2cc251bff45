// The command `verify`: judges a deployment by the contract, or learns its answers to open questions.
import { writeFileSync } from 'node:fs'
import { AnswerError } from '../../contract/questions/register.ts'
import { learn, verify, type VerifyOptions, type VerifyReport } from '../../verify/index.ts'
import { readAnswersFile } from '../answers-file.ts'
import { deploymentOf, interruption, type DeploymentFlags } from '../deployment.ts'
import { messageOf, readJsonFile } from '../json-file.ts'
import { progressLine } from '../progress.ts'
import { compared, type Compared } from './baseline.ts'
import { githubText, junitText } from './ci.ts'
import { learnedText, reportText } from './text.ts'

export interface VerifyFlags extends DeploymentFlags {
  readonly write?: true
  readonly table?: string
  readonly learn?: string
  readonly json?: true
  readonly format?: 'text' | 'json' | 'junit' | 'github'
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly baseline?: string
  readonly har?: string
  readonly maxInconclusive?: number
  readonly contractOnly?: true
}

const exitCodes = { pass: 0, drift: 1, couldNotRun: 2 } as const

/** @throws {Error} that says which flag or file is missing or wrong */
function optionsOf(flags: VerifyFlags) {
  const { write = false, table, answers: file } = flags
  const { baseUrl, apiKey } = deploymentOf(flags)
  const answers = file === undefined ? {} : readAnswersFile(file)
  const { only, skip, contractOnly, maxInconclusive } = flags
  const har = flags.har !== undefined
  return { baseUrl, apiKey, write, table, answers, only, skip, contractOnly, maxInconclusive, har }
}

function textOf(report: VerifyReport, comparison: Compared, { json, format }: VerifyFlags): string {
  switch (json ? 'json' : format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`
    case 'junit':
      return junitText(report, comparison)
    case 'github':
      return githubText(report, comparison)
    default:
      return reportText(report, comparison)
  }
}

/** New drift takes precedence over a run that does not count. */
function exitCodeOf({ interrupted, problem }: VerifyReport, { fresh }: Compared): number {
  if (problem !== undefined) process.stderr.write(`error: ${problem}\n`)
  if (interrupted) return exitCodes.couldNotRun
  if (fresh.length > 0) return exitCodes.drift
  return problem === undefined ? exitCodes.pass : exitCodes.couldNotRun
}

async function run(flags: VerifyFlags): Promise<number> {
  const progress = progressLine('verify')
  const signal = interruption('Interrupted. Cleaning up; press Ctrl-C again to skip.')
  const options = { ...optionsOf(flags), onProgress: progress.show, signal }
  try {
    if (flags.learn !== undefined) return await learnTo(flags.learn, flags, options)
    // Before anything is asked, so that no run is in vain.
    if (flags.har !== undefined) writeFileSync(flags.har, '', { flag: 'a' })
    if (flags.baseline !== undefined) readJsonFile(flags.baseline, 'baseline')
    const { har, ...report } = await verify(options)
    progress.end()
    if (flags.har !== undefined) writeFileSync(flags.har, `${JSON.stringify(har, null, 2)}\n`)
    const comparison = compared(report, flags.baseline)
    process.stdout.write(textOf(report, comparison, flags))
    return exitCodeOf(report, comparison)
  } finally {
    progress.end()
  }
}

async function learnTo(file: string, flags: VerifyFlags, options: VerifyOptions): Promise<number> {
  // Before anything is asked, so that no run is in vain.
  writeFileSync(file, '', { flag: 'a' })
  const learned = await learn(options)
  const text = `${JSON.stringify(learned, null, 2)}\n`
  writeFileSync(file, text)
  process.stdout.write(flags.json || flags.format === 'json' ? text : learnedText(learned))
  return learned.interrupted ? exitCodes.couldNotRun : exitCodes.pass
}

export async function verifyCommand(flags: VerifyFlags): Promise<void> {
  try {
    process.exitCode = await run(flags)
  } catch (error) {
    const file = error instanceof AnswerError && flags.answers !== undefined ? `${flags.answers}: ` : ''
    process.stderr.write(`error: ${file}${messageOf(error)}\n`)
    process.exitCode = exitCodes.couldNotRun
  }
}

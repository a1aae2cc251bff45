// The command `verify`: judges a deployment by the contract, or learns its answers to open questions.
import { writeFileSync } from 'node:fs'
import { learn, verify, type VerifyOptions, type VerifyReport } from '../../verify/index.ts'
import { deploymentOf, type DeploymentFlags } from '../deployment.ts'
import { readAnswersFile, readJsonFile } from '../input-files.ts'
import { interruption, progressOf, statusLine } from '../progress.ts'
import { compared, type Compared } from './baseline.ts'
import { githubText, junitText } from './ci.ts'
import { learnedText, reportText } from './text.ts'

/** Flags that are options of `verify` by the same name. */
type OptionName = 'write' | 'table' | 'only' | 'skip' | 'contractOnly' | 'maxInconclusive'

export interface VerifyFlags extends DeploymentFlags, Pick<VerifyOptions, OptionName> {
  readonly learn?: string
  readonly json?: true
  readonly format?: 'text' | 'json' | 'junit' | 'github'
  readonly baseline?: string
  readonly har?: string
}

const exitCodes = { pass: 0, drift: 1, couldNotRun: 2 } as const

/** @throws {Error} that says which flag or file is missing or wrong */
function optionsOf(flags: VerifyFlags) {
  const { write = false, table, only, skip, contractOnly, maxInconclusive } = flags
  const { baseUrl, apiKey } = deploymentOf(flags)
  const answers = readAnswersFile(flags.answers)
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

export async function verifyCommand(flags: VerifyFlags): Promise<void> {
  const signal = interruption('Interrupted. Cleaning up; press Ctrl-C again to skip.')
  const options = { ...optionsOf(flags), onProgress: progressOf('verify'), signal }
  try {
    process.exitCode = await (flags.learn === undefined
      ? judge(flags, options)
      : learnTo(flags.learn, flags, options))
  } finally {
    statusLine.end()
  }
}

async function judge(flags: VerifyFlags, options: VerifyOptions): Promise<number> {
  // First, so that a run is not lost to a file that cannot be used.
  if (flags.har !== undefined) writeFileSync(flags.har, '', { flag: 'a' })
  if (flags.baseline !== undefined) readJsonFile(flags.baseline, 'baseline')
  const { har, ...report } = await verify(options)
  statusLine.end()
  if (flags.har !== undefined) writeFileSync(flags.har, `${JSON.stringify(har, null, 2)}\n`)
  const comparison = compared(report, flags.baseline)
  process.stdout.write(textOf(report, comparison, flags))
  return exitCodeOf(report, comparison)
}

async function learnTo(file: string, flags: VerifyFlags, options: VerifyOptions): Promise<number> {
  // First, so that a run is not lost to a file that cannot be used.
  writeFileSync(file, '', { flag: 'a' })
  const learned = await learn(options)
  statusLine.end()
  const text = `${JSON.stringify(learned, null, 2)}\n`
  writeFileSync(file, text)
  process.stdout.write(flags.json || flags.format === 'json' ? text : learnedText(learned))
  return learned.interrupted ? exitCodes.couldNotRun : exitCodes.pass
}

// The command `verify`: judges a deployment by the contract, or learns its answers to open questions.
import { writeFileSync } from 'node:fs'
import { AnswerError } from '../contract/questions/register.ts'
import { learn, verify, type Progress, type VerifyOptions, type VerifyReport } from '../verify/index.ts'
import { readAnswersFile } from './answers-file.ts'
import { messageOf, readJsonFile } from './json-file.ts'
import { compared, type Compared } from './verify-baseline.ts'
import { githubText, junitText } from './verify-ci.ts'
import { learnedText, reportText } from './verify-text.ts'

export interface VerifyFlags {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly write?: true
  readonly table?: string
  readonly answers?: string
  readonly learn?: string
  readonly json?: true
  readonly format?: 'text' | 'json' | 'junit' | 'github'
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly baseline?: string
  readonly har?: string
  readonly maxInconclusive?: number
  readonly contractOnly?: true
  readonly insecure?: true
}

const exitCodes = { pass: 0, drift: 1, couldNotRun: 2 } as const
const width = 78

/** One line on stderr: rewritten on a terminal, every quarter elsewhere. */
function progressLine({ isTTY, write }: { isTTY: boolean; write: (text: string) => void }) {
  let shown = -1
  return {
    show: ({ done, total, next }: Progress) => {
      const line = `verify ${String(done)}/${String(total)} ${next}`.slice(0, width)
      const quarter = Math.floor((done / total) * 4)
      if (isTTY) write(`\r${line.padEnd(width)}`)
      else if (quarter !== shown) write(`${line}\n`)
      shown = quarter
    },
    end: () => {
      if (isTTY) write(`\r${' '.repeat(width)}\r`)
    },
  }
}

/** Interrupts the run at the first SIGINT or SIGTERM; a second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    process.stderr.write('\nInterrupted. Cleaning up; press Ctrl-C again to skip.\n')
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  return controller.signal
}

/** @throws {Error} that says which flag or file is missing or wrong */
function optionsOf(flags: VerifyFlags) {
  const { baseUrl, apiKey = process.env.WORKSPACE_API_KEY, write = false, table, answers: file } = flags
  if (baseUrl === undefined)
    throw new Error('--base-url is missing: the address of the deployment, which ends with /v1')
  if (apiKey === undefined || apiKey === '')
    throw new Error('--api-key is missing, and WORKSPACE_API_KEY is not set')
  if (flags.insecure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
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

/** New drift goes before a run that does not count. */
function exitCodeOf({ interrupted, problem }: VerifyReport, { fresh }: Compared): number {
  if (problem !== undefined) process.stderr.write(`error: ${problem}\n`)
  if (interrupted) return exitCodes.couldNotRun
  if (fresh.length > 0) return exitCodes.drift
  return problem === undefined ? exitCodes.pass : exitCodes.couldNotRun
}

async function run(flags: VerifyFlags): Promise<number> {
  const progress = progressLine({
    isTTY: process.stderr.isTTY,
    write: (text) => void process.stderr.write(text),
  })
  const options = { ...optionsOf(flags), onProgress: progress.show, signal: interruption() }
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

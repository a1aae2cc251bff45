// Owns the command that judges a deployment by the contract, or learns its answers to open questions.
import { writeFileSync } from 'node:fs'
import { AnswerError } from '../contract/questions/register.ts'
import { learn, verify, type Progress } from '../verify/index.ts'
import { readAnswersFile } from './answers-file.ts'
import { messageOf } from './json-file.ts'
import { learnedText, reportText } from './verify-text.ts'

export interface VerifyFlags {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly write?: true
  readonly table?: string
  readonly answers?: string
  readonly learn?: string
  readonly json?: true
}

const exitCodes = { pass: 0, drift: 1, couldNotRun: 2 } as const
const width = 78

/** One line on stderr: rewritten on a terminal, now and then elsewhere. */
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

/** Called off by the first SIGINT or SIGTERM; a second one ends the process at once. */
function callingOff(): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    process.stderr.write('\ncalled off: what was made is being removed; once more to leave it\n')
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
  const answers = file === undefined ? {} : readAnswersFile(file)
  return { baseUrl, apiKey, write, table, answers }
}

async function run(flags: VerifyFlags): Promise<number> {
  const progress = progressLine({
    isTTY: process.stderr.isTTY,
    write: (text) => void process.stderr.write(text),
  })
  const options = { ...optionsOf(flags), onProgress: progress.show, signal: callingOff() }
  try {
    if (flags.learn !== undefined) return await learnTo(flags.learn, flags, options)
    const report = await verify(options)
    progress.end()
    process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report))
    if (report.interrupted) return exitCodes.couldNotRun
    if (report.problem !== undefined) process.stderr.write(`error: ${report.problem}\n`)
    if (!report.ok) return exitCodes.drift
    return report.problem === undefined ? exitCodes.pass : exitCodes.couldNotRun
  } finally {
    progress.end()
  }
}

async function learnTo(
  file: string,
  flags: VerifyFlags,
  options: Parameters<typeof verify>[0],
): Promise<number> {
  // Before anything is asked, so that no run is in vain.
  writeFileSync(file, '', { flag: 'a' })
  const learned = await learn(options)
  const text = `${JSON.stringify(learned, null, 2)}\n`
  writeFileSync(file, text)
  process.stdout.write(flags.json ? text : learnedText(learned))
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

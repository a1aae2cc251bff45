// Command `verify`: checks a deployment against the contract, with answers to open questions that it can learn first.
import { learn, verify, type LearnOptions, type VerifyOptions, type VerifyReport } from '../../../verify.ts'
import { deploymentOf, type DeploymentFlags } from '../deployment.ts'
import { assertWritable, writeFile } from '../../../adapters/server/write-file.ts'
import { readAnswersFile } from '../files.ts'
import { exitCodes, listenForInterruption, progressOf, statusLine } from '../progress.ts'
import { compareWithBaseline, describeOutdated, readBaseline, type BaselineComparison } from './baseline.ts'
import { formatGitHub, formatJUnit } from './ci.ts'
import { formatLearned, formatReport } from './text.ts'
import { print, printError } from '../terminal.ts'

type OptionName = 'write' | 'table' | 'only' | 'skip' | 'contractOnly' | 'maxInconclusive'

export interface VerifyFlags extends DeploymentFlags, Pick<VerifyOptions, OptionName> {
  /** File for the learned answers; if true, they are used but not written to a file. */
  readonly learn?: string | true
  readonly json?: true
  readonly format?: 'text' | 'json' | 'junit' | 'github'
  readonly baseline?: string
  readonly har?: string
}

function formatAs(
  report: VerifyReport,
  comparison: BaselineComparison,
  { json, format }: VerifyFlags,
): string {
  if (json || format === 'json') return `${JSON.stringify(report, null, 2)}\n`
  if (format === 'junit') return formatJUnit(report, comparison)
  const toText = format === 'github' ? formatGitHub : formatReport
  return toText(report, comparison)
}

export async function verifyCommand(flags: VerifyFlags): Promise<void> {
  const signal = listenForInterruption('Interrupted. Cleaning up; press Ctrl-C again to skip.')
  const { write, table, only, skip, contractOnly, maxInconclusive } = flags
  const answers = readAnswersFile(flags.answers)
  const options = { ...deploymentOf(flags), write, table, answers, onProgress: progressOf('verify'), signal }
  const judged = { only, skip, contractOnly, maxInconclusive, har: flags.har !== undefined }
  try {
    process.exitCode = await judge(flags, options, judged)
  } finally {
    statusLine.end()
  }
}

/** @param judged options that do not apply to learning */
async function judge(
  flags: VerifyFlags,
  options: LearnOptions,
  judged: Partial<VerifyOptions>,
): Promise<number> {
  if (flags.har !== undefined) assertWritable(flags.har)
  const baseline = readBaseline(flags.baseline)
  const outdated = describeOutdated(flags.baseline, baseline)
  if (outdated !== '') printError(`note: ${outdated}\n`)
  const isJson = flags.json === true || flags.format === 'json'
  const { learn: file } = flags
  if (typeof file === 'string') assertWritable(file)
  const learned = file === undefined ? undefined : await learn(options)
  statusLine.end()
  if (typeof file === 'string') writeFile(file, `${JSON.stringify(learned, null, 2)}\n`)
  if (learned && !isJson) print(`${formatLearned(learned)}\n`)
  if (learned?.interrupted === true) return exitCodes.failed
  const answers = { ...options.answers, ...learned?.answers }
  const { har, ...report } = await verify({ ...options, ...judged, answers })
  statusLine.end()
  if (flags.har !== undefined) writeFile(flags.har, `${JSON.stringify(har, null, 2)}\n`)
  const comparison = compareWithBaseline(report, baseline)
  const shown = learned && isJson ? { ...report, learned } : report
  print(formatAs(shown, comparison, flags))
  if (report.problem !== undefined) printError(`error: ${report.problem}\n`)
  if (report.interrupted) return exitCodes.failed
  // New drift takes precedence over a run's problem.
  if (comparison.fresh.length > 0) return exitCodes.found
  return report.problem === undefined ? exitCodes.clean : exitCodes.failed
}

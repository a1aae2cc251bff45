// The command that explores what a client in any language does when its requests fail.
import { explore } from '../explore/engine.ts'
import type { ExploreResult } from '../explore/types.ts'
import { createWorkspaceMock } from '../mock.ts'
import { CommandError, CommandRunner } from './command-runner.ts'
import { fixtureOf } from './fixture-file.ts'
import { messageOf } from './json-file.ts'

export interface ExploreFlags {
  readonly fixture: string
  readonly depth: '1' | '2'
  readonly jobs: number
  readonly maxRuns: number
  readonly timeout: number
  readonly faults: 'transient' | 'all'
  readonly json?: true
}

const exitCodes = { clean: 0, findings: 1, couldNotRun: 2 } as const
const width = 78

/** One line on stderr of a terminal, rewritten with every run. */
function showProgress(runs: number, planned: number): void {
  if (!process.stderr.isTTY) return
  const line =
    planned === 0 ? 'explore: the undisturbed run' : `explore: run ${String(runs)} of ${String(planned)}`
  process.stderr.write(`\r${line.padEnd(width)}`)
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${' '.repeat(width)}\r`)
}

/** The first SIGINT or SIGTERM ends the exploration with what was found so far; a second one the process. */
function onInterrupt(stop: () => void): () => void {
  let isInterrupted = false
  const interrupt = () => {
    if (isInterrupted) process.exit(130)
    isInterrupted = true
    stop()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
}

function exitCodeOf({ findings }: ExploreResult, isInterrupted: boolean): number {
  if (findings.length > 0) return exitCodes.findings
  return isInterrupted ? exitCodes.couldNotRun : exitCodes.clean
}

async function run(command: readonly string[], flags: ExploreFlags): Promise<number> {
  const { depth, maxRuns, faults, jobs, timeout: timeoutMs, json } = flags
  const mock = createWorkspaceMock({ fixture: fixtureOf(flags.fixture) })
  const runner = new CommandRunner(mock, { command, jobs, timeoutMs, progress: showProgress })
  const ignore = onInterrupt(() => runner.stop())
  try {
    await runner.start()
    const result = await explore(runner, { depth: Number(depth), maxRuns, faults })
    endProgress()
    const isInterrupted = runner.isStopped
    if (isInterrupted) process.stderr.write('Interrupted: this is what was found so far.\n')
    const text = json ? JSON.stringify({ ...result, interrupted: isInterrupted }, null, 2) : String(result)
    process.stdout.write(`${text}\n`)
    return exitCodeOf(result, isInterrupted)
  } finally {
    endProgress()
    await runner.close()
    ignore()
  }
}

/** Exit code 0: no findings, 1: findings, 2: the undisturbed run failed, or nothing was found until an interruption. */
export async function exploreCommand(command: readonly string[], flags: ExploreFlags): Promise<void> {
  try {
    process.exitCode = await run(command, flags)
  } catch (error) {
    const output = error instanceof CommandError ? error.output : ''
    const what = error instanceof CommandError ? 'the undisturbed run failed: ' : ''
    process.stderr.write(`${output === '' ? '' : `${output.trimEnd()}\n`}error: ${what}${messageOf(error)}\n`)
    process.exitCode = exitCodes.couldNotRun
  }
}

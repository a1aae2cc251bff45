// Command `explore`: tests what a client in any language does when its requests fail.
import { explore } from '../explore/engine.ts'
import { createWorkspaceMock } from '../mock.ts'
import { CommandError, CommandRunner } from './command-runner.ts'
import { fixtureOf } from './input-files.ts'
import { interruption, statusLine } from './progress.ts'

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

/** Exit code 0: no findings, 1: findings, 2: the undisturbed run failed, or nothing was found until an interruption. */
export async function exploreCommand(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const { depth, maxRuns, faults, jobs, timeout: timeoutMs, json } = flags
  const mock = createWorkspaceMock({ fixture: fixtureOf(flags.fixture) })
  const progress = (runs: number, planned: number) => {
    const run = planned === 0 ? 'the undisturbed run' : `run ${String(runs)} of ${String(planned)}`
    statusLine.show(`explore: ${run}`)
  }
  const runner = new CommandRunner(mock, { command, jobs, timeoutMs, progress })
  const signal = interruption('Interrupted. Showing what was found so far; press Ctrl-C again to skip.')
  signal.addEventListener('abort', () => runner.stop())
  try {
    await runner.start()
    const result = await explore(runner, { depth: Number(depth), maxRuns, faults })
    statusLine.end()
    const interrupted = signal.aborted
    const text = json ? JSON.stringify({ ...result, interrupted }, null, 2) : String(result)
    process.stdout.write(`${text}\n`)
    if (result.findings.length > 0) process.exitCode = exitCodes.findings
    else process.exitCode = interrupted ? exitCodes.couldNotRun : exitCodes.clean
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const output = error.output === '' ? '' : `${error.output.trimEnd()}\n`
    process.stderr.write(output)
    throw new Error(`the undisturbed run failed: ${error.message}`, { cause: error })
  } finally {
    statusLine.end()
    await runner.close()
  }
}

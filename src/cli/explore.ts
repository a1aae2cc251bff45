// Command `explore`: tests how a client in any language handles failing requests.
import { explore } from '../explore/engine.ts'
import { CommandError, CommandRunner } from './command-runner.ts'
import { explorableMockWith } from './fixture.ts'
import { exitCodes, interruption, statusLine } from './progress.ts'

export interface ExploreFlags {
  readonly fixture: string
  readonly depth: '1' | '2'
  readonly jobs: number
  readonly maxRuns: number
  readonly timeout: number
  readonly faults: 'transient' | 'all'
  readonly json?: true
}

/** @throws {Error} if the undisturbed run failed */
export async function exploreCommand(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const { depth, maxRuns, faults, jobs, timeout: timeoutMs, json } = flags
  const onProgress = (runs: number, planned: number) => {
    const run = planned === 0 ? 'the undisturbed run' : `run ${String(runs)} of ${String(planned)}`
    statusLine.show(`explore: ${run}`)
  }
  const runner = new CommandRunner(explorableMockWith(flags.fixture).newHost(), { command, jobs, timeoutMs })
  const signal = interruption('Interrupted. Showing what was found so far; press Ctrl-C again to skip.')
  signal.addEventListener('abort', () => runner.stop())
  try {
    await runner.start()
    const result = await explore(runner, { depth: Number(depth), maxRuns, faults, onProgress })
    statusLine.end()
    const interrupted = signal.aborted
    const text = json ? JSON.stringify({ ...result, interrupted }, null, 2) : String(result)
    process.stdout.write(`${text}\n`)
    if (result.findings.length > 0) process.exitCode = exitCodes.found
    else process.exitCode = interrupted ? exitCodes.failed : exitCodes.clean
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

// Command `explore`: tests what a client in any language does when its requests, its jobs or the client itself fails.
import { families as allFamilies, type Family } from '../explore/families.ts'
import { explore } from '../explore/engine.ts'
import { familiesOf } from '../explore/explore.ts'
import { beginExploration } from '../../mock/explorable.ts'
import { CommandError, CommandRunner } from './command-runner.ts'
import { createExplorableMockWith } from './fixture.ts'
import { exitCodes, listenForInterruption, statusLine } from './progress.ts'
import { print, printError } from './terminal.ts'

export interface ExploreFlags {
  readonly fixture: string
  readonly families: readonly Family[] | 'all'
  readonly jobs: number
  readonly maxRuns: number
  readonly timeout: number
  readonly faults: 'transient' | 'all'
  readonly copy?: string
  readonly restartable?: true
  readonly json?: true
}

export async function exploreCommand(command: readonly string[], flags: ExploreFlags): Promise<void> {
  const { maxRuns, faults, jobs, timeout: timeoutMs, copy, restartable, json } = flags
  const onProgress = (runs: number, planned: number) => {
    const run = planned === 0 ? 'the undisturbed run' : `run ${String(runs)} of ${String(planned)}`
    statusLine.show(`explore: ${run}`)
  }
  const host = await beginExploration(createExplorableMockWith(flags.fixture).explorable)
  const runner = new CommandRunner(host, { command, jobs, timeoutMs, copy })
  const signal = listenForInterruption(
    'Interrupted. Showing what was found so far; press Ctrl-C again to skip.',
  )
  signal.addEventListener('abort', () => runner.stop())
  try {
    await runner.listen()
    const families = familiesOf(flags.families)
    const result = await explore(runner, { families, maxRuns, faults, restartable, onProgress })
    statusLine.end()
    const interrupted = signal.aborted
    const untried = allFamilies.filter((family) => !families.includes(family))
    const remark =
      untried.length === 0 ? '' : `\n\nNot tried: ${untried.join(', ')}. --families all tries everything.`
    print(json ? `${JSON.stringify({ ...result, interrupted }, null, 2)}\n` : `${String(result)}${remark}\n`)
    if (result.findings.some(({ severity }) => severity === 'error' || severity === 'warning'))
      process.exitCode = exitCodes.found
    else process.exitCode = interrupted ? exitCodes.failed : exitCodes.clean
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.output !== '') printError(`${error.output.trimEnd()}\n`)
    throw new Error(`the undisturbed run failed: ${error.message}`, { cause: error })
  } finally {
    statusLine.end()
    await runner.close()
  }
}

// What exploration needs of a mock beyond its public surface.
import { NetworkFault, type Call } from '../core/call.ts'
import { ControlError } from '../core/control-error.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { findOperation } from '../core/request/route.ts'
import type { RunInProgress, Scopes } from '../core/request/scopes.ts'
import { Sandbox, type SandboxOptions } from '../core/sandbox.ts'
import type { ClockMode } from '../store/clock.ts'
import type { Emit } from '../store/store.ts'
import type { LateRequest } from './runner.ts'
import type { ExploredFault } from './types.ts'

export interface Explorable<Mock> {
  readonly mock: Mock
  readonly baseUrl: string
  readonly scopes: Scopes
  readonly sandboxOptions: SandboxOptions
  readonly controlsOf: (sandbox: Sandbox) => { requests(): JournalEntry[] }
  /** A fetch whose calls are those that `handle` responds to. */
  readonly fetchWith: (
    handle: (call: Call) => ReturnType<Sandbox['handle']>,
  ) => (request: Request) => Promise<Response>
}

/**
 * The exploration of the current sandbox of a mock, from its beginning to its end.
 * @throws {ControlError} where it is being explored already
 */
export function exploreHost<Mock>(explorable: Explorable<Mock>) {
  const { scopes, sandboxOptions } = explorable
  const explored = scopes.current
  if (scopes.isExplored(explored))
    throw new ControlError('exploreFaults is in progress on this mock already; wait for its result')
  const start = explored.settled().fork(() => undefined)
  start.clock.setMode('manual')
  const keys = start.keys.all()
  const late: LateRequest[] = []
  return {
    ...explorable,
    key: (keys.find(({ name }) => name === 'master') ?? keys[0])?.id ?? '',
    /** The state that every run begins with; belongs to the exploration. */
    start,
    /**
     * A private copy of the start, with faults of its own; waits are judged by real time too. Its clock is manual
     * unless said otherwise.
     */
    newSandbox: (planned: readonly ExploredFault[], realMs: () => number, mode: ClockMode = 'manual') => {
      const begin = (emit: Emit) => {
        const store = start.fork(emit)
        store.clock.judgeAlways(realMs)
        store.clock.setMode(mode)
        return store
      }
      const unlimited = { journalSize: Infinity, journalBudget: undefined, coverage: undefined }
      const sandbox = new Sandbox(begin, { ...sandboxOptions, ...unlimited, planned })
      for (const [name, snapshot] of explored.snapshots) sandbox.snapshots.set(name, snapshot)
      return sandbox
    },
    late: late as readonly LateRequest[],
    /** Breaks off a request that arrived after its run had ended, and notes it. */
    tooLate: (call: Call): Promise<never> => {
      const line = `${call.method} ${call.path}`
      late.push({ operation: findOperation(call.method, call.path)?.operation.id ?? null, line })
      return Promise.reject(new NetworkFault(`${line} arrived after its run of the exploration had ended`))
    },
    /** Makes requests and controls belong to a run from now on. */
    begin: (run: RunInProgress) => scopes.begin(explored, run),
    /** Makes them belong to the mock again. */
    end: () => scopes.end(explored),
    within: <Result>(sandbox: Sandbox, fn: () => Result) => scopes.within(sandbox, fn),
  }
}
export type ExploreHost<Mock> = ReturnType<typeof exploreHost<Mock>>

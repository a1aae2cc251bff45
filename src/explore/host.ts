// The internals of a mock that exploration uses: private copies of its state, and the requests of the run in progress.
import { NetworkFault, type Call } from '../core/call.ts'
import { ControlError } from '../core/control-error.ts'
import type { OperationId } from '../contract/index.ts'
import type { Exchange } from '../core/exchange.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { routeOf } from '../core/request/route.ts'
import type { Boundaries, RunInProgress } from '../core/boundaries.ts'
import { Sandbox, type SandboxOptions } from '../core/sandbox.ts'
import type { ClockMode } from '../store/clock.ts'
import { noEvents, type EventSink } from '../store/events.ts'
import type { Ended, LateRequest, RunRecord, RunRequest } from './runner.ts'
import type { ExploredFault } from './types.ts'

export interface Explorable<Mock> {
  readonly mock: Mock
  readonly baseUrl: string
  readonly boundaries: Boundaries
  readonly sandboxOptions: SandboxOptions
  readonly controlsOf: (sandbox: Sandbox) => { requests(): JournalEntry[] }
  /** A `fetch` that passes its calls to `handle`. */
  readonly fetchWith: (
    handle: (call: Call) => ReturnType<Sandbox['handle']>,
  ) => (request: Request) => Promise<Response>
}

function requestsOf(exchanges: readonly Exchange[]): RunRequest[] {
  const counts = new Map<OperationId, number>()
  return exchanges.flatMap(({ operation, fault }) => {
    if (operation === null) return []
    const index = counts.get(operation) ?? 0
    counts.set(operation, index + 1)
    return { operation, index, isFaulted: fault?.startsWith('explored_') === true }
  })
}

/**
 * Begins the exploration of the current sandbox of a mock.
 * @throws {ControlError} if an exploration is in progress there
 */
export function exploreHost<Mock>(explorable: Explorable<Mock>) {
  const { boundaries, sandboxOptions } = explorable
  const explored = boundaries.current
  if (boundaries.isExplored(explored))
    throw new ControlError('exploreFaults is in progress on this mock already; wait for its result')
  const start = explored.upToDate().fork(noEvents)
  start.clock.setMode('manual')
  const keys = start.keys.all()
  const late: LateRequest[] = []
  return {
    ...explorable,
    key: (keys.find(({ name }) => name === 'master') ?? keys[0])?.id ?? '',
    /**
     * A private copy of the initial state, with the planned faults. The rules about waits count real time too; the clock
     * is manual by default.
     */
    newSandbox: (planned: readonly ExploredFault[], realMs: () => number, mode: ClockMode = 'manual') => {
      const begin = (events: EventSink) => {
        const store = start.fork(events)
        store.clock.judgeAlways(realMs)
        store.clock.setMode(mode)
        return store
      }
      const unlimited = { journalSize: Infinity, journalBudget: undefined, coverage: undefined }
      const fail = { family: 'errors', name: '', at: null, effect: { do: 'fail', faults: planned } } as const
      const sandbox = new Sandbox(begin, { ...sandboxOptions, ...unlimited, planned: fail })
      for (const [name, snapshot] of explored.snapshots) sandbox.snapshots.set(name, snapshot)
      return sandbox
    },
    /** A run that has ended, as the engine judges it. */
    recordOf: (sandbox: Sandbox, ended: Ended): RunRecord => ({
      ...ended,
      isMet: sandbox.faults.plannedHits > 0,
      start,
      end: sandbox.store,
      report: sandbox.report.findings(),
      requests: () => requestsOf(sandbox.journal.exchanges()),
      journal: () => explorable.controlsOf(sandbox).requests(),
    }),
    late: late as readonly LateRequest[],
    /** Records a request that arrived after the end of its run, and breaks its connection. */
    tooLate: (call: Call): Promise<never> => {
      const line = `${call.method} ${call.path}`
      late.push({ operation: routeOf(call)?.operation.id ?? null, line })
      return Promise.reject(new NetworkFault(`${line} arrived after its run of the exploration had ended`))
    },
    /** From now on, requests and controls use the state of this run. */
    begin: (run: RunInProgress) => boundaries.begin(explored, run),
    /** From now on, they use the state of the mock again. */
    end: () => boundaries.end(explored),
  }
}
export type ExploreHost<Mock> = ReturnType<typeof exploreHost<Mock>>

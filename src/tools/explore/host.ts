// The internals of a mock that exploration uses: private copies of its state, and the requests of the run in progress.
import { NetworkFault, type Call } from '../../mock/requests/call.ts'
import { ControlError } from '../../mock/control-error.ts'
import type { JournalEntry } from '../../mock/journal/entry.ts'
import { routeOf } from '../../mock/requests/route.ts'
import type { Boundaries, RunInProgress } from '../../mock/sandboxes/boundaries.ts'
import type { OutsideAct } from '../../mock/faults/effect-spec.ts'
import type { PlannedFault } from '../../mock/faults/fault-spec.ts'
import { Sandbox } from '../../mock/sandboxes/sandbox.ts'
import type { SandboxOptions } from '../../mock/sandboxes/sandbox-options.ts'
import type { ClockMode } from '../../service/store/clock.ts'
import { noEvents, type EventSink } from '../../service/store/events.ts'
import type { Store } from '../../service/store/store.ts'
import { performAct } from '../../mock/faults/effects.ts'
import type { Life } from './life.ts'
import type { Ended, LateRequest, RunRecord } from './runner.ts'

export interface Explorable<Mock> {
  readonly mock: Mock
  readonly baseUrl: string
  readonly sandboxOptions: SandboxOptions
  readonly boundaries: Boundaries
  readonly controlsOf: (sandbox: Sandbox) => { requests(): JournalEntry[] }
  /** A `fetch` that passes its calls to `handle`. */
  readonly fetchWith: (
    handle: (call: Call) => ReturnType<Sandbox['handle']>,
  ) => (request: Request) => Promise<Response>
}

interface SandboxStart {
  readonly fault: PlannedFault | null
  /** By default the initial state. */
  readonly from: Store | undefined
  /** Real time, which counts for the rules about waits. */
  readonly realMs: () => number
  readonly mode: ClockMode
  /** How a late response and the clock wait; by default on timers. */
  readonly wait?: NonNullable<SandboxOptions['wait']>
  readonly sleep?: NonNullable<SandboxOptions['sleep']>
}

/**
 * Begins the exploration of the current sandbox of a mock.
 * @throws {ControlError} if an exploration is in progress there
 */
export function beginExploration<Mock>(explorable: Explorable<Mock>) {
  const { boundaries, controlsOf } = explorable
  const explored = boundaries.current
  if (boundaries.isExplored(explored))
    throw new ControlError('an exploration of this mock is in progress already; wait for its result')
  const start = explored.bringUpToDate().fork(noEvents)
  start.clock.setMode('manual')
  const keys = start.keys.all()
  const late: LateRequest[] = []
  const unbounded = { journalSize: Infinity, journalBudget: undefined, coverage: undefined }
  const options: SandboxOptions = { ...explorable.sandboxOptions, ...unbounded }
  return {
    ...explorable,
    start,
    key: (keys.find(({ name }) => name === 'master') ?? keys[0])?.id ?? '',
    newSandbox: ({ fault, from = start, realMs, mode, ...waits }: SandboxStart): Sandbox => {
      const begin = (events: EventSink) => {
        const store = from.fork(events)
        store.clock.judgeAlways(realMs)
        store.clock.setMode(mode)
        return store
      }
      const planned = fault ?? undefined
      const sandbox = new Sandbox(begin, { ...options, planned, ...waits })
      for (const [name, snapshot] of explored.snapshots) sandbox.snapshots.set(name, snapshot)
      return sandbox
    },
    /** A run that has ended, as the engine judges it. */
    recordOf: (life: Life, ended: Ended, again: RunRecord['again']): RunRecord => ({
      ...ended,
      hits: life.sandbox.faults.plannedHits,
      isInterleaved: life.isInterleaved === true,
      end: life.sandbox.store,
      report: life.sandbox.report.findings(),
      journal: () => controlsOf(life.sandbox).requests(),
      again,
    }),
    after: async (state: Store, act: OutsideAct): Promise<Store> => {
      const store = state.fork(noEvents)
      await performAct(new Sandbox(() => store, options), act)
      return store
    },
    late: late as readonly LateRequest[],
    /**
     * Records a request that arrived after the end of its run.
     * @param isJudged not where the run rejected: what else it had begun goes on by nature
     * @returns what breaks its connection
     */
    noteLate: (call: Call, isJudged: boolean): NetworkFault => {
      const line = `${call.method} ${call.path}`
      if (isJudged) late.push({ operation: routeOf(call)?.operation.id ?? null, line })
      return new NetworkFault(`${line} arrived after its run of the exploration had ended`)
    },
    begin: (run: RunInProgress) => boundaries.begin(explored, run),
    end: () => boundaries.end(explored),
  }
}
export type ExploreHost<Mock> = ReturnType<typeof beginExploration<Mock>>

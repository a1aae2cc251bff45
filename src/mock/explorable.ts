// Everything an exploration needs from a mock: private copies of its state, the requests of the run in progress, and
// how sandboxes wait.
import type { Call } from './requests/call.ts'
import { ControlError } from './control-error.ts'
import type { JournalEntry } from './journal/entry.ts'
import type { Boundaries, RunInProgress } from './sandboxes/boundaries.ts'
import type { OutsideAct } from './faults/effect-spec.ts'
import type { PlannedFault } from './faults/fault-spec.ts'
import { Sandbox } from './sandboxes/sandbox.ts'
import type { SandboxOptions } from './sandboxes/sandbox-options.ts'
import { runDue } from '../service/resources/run-due.ts'
import type { ClockMode } from '../service/store/clock.ts'
import { noEvents, type EventSink } from '../service/store/events.ts'
import type { Store } from '../service/store/store.ts'
import { loadEffects } from './faults/load-effects.ts'

export { ControlError } from './control-error.ts'
export { findPagePlace } from './faults/rewrites.ts'
export { parseOrThrow } from './parse-or-throw.ts'
export { NetworkFault } from './requests/call.ts'
export { routeOf } from './requests/route.ts'
export {
  findFakeClock,
  readRealMs,
  setRealTimeout,
  waitForTurn,
  waitRealTime,
  type FakeClock,
  type FakeTimer,
} from './sandboxes/real-time.ts'
export { Sleepers, type TimersOnClock } from './sandboxes/sleepers.ts'
export { GeneratedIds } from '../service/store/counters.ts'
export type { OutsideAct, Rewrite } from './faults/effect-spec.ts'
export type { PlannedFault } from './faults/fault-spec.ts'
export type { JournalBody, JournalEntry } from './journal/entry.ts'
export type { ApiResponse, Call } from './requests/call.ts'
export { exploreSeverities, type ExploreSeverity, type Finding } from './sandboxes/client-report.ts'
export type { Sandbox } from './sandboxes/sandbox.ts'
export type { Store } from '../service/store/store.ts'

export interface Explorable<Mock> {
  readonly mock: Mock
  readonly baseUrl: string
  readonly sandboxOptions: SandboxOptions
  readonly boundaries: Boundaries
  readonly controlsOf: (sandbox: Sandbox) => { requests(): JournalEntry[] }
  /** Creates a `fetch` that passes its calls to `handle`. */
  readonly fetchWith: (
    handle: (call: Call) => ReturnType<Sandbox['handle']>,
  ) => (request: Request) => Promise<Response>
}

interface SandboxStart {
  readonly fault: PlannedFault | null
  /** The state to start from; by default the initial one. */
  readonly from: Store | undefined
  /** Real time, used by the rules about waits. */
  readonly realMs: () => number
  readonly mode: ClockMode
  /** How a fault's delay waits; by default on timers. */
  readonly wait?: NonNullable<SandboxOptions['wait']>
  /** How `clock.sleep` waits; by default on the sandbox's clock. */
  readonly sleep?: NonNullable<SandboxOptions['sleep']>
}

/** An exploration in progress. */
export interface Exploration<Mock> extends Omit<Explorable<Mock>, 'sandboxOptions' | 'boundaries'> {
  /** The state in which every run starts. */
  readonly start: Store
  /** The key named master, or else the first one. */
  readonly key: string
  /** Creates a sandbox for a run, with a copy of a state. */
  newSandbox(given: SandboxStart): Sandbox
  /** Copies a state and lets another user act on the copy. */
  after(state: Store, act: OutsideAct): Promise<Store>
  /** Calls a function whose requests and controls go to a sandbox. */
  within<Result>(sandbox: Sandbox, fn: () => Result): Result
  /** Lets a run stand in for the explored sandbox. */
  begin(run: RunInProgress): void
  /** Puts the explored sandbox back. */
  end(): void
}

/** Starts an exploration of a mock's current sandbox. @throws {ControlError} if one is already in progress there */
export async function beginExploration<Mock>(explorable: Explorable<Mock>): Promise<Exploration<Mock>> {
  // Loaded before the first run; otherwise the run's clock would move while a request waits for the import.
  const { performAct } = await loadEffects()
  const { boundaries, mock, baseUrl, controlsOf, fetchWith } = explorable
  const explored = boundaries.current
  if (boundaries.isExplored(explored))
    throw new ControlError('an exploration of this mock is already in progress; wait for its result')
  const start = explored.fork(noEvents)
  start.clock.setMode('manual')
  const keys = start.keys.all()
  const unbounded = { journalSize: Infinity, journalBudget: undefined, coverage: undefined }
  const options: SandboxOptions = { ...explorable.sandboxOptions, ...unbounded }
  return {
    mock,
    baseUrl,
    start,
    key: (keys.find(({ name }) => name === 'master') ?? keys[0])?.id ?? '',
    controlsOf,
    fetchWith,
    newSandbox({ fault, from = start, realMs, mode, ...waits }) {
      const beginStore = (events: EventSink) => {
        const store = from.fork(events)
        store.clock.judgeAlways(realMs)
        store.clock.setMode(mode)
        return store
      }
      const sandbox = new Sandbox(beginStore, { ...options, planned: fault ?? undefined, ...waits })
      for (const [name, snapshot] of explored.snapshots) sandbox.snapshots.set(name, snapshot)
      return sandbox
    },
    async after(state, act) {
      const store = state.fork(noEvents)
      // If the state does not allow the act, it is left unchanged.
      await performAct(new Sandbox(() => store, options), act).catch(() => undefined)
      return store
    },
    within: (sandbox, fn) => boundaries.within(sandbox, fn),
    begin: (run) => boundaries.begin(explored, run),
    end: () => boundaries.end(explored),
  }
}

/** Returns the state at a later time, after everything due by then has happened; the same object if nothing is due. */
export function moveClockTo(store: Store, nowMs: number): Store {
  const { next } = store.schedule
  if (next === null || next.dueMs > nowMs) return store
  const copy = store.fork(noEvents)
  copy.clock.restore({ mode: 'manual', nowMs })
  runDue(copy)
  return copy
}

// A sandbox: a state with its clock and calls, and everything that outlives the state.
import { getOrInsert } from '../../contract/data/maps.ts'
import { rescheduleJobs } from '../../service/resources/jobs.ts'
import { runDue } from '../../service/resources/run-due.ts'
import type { Clock } from '../../service/store/clock.ts'
import {
  createEvents,
  noEvents,
  type EventSink,
  type Happening,
  type SkippedOccurrences,
} from '../../service/store/events.ts'
import type { Store } from '../../service/store/store.ts'
import type { Faults } from '../faults/faults.ts'
import { Coverage } from '../journal/coverage.ts'
import type { Journal } from '../journal/journal.ts'
import { createInternalCall } from '../requests/call.ts'
import type { ApiResponse, Call, CallHandler, InternalRequest } from '../requests/call.ts'
import { RequestQueue } from '../requests/request-queue.ts'
import type { ClientReport } from './client-report.ts'
import { Pipeline } from './pipeline.ts'
import type { SandboxOptions, SavedSnapshot } from './sandbox-options.ts'
import type { SandboxSignal } from './signals.ts'
import { Sleepers } from './sleepers.ts'
import { beginState, type SandboxState } from './state.ts'

/** `number` increases with each happening, so that later ones can be told from earlier ones. */
export type NumberedHappening = Happening & { readonly number: number }

const keptHappenings = 50

/** Event-loop turns without activity before a sleeper wakes; an interceptor needs a few. */
const quietTurns = 10
/** Replaces `quietTurns` while a fault delays a response: about a second, since most of these turns take 1 ms. */
const stuckTurns = 1000

export class Sandbox implements CallHandler {
  readonly #start: (events: EventSink) => Store
  readonly #options: SandboxOptions
  readonly #pipeline: Pipeline
  #state: SandboxState
  /** Named snapshots; they survive a reset. */
  readonly snapshots = new Map<string, SavedSnapshot>()
  /** Event listeners; they survive a reset. */
  readonly events = createEvents({
    changed: () => this.signal({ event: 'state' }),
    skipped: (skipped) => {
      this.skipped = skipped
      this.signal({ event: 'skipped', ...skipped })
    },
    happened: (happening) => {
      const [{ number } = { number: 0 }] = this.#happenings.slice(-1)
      this.#happenings = [...this.#happenings.slice(1 - keptHappenings), { ...happening, number: number + 1 }]
    },
  })
  #happenings: readonly NumberedHappening[] = []
  /** Skipped occurrences that no response's hint has mentioned yet. */
  skipped: SkippedOccurrences | undefined
  /** Outcomes since the sandbox was created; they survive a reset. The main sandbox and boundaries share the mock's. */
  readonly coverage: Coverage
  readonly #sleepers = new WeakMap<Store, Sleepers>()
  /** Whether a valid key has ever been used in it. */
  isUsed = false

  /** `start` creates the initial store, which `reset` also returns to. */
  constructor(start: (events: EventSink) => Store, options: SandboxOptions) {
    this.#start = start
    this.#options = options
    this.coverage = options.coverage ?? new Coverage()
    this.#pipeline = new Pipeline(this, options)
    this.#state = this.#beginning()
  }

  signal(signal: SandboxSignal): void {
    this.#options.listeners?.emit(signal)
  }

  /** Makes a change outside the model, such as setting a fault, and signals it. */
  change<T>(run: (sandbox: this) => T): T {
    const result = run(this)
    this.signal({ event: 'state' })
    return result
  }

  /** Waits on the clock; the clock moves when the wait is over. A sleeper stays with its store, as calls do. */
  sleep(ms: number): Promise<void> {
    const { store, journal } = this
    const createSleepers = () =>
      new Sleepers({
        activity: () => journal.activity,
        inFlight: () => this.#pipeline.delayed,
        quietTurns: () => quietTurns,
        stuckTurns,
        pass: (passed) => {
          if (this.store === store) this.moveClock((clock) => clock.advance(passed))
        },
      })
    return this.#options.sleep?.(ms) ?? getOrInsert(this.#sleepers, store, createSleepers).sleep(ms)
  }

  signalClock(): void {
    const { clock } = this.store
    this.signal({ event: 'clock', now: clock.now(), mode: clock.mode })
  }

  #beginning(): SandboxState {
    return beginState(this.#start(this.events), this.#options)
  }

  /** Copies the current state without the effects of faults, since the copy has no faults. */
  fork(events?: EventSink): Store {
    const copy = this.bringUpToDate().fork(events)
    const { own } = this.faults.answers
    if (own !== copy.answers) {
      copy.answers = own
      rescheduleJobs(copy)
    }
    return copy
  }

  get state(): SandboxState {
    return this.#state
  }

  get store(): Store {
    return this.#state.store
  }

  /** Replaces the store and keeps journal, faults and report. Calls in progress stay with the old store. */
  set store(store: Store) {
    this.store.events = noEvents
    this.#state = { ...this.#state, store, queue: new RequestQueue() }
    this.faults.moveTo(store)
    // Drops happenings that are later than the new state's clock.
    this.#happenings = this.#happenings.filter(({ atMs }) => atMs <= store.clock.nowMs())
    this.signal({ event: 'state' })
  }

  get journal(): Journal {
    return this.#state.journal
  }

  get faults(): Faults {
    return this.#state.faults
  }

  get report(): ClientReport {
    return this.#state.report
  }

  /** The state that a reset returns to. */
  createStart(): Store {
    return this.#start(noEvents)
  }

  /** Restores the report and the happenings of a saved run. */
  putBack(report: ClientReport, happenings: readonly NumberedHappening[]): void {
    this.#state = { ...this.#state, report }
    this.#happenings = happenings
    this.signal({ event: 'state' })
  }

  /** Starts over: state, clock, faults, journal and report. Calls in progress stay with the state they arrived in. */
  reset(): void {
    const next = this.#beginning()
    this.store.events = noEvents
    this.journal.leave()
    this.#state = next
    this.skipped = undefined
    this.#happenings = []
    this.signal({ event: 'reset' })
  }

  /** Returns the store, after everything due by now has happened. */
  bringUpToDate(): Store {
    runDue(this.store)
    return this.store
  }

  /** What the clock has triggered since the last reset: the latest 50 happenings, oldest first. */
  get happenings(): readonly NumberedHappening[] {
    return this.#happenings
  }

  /** Moves the clock. Whatever becomes due happens at once. Assumption: recurrence */
  moveClock(move: (clock: Clock) => void): void {
    const { clock } = this.bringUpToDate()
    move(clock)
    this.bringUpToDate()
    this.signalClock()
  }

  handle(call: Call): Promise<ApiResponse> {
    return this.#pipeline.handle(call)
  }

  pendingSignals(): readonly SandboxSignal[] {
    return this.#pipeline.pendingSignals()
  }

  /** Sends a request that the journal, report and faults do not see, and to which no limit applies. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse> {
    const { store } = this
    const unnoticed = {
      planned: undefined,
      sharedFaults: undefined,
      coverage: undefined,
      journalBudget: undefined,
      listeners: undefined,
    }
    const options = { ...this.#options, ...unnoticed }
    const call = createInternalCall(options.baseUrl, key, request)
    return new Sandbox(() => store, options).handle({ ...call, isEffect: true })
  }
}

// A sandbox: a store with its journal, faults and report, and how a call passes through them.
import { getOrInsert } from '../../contract/data/maps.ts'
import { pollMs } from '../../contract/limits.ts'
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
import {
  createInternalCall,
  NetworkFault,
  type ApiResponse,
  type Call,
  type CallBody,
  type CallHandler,
  type InternalRequest,
} from '../requests/call.ts'
import { delay } from '../requests/delay.ts'
import { respond } from '../requests/dispatch.ts'
import { Faults, isFirstOrSingle, type InjectedFailure } from '../faults/faults.ts'
import { Coverage, outcomeOf } from '../journal/coverage.ts'
import {
  beginExchange,
  droppedResponse,
  OpenExchange,
  toExchange,
  type BegunExchange,
  type RequestState,
} from '../requests/exchange.ts'
import type { SandboxOptions, SavedSnapshot } from './sandbox-options.ts'
import { RequestQueue } from '../requests/request-queue.ts'
import { Journal } from '../journal/journal.ts'
import { keptBodyBytes } from '../journal/weight.ts'
import { principalOf } from '../requests/authenticate.ts'
import { bodyLimitOf } from '../requests/parse.ts'
import { meetFaults, parsePreferredCode, type MetFaults } from '../requests/prefer.ts'
import { respondToPreflight, toSkippedHint, withHint } from '../requests/responses.ts'
import type { ClientReport } from './client-report.ts'
import type { Route } from '../requests/route.ts'
import { Sleepers } from './sleepers.ts'
import { toPendingSignal, toRequestSignal, showHeaders, type SandboxSignal } from './signals.ts'

interface SandboxState extends RequestState {
  readonly journal: Journal
  readonly report: ClientReport
}

/** Runs the job of a call in its turn, with the body filled in. @param abandon is called if the body cannot be read */
function inTurn<T>(
  exchange: OpenExchange,
  body: CallBody | Promise<CallBody>,
  job: () => T | Promise<T>,
  abandon?: () => void,
): Promise<T> {
  const { queue } = exchange.state
  const isRemote = exchange.call.isRemote === true
  if (!(body instanceof Promise)) {
    exchange.sent = body
    // A job that throws rejects.
    return isRemote ? new Promise((resolve) => resolve(queue.runAtOnce(job))) : queue.run(job)
  }
  const fail = (error: unknown): never => {
    abandon?.()
    throw error
  }
  const fill = (sent: CallBody) => void (exchange.sent = sent)
  if (!isRemote) return queue.runAfter(body.then(fill, fail), job)
  return body.then((sent) => {
    fill(sent)
    return queue.runAtOnce(job)
  }, fail)
}

/** `number` tells later ones from earlier ones. */
export type NumberedHappening = Happening & { readonly number: number }

const keptHappenings = 50

/** Turns of the event loop without a request after which a sleeper wakes: those of an interceptor take a few. */
const quietTurns = 10
/** The same while a fault delays a response: about a second, since the turns become milliseconds. */
const stuckTurns = 1000

export class Sandbox implements CallHandler {
  readonly #start: (events: EventSink) => Store
  readonly #options: SandboxOptions
  #state: SandboxState
  /** Named snapshots; they outlive a reset. */
  readonly snapshots = new Map<string, SavedSnapshot>()
  /** Listeners outlive a reset too. */
  readonly events = createEvents({
    changed: () => this.signal({ event: 'state' }),
    skipped: (skipped) => {
      this.#skipped = skipped
      this.signal({ event: 'skipped', ...skipped })
    },
    happened: (happening) => {
      const [{ number } = { number: 0 }] = this.#happenings.slice(-1)
      this.#happenings = [...this.#happenings.slice(1 - keptHappenings), { ...happening, number: number + 1 }]
    },
  })
  #happenings: readonly NumberedHappening[] = []
  /** Occurrences that no hint of a response names yet. */
  #skipped: SkippedOccurrences | undefined
  /** Outcomes since the sandbox was created; they outlive a reset too. Those of the main sandbox and of boundaries are the mock's. */
  readonly coverage: Coverage
  readonly #sleepers = new WeakMap<Store, Sleepers>()
  /** Requests that wait for their body or for a fault, with that fault; only where somebody can watch. */
  readonly #open = new Map<OpenExchange, InjectedFailure | undefined>()
  /** How many responses a fault delays now. */
  #delayed = 0
  /** Whether a key was ever valid in it. */
  isUsed = false

  /** `start` makes the store that the sandbox starts with and that `reset` returns to. */
  constructor(start: (events: EventSink) => Store, options: SandboxOptions) {
    this.#start = start
    this.#options = options
    this.coverage = options.coverage ?? new Coverage()
    this.#state = this.#beginning()
  }

  signal(signal: SandboxSignal): void {
    this.#options.listeners?.emit(signal)
  }

  /** Makes a change outside the model, such as one of its faults. */
  change<T>(run: (sandbox: this) => T): T {
    const result = run(this)
    this.signal({ event: 'state' })
    return result
  }

  /** Waits on the clock, which moves when the wait is over. A sleeper stays with its store, as calls do. */
  sleep(ms: number): Promise<void> {
    const { store, journal } = this
    const createSleepers = () =>
      new Sleepers({
        activity: () => journal.activity,
        inFlight: () => this.#delayed,
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
    const { journalSize, journalBudget, planned, sharedFaults, newReport } = this.#options
    const journal = new Journal(journalSize, journalBudget)
    const store = this.#start(this.events)
    const queue = new RequestQueue()
    const faults = new Faults(planned, sharedFaults?.values())
    return { store, faults, journal, report: newReport(journal), queue }
  }

  get store(): Store {
    return this.#state.store
  }

  /** Replaces the store; journal, faults and report stay. Calls in progress stay with the former one. */
  set store(store: Store) {
    this.store.events = noEvents
    this.#state = { ...this.#state, store, queue: new RequestQueue() }
    // In an earlier state, what came later has not happened.
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

  /** Starts over: state, clock, faults, journal and report. Calls in progress stay with the state they arrived in. */
  reset(): void {
    const next = this.#beginning()
    this.store.events = noEvents
    this.journal.leave()
    this.#state = next
    this.#skipped = undefined
    this.#happenings = []
    this.signal({ event: 'reset' })
  }

  /** The store, after everything that is due by now. */
  bringUpToDate(): Store {
    runDue(this.store)
    return this.store
  }

  /** What the clock brought since the last reset, oldest first: the latest 50. */
  get happenings(): readonly NumberedHappening[] {
    return this.#happenings
  }

  /** Moves the clock. What becomes due happens at once. Assumption: recurrence */
  moveClock(move: (clock: Clock) => void): void {
    const { clock } = this.bringUpToDate()
    move(clock)
    this.bringUpToDate()
    this.signalClock()
  }

  /**
   * Handles a call. Calls are handled one at a time, in the order of their arrival; one whose body is not there yet
   * waits outside of that order.
   * @throws {NetworkFault} if a fault breaks the connection; the error of reading the body; the reason of the signal
   */
  handle(call: Call): Promise<ApiResponse> {
    if (call.method === 'OPTIONS') return Promise.resolve(respondToPreflight(call))
    const exchange = new OpenExchange(call, this.#state)
    const { route, state } = exchange
    const body = this.#readBody(exchange)
    const { listeners } = this.#options
    const isFaulty = route !== undefined && (state.faults.areSet || parsePreferredCode(call) !== undefined)
    const isSeen = listeners && (body instanceof Promise || listeners.followRequests())
    if (!isSeen && !isFaulty) return inTurn(exchange, body, () => this.#respond(exchange))
    const end = () => {
      this.#open.delete(exchange)
      if (exchange.id === 0) listeners?.emit({ event: 'abandoned', id: exchange.arrival }, true)
    }
    if (isFaulty) {
      const response = this.#handleWithFaults(exchange, route, body)
      if (!listeners) return response
      if (!this.#open.has(exchange)) this.#open.set(exchange, undefined)
      response.then(end, end)
      return response
    }
    this.#open.set(exchange, undefined)
    this.#announce(exchange)
    const respond = () => {
      try {
        return this.#respond(exchange)
      } finally {
        end()
      }
    }
    return inTurn(exchange, body, respond, end)
  }

  /** The events `pending` of the requests that wait. */
  pendingSignals(): readonly SandboxSignal[] {
    return [...this.#open].map(([exchange, failure]) => {
      const { reception } = exchange.call
      const signal = toPendingSignal(exchange, failure)
      return reception ? { ...signal, arrivedMs: reception.arrivedMs } : signal
    })
  }

  /** Begins to read the body: nothing if its operation takes none, and little of a key that cannot send it. */
  #readBody({ call, sentKey, route, store }: OpenExchange): CallBody | Promise<CallBody> {
    if (!route?.operation.body) return null
    if (typeof call.body !== 'function') return call.body
    const mostBytes = bodyLimitOf(store.answers, call.header('content-type'))
    const principal = principalOf(store, sentKey)
    // A key counts even before the body has arrived.
    if (principal) this.isUsed = true
    const isAdmitted = principal?.key.suspended === false
    return call.body({ mostBytes, keptBytes: isAdmitted ? mostBytes : Math.min(mostBytes, keptBodyBytes) })
  }

  #announce(exchange: OpenExchange, failure?: InjectedFailure): void {
    if (failure) this.#open.set(exchange, failure)
    const { listeners } = this.#options
    if (listeners?.followRequests() === true) listeners.emit(toPendingSignal(exchange, failure), true)
  }

  async #handleWithFaults(
    exchange: OpenExchange,
    route: Route,
    body: CallBody | Promise<CallBody>,
  ): Promise<ApiResponse> {
    const { call, state } = exchange
    const isReading = body instanceof Promise
    if (isReading) this.#announce(exchange)
    let met: MetFaults = {}
    const respond = () => {
      const { failure, effects = [] } = met
      const pass = () => this.#respond(exchange, failure)
      // A request that arrived in an earlier state changes nothing in the current one.
      if (effects.length === 0 || state !== this.#state) return pass()
      // Loaded on first use: most mocks have no such fault.
      const loading = import('../faults/effects.ts')
      return state.queue.hold(
        loading.then((loaded) => loaded.respondWithEffects(this, effects, exchange, pass)),
      )
    }
    const isDelayed = (phase: InjectedFailure['phase']) =>
      met.failure?.phase === phase && met.failure.delayMs > 0
    const wait = async () => {
      const { delayMs = 0, isOnClock } = met.failure ?? {}
      const { wait: waitOtherwise = delay } = this.#options
      if (isOnClock === true && waitOtherwise === delay && exchange.store.clock.mode === 'manual') {
        await this.sleep(delayMs)
        return
      }
      this.#delayed += 1
      try {
        await waitOtherwise(delayMs, call.signal)
      } finally {
        this.#delayed -= 1
      }
    }
    const early = await inTurn(exchange, body, () => {
      met = meetFaults(exchange, route)
      exchange.jobFault = met.failure?.job
      exchange.effectFault = met.effects?.find(isFirstOrSingle)?.id ?? null
      const isSlow = isDelayed('before') || isDelayed('after')
      if (!isReading || isSlow) this.#announce(exchange, isSlow ? met.failure : undefined)
      return isDelayed('before') ? undefined : respond()
    })
    if (!early) await wait()
    const response = early ?? (await inTurn(exchange, exchange.sent, respond))
    if (isDelayed('after')) await wait()
    if (met.failure?.network) throw new NetworkFault()
    return withHint(response, met.hint)
  }

  /** Sends a request that is unknown to its journal, report and faults. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse> {
    const { store } = this
    const unnoticed = {
      planned: undefined,
      sharedFaults: undefined,
      coverage: undefined,
      listeners: undefined,
    }
    const options = { ...this.#options, ...unnoticed }
    return new Sandbox(() => store, options).handle(createInternalCall(options.baseUrl, key, request))
  }

  /** A call that arrived in an earlier state is not entered into the current journal and report. */
  #record(open: BegunExchange, response: ApiResponse, failure: InjectedFailure | undefined): void {
    if (open.principal) this.isUsed = true
    if (open.route && open.call.isInternal !== true && !open.isConsole) {
      const outcome = response === droppedResponse ? undefined : outcomeOf(open, response)
      const isByFault = failure?.kind !== undefined || outcome?.isPlanned === true
      this.coverage.add({ operation: open.route.operation.id, case: outcome?.case, isByFault })
    }
    if (open.state !== this.#state) return
    open.id = this.journal.nextId()
    open.response = response
    open.failure = failure
    if (!open.isConsole) this.report.add(open)
    const { call, store, arrival } = open
    const exchange = toExchange(open)
    this.journal.add(exchange)
    const { listeners } = this.#options
    if (listeners?.areThere() === true)
      listeners.emit(toRequestSignal(exchange, arrival, showHeaders(call.headers?.() ?? [], store)))
  }

  #respond(exchange: OpenExchange, failure?: InjectedFailure): ApiResponse {
    const { route, store } = exchange
    beginExchange(exchange)
    const own = respond(exchange, this.#options.selfCheck, failure)
    const response = withHint(own, this.#skipped && toSkippedHint(this.#skipped))
    if (response !== own) this.#skipped = undefined
    this.#record(exchange, failure?.network === true ? droppedResponse : response, failure)
    const isPoll = route?.operation.advancesClock === true && response.status < 300
    if (isPoll && this.#options.advanceOnPoll && store.clock.mode === 'manual') {
      store.clock.tick(pollMs)
      runDue(store)
      this.signalClock()
    }
    return response
  }
}

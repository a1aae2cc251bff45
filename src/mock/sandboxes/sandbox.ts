// A sandbox: a store with its journal, faults and report, and how a call passes through them.
import { pollMs } from '../../contract/limits.ts'
import { runDue } from '../../service/resources/run-due.ts'
import type { Clock } from '../../service/store/clock.ts'
import { Events, noEvents, type EventSink, type SkippedOccurrences } from '../../service/store/events.ts'
import type { Store } from '../../service/store/store.ts'
import {
  createInternalCall,
  NetworkFault,
  type ApiResponse,
  type BodyLimits,
  type Call,
  type CallBody,
  type CallHandler,
  type CallHead,
  type InternalRequest,
} from '../requests/call.ts'
import { delay } from '../requests/delay.ts'
import { Faults, type InjectedFailure } from '../faults/faults.ts'
import { Coverage, outcomeOf } from '../journal/coverage.ts'
import { beginExchange, closeExchange, OpenExchange, type BegunExchange } from '../requests/exchange.ts'
import type { SandboxOptions, SavedSnapshot } from './sandbox-options.ts'
import { RequestQueue } from '../requests/request-queue.ts'
import { Journal } from '../journal/journal.ts'
import { keptBodyBytes } from '../journal/weight.ts'
import { principalOf } from '../requests/authenticate.ts'
import { bodyLimitOf } from '../requests/parse.ts'
import { candidateOf, meetFault, parsePreferredCode } from '../requests/prefer.ts'
import { droppedResponse, respond, withHint, toSkippedHint } from '../requests/respond.ts'
import type { ClientReport } from './client-report.ts'
import { respondToPreflight, routeOf, type Route } from '../requests/route.ts'
import { toPendingSignal, toRequestSignal, showHeaders, type SandboxSignal } from './signals.ts'

type SandboxQueue = RequestQueue<{ store: Store; faults: Faults; journal: Journal; report: ClientReport }>

export class Sandbox implements CallHandler {
  readonly #start: (events: EventSink) => Store
  readonly #options: SandboxOptions
  #queue: SandboxQueue
  /** Named snapshots; they outlive a reset. */
  readonly snapshots = new Map<string, SavedSnapshot>()
  /** Listeners outlive a reset too. */
  readonly events = new Events(
    () => this.signal({ event: 'state' }),
    (skipped) => {
      this.#skipped = skipped
      this.signal({ event: 'skipped', ...skipped })
    },
  )
  /** Occurrences that no hint of a response names yet. */
  #skipped: SkippedOccurrences | undefined
  /** Outcomes since the sandbox was created; they outlive a reset too. */
  readonly coverage: Coverage
  /** Whether a key was ever valid in it. */
  isUsed = false

  /** `start` makes the store that the sandbox starts with and that `reset` returns to. */
  constructor(start: (events: EventSink) => Store, options: SandboxOptions) {
    this.#start = start
    this.#options = options
    this.coverage = new Coverage(options.coverage && ((outcome) => options.coverage?.add(outcome)))
    this.#queue = this.#beginning()
  }

  signal(signal: SandboxSignal): void {
    this.#options.listeners?.emit(() => signal)
  }

  /** Makes a change outside the model, such as one of its faults. */
  change<T>(run: (sandbox: this) => T): T {
    const result = run(this)
    this.signal({ event: 'state' })
    return result
  }

  signalClock(): void {
    const { clock } = this.store
    this.#options.listeners?.emit(() => ({ event: 'clock', now: clock.now(), mode: clock.mode }))
  }

  #beginning() {
    const { journalSize, journalBudget, planned, newReport } = this.#options
    const journal = new Journal(journalSize, journalBudget)
    const store = this.#start(this.events)
    return new RequestQueue({ store, faults: new Faults(planned), journal, report: newReport(journal) })
  }

  get store(): Store {
    return this.#queue.state.store
  }

  /** Replaces the store; journal, faults and report stay. Calls in progress stay with the former one. */
  set store(store: Store) {
    this.store.events = noEvents
    this.#queue = new RequestQueue({ ...this.#queue.state, store })
    this.signal({ event: 'state' })
  }

  get journal(): Journal {
    return this.#queue.state.journal
  }

  get faults(): Faults {
    return this.#queue.state.faults
  }

  get report(): ClientReport {
    return this.#queue.state.report
  }

  /** Starts over: state, clock, faults, journal and report. Calls in progress stay with the state they arrived in. */
  reset(): void {
    const next = this.#beginning()
    this.store.events = noEvents
    this.journal.leave()
    this.#queue = next
    this.#skipped = undefined
    this.signal({ event: 'reset' })
  }

  /** The store, after everything that is due by now. */
  bringUpToDate(): Store {
    runDue(this.store)
    return this.store
  }

  /** Moves the clock. What becomes due happens at once. Assumption: recurrence */
  moveClock(move: (clock: Clock) => void): void {
    const { clock } = this.bringUpToDate()
    move(clock)
    this.bringUpToDate()
    this.signalClock()
  }

  /** How much of a body to read: nothing if its operation takes none, and little of a key that cannot send it. */
  bodyLimits(head: CallHead): BodyLimits {
    const { store } = this
    const isTaken = routeOf(head)?.operation.body !== undefined
    const mostBytes = isTaken ? bodyLimitOf(store.answers, head.header('content-type')) : 0
    const principal = principalOf(store, head.header('authorization'))
    // Counts even before the body has arrived.
    if (principal) this.isUsed = true
    const isAdmitted = principal?.key.suspended === false
    return { mostBytes, keptBytes: isAdmitted ? mostBytes : Math.min(mostBytes, keptBodyBytes) }
  }

  /**
   * Handles a call. Calls are handled one at a time, in the order of their arrival; one whose body is not there yet
   * waits outside of that order.
   * @throws {NetworkFault} if a fault breaks the connection; the error of reading the body; the reason of the signal
   */
  handle(call: Call): Promise<ApiResponse> {
    if (call.method === 'OPTIONS') return Promise.resolve(respondToPreflight(call))
    const route = routeOf(call)
    const isMet = route && this.faults.hasEffects && call.header('x-mock-console') !== '1'
    return isMet ? this.#handleWithEffects(call, route) : this.#carryOut(call, route)
  }

  /** Only a `match` that reads the body waits for it, so that other calls keep their places in the queue. */
  async #handleWithEffects(call: Call, route: Route): Promise<ApiResponse> {
    const queue = this.#queue
    const { faults } = queue.state
    let body: CallBody = null
    if (!(call.body instanceof Promise)) body = call.body
    else if (faults.effectsReadBodies) body = await call.body
    const met = faults.meet(route.operation, () => candidateOf(call, route, body))
    const pass = (given: Call) => this.#carryOut(given, route, queue)
    if (met.length === 0) return pass(call)
    // Loaded on first use: most mocks have no such fault.
    const { handleWithEffects } = await import('../faults/effects.ts')
    return handleWithEffects(this, met, call, pass)
  }

  /** Sends a request that is unknown to its journal, report and faults. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse> {
    const { store } = this
    const options = { ...this.#options, planned: undefined, coverage: undefined, listeners: undefined }
    return new Sandbox(() => store, options).handle(createInternalCall(options.baseUrl, key, request))
  }

  #carryOut(call: Call, route: Route | undefined, queue = this.#queue): Promise<ApiResponse> {
    const exchange = new OpenExchange(call, route, queue)
    const response = this.#enter(exchange)
    const { listeners } = this.#options
    if (listeners?.followRequests() === true) {
      const end = () => {
        if (exchange.id === 0) listeners.emit(() => ({ event: 'abandoned', id: exchange.arrival }), true)
      }
      response.then(end, end)
    }
    return response
  }

  #announce(exchange: OpenExchange, failure?: InjectedFailure): void {
    this.#options.listeners?.emit(() => toPendingSignal(exchange, failure), true)
  }

  #enter(exchange: OpenExchange): Promise<ApiResponse> {
    const { call, route, queue } = exchange
    const body = route?.operation.body ? call.body : null
    if (route && (parsePreferredCode(call) !== undefined || queue.state.faults.hasFailures))
      return this.#handleWithFaults(exchange, route, body)
    this.#announce(exchange)
    const process = (read: CallBody) => {
      exchange.sent = read
      return this.#process(exchange)
    }
    return body instanceof Promise
      ? queue.enqueueAfterRead(body, process)
      : queue.enqueue(() => process(body))
  }

  async #handleWithFaults(exchange: OpenExchange, route: Route, body: Call['body']): Promise<ApiResponse> {
    const { queue, call } = exchange
    const isReading = body instanceof Promise
    if (isReading) this.#announce(exchange)
    exchange.sent = isReading ? await body : body
    const { failure, hint } = meetFault(exchange, route)
    exchange.jobFault = failure?.job
    const { delayMs = 0, phase } = failure ?? {}
    const isDelayed = (when: InjectedFailure['phase']) => phase === when && delayMs > 0
    const wait = () => (this.#options.wait ?? delay)(delayMs, call.signal)
    if (!isReading || delayMs > 0) this.#announce(exchange, delayMs > 0 ? failure : undefined)
    if (isDelayed('before')) await wait()
    const response = await queue.enqueue(() => this.#process(exchange, failure))
    if (isDelayed('after')) await wait()
    if (failure?.network) throw new NetworkFault()
    return withHint(response, hint)
  }

  /** A call that arrived in an earlier state is not entered into the current journal and report. */
  #record(open: BegunExchange, response: ApiResponse, failure: InjectedFailure | undefined): void {
    if (open.principal) this.isUsed = true
    if (open.route && open.call.isInternal !== true && !open.isConsole) {
      const outcome = response === droppedResponse ? undefined : outcomeOf(open, response)
      const isByFault = failure?.kind !== undefined || outcome?.isPlanned === true
      this.coverage.add({ operation: open.route.operation.id, case: outcome?.case, isByFault })
    }
    if (open.queue !== this.#queue) return
    open.setResponse(this.journal.nextId(), response, failure)
    if (!open.isConsole) this.report.add(open)
    const { call, store, arrival } = open
    const exchange = closeExchange(open)
    this.journal.add(exchange)
    this.#options.listeners?.emit(() => toRequestSignal(exchange, arrival, showHeaders(call, store)))
  }

  #process(exchange: OpenExchange, failure?: InjectedFailure): ApiResponse {
    const { route, store } = exchange
    beginExchange(exchange)
    const own = respond(exchange, this.#options.selfCheck, failure)
    const response = withHint(own, this.#skipped && toSkippedHint(this.#skipped))
    if (response !== own) this.#skipped = undefined
    this.#record(exchange, failure?.network === true ? droppedResponse : response, failure)
    const isPoll = route?.operation.id === 'getJob' && response.status === 200
    if (isPoll && this.#options.advanceOnPoll && store.clock.mode === 'manual') {
      store.clock.tick(pollMs)
      runDue(store)
      this.signalClock()
    }
    return response
  }
}

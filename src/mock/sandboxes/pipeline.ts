// How a call passes through a sandbox: its body, its turn, its faults, its response, and its records.
import { pollMs } from '../../contract/limits.ts'
import { runDue } from '../../service/resources/run-due.ts'
import type { SkippedOccurrences } from '../../service/store/events.ts'
import type { EffectFault } from '../faults/faults.ts'
import { loadEffects } from '../faults/load-effects.ts'
import { meetFaults, parsePreferredCode, type MetFaults } from '../faults/meet.ts'
import { findHint, toSkippedHint } from '../hints/hint.ts'
import { outcomeOf, type Coverage } from '../journal/coverage.ts'
import { keptBodyBytes } from '../journal/weight.ts'
import { principalOf } from '../requests/authenticate.ts'
import {
  NetworkFault,
  UsedBodyError,
  type ApiResponse,
  type Call,
  type CallBody,
  type InternalRequest,
} from '../requests/call.ts'
import { delay } from '../requests/delay.ts'
import { respond } from '../requests/dispatch.ts'
import { toExchange } from '../journal/exchange.ts'
import { beginExchange, droppedResponse, OpenExchange, type BegunExchange } from '../requests/exchange.ts'
import { bodyLimitOf } from '../requests/parse.ts'
import { respondToPreflight, withHint } from '../requests/responses.ts'
import type { Route } from '../requests/route.ts'
import type { SandboxOptions } from './sandbox-options.ts'
import { showHeaders, toPendingSignal, toRequestSignal, type SandboxSignal } from './signals.ts'
import type { SandboxState } from './state.ts'

/** The sandbox that receives the calls. */
interface CallPlace {
  readonly state: SandboxState
  readonly store: SandboxState['store']
  readonly faults: SandboxState['faults']
  readonly coverage: Coverage
  /** Whether a valid key was ever used in it. */
  isUsed: boolean
  /** Skipped occurrences that no response's hint has mentioned yet. */
  skipped: SkippedOccurrences | undefined
  sleep(ms: number): Promise<void>
  signalClock(): void
  change(run: () => void): void
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse>
}

/** Runs a call's job in its turn, with the body filled in. @param abandon is called if the body cannot be read */
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
    // Wrapped in a promise, so that an error thrown by the job rejects it.
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

export class Pipeline {
  readonly #place: CallPlace
  readonly #options: SandboxOptions
  /** Requests that wait for their body or for a fault; kept only if somebody can watch. */
  readonly #open = new Set<OpenExchange>()
  /** Number of responses that a fault is delaying. */
  delayed = 0

  constructor(place: CallPlace, options: SandboxOptions) {
    this.#place = place
    this.#options = options
  }

  /**
   * Handles a call. Calls are handled one at a time in order of arrival; a call whose body has not arrived yet waits outside
   * that order.
   * @throws {NetworkFault} if a fault breaks the connection
   * @throws {UsedBodyError} if the body was already read; otherwise the error from reading it, or the signal's reason
   */
  handle(call: Call): Promise<ApiResponse> {
    if (call.method === 'OPTIONS') return Promise.resolve(respondToPreflight(call))
    const { state } = this.#place
    const exchange = new OpenExchange(call, state)
    if (call.isBodyUsed === true)
      return inTurn(exchange, null, () => this.#fail(exchange, new UsedBodyError()))
    const { route } = exchange
    const body = this.#readBody(exchange)
    const { listeners } = this.#options
    const isFaulty = route !== undefined && (state.faults.areSet || parsePreferredCode(call) !== undefined)
    const isSeen =
      listeners !== undefined && (body instanceof Promise || isFaulty || listeners.followRequests())
    if (!isSeen && !isFaulty) return inTurn(exchange, body, () => this.#respond(exchange))
    if (isSeen) this.#open.add(exchange)
    if (isSeen && (!isFaulty || body instanceof Promise)) this.#announce(exchange)
    const end = () => {
      this.#open.delete(exchange)
      if (exchange.id === 0) listeners?.emit({ event: 'abandoned', id: exchange.arrival }, true)
    }
    const response = isFaulty
      ? this.#handleWithFaults(exchange, state, route, body)
      : inTurn(exchange, body, () => this.#respond(exchange))
    if (isSeen) response.then(end, end)
    return response
  }

  /** The `pending` events of waiting requests. */
  pendingSignals(): readonly SandboxSignal[] {
    return [...this.#open].map(toPendingSignal)
  }

  /** Starts reading the body. Reads nothing if the operation takes no body, and little if the key may not send one. */
  #readBody({ call, sentKey, route, store }: OpenExchange): CallBody | Promise<CallBody> {
    if (!route?.operation.body) return null
    if (typeof call.body !== 'function') return call.body
    const mostBytes = bodyLimitOf(store.answers, call.header('content-type'))
    const principal = principalOf(store, sentKey)
    // Marks the sandbox as used right away, because the body may still be arriving.
    if (principal) this.#place.isUsed = true
    const isAdmitted = principal?.key.suspended === false
    return call.body({ mostBytes, keptBytes: isAdmitted ? mostBytes : Math.min(mostBytes, keptBodyBytes) })
  }

  #announce(exchange: OpenExchange): void {
    const { listeners } = this.#options
    if (listeners?.followRequests() === true) listeners.emit(toPendingSignal(exchange), true)
  }

  async #handleWithFaults(
    exchange: OpenExchange,
    state: SandboxState,
    route: Route,
    body: CallBody | Promise<CallBody>,
  ): Promise<ApiResponse> {
    let met: MetFaults = { effects: [] }
    const respond = () => this.#respondWithEffects(exchange, state, met.effects)
    const isDelayed = (phase: 'before' | 'after') =>
      exchange.failure?.phase === phase && exchange.failure.delayMs > 0
    const early = await inTurn(exchange, body, () => {
      met = meetFaults(exchange, state.faults, route)
      if (!(body instanceof Promise) || exchange.failure?.delayMs) this.#announce(exchange)
      return isDelayed('before') ? undefined : respond()
    })
    if (!early) await this.#wait(exchange)
    const response = early ?? (await inTurn(exchange, exchange.sent, respond))
    if (isDelayed('after')) await this.#wait(exchange)
    if (exchange.failure?.network) throw new NetworkFault()
    return withHint(response, met.hint)
  }

  async #wait({ failure, store, call }: OpenExchange): Promise<void> {
    const { delayMs = 0, isOnClock } = failure ?? {}
    const { wait = delay } = this.#options
    if (isOnClock === true && wait === delay && store.clock.mode === 'manual') {
      await this.#place.sleep(delayMs)
      return
    }
    this.delayed += 1
    try {
      await wait(delayMs, call.signal)
    } finally {
      this.delayed -= 1
    }
  }

  #respondWithEffects(exchange: OpenExchange, state: SandboxState, effects: readonly EffectFault[]) {
    const pass = () => this.#respond(exchange)
    // A request that arrived in an earlier state must not change the current one.
    if (effects.length === 0 || state !== this.#place.state) return pass()
    return state.queue.hold(
      loadEffects().then((loaded) => loaded.respondWithEffects(this.#place, effects, exchange, pass)),
    )
  }

  /**
   * Records a request with an unreadable body in the journal, with the reason. Report, coverage and faults ignore it.
   */
  #fail(exchange: OpenExchange, error: Error): never {
    beginExchange(exchange)
    exchange.principal = principalOf(exchange.store, exchange.sentKey)
    if (exchange.state === this.#place.state) this.#enter(exchange, withHint(droppedResponse, error.message))
    throw error
  }

  #respond(exchange: OpenExchange): ApiResponse {
    const { route, store } = exchange
    const place = this.#place
    beginExchange(exchange)
    const own = respond(exchange, this.#options.selfCheck)
    const hinted = withHint(own, findHint(exchange, own))
    const response = withHint(hinted, place.skipped && toSkippedHint(place.skipped))
    if (response !== hinted) place.skipped = undefined
    this.#record(exchange, exchange.failure?.network === true ? droppedResponse : response)
    const isPoll = route?.operation.advancesClock === true && response.status < 300
    if (isPoll && this.#options.advanceOnPoll && store.clock.mode === 'manual') {
      store.clock.tick(pollMs)
      runDue(store)
      place.signalClock()
    }
    return response
  }

  /** Records a call in the coverage, and, if the state in which it arrived is still current, in journal and report. */
  #record(open: BegunExchange, response: ApiResponse): void {
    const { coverage } = this.#place
    if (open.principal) this.#place.isUsed = true
    if (open.route && open.call.isInternal !== true && !open.isConsole) {
      const outcome = response === droppedResponse ? undefined : outcomeOf(open, response)
      const isByFault = open.isInjected || outcome?.isPlanned === true
      coverage.add({ operation: open.route.operation.id, case: outcome?.case, isByFault })
    }
    if (open.state !== this.#place.state) return
    this.#enter(open, response, !open.isConsole)
  }

  #enter(open: BegunExchange, response: ApiResponse, isReported = false): void {
    const { state } = this.#place
    open.id = state.journal.nextId()
    open.response = response
    if (isReported) state.report.add(open)
    const { call, store, arrival } = open
    const exchange = toExchange(open)
    state.journal.add(exchange)
    const { listeners } = this.#options
    if (listeners?.areThere() === true)
      listeners.emit(toRequestSignal(exchange, arrival, showHeaders(call.headers?.() ?? [], store)))
  }
}

// Owns a sandbox: one store with its queue, journal, faults and report, and the way of a call through them.
import { errorKinds, limitNames, type ErrorKind } from '../contract/errors.ts'
import { limitOf } from '../resources/plans.ts'
import { isDue, settle } from '../resources/run-due.ts'
import { Events } from '../store/events.ts'
import type { Emit, Store } from '../store/store.ts'
import { NetworkFault, type Answer, type Call } from './call.ts'
import { bodyOf, dispatch, failureAnswer, newTrace, type DispatchOptions, type Trace } from './dispatch.ts'
import { corsHeaders, errorAnswer } from './errors.ts'
import { delay, failureFacts } from './failures.ts'
import { faultKind, Faults, type Failure } from './faults.ts'
import { Journal } from './journal.ts'
import { bringUpToDate, record, type Begun, type Received, type Routed } from './record.ts'
import { Report } from '../client-report/report.ts'
import { findOperation, isBareStorageKey, nearestOperation, type Route } from './route.ts'

export interface SandboxOptions extends DispatchOptions {
  readonly journalSize: number
  /** Whether a job poll moves a manual clock by 500 ms after it was answered. */
  readonly advanceOnPoll: boolean
}

const pollMs = 500

const preflightAnswer = (call: Call): Answer => ({
  status: 204,
  headers: {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      call.header('access-control-request-headers') ?? 'Authorization, Content-Type, Prefer, X-Mock-Sandbox',
    'access-control-max-age': '86400',
  },
  body: null,
})

/** The status asked for by `Prefer: code=503`, if any. */
function preferredStatus(call: Call): number | undefined {
  const preference = call.header('prefer')
  if (preference === null) return undefined
  const code = /(?:^|[,;\s])code=(\d{3})(?:$|[,;\s])/.exec(preference)?.[1]
  return code === undefined ? undefined : Number(code)
}

const withHint = (answer: Answer, hint: string | undefined): Answer =>
  hint === undefined ? answer : { ...answer, headers: { 'x-mock-hint': hint, ...answer.headers } }

const brokenOff: Answer = { status: 0, headers: {}, body: null }

export class Sandbox {
  readonly #start: (emit: Emit) => Store
  readonly #options: SandboxOptions
  #tail: Promise<unknown> = Promise.resolve()
  store: Store
  journal: Journal
  faults = new Faults()
  report = new Report()
  /** Named snapshots; they outlive a reset. */
  readonly snapshots = new Map<string, Store>()
  /** Listeners outlive a reset too. */
  readonly events = new Events()

  /** `start` makes the store that the sandbox begins with and that `reset` goes back to. */
  constructor(start: (emit: Emit) => Store, options: SandboxOptions) {
    this.#start = start
    this.#options = options
    this.store = start(this.events.emit)
    this.journal = new Journal(options.journalSize)
  }

  /** Back to the start, all of it: what is still under way finishes on the store it began with. */
  reset(): void {
    this.#tail = Promise.resolve()
    this.store = this.#start(this.events.emit)
    this.journal = new Journal(this.#options.journalSize)
    this.faults = new Faults()
    this.report = new Report()
  }

  /** The store, brought up to its clock. */
  settled(): Store {
    if (isDue(this.store)) settle(this.store)
    return this.store
  }

  /**
   * Answers a call. Calls are carried out one at a time, in the order in which they came.
   * @throws {NetworkFault} where a fault breaks the connection
   */
  handle(call: Call): Promise<Answer> {
    if (call.method === 'OPTIONS') return Promise.resolve(preflightAnswer(call))
    const route = findOperation(call.method, call.path)
    const status = preferredStatus(call)
    const after = this.journal.lastId
    if (!route || (status === undefined && this.faults.isEmpty))
      return this.#enqueue(() => this.#process({ call, route, after }))
    return this.#handleWithFaults({ call, route, after }, status)
  }

  /** Even where nothing is ahead of it a job waits for a microtask, so that calls made together came together. */
  #enqueue<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#tail.then(job, job)
    this.#tail = result
    return result
  }

  async #handleWithFaults(
    { call: given, route, after }: Routed,
    status: number | undefined,
  ): Promise<Answer> {
    const body = await bodyOf(given, this.store.answers)
    const { method, path, query, baseUrl } = given
    const call: Call = { method, path, query, baseUrl, header: (name) => given.header(name), body }
    const received = { call, route, after }
    const kind = status === undefined ? undefined : faultKind(route.operation, status, undefined)
    if (kind) return this.#enqueue(() => this.#fail(received, { id: 'prefer', kind, retryAfter: 1 }))
    const hint =
      status === undefined
        ? undefined
        : `Prefer: code=${String(status)} is no documented error of ${route.operation.id}`
    const failure = this.faults.isEmpty
      ? undefined
      : this.faults.take(route.operation, candidate(call, route))
    if (!failure) return withHint(await this.#enqueue(() => this.#process(received)), hint)
    if (failure.phase === 'before') {
      if (failure.delayMs > 0) await delay(failure.delayMs)
      return withHint(await this.#enqueue(() => this.#fail(received, failure)), hint)
    }
    return withHint(await this.#failAfter(received, failure), hint)
  }

  /** Carries the request out, then answers with the failure instead. */
  async #failAfter(received: Routed, failure: Failure): Promise<Answer> {
    const answer = await this.#enqueue(() => this.#process(received, failure))
    if (failure.delayMs > 0) await delay(failure.delayMs)
    if (failure.network) throw new NetworkFault()
    return answer
  }

  /** Answers with a failure before anything is looked at; one without a kind lets the request through. */
  #fail(
    received: Routed,
    failure: Pick<Failure, 'id' | 'kind' | 'retryAfter'> & { readonly network?: boolean },
  ): Answer | Promise<Answer> {
    if (failure.network !== true && failure.kind === undefined) return this.#process(received)
    const begun = this.#begin(received)
    bringUpToDate(begun)
    const answer = this.#failureAnswer(failure.kind ?? 'serverError', failure.retryAfter)
    const trace = newTrace()
    if (typeof received.call.body !== 'function') trace.body = received.call.body
    record(begun, trace, failure.network === true ? brokenOff : answer, failure.id)
    if (failure.network === true) throw new NetworkFault()
    return answer
  }

  #failureAnswer(kind: ErrorKind, retryAfter: number): Answer {
    const spec = errorKinds[kind]
    const [workspace] = this.store.workspaces.all()
    const name = 'limit' in spec ? limitNames.find((known) => known === spec.limit) : undefined
    const limit = name && workspace ? (limitOf(this.store.answers, workspace, name) ?? 0) : 0
    const { message, facts } = failureFacts(kind, limit, retryAfter)
    return errorAnswer(kind, message, facts)
  }

  #begin({ call, route, after }: Received): Begun {
    const { store, journal, report, faults } = this
    return {
      call,
      route,
      after,
      store,
      journal,
      report,
      faults,
      atMs: store.clock.nowMs(),
      clockMoves: store.clock.moves,
      revision: store.undo.revision,
    }
  }

  #process(received: Received, failure?: Failure): Answer | Promise<Answer> {
    const { call, route } = received
    const begun = this.#begin(received)
    const trace = newTrace()
    let answer: Answer | Promise<Answer>
    try {
      bringUpToDate(begun)
      answer = route ? dispatch(begun.store, route, call, trace, this.#options) : this.#unknownAnswer(call)
    } catch (error) {
      answer = failureAnswer(error)
    }
    if (!(answer instanceof Promise)) return this.#conclude(begun, trace, answer, failure)
    return answer
      .catch((error: unknown) => failureAnswer(error))
      .then((settled) => this.#conclude(begun, trace, settled, failure))
  }

  /** Answers a call that was carried out, or fails it after all. */
  #conclude(begun: Begun, trace: Trace, given: Answer, failure: Failure | undefined): Answer {
    const { route, store } = begun
    let answer = given
    if (answer.status === 429 && store.clock.mode === 'manual')
      answer = withHint(
        answer,
        'the clock is manual: move it with mock.clock.advance(...) or POST /__mock/clock/advance',
      )
    if (failure?.kind) answer = this.#failureAnswer(failure.kind, failure.retryAfter)
    record(begun, trace, failure?.network === true ? brokenOff : answer, failure?.id ?? null)
    const isPoll = route?.operation.id === 'getJob' && answer.status === 200
    if (isPoll && this.#options.advanceOnPoll && store.clock.mode === 'manual') store.clock.tick(pollMs)
    return answer
  }

  #unknownAnswer(call: Call): Answer {
    const hint = isBareStorageKey(call.method, call.path)
      ? 'a storage key goes into the path as encodeURIComponent(key)'
      : `did you mean ${nearestOperation(call.method, call.path)}?`
    // What an adapter got outside of the base address comes as a path out of its root.
    const path = call.path.startsWith('/../') ? call.path.slice('/..'.length) : `/v1${call.path}`
    return errorAnswer('unknownOperation', `${call.method} ${path} is no operation of this API`, { hint })
  }
}

function candidate(call: Call, { operation, params }: Route) {
  return {
    method: call.method,
    path: call.path,
    query: Object.fromEntries(new URLSearchParams(call.query)),
    params: { ...params },
    body: operation.body?.json && call.body instanceof Uint8Array ? jsonOf(call.body) : undefined,
  }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

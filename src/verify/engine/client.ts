// The client of a deployment: calls by operation, with retries; every response is judged, everything made is recorded.
import { filledPath, type Method, type OperationSpec } from '../../contract/operation.ts'
import { operations, type OperationId, type SuccessFor } from '../../contract/index.ts'
import { keyVariable, type Exchange } from './exchange.ts'
import { causeOf, lastingCauseOf } from './failure.ts'
import { origin, type Judge } from './judge.ts'
import type { Ledger } from './ledger.ts'
import { paced, type Wait } from './pace.ts'
import { Reply } from './reply.ts'
import { Drift, Forbidden, Interrupted, Unreachable, type Source } from './rule.ts'

export type Params = Readonly<Record<string, string>>

/** The arguments of a call. */
export interface Ask {
  readonly params?: Params
  readonly query?: Readonly<Record<string, string | number>> | string
  readonly json?: unknown
  /** A raw body, instead of `json`. */
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  /** A key other than that of the run; null sends none. */
  readonly key?: string | null
  /** Whether a 429 is the expected response. */
  readonly keepLimit?: boolean
}

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly wait: Wait
  readonly signal: AbortSignal | undefined
  readonly judge: Judge
  readonly ledger: Ledger
}

/** Exchanges of one rule that are kept as evidence. */
const mostTraced = 60

function pathOf(operation: OperationId, params: Params = {}): string {
  return filledPath(operations[operation].path, (name) => params[name] ?? '')
}

function queryOf(query: Ask['query'] = ''): string {
  if (typeof query === 'string') return query === '' ? '' : `?${query}`
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`
}

export class Client {
  readonly #options: ClientOptions
  readonly #origin: string
  /** Operations of which a request failed after every retry. */
  readonly #failing = new Set<OperationId | undefined>()
  /** The last read that got a response, to check whether the deployment is still there. */
  #lastRead: string | undefined
  /** Whether the clean-up is running, which continues after an interruption. */
  isCleaningUp = false
  requests = 0
  /** Number of retries. */
  retries = 0
  /** The exchanges since the caller last emptied it, the latest last. */
  trace: Exchange[] = []

  constructor(options: ClientOptions) {
    this.#options = options
    this.#origin = new URL(options.baseUrl).origin
  }

  get judge(): Judge {
    return this.#options.judge
  }

  get baseUrl(): string {
    return this.#options.baseUrl
  }

  /** Address of a path below the base address. */
  url(path: string): string {
    return `${this.#options.baseUrl}${path}`
  }

  /** A key that differs from the run's in its last character alone. */
  get similarKey(): string {
    const { apiKey } = this.#options
    return apiKey.slice(0, -1) + (apiKey.endsWith('x') ? 'y' : 'x')
  }

  isForeign(url: string): boolean {
    return new URL(url, this.#options.baseUrl).origin !== this.#origin
  }

  /** The key is sent only to the deployment's own origin. */
  #authorization(url: string, { key = this.#options.apiKey }: Ask): string | undefined {
    return key === null || this.isForeign(url) ? undefined : `Bearer ${key}`
  }

  async #attempt(operation: OperationId | undefined, method: string, url: string, ask: Ask): Promise<Reply> {
    const { fetch, signal, apiKey } = this.#options
    if (signal?.aborted === true && !this.isCleaningUp) throw new Interrupted()
    this.requests += 1
    const authorization = this.#authorization(url, ask)
    const headers: Record<string, string> = {
      origin,
      ...(authorization !== undefined && { authorization }),
      ...(ask.json !== undefined && { 'content-type': 'application/json' }),
      ...ask.headers,
    }
    const body = ask.json === undefined ? (ask.body ?? null) : JSON.stringify(ask.json)
    const shown = { ...headers }
    if (authorization === `Bearer ${apiKey}`) shown.authorization = `Bearer ${keyVariable}`
    if (authorization === `Bearer ${this.similarKey}`) shown.authorization = `Bearer ${keyVariable}x`
    const startedAt = new Date().toISOString()
    const exchange: Exchange = { operation, method, url, headers: shown, body, startedAt }
    this.trace.push(exchange)
    if (this.trace.length > mostTraced) this.trace.shift()
    try {
      const response = await fetch(new Request(url, { method, headers, body, redirect: 'manual' }))
      if (response.type === 'error') throw new TypeError('the connection was broken')
      return (exchange.reply = await Reply.of(response))
    } catch (error) {
      exchange.failure = causeOf(error)
      throw error
    }
  }

  async #send(
    operation: OperationId | undefined,
    method: string,
    url: string,
    ask: Ask,
    onReply: (reply: Reply, isLast: boolean) => void,
  ): Promise<Reply> {
    const attempts = this.#failing.has(operation) ? 2 : 5
    const reply = await paced(() => this.#attempt(operation, method, url, ask), {
      wait: this.#options.wait,
      keepLimit: ask.keepLimit === true,
      attempts,
      onReply,
      onRetry: () => (this.retries += 1),
      isLasting: (error) => this.#lastRead === undefined && lastingCauseOf(error) !== undefined,
    })
    if (reply.status === 500 || reply.status === 503) this.#failing.add(operation)
    return reply
  }

  /**
   * The error for a request that never got a readable response.
   * @throws {Interrupted} if the whole deployment no longer responds
   */
  async #unreadable(operation: OperationId | undefined, what: string, error: unknown): Promise<Drift> {
    const cause = causeOf(error)
    this.#failing.add(operation)
    if (this.#lastRead !== undefined && !this.isCleaningUp) await this.#assertAlive(this.#lastRead, cause)
    return new Drift(
      'a response that can be read',
      `${what} got none: ${cause}`,
      operation && { contract: 'Endpoints' },
    )
  }

  async #assertAlive(url: string, cause: string): Promise<void> {
    for (let attempt = 0; attempt < 4; attempt += 1)
      try {
        await this.#attempt(undefined, 'GET', url, {})
        return
      } catch (error) {
        if (error instanceof Interrupted) throw error
        await this.#options.wait(1000)
      }
    throw new Interrupted(`${this.baseUrl} stopped responding: ${cause}`)
  }

  /**
   * Sends a request to any address. The key goes to the deployment's origin alone.
   * @throws {Drift} if no response could be read
   */
  async send(method: string, url: string, ask: Ask): Promise<Reply> {
    try {
      return await this.#send(undefined, method, url, ask, () => undefined)
    } catch (error) {
      if (error instanceof Interrupted) throw error
      throw await this.#unreadable(undefined, `${method} ${url}`, error)
    }
  }

  /**
   * Calls an operation. Its response is judged, and what it made is remembered.
   * @throws {Unreachable} if no response could be read, which is recorded as drift of the operation
   */
  async call(operation: OperationId, ask: Ask = {}): Promise<Reply> {
    const { judge, ledger } = this.#options
    const { method, path }: { method: Method; path: string } = operations[operation]
    const url = this.url(`${pathOf(operation, ask.params)}${queryOf(ask.query)}`)
    try {
      const reply = await this.#send(operation, method, url, ask, (got, isLast) => {
        const exchange = this.trace.at(-1)
        if (isLast || got.status === 429) judge.check(operation, got, exchange)
        else judge.checkTransient(operation, got, exchange)
        ledger.observe(operation, ask, got)
      })
      if (method === 'GET' && reply.isSuccess) this.#lastRead = url
      return reply
    } catch (error) {
      ledger.suspect(operation, ask)
      if (error instanceof Interrupted) throw error
      const { expected, got } = await this.#unreadable(operation, `${method} ${path}`, error)
      judge.record(operation, 'readable', [{ expected, got }], this.trace.at(-1))
      throw new Unreachable(got, { cause: error })
    }
  }

  /**
   * The body of a success. Another success status than the contract's is recorded as drift, and the check continues.
   * @throws {Unreachable} for any other response
   */
  async succeed<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    const before = this.retries
    const reply = await this.call(operation, ask)
    const { success }: OperationSpec = operations[operation]
    if (reply.status !== success.status) {
      const expected = `status ${String(success.status)}`
      this.#assertAllowed(operation, reply, expected)
      // A request sent twice may have been carried out at the first attempt: the rule is checked again.
      if (this.retries > before && !reply.isSuccess && reply.status < 500)
        throw new Drift(expected, reply.summary)
      if (!this.isCleaningUp)
        this.judge.record(operation, 'status', [{ expected, got: reply.summary }], this.trace.at(-1))
      if (!reply.isSuccess)
        throw new Unreachable(`${operation} should answer ${String(success.status)}, but: ${reply.summary}`)
    }
    return reply.json as SuccessFor<Id>
  }

  /**
   * A response with the expected status.
   * @throws {Drift} for another status
   */
  async expect(operation: OperationId, status: number, ask: Ask = {}, source?: Source): Promise<Reply> {
    const reply = await this.call(operation, ask)
    if (reply.status === status) return reply
    this.#assertAllowed(operation, reply, `status ${String(status)}`)
    throw new Drift(`status ${String(status)}`, reply.summary, source)
  }

  #assertAllowed(operation: OperationId, reply: Reply, expected: string): void {
    const { status, summary } = reply
    if (status === 429) throw new Unreachable(`the rate limit was met: ${summary}`)
    if (status === 402 || status === 403) throw new Forbidden(operation, expected, summary)
  }
}

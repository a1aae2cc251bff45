// Sends requests to a deployment. Sends the key only to its origin, retries failures and keeps recent exchanges.
import { operations, type OperationId } from '../../contract/index.ts'
import { retryScheduleMs } from '../../contract/limits.ts'
import { maskAddress } from '../../contract/text/quote.ts'
import type { RequestBody, SentExchange } from './exchange.ts'
import { causeOf, lastingCauseOf, receive, untilAborted, type ResponseLimits } from './receive.ts'
import { KeyRedaction, keyVariable, Reply } from './reply.ts'
import { Interrupted, Stop } from './stop.ts'

/** Sent with every request, as a browser would, because some deployments send CORS headers only then. */
export const origin = 'https://workspace-api-mock.test'

/** Waits before the second to the fifth attempt; there is no sixth. Source: contract, Errors, rule 2. */
const backoffMs = retryScheduleMs.slice(1)
const mostAttempts = retryScheduleMs.length
/**
 * The contract defines 500 and 503; a proxy may return 502 or 504. As with a broken connection, the request may have
 * been carried out.
 */
export const retriedStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504])
/** How many 429s are waited out per request, and the longest wait. */
const mostLimited = 4
const longestRetryAfterMs = 120_000

export interface RequestOptions {
  readonly json?: unknown
  /** A raw body, instead of `json`. */
  readonly body?: RequestBody
  readonly headers?: Readonly<Record<string, string>>
  /** A key other than the run's; null sends none. */
  readonly key?: string | null
  /** The text before the key; by default `Bearer `. */
  readonly scheme?: string
  /** Whether to return a 429 instead of waiting it out. */
  readonly keepLimit?: boolean
  /** Limits for this response, instead of the run's. */
  readonly limits?: ResponseLimits
}

interface Purpose {
  readonly operation?: OperationId
  /** `isLast` is false if the request will be retried. */
  readonly onReply?: (reply: Reply, isLast: boolean) => void
}

interface TransportOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly wait: (ms: number) => Promise<void>
  readonly signal: AbortSignal | undefined
  readonly limits: ResponseLimits
}

/** Maximum exchanges kept as evidence. */
const mostTraced = 60

export class Transport {
  readonly #options: TransportOptions
  readonly #origin: string
  readonly #redaction: KeyRedaction
  /** Operations that failed after every retry. */
  readonly #failing = new Set<OperationId | undefined>()
  /** A read that got a response; repeated to see whether the deployment is still there. */
  #lastReadUrl: string | undefined
  /** During clean-up, an interruption is ignored. */
  isCleaningUp = false
  requests = 0
  retries = 0
  /** Retries of requests that an earlier attempt may already have carried out. */
  repeats = 0
  /** Recent exchanges, latest last. Callers may empty it. */
  trace: SentExchange[] = []

  constructor(options: TransportOptions) {
    this.#options = options
    this.#origin = new URL(options.baseUrl).origin
    this.#redaction = new KeyRedaction(options.apiKey)
  }

  get limits(): ResponseLimits {
    return this.#options.limits
  }

  get #interruption(): AbortSignal | undefined {
    return this.isCleaningUp ? undefined : this.#options.signal
  }

  async #wait(ms: number): Promise<void> {
    const interruption = this.#interruption
    if (!interruption) return this.#options.wait(ms)
    try {
      await untilAborted(interruption, this.#options.wait(ms))
    } catch (error) {
      throw interruption.aborted ? new Interrupted() : error
    }
  }

  get latest(): SentExchange | undefined {
    return this.trace.at(-1)
  }

  get baseUrl(): string {
    return this.#options.baseUrl
  }

  /** The run's key with a different last character. */
  get similarKey(): string {
    const { apiKey } = this.#options
    return apiKey.slice(0, -1) + (apiKey.endsWith('x') ? 'y' : 'x')
  }

  isForeign(url: string): boolean {
    return new URL(url, this.baseUrl).origin !== this.#origin
  }

  async #attempt(
    operation: OperationId | undefined,
    method: string,
    url: string,
    options: RequestOptions,
  ): Promise<Reply> {
    const { fetch, apiKey } = this.#options
    const interruption = this.#interruption
    if (interruption?.aborted) throw new Interrupted()
    this.requests += 1
    const { similarKey } = this
    const isForeign = this.isForeign(url)
    const { key = apiKey, scheme = 'Bearer ', json, headers: more } = options
    const headersWith = (shown: string | null) => ({
      origin,
      ...(shown !== null && !isForeign && { authorization: `${scheme}${shown}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...more,
    })
    // Reports show a variable instead of the key.
    const variables = {
      [similarKey]: `\${WORKSPACE_API_KEY%?}${similarKey.slice(-1)}`,
      [apiKey]: keyVariable,
    }
    const exchange: SentExchange = {
      operation,
      method,
      url,
      headers: headersWith(key && (variables[key] ?? key)),
      body: json === undefined ? (options.body ?? null) : JSON.stringify(json),
      startedAt: new Date().toISOString(),
    }
    const [headers, { body }] = [headersWith(key), exchange]
    this.trace.push(exchange)
    if (this.trace.length > mostTraced) this.trace.shift()
    try {
      const limits = options.limits ?? this.#options.limits
      const received = await receive(
        (signal) => fetch(new Request(url, { method, headers, body, redirect: 'manual', signal })),
        limits,
        interruption,
        method !== 'GET',
      )
      if (received.response.type === 'error') throw new TypeError('the connection was broken')
      const reply = new Reply(received, this.#redaction)
      exchange.reply = reply
      if (reply.isCut) throw new TypeError('its JSON body is cut off or invalid')
      return reply
    } catch (error) {
      exchange.failure = causeOf(error)
      if (interruption?.aborted) throw new Interrupted()
      throw error
    }
  }

  /**
   * Sends a request until there is a final response: waits out 429, retries 500, 502, 503, 504 and broken connections.
   * @throws {Stop} if no response could be read
   * @throws {Interrupted} if the run was interrupted, or the whole deployment no longer responds
   */
  async send(
    method: string,
    url: string,
    options: RequestOptions = {},
    { operation, onReply }: Purpose = {},
  ): Promise<Reply> {
    const attempts = this.#failing.has(operation) ? 2 : mostAttempts
    let failures = 0
    let limited = 0
    for (;;) {
      let thrown: unknown
      const reply = await this.#attempt(operation, method, url, options).catch((error: unknown) => {
        if (error instanceof Interrupted) throw error
        thrown = error
      })
      const isFailure = !reply || retriedStatuses.has(reply.status)
      let waitMs: number | undefined
      if (reply?.status === 429 && options.keepLimit !== true) {
        const askedMs = reply.retryAfterMs ?? backoffMs[limited] ?? 0
        if (limited < mostLimited && askedMs <= longestRetryAfterMs) waitMs = askedMs
        limited += 1
      } else if (isFailure && (this.#lastReadUrl !== undefined || lastingCauseOf(thrown) === undefined)) {
        // Retries a response that was too slow or too large only once, because the retry will probably fail the same
        // way.
        const most = thrown instanceof Stop ? 2 : attempts
        if (failures + 1 < most) waitMs = backoffMs[failures]
        failures += 1
      }
      if (reply) onReply?.(reply, waitMs === undefined)
      if (waitMs !== undefined) {
        this.retries += 1
        if (isFailure) this.repeats += 1
        await this.#wait(waitMs)
        continue
      }
      if (isFailure) this.#failing.add(operation)
      if (!reply) {
        const cause = causeOf(thrown)
        if (!(thrown instanceof Stop)) await this.#assertAlive(cause)
        const request = `${method} ${operation ? operations[operation].path : maskAddress(url)}`
        throw new Stop(`${request}: no response (${cause})`, 'unreadable', { cause: thrown })
      }
      if (operation && method === 'GET' && reply.isSuccess) this.#lastReadUrl = url
      return reply
    }
  }

  /** @throws {Interrupted} if a read that got a response before gets none now */
  async #assertAlive(cause: string): Promise<void> {
    if (this.#lastReadUrl === undefined || this.isCleaningUp) return
    for (let attempt = 0; attempt < 4; attempt += 1)
      try {
        await this.#attempt(undefined, 'GET', this.#lastReadUrl, {})
        return
      } catch (error) {
        if (error instanceof Interrupted) throw error
        await this.#wait(1000)
      }
    throw new Interrupted(`${this.baseUrl} stopped responding: ${cause}`)
  }
}

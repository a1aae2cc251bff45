// Owns how a deployment is asked: by operation, politely, every answer judged and everything made written down.
import { operations, type OperationId, type SuccessFor } from '../../contract/index.ts'
import type { Method, OperationSpec } from '../../contract/operation.ts'
import type { Judge } from './judge.ts'
import type { Ledger } from './ledger.ts'
import { paced, type Wait } from './pace.ts'
import { Reply } from './reply.ts'
import { Drift, Forbidden, Interrupted, Unreachable, type Source } from './rule.ts'

export type Params = Readonly<Record<string, string>>

/** What is sent to an operation. */
export interface Ask {
  readonly params?: Params
  readonly query?: Readonly<Record<string, string | number>> | string
  readonly json?: unknown
  /** A body as it is, instead of `json`. */
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  /** Another key than that of the run; null sends none. */
  readonly key?: string | null
  /** Whether a 429 is what is asked for. */
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

/** Sent with every request, as a browser would: some deployments answer CORS headers to nothing else. */
const origin = 'https://workspace-api-mock.test'

function pathOf(operation: OperationId, params: Params = {}): string {
  return operations[operation].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

function queryOf(query: Ask['query'] = ''): string {
  if (typeof query === 'string') return query === '' ? '' : `?${query}`
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`
}

export class Client {
  readonly #options: ClientOptions
  /** Whether what is made is being removed, which goes on after the run was called off. */
  isCleaningUp = false
  requests = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  get judge(): Judge {
    return this.#options.judge
  }

  /** Address of a path below the base address. */
  url(path: string): string {
    return `${this.#options.baseUrl}${path}`
  }

  #request(method: string, url: string, ask: Ask): Request {
    const { apiKey } = this.#options
    const { key = apiKey, json, body, headers } = ask
    return new Request(url, {
      method,
      headers: {
        origin,
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    })
  }

  /** Sends a request to any address of the deployment; `onReply` is told of each answer. */
  send(
    method: string,
    url: string,
    ask: Ask,
    onReply: (reply: Reply) => void = () => undefined,
  ): Promise<Reply> {
    const { fetch, wait, signal } = this.#options
    const attempt = async () => {
      if (signal?.aborted === true && !this.isCleaningUp) throw new Interrupted()
      this.requests += 1
      const response = await fetch(this.#request(method, url, ask))
      if (response.type === 'error') throw new TypeError('the connection was broken')
      return Reply.of(response)
    }
    return paced(attempt, { wait, keepLimit: ask.keepLimit === true, onReply })
  }

  /** Asks an operation. Its answer is judged, and what it made is remembered. */
  async call(operation: OperationId, ask: Ask = {}): Promise<Reply> {
    const { judge, ledger } = this.#options
    const { method, path }: { method: Method; path: string } = operations[operation]
    const url = this.url(`${pathOf(operation, ask.params)}${queryOf(ask.query)}`)
    let reply: Reply
    try {
      reply = await this.send(method, url, ask, (answer) => {
        judge.look(operation, answer)
        ledger.observe(operation, ask, answer)
      })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      const cause = error instanceof Error ? error.message : String(error)
      throw new Unreachable(`${method} ${path} was not answered: ${cause}`, { cause: error })
    }
    return reply
  }

  /**
   * The body of a success. One with another status than the contract's is judged as drift and gone on with.
   * @throws {Unreachable} where there is none
   */
  async succeed<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    const reply = await this.call(operation, ask)
    const { success }: OperationSpec = operations[operation]
    if (reply.status !== success.status) {
      const expected = `status ${String(success.status)}`
      this.#assertAllowed(operation, reply, expected)
      this.judge.record(operation, 'status', [{ expected, got: reply.summary }])
      if (!reply.isSuccess)
        throw new Unreachable(`${operation} was to answer ${String(success.status)}, but: ${reply.summary}`)
    }
    return reply.json as SuccessFor<Id>
  }

  /**
   * An answer with the status looked for.
   * @throws {Drift} where it has another
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

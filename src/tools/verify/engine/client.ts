// The client of a deployment: every response is judged, everything made is recorded.
import { fillPath, listPathParameters, type OperationSpec } from '../../../contract/operation.ts'
import { operations, type OperationId, type SuccessFor } from '../../../contract/index.ts'
import type { Judge } from './judge.ts'
import { Ledger, type Params } from './ledger.ts'
import type { Reply } from './reply.ts'
import { Forbidden, Unreachable, Unreadable } from './drift.ts'
import type { Sent, Transport } from './transport.ts'

/** Parameters of a query, or the text after its question mark. */
export type Query = Readonly<Record<string, string | number>> | string

export interface Ask extends Sent {
  /** Ids of the path; the client fills in those left out. */
  readonly params?: Params
  readonly query?: Query
}

/** `known` are the ids before it in the path. */
type IdOf = (name: string, known: Params) => Promise<string>

export function queryOf(query: Ask['query'] = ''): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = typeof query === 'string' ? query : new URLSearchParams(entries).toString()
  return text === '' ? '' : `?${text}`
}

export class Client {
  readonly transport: Transport
  readonly judge: Judge
  readonly ledger: Ledger
  readonly #params: Params
  readonly #idOf: IdOf | undefined

  constructor(transport: Transport, judge: Judge, ledger = new Ledger(), params: Params = {}, idOf?: IdOf) {
    this.transport = transport
    this.judge = judge
    this.ledger = ledger
    this.#params = params
    this.#idOf = idOf
  }

  /** Makes a client that fills in these ids where calls leave them out. */
  at(params: Params, idOf = this.#idOf): Client {
    const all = { ...this.#params, ...params }
    return new Client(this.transport, this.judge, this.ledger, all, idOf)
  }

  url(path: string): string {
    return `${this.transport.baseUrl}${path}`
  }

  async #paramsOf(path: string, given: Params = {}): Promise<Params> {
    const params: Record<string, string> = {}
    for (const name of listPathParameters(path))
      params[name] = given[name] ?? this.#params[name] ?? (await this.#idOf?.(name, params)) ?? ''
    return params
  }

  /** @throws {Unreachable} if no response could be read, which is recorded as drift of the operation */
  async call(operation: OperationId, ask: Ask = {}): Promise<Reply> {
    const { transport, judge } = this
    const { method, path }: OperationSpec = operations[operation]
    const params = await this.#paramsOf(path, ask.params)
    const url = this.url(fillPath(path, (name) => params[name] ?? '') + queryOf(ask.query))
    try {
      const onReply = (got: Reply, isLast: boolean) => {
        const exchange = transport.latest
        if (isLast || got.status === 429) judge.check(operation, got, exchange)
        this.ledger.observe(operation, params, got)
      }
      return await transport.send(method, url, ask, { operation, onReply })
    } catch (error) {
      this.ledger.suspect(operation, params)
      if (!(error instanceof Unreadable)) throw error
      const expected = 'a response that can be read'
      const breach = { path: '', kind: 'rule', expected, got: error.message } as const
      judge.record(operation, 'readable', [breach], transport.latest)
      throw new Unreachable(error.message, 'drift', { cause: error.cause })
    }
  }

  /**
   * Requires a success, which can have another status than the contract's.
   * @throws {Unreachable} for any other response
   */
  async succeed<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    const before = this.transport.retries
    const reply = await this.call(operation, ask)
    const { success }: OperationSpec = operations[operation]
    if (reply.status !== success.status) {
      const expected = `status ${String(success.status)}`
      const { status, summary: got } = reply
      if (status === 429) throw new Unreachable(`the rate limit was met: ${got}`)
      if (status === 402 || status === 403) throw new Forbidden(operation, success.status, reply)
      // The first of two attempts may have been carried out: the rule is checked again.
      if (this.transport.retries > before && !reply.isSuccess && status < 500)
        throw new Unreadable(`expected ${expected}, got ${got}`)
      if (!reply.isSuccess)
        throw new Unreachable(`${operation} should respond with ${String(success.status)}, but: ${got}`)
    }
    this.judge.assertShape(operation, reply)
    return reply.json as SuccessFor<Id>
  }
}

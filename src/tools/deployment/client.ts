// The deployment's client: shows every response to a watcher, and records what requests create.
import { fillPath, listPathParameters, type OperationSpec } from '../../contract/operation.ts'
import { operations, type OperationId, type SuccessFor } from '../../contract/index.ts'
import type { SentExchange } from './exchange.ts'
import { Ledger, type Params } from './ledger.ts'
import type { Reply } from './reply.ts'
import { Stop } from './stop.ts'
import type { RequestOptions, Transport } from './transport.ts'

/** Query parameters, or the query string without its question mark. */
export type Query = Readonly<Record<string, string | number>> | string

export interface CallOptions extends RequestOptions {
  /** Ids in the path, by parameter name. */
  readonly params?: Params
  readonly query?: Query
}

export function queryOf(query: CallOptions['query'] = ''): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = typeof query === 'string' ? query : new URLSearchParams(entries).toString()
  return text === '' ? '' : `?${text}`
}

/** Sees every response of a run. */
export interface Watcher {
  /** @param operation undefined if the request called no operation */
  see(operation: OperationId | undefined, reply: Reply, exchange?: SentExchange): void
  /** Called if no response could be read. @param why the reason, in words */
  miss(operation: OperationId, why: string, exchange?: SentExchange): void
  /** Whether the body of a success fits its schema under any answers to open questions. */
  fits(operation: OperationId, reply: Reply): boolean
}

/** For a run that judges nothing, such as a pull. */
export const unwatched: Watcher = { see: () => undefined, miss: () => undefined, fits: () => true }

export class Client {
  readonly transport: Transport
  readonly watcher: Watcher
  readonly ledger = new Ledger()

  constructor(transport: Transport, watcher: Watcher) {
    this.transport = transport
    this.watcher = watcher
  }

  /** @throws {Stop} if no response could be read; that is also recorded as drift of the operation */
  async call(operation: OperationId, options: CallOptions = {}): Promise<Reply> {
    const { transport, watcher } = this
    const { repeats } = transport
    const { method, path }: OperationSpec = operations[operation]
    const names = listPathParameters(path)
    const params = Object.fromEntries(names.map((name) => [name, options.params?.[name] ?? '']))
    const url = transport.baseUrl + fillPath(path, (name) => params[name] ?? '') + queryOf(options.query)
    try {
      const onReply = (got: Reply, isLast: boolean) => {
        const exchange = transport.latest
        if (isLast || got.status === 429) watcher.see(operation, got, exchange)
        this.ledger.observe(operation, params, got)
      }
      return await transport.send(method, url, options, { operation, onReply })
    } catch (error) {
      this.ledger.suspect(operation, params)
      if (!(error instanceof Stop)) throw error
      // Not always the last exchange: a check that the deployment still responds may have been sent since.
      const exchange = transport.trace.findLast((sent) => sent.operation === operation)
      watcher.miss(operation, error.message, exchange)
      throw new Stop(error.message, 'drift', { cause: error.cause })
    } finally {
      if (transport.repeats > repeats) this.ledger.suspect(operation, params)
    }
  }

  /**
   * Requires a success; its status may differ from the contract's.
   * @throws {Stop} for any other response
   */
  async succeed<Id extends OperationId>(operation: Id, options: CallOptions = {}): Promise<SuccessFor<Id>> {
    const reply = await this.call(operation, options)
    const { status, summary } = reply
    if (status === 429) throw new Stop(`the rate limit was reached: ${summary}`)
    if (status === 402 || status === 403) throw new Stop(summary, 'permission')
    if (!reply.isSuccess)
      throw new Stop(
        `${operation} responds with ${summary}; expected status ${String(operations[operation].success.status)}`,
      )
    this.assertShape(operation, reply)
    return reply.json as SuccessFor<Id>
  }

  /** @throws {Stop} if the body of a success does not fit its schema under any answers to open questions */
  assertShape(operation: OperationId, reply: Reply): void {
    if (this.watcher.fits(operation, reply)) return
    throw new Stop(`the response to ${operation} does not have the shape that the contract defines`, 'drift')
  }
}

// Scenarios: a few requests to both sides, each under a sentence that holds for it; and one performance of a scenario.
import type { BodyDifference, DifferenceKind } from '../../compare/bodies.ts'
import { operations, type OperationId, type SuccessFor } from '../../../contract/index.ts'
import type { Ask, Query } from '../engine/client.ts'
import { Forbidden, sourceOf, Unreachable, type Source, type SourceText } from '../engine/drift.ts'
import type { SentExchange } from '../engine/exchange.ts'
import { isReadingOperation } from '../engine/judge.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import type { Known } from './oracle.ts'
import type { Exchange, Tolerance, Twin } from './twin.ts'

export interface Scenario {
  /** With an operation it names a check: `createRow/text`. */
  readonly id: string
  /** Whose responses are compared; the first is what the scenario is about. */
  readonly operations: readonly OperationId[]
  readonly needs: 'read' | 'write'
  readonly says: string
  readonly source: Source
  /**
   * Sends the requests, of which it sees the mock's responses alone.
   * @throws {Unreachable} where the workspace lacks what it needs
   */
  readonly play: (play: Play) => Promise<unknown>
}

const titled = /^([^/]+)\/(\S+): (.+)$/s

const scenariosThat =
  (needs: Scenario['needs']) =>
  /** By operations, separated by spaces, id and what holds: `createRow getRow/text: a text is read as written`. */
  (source: SourceText, plays: Readonly<Record<string, Scenario['play']>>): Scenario[] =>
    Object.entries(plays).map(([title, play]) => {
      const [, names = '', id = '', says = ''] = titled.exec(title) ?? []
      return {
        id,
        operations: names.split(' ') as OperationId[],
        needs,
        says,
        source: sourceOf(source),
        play,
      }
    })

/** Scenarios that only read. */
export const reading = scenariosThat('read')
/** Scenarios that write in the space and rows of the run. */
export const writing = scenariosThat('write')

/** A difference, with the request that showed it. */
export interface Found extends BodyDifference {
  readonly operation: OperationId
  readonly says: string
  readonly source: Source
  /** The last write before a read. */
  readonly after?: OperationId | undefined
  readonly exchanges: readonly SentExchange[]
  /** The response of the deployment, where it was compared with the mock's. */
  readonly theirs?: Reply
}

/** The two sides have parted: what follows would compare different things. */
export class Parted extends Error {
  override readonly name = 'Parted'
}

/** Recognizes a difference in another round. */
export const signatureOf = ({ operation, path, kind }: Pick<Found, 'operation' | 'path' | 'kind'>) =>
  `${operation} ${path.replaceAll(/[a-z_]+_\d{6}/g, '*')} ${kind}`

export class Play {
  readonly twin: Twin
  #says: string
  #source: Source
  #lastWrite: OperationId | undefined
  readonly found: Found[] = []
  readonly exchanges: Exchange[] = []
  /** Operations of which something was compared. */
  readonly compared = new Set<OperationId>()

  constructor(twin: Twin, { says, source }: { readonly says: string; readonly source: Source }) {
    this.twin = twin
    this.#says = says
    this.#source = source
  }

  get known(): Known {
    return this.twin.oracle.known
  }

  /** Sets the sentence for the requests that follow. */
  says(says: string, source: SourceText): void {
    this.#says = says
    this.#source = sourceOf(source)
  }

  /** A text that is unique in this run. */
  text(): string {
    return this.twin.context.newText()
  }

  wait(ms: number): Promise<void> {
    return this.twin.context.wait(ms)
  }

  /**
   * Sends an operation to both sides and compares the responses.
   * @returns the mock's
   * @throws {Parted} if a write ends with another status than the mock's
   */
  async send(operation: OperationId, ask: Ask = {}, tolerance: Tolerance = {}): Promise<Reply> {
    const { theirs, atMs } = await this.twin.sendToDeployment(operation, ask)
    const exchange = { operation, ask, tolerance, theirs, atMs }
    const ours = await this.twin.sendToMock(exchange)
    const isRefused = ours.status !== theirs.status && [402, 403].includes(theirs.status)
    if (isRefused) throw new Forbidden(operation, `status ${String(ours.status)}`, theirs.summary)
    if (theirs.status === 429 && ours.status !== 429)
      throw new Unreachable(`the rate limit was met: ${theirs.summary}`, 'limit')
    const isWrite = !isReadingOperation(operations[operation])
    // Rejected writes count, too: they must leave nothing behind.
    if (isWrite) this.#lastWrite = operation
    this.#compare(exchange, ours, isWrite ? undefined : this.#lastWrite)
    if (isWrite && ours.status !== theirs.status) throw new Parted()
    return ours
  }

  /** Compares an earlier response of the deployment with the mock's. */
  async compareWith(operation: OperationId, ask: Ask, theirs: Reply, tolerance: Tolerance): Promise<void> {
    const { clock, oracle } = this.twin
    // The mock's jobs take half a second.
    const atMs = Math.max(clock.nowMs(), oracle.mock.clock.nowMs() + 600)
    const exchange = { operation, ask, tolerance, theirs, atMs }
    this.#compare(exchange, await this.twin.sendToMock(exchange))
  }

  #compare(exchange: Exchange, ours: Reply, after?: OperationId): void {
    const { operation, theirs } = exchange
    this.compared.add(operation)
    this.exchanges.push(exchange)
    for (const difference of this.twin.compare(exchange, ours))
      this.#report(operation, difference, { after, theirs })
  }

  /** Sends an operation. @returns the mock's body if it is a success */
  async call<Id extends OperationId>(
    operation: Id,
    ask: Ask = {},
    tolerance: Tolerance = {},
  ): Promise<SuccessFor<Id> | undefined> {
    const reply = await this.send(operation, ask, tolerance)
    return reply.isSuccess ? (reply.json as SuccessFor<Id>) : undefined
  }

  /** Sends an operation with each of these bodies; functions among them are called. @returns the mock's last success */
  async sendEach<Id extends OperationId>(operation: Id, params: Params, ...bodies: readonly unknown[]) {
    let last: SuccessFor<Id> | undefined
    for (const json of bodies)
      if (typeof json === 'function') await (json as (play: Play) => unknown)(this)
      else last = (await this.call(operation, { params, json })) ?? last
    return last
  }

  /**
   * Reads with each of these queries, which can be written as `? ?limit=1 ?limit=2&page=2`, by default with none.
   * @returns the mock's last body if it is a success
   */
  async get<Id extends OperationId>(operation: Id, params: Params = {}, ...queries: readonly Query[]) {
    let last: SuccessFor<Id> | undefined
    for (const query of queries.length === 0 ? ['?'] : queries)
      for (const one of typeof query === 'string' ? query.split(' ').map((text) => text.slice(1)) : [query])
        last = await this.call(operation, { params, ...(one !== '' && { query: one }) })
    return last
  }

  /** Reads as `get` does. @returns the last body of the deployment, which can be anything */
  async readTheirs<Id extends OperationId>(operation: Id, params?: Params, ...queries: readonly Query[]) {
    await this.get(operation, params, ...queries)
    return Object(this.exchanges.at(-1)?.theirs.json) as Partial<SuccessFor<Id>>
  }

  /** Sends an operation that must succeed. @throws {Unreachable} if the mock refuses it */
  async make<Id extends OperationId>(operation: Id, ask: Ask = {}): Promise<SuccessFor<Id>> {
    const reply = await this.send(operation, ask)
    if (!reply.isSuccess) throw new Unreachable(`${operation} responds with ${reply.summary}`, 'status')
    return reply.json as SuccessFor<Id>
  }

  /** Reports a difference that no comparison shows. */
  differ(
    operation: OperationId,
    path: string,
    expected: unknown,
    got: unknown,
    kind: DifferenceKind = 'value',
  ): void {
    this.compared.add(operation)
    this.#report(operation, { path, kind, expected, got })
  }

  #report(operation: OperationId, difference: BodyDifference, more?: Pick<Found, 'after' | 'theirs'>): void {
    const { latest } = this.twin.context.api.transport
    const about = { operation, says: this.#says, source: this.#source, exchanges: latest ? [latest] : [] }
    this.found.push({ ...difference, ...about, ...more })
  }
}

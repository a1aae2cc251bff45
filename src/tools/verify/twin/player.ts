// Scenarios and the context that plays them. A scenario is a few requests to both sides and a sentence that must
// hold.
import { isWrite } from '../../../contract/scopes.ts'
import type { OperationId, SuccessFor } from '../../../contract/index.ts'
import { distinct, toSource } from '../compare/difference.ts'
import type { Difference, DifferenceKind, Source, SourceText } from '../compare/difference.ts'
import type { IdPairs } from '../compare/ids.ts'
import type { Tolerance } from '../compare/replies.ts'
import type { CallOptions, Client, Query } from '../../deployment/client.ts'
import type { SentExchange } from '../../deployment/exchange.ts'
import type { Params } from '../../deployment/ledger.ts'
import type { Reply } from '../../deployment/reply.ts'
import { Stop } from '../../deployment/stop.ts'
import type { Mirror } from './mirror.ts'
import type { Exchange, Transcript } from './transcript.ts'
import type { Twin } from './twin.ts'

export interface Scenario {
  /** Combined with an operation, names a check: `createRow/text`. */
  readonly id: string
  /** Operations whose responses are compared; the scenario is about the first. */
  readonly operations: readonly OperationId[]
  readonly needs: 'read' | 'write'
  /** Whether both sides may refuse all its requests. */
  readonly asksRefusals: boolean
  readonly says: string
  readonly source: Source
  /**
   * Sends the requests. It sees only the mock's responses.
   * @throws {Stop} if the workspace lacks what it needs
   */
  readonly send: (ctx: ScenarioContext) => Promise<unknown>
}

const titled = /^([^/]+)\/(\S+?)(!?): (.+)$/s

const scenariosThat =
  (needs: Scenario['needs']) =>
  /**
   * A key has operations separated by spaces, an id and what must hold, such as `createRow getRow/text: a text is read
   * as written`. An exclamation mark after the id marks a scenario that is only about refusals.
   */
  (source: SourceText, scenarios: Readonly<Record<string, Scenario['send']>>): Scenario[] =>
    Object.entries(scenarios).map(([title, send]) => {
      const [, names = '', id = '', mark = '', says = ''] = titled.exec(title) ?? []
      return {
        id,
        operations: names.split(' ') as OperationId[],
        needs,
        asksRefusals: mark !== '',
        says,
        source: toSource(source),
        send,
      }
    })

/** Scenarios that only read. */
export const reading = scenariosThat('read')
/** Scenarios that write in the run's space and rows. */
export const writing = scenariosThat('write')

/** Sends a scenario's requests to the deployment and the mock, and compares their responses. */
export class ScenarioContext {
  readonly twin: Twin
  /** Pairs of ids: the initial ones, and those of records that the scenario made. */
  readonly ids: IdPairs
  readonly #start: Pick<Transcript, 'start' | 'ids'>
  #rule: string
  readonly #main: OperationId | undefined
  #says: string
  #source: Source
  #lastWrite: OperationId | undefined
  readonly #sent: SentExchange[] = []
  readonly #exchanges: Exchange[] = []
  readonly #found: Difference[] = []
  /** Operations with a judged response. */
  readonly judged = new Set<OperationId>()

  constructor(
    twin: Twin,
    { id, says, source, operations }: Pick<Scenario, 'id' | 'says' | 'source' | 'operations'>,
  ) {
    this.twin = twin
    this.ids = twin.mirror.ids.copy()
    this.#start = { start: twin.mirror.mock.snapshot(), ids: twin.mirror.ids.copy() }
    this.#rule = id
    this.#main = operations[0]
    this.#says = says
    this.#source = source
  }

  /** What has been played so far. */
  get transcript(): Transcript {
    return { ...this.#start, exchanges: this.#exchanges, found: this.#found, judged: this.judged }
  }

  get latest(): Exchange | undefined {
    return this.#exchanges.at(-1)
  }

  get api(): Client {
    return this.twin.context.api
  }

  get marker(): string {
    return this.twin.context.marker
  }

  get known(): Mirror['known'] {
    return this.twin.mirror.known
  }

  get mock(): Mirror['mock'] {
    return this.twin.mirror.mock
  }

  /** Sets what the following requests check, in words, and their rule if it is another scenario's. */
  says(says: string, source: SourceText, rule = this.#rule): void {
    this.#says = says
    this.#source = toSource(source)
    this.#rule = rule
  }

  /** A text that is unique in this run. */
  text(): string {
    return this.twin.context.newText()
  }

  wait(ms: number): Promise<void> {
    return this.twin.context.wait(ms)
  }

  #aboutNow(operation: OperationId, after?: OperationId): Exchange['about'] {
    const { latest } = this.api.transport
    const isSentBeside = latest !== undefined && this.#sent.at(-1) !== latest
    // Ends with this operation's last request, because other operations may have been sent since.
    const last = this.#sent.findLastIndex((exchange) => exchange.operation === operation)
    const sent = isSentBeside ? [latest] : this.#sent.slice(0, last < 0 ? undefined : last + 1)
    const [rule, main, says, source] = [this.#rule, this.#main, this.#says, this.#source]
    return { operation, rule, main, says, source, after, sent }
  }

  /** Sends an operation to the deployment alone. */
  async sendToDeployment(operation: OperationId, options: CallOptions) {
    const result = await this.twin.sendToDeployment(operation, options, this.ids)
    const { latest } = this.api.transport
    if (latest) this.#sent.push(latest)
    return result
  }

  /** Sends an operation to both sides. The comparison pairs the ids that the next request needs. */
  protected async exchange(
    operation: OperationId,
    options: CallOptions,
    tolerance: Tolerance,
  ): Promise<Exchange> {
    const { theirs, atMs } = await this.sendToDeployment(operation, options)
    // Includes rejected writes, because they must leave nothing behind.
    if (isWrite(operation)) this.#lastWrite = operation
    const about = this.#aboutNow(operation, isWrite(operation) ? undefined : this.#lastWrite)
    return this.#complete({ about, options, tolerance, theirs, atMs })
  }

  async #complete(asked: Omit<Exchange, 'ours' | 'differences'>): Promise<Exchange> {
    const ours = await this.twin.sendToMock(asked.about.operation, asked.options, asked.atMs)
    const replies = { ...asked, ours }
    const exchange = { ...replies, differences: distinct(this.twin.compare(replies, this.ids)) }
    this.#exchanges.push(exchange)
    return exchange
  }

  /**
   * Sends an operation to both sides and compares the responses.
   * @returns the mock's response
   * @throws {Stop} if the status of a write differs from the mock's
   */
  async send(operation: OperationId, options: CallOptions = {}, tolerance: Tolerance = {}): Promise<Reply> {
    const exchange = await this.exchange(operation, options, tolerance)
    const { ours, theirs } = exchange
    const hasParted = ours.status !== theirs.status
    if (hasParted && [402, 403].includes(theirs.status))
      throw new Stop(`${operation}: ${theirs.summary}`, 'permission')
    if (hasParted && theirs.status === 429)
      throw new Stop(`the rate limit was reached: ${theirs.summary}`, 'limit')
    await this.#judge(exchange)
    if (hasParted && isWrite(operation))
      throw new Stop('a write got a status other than the mock expects', 'parted')
    return ours
  }

  /** Compares an earlier response of the deployment with the mock's. */
  async compareWith(
    operation: OperationId,
    options: CallOptions,
    theirs: Reply,
    tolerance: Tolerance,
  ): Promise<void> {
    // The mock's jobs take half a second.
    const atMs = Math.max(this.twin.clock.nowMs(), this.mock.clock.nowMs() + 600)
    const about = this.#aboutNow(operation)
    await this.#judge(await this.#complete({ about, options, tolerance, theirs, atMs }))
  }

  async #judge(exchange: Exchange): Promise<void> {
    const { operation } = exchange.about
    const read = async () => {
      const again = await this.sendToDeployment(operation, exchange.options)
      const ours = await this.twin.sendToMock(operation, exchange.options, again.atMs)
      return this.twin.compare({ ...exchange, ...again, ours }, this.ids.copy())
    }
    this.judged.add(operation)
    this.#found.push(...(await this.twin.rereads.settle(exchange, read, (id) => this.ids.isKnown(id))))
  }

  /** Sends an operation. @returns the mock's body if it is a success */
  async call<Id extends OperationId>(
    operation: Id,
    options: CallOptions = {},
    tolerance: Tolerance = {},
  ): Promise<SuccessFor<Id> | undefined> {
    const reply = await this.send(operation, options, tolerance)
    return reply.isSuccess ? (reply.json as SuccessFor<Id>) : undefined
  }

  /** Sends an operation with each of these bodies; functions among them are called. @returns the mock's last success */
  async sendEach<Id extends OperationId>(operation: Id, params: Params, ...bodies: readonly unknown[]) {
    let last: SuccessFor<Id> | undefined
    for (const json of bodies)
      if (typeof json === 'function') await (json as (ctx: ScenarioContext) => unknown)(this)
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

  /**
   * Reads as `get` does.
   * @returns the deployment's last body if it is a success
   * @throws {Stop} if it has another shape
   */
  async readTheirs<Id extends OperationId>(operation: Id, params?: Params, ...queries: readonly Query[]) {
    await this.get(operation, params, ...queries)
    const { theirs } = this.latest ?? {}
    if (theirs?.isSuccess !== true) return {} as Partial<SuccessFor<Id>>
    this.api.assertShape(operation, theirs)
    return theirs.json as Partial<SuccessFor<Id>>
  }

  /** Sends an operation that must succeed. @throws {Stop} if the mock refuses it */
  async make<Id extends OperationId>(operation: Id, options: CallOptions = {}): Promise<SuccessFor<Id>> {
    const reply = await this.send(operation, options)
    if (!reply.isSuccess) throw new Stop(`${operation} responds with ${reply.summary}`, 'status')
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
    this.judged.add(operation)
    this.#found.push({ ...this.#aboutNow(operation), path, kind, expected, got })
  }
}

// Scenarios: a few requests to both sides, each under a sentence that holds for it; and what a scenario sends them with.
import { isWrite } from '../../../contract/scopes.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { OperationId, SuccessFor } from '../../../contract/index.ts'
import type { CallOptions, Client, Query } from '../../deployment/client.ts'
import type { Params } from '../../deployment/ledger.ts'
import type { Reply } from '../../deployment/reply.ts'
import { Stop } from '../../deployment/stop.ts'
import { placeOf, toSource } from '../findings/difference.ts'
import type { Difference, DifferenceKind, Source, SourceText } from '../findings/difference.ts'
import type { ReferenceMock } from './reference.ts'
import { hasReturned, type Exchange, type Tolerance, type Twin } from './twin.ts'

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
   * @throws {Stop} where the workspace lacks what it needs
   */
  readonly send: (ctx: ScenarioContext) => Promise<unknown>
}

const titled = /^([^/]+)\/(\S+): (.+)$/s

const scenariosThat =
  (needs: Scenario['needs']) =>
  /** By operations, separated by spaces, id and what holds: `createRow getRow/text: a text is read as written`. */
  (source: SourceText, scenarios: Readonly<Record<string, Scenario['send']>>): Scenario[] =>
    Object.entries(scenarios).map(([title, send]) => {
      const [, names = '', id = '', says = ''] = titled.exec(title) ?? []
      return {
        id,
        operations: names.split(' ') as OperationId[],
        needs,
        says,
        source: toSource(source),
        send,
      }
    })

/** Scenarios that only read. */
export const reading = scenariosThat('read')
/** Scenarios that write in the space and rows of the run. */
export const writing = scenariosThat('write')

/** Recognizes a difference in another round: what others could have caused, in the same records. */
export const signatureOf = (difference: Difference) =>
  [placeOf(difference), ...(isByOthers(difference) ? (difference.records ?? []) : [])].join(' ')

/** Whether others who write to the workspace can have caused a difference: they leave values of the run's records alone. */
export const isByOthers = ({ operation, kind, expected, got, records }: Difference) =>
  operation !== 'general' &&
  !isWrite(operation) &&
  (['status', 'records', 'order', 'length'].includes(kind) ||
    (records?.length !== 0 && (kind === 'value' || expected === null || got === null)))

/** How often a read is sent again to see whether it shows the same. */
const rereads = 5
/** In how many records a place is read again. */
const mostSettled = 3
const counts = new Set(['total', 'count', 'row_count'])

/** What a scenario sends its requests with: to the deployment and to the mock, whose responses are compared. */
export class ScenarioContext {
  readonly twin: Twin
  readonly #rule: string
  #says: string
  #source: Source
  #lastWrite: OperationId | undefined
  readonly found: Difference[] = []
  /** Those of a comparison, which a replay can show. */
  readonly compared = new Set<Difference>()
  readonly exchanges: Exchange[] = []
  /** Operations of which something was judged. */
  readonly judged = new Set<OperationId>()

  constructor(twin: Twin, { id, says, source }: Pick<Scenario, 'id' | 'says' | 'source'>) {
    this.twin = twin
    this.#rule = id
    this.#says = says
    this.#source = source
  }

  get api(): Client {
    return this.twin.context.api
  }

  get marker(): string {
    return this.twin.context.marker
  }

  get known(): ReferenceMock['known'] {
    return this.twin.reference.known
  }

  /** Sets the sentence for the requests that follow. */
  says(says: string, source: SourceText): void {
    this.#says = says
    this.#source = toSource(source)
  }

  /** A text that is unique in this run. */
  text(): string {
    return this.twin.context.newText()
  }

  wait(ms: number): Promise<void> {
    return this.twin.context.wait(ms)
  }

  #about(operation: OperationId, after?: OperationId): Exchange['about'] {
    const { sent } = this.twin
    const { latest } = this.api.transport
    const shown = latest && sent.at(-1) !== latest ? [latest] : [...sent]
    return { operation, rule: this.#rule, says: this.#says, source: this.#source, after, sent: shown }
  }

  /** Sends an operation to the deployment. */
  protected async exchange(
    operation: OperationId,
    options: CallOptions,
    tolerance: Tolerance,
  ): Promise<Exchange> {
    const answered = await this.twin.sendToDeployment(operation, options)
    // Rejected writes count, too: they must leave nothing behind.
    if (isWrite(operation)) this.#lastWrite = operation
    const about = this.#about(operation, isWrite(operation) ? undefined : this.#lastWrite)
    return { about, options, tolerance, ...answered }
  }

  /**
   * Sends an operation to both sides and compares the responses.
   * @returns the mock's
   * @throws {Stop} if a write ends with another status than the mock's
   */
  async send(operation: OperationId, options: CallOptions = {}, tolerance: Tolerance = {}): Promise<Reply> {
    const exchange = await this.exchange(operation, options, tolerance)
    const { theirs } = exchange
    const ours = await this.twin.sendToMock(exchange)
    const hasParted = ours.status !== theirs.status
    if (hasParted && [402, 403].includes(theirs.status)) {
      const [refusal] = this.twin.compare(exchange, ours)
      throw new Stop(`${operation}: ${theirs.summary}`, 'permission', { refusal })
    }
    if (hasParted && theirs.status === 429)
      throw new Stop(`the rate limit was met: ${theirs.summary}`, 'limit')
    await this.#compare(exchange, ours)
    if (hasParted && isWrite(operation))
      throw new Stop('a write ended with another status than the mock expects', 'parted')
    return ours
  }

  /** Compares an earlier response of the deployment with the mock's. */
  async compareWith(
    operation: OperationId,
    options: CallOptions,
    theirs: Reply,
    tolerance: Tolerance,
  ): Promise<void> {
    const { clock, reference } = this.twin
    // The mock's jobs take half a second.
    const atMs = Math.max(clock.nowMs(), reference.mock.clock.nowMs() + 600)
    const exchange = { about: this.#about(operation), options, tolerance, theirs, atMs }
    await this.#compare(exchange, await this.twin.sendToMock(exchange))
  }

  async #compare(exchange: Exchange, ours: Reply): Promise<void> {
    const { operation } = exchange.about
    const { agreed } = this.twin
    this.exchanges.push(exchange)
    if (ours.status === exchange.theirs.status)
      getOrInsert(agreed, operation, () => new Set<number>()).add(ours.status)
    const differences = this.#report(operation, this.twin.compare(exchange, ours))
    for (const one of differences) this.compared.add(one)
    await this.#readAgain(exchange, differences)
  }

  /**
   * Sends a read again that showed something new: what returns to an earlier state is nobody's write, but wrong now and then.
   * A record that only the deployment has can be one of others, which they delete.
   */
  async #readAgain(exchange: Exchange, differences: readonly Difference[]): Promise<void> {
    const { settled, unsteady, reference } = this.twin
    const { about, options } = exchange
    const isRead = !isWrite(about.operation) && about.operation !== 'getJob'
    const signaturesAt = (one: Difference) => getOrInsert(settled, placeOf(one), () => new Set<string>())
    const isSettled = (one: Difference) => {
      const signatures = signaturesAt(one)
      return signatures.size >= mostSettled || signatures.has(signatureOf(one))
    }
    if (!isRead || differences.every(isSettled)) return
    for (const one of differences) signaturesAt(one).add(signatureOf(one))
    const textOf = (all: readonly Difference[]) =>
      JSON.stringify(all.map(({ path, kind, got }) => [path, kind, got]))
    const texts = [textOf(differences)]
    for (let read = 0; read < rereads; read += 1) {
      const again = { ...exchange, ...(await this.twin.sendToDeployment(about.operation, options)) }
      const ids = reference.ids.copy()
      texts.push(textOf(this.twin.compare(again, await this.twin.sendToMock(again), { ids })))
    }
    const isTheirs = ({ path, records = [] }: Difference) =>
      counts.has(path) || records.some((id) => !reference.ids.isKnown(id))
    if (!hasReturned(differences.every(isTheirs) ? texts : ['[]', ...texts])) return
    const right = texts.filter((text) => text === '[]').length
    // What the pull lacks is shown by most reads.
    const shown = texts.filter((text) => text === texts[0]).length
    const isPullWrong = differences.every(isTheirs) && shown > right && shown < texts.length
    const seen = `${String(texts.length - (isPullWrong ? shown : right))} of ${String(texts.length)}`
    for (const one of differences) {
      this.found.splice(this.found.indexOf(one), 1)
      // A part of a file was lost on the way.
      if (one.path === 'bytes') continue
      const { expected, got } = one
      const difference = { ...one, seen, ...(isPullWrong && { expected: got, got: expected }) }
      unsteady.set(placeOf(one), difference)
      this.found.push(difference)
    }
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

  /** Reads as `get` does. @returns the last body of the deployment if it is a success @throws {Stop} if it has another shape */
  async readTheirs<Id extends OperationId>(operation: Id, params?: Params, ...queries: readonly Query[]) {
    await this.get(operation, params, ...queries)
    const { theirs } = this.exchanges.at(-1) ?? {}
    if (theirs?.isSuccess !== true) return {} as Partial<SuccessFor<Id>>
    this.api.judge.assertShape(operation, theirs)
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
    this.#report(operation, [{ ...this.#about(operation), path, kind, expected, got }])
  }

  #report(operation: OperationId, differences: readonly Difference[]): Difference[] {
    this.judged.add(operation)
    const known = new Set<string>()
    const fresh = differences.filter((one) => known.size < known.add(signatureOf(one)).size)
    this.found.push(...fresh)
    return fresh
  }
}

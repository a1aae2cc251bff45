// Scenarios: a few requests to both sides, each under a sentence that holds for it; and one performance of a scenario.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { operations, type OperationId, type SuccessFor } from '../../../contract/index.ts'
import type { Ask, Query } from '../engine/client.ts'
import {
  Forbidden,
  sourceOf,
  Unreachable,
  type Difference,
  type DifferenceKind,
  type Drift,
  type Source,
  type SourceText,
} from '../engine/drift.ts'
import { findNeeded } from '../engine/exchange.ts'
import { isReadingOperation } from '../engine/judge.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import type { Known } from './oracle.ts'
import { RoundEnd, type Exchange, type Tolerance, type Twin } from './twin.ts'

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

/** Recognizes a difference elsewhere, whatever record shows it. */
export const placeOf = ({ operation, path, kind }: Pick<Drift, 'operation' | 'path' | 'kind'>) =>
  `${operation} ${path.replaceAll(/[a-z_]+_\d{6}/g, '*')} ${kind}`

/** Whether others who write to the workspace can have caused a difference. */
export const isByOthers = ({
  operation,
  kind,
  expected,
  got,
}: Omit<Difference, 'path'> & Pick<Drift, 'operation'>) =>
  isReadingOperation(operations[operation as OperationId]) &&
  (['status', 'value', 'records', 'order', 'length'].includes(kind) || expected === null || got === null)

/** Recognizes a difference in another round: what others could have caused, in the same records. */
export const signatureOf = (
  drift: Pick<Drift, 'operation' | 'path' | 'kind' | 'expected' | 'got' | 'records'>,
) => [placeOf(drift), ...(isByOthers(drift) ? (drift.records ?? []) : [])].join(' ')

/** How often a read is sent again to see whether it shows the same. */
const rereads = 5
const counts = new Set(['total', 'count', 'row_count'])

/** Whether a text stands again where another one stood in between. */
const hasReturned = (texts: readonly string[]) =>
  texts.some((text, index) => {
    const next = texts.findIndex((other, at) => at > index && other !== text)
    return next > 0 && texts.includes(text, next)
  })

export class Play {
  readonly twin: Twin
  readonly #rule: string
  #says: string
  #source: Source
  #lastWrite: OperationId | undefined
  readonly found: Drift[] = []
  /** Those of a comparison, which a replay can show. */
  readonly compared = new Set<Drift>()
  readonly exchanges: Exchange[] = []
  /** Operations of which something was judged. */
  readonly judged = new Set<OperationId>()

  constructor(twin: Twin, { id, says, source }: Pick<Scenario, 'id' | 'says' | 'source'>) {
    this.twin = twin
    this.#rule = id
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
   * @throws {RoundEnd} if a write ends with another status than the mock's
   */
  async send(operation: OperationId, ask: Ask = {}, tolerance: Tolerance = {}): Promise<Reply> {
    const { theirs, atMs } = await this.twin.sendToDeployment(operation, ask)
    const exchange = { operation, ask, tolerance, theirs, atMs }
    const ours = await this.twin.sendToMock(exchange)
    const isRefused = ours.status !== theirs.status && [402, 403].includes(theirs.status)
    if (isRefused) throw new Forbidden(operation, ours.status, theirs, findNeeded(this.twin.sent, false))
    if (theirs.status === 429 && ours.status !== 429)
      throw new Unreachable(`the rate limit was met: ${theirs.summary}`, 'limit')
    const isWrite = !isReadingOperation(operations[operation])
    // Rejected writes count, too: they must leave nothing behind.
    if (isWrite) this.#lastWrite = operation
    await this.#compare(exchange, ours, isWrite ? undefined : this.#lastWrite)
    if (isWrite && ours.status !== theirs.status) throw new RoundEnd('parted')
    return ours
  }

  /** Compares an earlier response of the deployment with the mock's. */
  async compareWith(operation: OperationId, ask: Ask, theirs: Reply, tolerance: Tolerance): Promise<void> {
    const { clock, oracle } = this.twin
    // The mock's jobs take half a second.
    const atMs = Math.max(clock.nowMs(), oracle.mock.clock.nowMs() + 600)
    const exchange = { operation, ask, tolerance, theirs, atMs }
    await this.#compare(exchange, await this.twin.sendToMock(exchange))
  }

  async #compare(exchange: Exchange, ours: Reply, after?: OperationId): Promise<void> {
    const { operation, theirs } = exchange
    const { agreed } = this.twin
    this.exchanges.push(exchange)
    if (ours.status === theirs.status)
      getOrInsert(agreed, operation, () => new Set<number>()).add(ours.status)
    const differences = this.twin.compare(exchange, ours)
    const drifts = this.#report(operation, differences, after)
    for (const drift of drifts) this.compared.add(drift)
    await this.#readAgain(exchange, drifts)
  }

  /**
   * Sends a read again that showed something new: what returns to an earlier state is nobody's write, but wrong now and then.
   * A record that only the deployment has can be one of others, which they delete.
   */
  async #readAgain({ operation, ask, tolerance }: Exchange, drifts: readonly Drift[]): Promise<void> {
    const { settled, unsteady, oracle } = this.twin
    const isRead = isReadingOperation(operations[operation]) && operation !== 'getJob'
    if (!isRead || drifts.every((one) => settled.has(signatureOf(one)))) return
    for (const one of drifts) settled.add(signatureOf(one))
    const textOf = (all: readonly Difference[]) =>
      JSON.stringify(all.map(({ path, kind, got }) => [path, kind, got]))
    const texts = [textOf(drifts)]
    for (let read = 0; read < rereads; read += 1) {
      const exchange = { operation, ask, tolerance, ...(await this.twin.sendToDeployment(operation, ask)) }
      texts.push(
        textOf(this.twin.compare(exchange, await this.twin.sendToMock(exchange), { ids: oracle.ids.copy() })),
      )
    }
    const isTheirs = ({ path, records = [] }: Drift) =>
      counts.has(path) || records.some((id) => !oracle.ids.isKnown(id))
    if (!hasReturned(drifts.every(isTheirs) ? texts : ['[]', ...texts])) return
    const right = texts.filter((text) => text === '[]').length
    // What the pull lacks is shown by most reads.
    const shown = texts.filter((text) => text === texts[0]).length
    const isPullWrong = drifts.every(isTheirs) && shown > right && shown < texts.length
    const seen = `${String(texts.length - (isPullWrong ? shown : right))} of ${String(texts.length)}`
    for (const one of drifts) {
      this.found.splice(this.found.indexOf(one), 1)
      // A part of a file was lost on the way.
      if (one.path === 'bytes') continue
      const { expected, got } = one
      const drift = { ...one, seen, ...(isPullWrong && { expected: got, got: expected }) }
      unsteady.set(placeOf(one), drift)
      this.found.push(drift)
    }
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

  /** Reads as `get` does. @returns the last body of the deployment if it is a success @throws {Unreachable} if it has another shape */
  async readTheirs<Id extends OperationId>(operation: Id, params?: Params, ...queries: readonly Query[]) {
    await this.get(operation, params, ...queries)
    const { theirs } = this.exchanges.at(-1) ?? {}
    if (theirs?.isSuccess !== true) return {} as Partial<SuccessFor<Id>>
    this.twin.context.api.judge.assertShape(operation, theirs)
    return theirs.json as Partial<SuccessFor<Id>>
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
    this.#report(operation, [{ path, kind, expected, got }])
  }

  #report(operation: OperationId, differences: readonly Difference[], after?: OperationId): Drift[] {
    this.judged.add(operation)
    if (differences.length === 0) return []
    const { sent, context } = this.twin
    const { latest } = context.api.transport
    const decisive = latest ? [latest] : []
    const exchanges = sent.at(-1) === latest ? findNeeded(sent, after !== undefined) : decisive
    const about = { operation, rule: this.#rule, says: this.#says, source: this.#source, after, exchanges }
    const known = new Set<string>()
    const drifts = differences
      .map((difference): Drift => ({ ...about, ...difference }))
      .filter((drift) => known.size < known.add(signatureOf(drift)).size)
    this.found.push(...drifts)
    return drifts
  }
}

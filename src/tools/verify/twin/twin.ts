// Sends requests to the deployment and to the mock of it, and compares the responses.
import { isWrite } from '../../../contract/scopes.ts'
import { compareBodies, type DifferenceContext } from './bodies.ts'
import { collectIds, type IdPairs } from './ids.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import { operations, type OperationId } from '../../../contract/index.ts'
import { fillPath } from '../../../contract/operation.ts'
import { planLimits } from '../../../contract/plan-limits.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import { queryOf, type CallOptions } from '../../deployment/client.ts'
import type { SentExchange } from '../../deployment/exchange.ts'
import { KeyRedaction, Reply } from '../../deployment/reply.ts'
import type { Context } from '../../deployment/start.ts'
import { Stop } from '../../deployment/stop.ts'
import { origin } from '../../deployment/transport.ts'
import type { Difference } from '../findings/difference.ts'
import { DeploymentClock } from './clock.ts'
import { findMarkableTables, type ReferenceMock } from './reference.ts'

const noRedaction = new KeyRedaction('')

/** In a browser, too, where there are no boundaries. */
export type MockState = ReturnType<WorkspaceMock['snapshot']>

interface ReplayOptions {
  /** The state in which the first of the requests was sent. */
  readonly start: MockState
  /** The state in which the mock is left; by default `start`. */
  readonly end?: MockState
  /** Whether fields that the contract does not name count as differences; default false. */
  readonly isStrict?: boolean
}

/** Any listing can have a running entry. */
export const runningTimes = ['duration', 'total_seconds']

/** Fields of a response that need not be equal. */
export interface Tolerance {
  /** Numbers of the deployment's own, such as how long a job takes. */
  readonly loose?: readonly string[]
  /** Numbers that follow from the current time. */
  readonly near?: readonly string[]
}

/** A request to both sides, as needed to judge its response again. */
export interface Exchange {
  readonly about: DifferenceContext & { readonly operation: OperationId }
  /** The request, with the mock's ids. */
  readonly options: CallOptions
  readonly tolerance: Tolerance
  readonly theirs: Reply
  /** The deployment's time when it was sent. */
  readonly atMs: number
}

/** The request with the deployment's ids. */
function toTheirs({ body, ...rest }: CallOptions, ids: IdPairs): CallOptions {
  if (!(body instanceof FormData)) return ids.toTheirs({ ...rest, ...(body !== undefined && { body }) })
  const form = new FormData()
  for (const [name, value] of body) form.append(name, typeof value === 'string' ? ids.toTheirs(value) : value)
  return { ...ids.toTheirs(rest), body: form }
}

export class Twin {
  readonly context: Context
  readonly #pull: () => Promise<ReferenceMock>
  readonly clock: DeploymentClock
  reference: ReferenceMock
  /** Where the run writes tasks, with the mock's ids. */
  space: { readonly spaceId: string; readonly listId: string } | undefined
  /** Where the run writes rows. */
  tableId: string | undefined
  lockedTables: string[] = []
  /** Whether a job did not end, however often it was polled. */
  hasEndlessJob = false
  areOthersWriting = false
  /** Whether the pulls of the run differ. */
  hasChanged = false
  /** What this round has sent to the deployment. */
  sent: SentExchange[] = []
  /** Signatures of differences whose reads were sent again, by their places. */
  readonly settled = new Map<string, Set<string>>()
  /** Drift that shows now and then, by its place. */
  readonly unsteady = new Map<string, Difference>()
  /** Statuses in which the sides agreed, by operation. */
  readonly agreed = new Map<OperationId, Set<number>>()
  /** Names of fields that the mock has shown, by operation and place. */
  readonly #names = new Map<OperationId, Map<string, Set<string>>>()
  readonly #added = new Set<string>()
  /** What the pulls showed of each table and list, without repetitions. */
  readonly #contents = new Map<string, string[]>()

  /** @param reference what `pull` has read, which reads it again */
  constructor(context: Context, reference: ReferenceMock, pull: () => Promise<ReferenceMock>) {
    this.context = context
    this.#pull = pull
    this.reference = reference
    this.clock = new DeploymentClock(context, reference.mock.clock.now())
    this.#notePull()
  }

  /** @throws {Stop} if a write may have been carried out twice */
  async sendToDeployment(
    operation: OperationId,
    options: CallOptions,
  ): Promise<{ theirs: Reply; atMs: number }> {
    const { transport } = this.context.api
    const { repeats } = transport
    const result = await this.clock.call(operation, toTheirs(options, this.reference.ids))
    if (transport.latest) this.sent.push(transport.latest)
    if (isWrite(operation) && transport.repeats > repeats && result.theirs.status < 500)
      throw new Stop('a write was sent twice', 'repeated')
    return result
  }

  /** Sends an operation to the mock, at the deployment's time. */
  async sendToMock({ about: { operation }, options, atMs }: Exchange): Promise<Reply> {
    const { mock, key } = this.reference
    const { method, path } = operations[operation]
    const passedMs = Math.floor(atMs - mock.clock.nowMs())
    if (passedMs > 0) mock.clock.advance(passedMs)
    const { params, query, json, key: own = key, scheme = 'Bearer ' } = options
    const url = mock.baseUrl + fillPath(path, (name) => params?.[name] ?? '') + queryOf(query)
    const headers = {
      origin,
      ...(own !== null && { authorization: scheme + own }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    }
    const body = json === undefined ? (options.body ?? null) : JSON.stringify(json)
    const response = await mock.fetch(new Request(url, { method, headers, body }))
    return new Reply({ response, bytes: new Uint8Array(await response.arrayBuffer()) }, noRedaction)
  }

  /** A limit of the workspace's plan; null is unlimited. */
  getLimit(name: 'bulkRowsPerJob' | 'concurrentBulkJobs' | 'maxFileBytes'): number | null {
    const [{ plan } = { plan: 'pro' as const }] = this.reference.mock.db.workspaces.findMany()
    return planLimits(this.context.answers, name)[plan]
  }

  /** Chooses the table for the rows of the run by a request that puts in none: a lock cannot be pulled. */
  async chooseTable(name?: string): Promise<void> {
    const { api, marker } = this.context
    for (const { id: tableId, text } of findMarkableTables(this.reference.known.tables, name)) {
      const json = { rows: [{ [text.id]: [marker] }] }
      // Without a readable response the table is tried all the same: the scenarios say what is wrong.
      const reply = await api
        .call('bulkInsertRows', { params: { tableId }, json })
        .catch((error: unknown) => {
          if (!(error instanceof Stop)) throw error
        })
      if (reply?.status === 403) this.lockedTables.push(tableId)
      else this.tableId ??= tableId
      if (this.tableId !== undefined && this.lockedTables.length > 0) break
    }
    this.#lockTables()
  }

  #lockTables(): void {
    for (const tableId of this.lockedTables) this.reference.mock.lockTable(tableId)
  }

  /** @param isStrict whether fields that the contract does not name are differences */
  compare(
    { about, tolerance, theirs }: Exchange,
    ours: Reply,
    { ids = this.reference.ids, isStrict = false } = {},
  ): Difference[] {
    const { operation } = about
    const [expected, got] = [ours.status, theirs.status]
    if (expected !== got) return [{ ...about, path: 'status', kind: 'status', expected, got }]
    const path = 'x-ratelimit-limit'
    const [limit, theirLimit] = [ours.headers.get(path), theirs.headers.get(path)]
    const isSameLimit = limit === null || limit === theirLimit
    const differences: Difference[] = isSameLimit
      ? []
      : [{ ...about, path, kind: 'header', expected: limit, got: theirLimit }]
    if (ours.json === undefined) return [...differences, ...compareBytes(about, ours, theirs)]
    const { loose = [], near = [] } = tolerance
    const areOthersWriting = this.areOthersWriting && !isWrite(operation)
    const othersCount = areOthersWriting ? ['total', 'count', 'row_count'] : []
    const given = {
      about,
      ids,
      isStrict,
      areOthersWriting,
      marker: this.context.marker,
      names: getOrInsert(this.#names, operation, () => new Map<string, Set<string>>()),
      added: this.#added,
      now: this.reference.mock.clock.now(),
      loose: new Set([...loose, ...othersCount, ...(this.reference.hasPartialTables ? ['row_count'] : [])]),
      near: new Set([...near, ...(operation === 'listTimeEntries' ? runningTimes : [])]),
      columns: this.reference.columns,
    }
    return [...differences, ...compareBodies(given, ours.json, theirs.json)]
  }

  /** Sends requests to the mock again. @returns how each response of the deployment differs from that with these answers */
  async replay(
    exchanges: readonly Exchange[],
    answers: AnswersInput,
    { start, end = start, isStrict = false }: ReplayOptions,
  ): Promise<Difference[][]> {
    const { mock, ids } = this.reference
    const paired = ids.copy()
    const shown: Difference[][] = []
    try {
      mock.restore(start)
      mock.setAnswers(answers)
      for (const exchange of exchanges)
        shown.push(this.compare(exchange, await this.sendToMock(exchange), { ids: paired, isStrict }))
    } finally {
      mock.restore(end)
    }
    return shown
  }

  /** Pulls the deployment again. */
  async refresh(): Promise<void> {
    const { ids } = this.reference
    if (this.space) this.space = ids.toTheirs(this.space)
    this.reference = await this.#pull()
    this.#lockTables()
    this.#notePull()
    await this.calibrate()
  }

  /**
   * A record that was gone and is back, or that is as it was before, is nobody's write. What stays changed is that of others,
   * also where they remove a record that they made.
   */
  #notePull(): void {
    for (const [place, text] of this.reference.content) {
      const texts = getOrInsert(this.#contents, place, (): string[] => [])
      if (texts.at(-1) !== text) texts.push(text)
    }
    const changed = [...this.#contents.values()].filter((texts) => texts.length > 1)
    this.hasChanged = changed.length > 0
    const idsIn = (text: string) => collectIds(JSON.parse(text))
    const lacksRecords = (between: string, text: string) => {
      const [ids, own] = [idsIn(between), idsIn(text)]
      return ids.size <= own.size || ![...own].every((id) => ids.has(id))
    }
    this.areOthersWriting = changed.some((texts) => !hasReturned(texts, lacksRecords))
  }

  /** Sets the clock of the deployment, if the run can write, and that of the mock. */
  async calibrate(): Promise<void> {
    const { ids, mock } = this.reference
    if (this.space) await this.clock.calibrate(ids.toTheirs(this.space.listId))
    mock.clock.set(Math.max(0, Math.floor(this.clock.nowMs() / 1000)))
  }
}

/** Whether a text stands again after others, of which one counts. */
export const hasReturned = (
  texts: readonly string[],
  counts: (between: string, text: string) => boolean = () => true,
) =>
  texts.some((text, index) => {
    const again = texts.indexOf(text, index + 1)
    return texts.slice(index + 1, Math.max(again, 0)).some((between) => counts(between, text))
  })

/** Of a file that the pull did not read, only the size is known. */
function compareBytes(about: DifferenceContext, ours: Reply, theirs: Reply): Difference[] {
  const [expected, got] = [ours.bytes, theirs.bytes]
  const isKnown = expected.some((byte) => byte !== 0)
  const isSame =
    expected.length === got.length && (!isKnown || expected.every((byte, index) => byte === got[index]))
  const sizes = { expected: `${String(expected.length)} bytes`, got: `${String(got.length)} bytes` }
  return isSame ? [] : [{ ...about, path: 'bytes', kind: 'value', ...sizes }]
}

// Sends a request to the deployment and to the mock of it, and compares the two responses.
import { compareBodies, type BodyDifference } from '../../compare/bodies.ts'
import type { IdPairs } from '../../compare/ids.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { filledPath } from '../../contract/operation.ts'
import { isObject } from '../../contract/data/objects.ts'
import { queryOf, type Ask } from '../engine/client.ts'
import { Unreachable } from '../engine/drift.ts'
import { origin } from '../engine/generic-rules.ts'
import { writesNothing } from '../engine/judge.ts'
import { countTypes } from '../engine/shapes.ts'
import { KeyRedaction, Reply } from '../engine/reply.ts'
import type { Context } from '../engine/start.ts'
import { DeploymentClock } from './clock.ts'
import { planLimits } from '../../contract/plan-limits.ts'
import { Oracle, type KnownTable } from './oracle.ts'

const noRedaction = new KeyRedaction('')

/** Tables larger than this are avoided where there are others: they are searched for leftovers. */
const largeRows = 2000

/** Of listed entries, that of a member can run. */
export const runningTimes = ['duration', 'total_seconds']

/** Thrown where a write may have been carried out twice: the scenario begins anew. */
export class RepeatedWrite extends Error {
  override readonly name = 'RepeatedWrite'
}

/** What a response is compared by, besides the fields that the mock shows. */
export interface Tolerance {
  /** Numbers of the deployment's own, such as how long a job takes. */
  readonly loose?: readonly string[]
  /** Numbers that follow from the current time. */
  readonly near?: readonly string[]
}

/** A request of a scenario, with what is needed to judge its response once more. */
export interface Exchange {
  readonly operation: OperationId
  /** As the mock gets it. */
  readonly ask: Ask
  readonly tolerance: Tolerance
  readonly theirs: Reply
  /** The deployment's time when it was sent. */
  readonly atMs: number
}

/** The ids of a request in the words of the other side. */
function mapAsk({ params, query, json, body, ...rest }: Ask, map: <T>(value: T) => T): Ask {
  return {
    ...rest,
    ...(params && { params: map(params) }),
    ...(query !== undefined && { query: map(query) }),
    ...(json !== undefined && { json: map(json) }),
    ...(body !== undefined && { body: body instanceof FormData ? mapForm(body, map) : map(body) }),
  }
}

function mapForm(form: FormData, map: <T>(value: T) => T): FormData {
  const mapped = new FormData()
  for (const [name, value] of form)
    if (typeof value === 'string') mapped.append(name, map(value))
    else mapped.append(name, value)
  return mapped
}

export class Twin {
  readonly context: Context
  readonly clock: DeploymentClock
  oracle: Oracle
  /** What the run made to write in, with the mock's ids. */
  space: { readonly spaceId: string; readonly listId: string } | undefined
  /** The table that takes the rows of the run, and those that refuse them. */
  tableId: string | undefined
  lockedTables: string[] = []
  /** Whether others have written during the run. */
  areOthersWriting = false
  /** Names of fields that the mock has shown, by operation and place. */
  readonly #names = new Map<OperationId, Map<string, Set<string>>>()
  readonly #added = new Set<string>()

  constructor(context: Context, oracle: Oracle) {
    this.context = context
    this.oracle = oracle
    this.clock = new DeploymentClock(context, oracle.mock.clock.now())
  }

  /**
   * Sends an operation to the deployment alone, with its ids.
   * @throws {RepeatedWrite} if it may have been carried out twice
   */
  async sendToDeployment(operation: OperationId, ask: Ask): Promise<{ theirs: Reply; atMs: number }> {
    const { transport } = this.context.api
    const { repeats } = transport
    const { reply, localMs } = await this.#timeCall(
      operation,
      mapAsk(ask, (value) => this.oracle.ids.toTheirs(value)),
    )
    const isWrite = !writesNothing(operations[operation])
    if (isWrite && transport.repeats > repeats && reply.status < 500) throw new RepeatedWrite()
    return { theirs: reply, atMs: this.clock.at(localMs) }
  }

  /** Calls the deployment. @returns the response, and the moment of the run's own clock at which it was made */
  async #timeCall(operation: OperationId, ask: Ask): Promise<{ reply: Reply; localMs: number }> {
    const { api } = this.context
    const { retries } = api.transport
    const startMs = this.clock.localMs
    const reply = await api.call(operation, ask)
    const endMs = this.clock.localMs
    // What was tried again was carried out at the end of a wait, not in the middle of it.
    return { reply, localMs: api.transport.retries > retries ? endMs : (startMs + endMs) / 2 }
  }

  /** Sends an operation to the mock, at the deployment's time. */
  async sendToMock({ operation, ask, atMs }: Pick<Exchange, 'operation' | 'ask' | 'atMs'>): Promise<Reply> {
    const { mock, key } = this.oracle
    const { method, path } = operations[operation]
    const passedMs = Math.floor(atMs - mock.clock.nowMs())
    if (passedMs > 0) mock.clock.advance(passedMs)
    const url = mock.baseUrl + filledPath(path, (name) => ask.params?.[name] ?? '') + queryOf(ask.query)
    const authorization = ask.key === undefined ? `Bearer ${key}` : `Bearer ${ask.key ?? ''}`
    const headers = {
      origin,
      ...(ask.key !== null && { authorization }),
      ...(ask.json !== undefined && { 'content-type': 'application/json' }),
      ...ask.headers,
    }
    const body = ask.json === undefined ? (ask.body ?? null) : JSON.stringify(ask.json)
    const response = await mock.fetch(new Request(url, { method, headers, body }))
    return new Reply({ response, bytes: new Uint8Array(await response.arrayBuffer()) }, noRedaction)
  }

  #limit(name: 'bulkRowsPerJob' | 'concurrentBulkJobs' | 'maxFileBytes'): number | null {
    const [{ plan } = { plan: 'pro' as const }] = this.oracle.mock.db.workspaces.findMany()
    return planLimits(this.context.answers)[name][plan]
  }

  get jobRows(): number {
    return this.#limit('bulkRowsPerJob') ?? 0
  }

  get jobsAtOnce(): number {
    return this.#limit('concurrentBulkJobs') ?? 0
  }

  /** The largest size of a file; null where there is none. */
  get fileBytes(): number | null {
    return this.#limit('maxFileBytes')
  }

  /** Chooses the table for the rows of the run by a request that puts in none: a lock cannot be pulled. */
  async chooseTable(name?: string): Promise<void> {
    const { api, own } = this.context
    const isLarge = ({ row_count }: KnownTable) => Number(row_count > largeRows)
    const candidates = this.oracle.known.tables
      .filter((table) => name === undefined || [table.id, table.name].includes(name))
      .sort((a, b) => isLarge(a) - isLarge(b) || countTypes(b) - countTypes(a))
    for (const { id: tableId, columns } of candidates) {
      const text = columns.find(({ type, readonly }) => type === 'text' && !readonly)
      if (!text) continue
      const json = { rows: [{ [text.id]: [own.marker] }] }
      // Without a readable response the table is tried all the same: the scenarios say what is wrong.
      const reply = await api
        .call('bulkInsertRows', { params: { tableId }, json })
        .catch((error: unknown) => {
          if (!(error instanceof Unreachable)) throw error
        })
      if (reply?.status === 403) this.lockedTables.push(tableId)
      else this.tableId ??= tableId
      if (this.tableId !== undefined && this.lockedTables.length > 0) break
    }
    this.#lockTables()
  }

  #lockTables(): void {
    for (const tableId of this.lockedTables) this.oracle.mock.lockTable(tableId)
  }

  /** Names of counts that are the deployment's own: larger tables were read in part, or others insert and delete rows. */
  get #foreignCounts(): string[] {
    return this.areOthersWriting || this.oracle.isPartial ? ['row_count'] : []
  }

  /** The differences of a response of the deployment from the mock's. */
  compare(
    { operation, tolerance, theirs }: Pick<Exchange, 'operation' | 'tolerance' | 'theirs'>,
    ours: Reply,
    ids: IdPairs = this.oracle.ids,
  ): BodyDifference[] {
    if (ours.status !== theirs.status)
      return [{ path: 'status', kind: 'status', expected: ours.status, got: theirs.status }]
    const differences = compareHeaders(ours, theirs)
    if (ours.json === undefined) return [...differences, ...compareBytes(ours, theirs)]
    let names = this.#names.get(operation)
    if (!names) this.#names.set(operation, (names = new Map<string, Set<string>>()))
    const given = {
      ids,
      names,
      added: this.#added,
      now: this.oracle.mock.clock.now(),
      loose: new Set([...(tolerance.loose ?? []), ...this.#foreignCounts]),
      near: new Set([...(tolerance.near ?? []), ...(operation === 'listTimeEntries' ? runningTimes : [])]),
      autonumbers: this.oracle.autonumbers,
      columns: new Set(this.oracle.columns.keys()),
    }
    return [...differences, ...compareBodies(given, ours.json, theirs.json)]
  }

  /** Pulls the deployment again. @returns whether others have changed it since the last pull */
  async refresh(): Promise<boolean> {
    const { content, ids } = this.oracle
    if (this.space) this.space = ids.toTheirs(this.space)
    this.oracle = await Oracle.pull(this.context)
    this.#setMockClock()
    this.#lockTables()
    const isChanged = this.oracle.content !== content
    if (isChanged) this.areOthersWriting = true
    return isChanged
  }

  #setMockClock(): void {
    this.oracle.mock.clock.set(Math.max(0, Math.floor(this.clock.at(this.clock.localMs) / 1000)))
  }

  /** Sets the clock by a task and a comment of the run's own, as far as the deployment shows them. */
  async calibrate(listId: string): Promise<void> {
    try {
      await this.#sampleTimes(listId)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
    }
  }

  async #sampleTimes(listId: string): Promise<void> {
    const { api, own } = this.context
    const make = async (operation: OperationId, ask: Ask) => {
      const { reply, localMs } = await this.#timeCall(operation, ask)
      return { id: String(reply.field('id')), localMs }
    }
    const list = this.oracle.ids.toTheirs(listId)
    const task = await make('createTask', { params: { listId: list }, json: { title: own.text() } })
    const params = { taskId: task.id }
    const comment = await make('createComment', { params, json: { content: own.text() } })
    const comments = (await api.call('listComments', { params })).field('comments')
    const ask = { params: { listId: list }, query: { limit: 200 } }
    const tasks = (await api.call('listTasks', ask)).field('tasks')
    const seen = [
      { localMs: task.localMs, record: (await api.call('getTask', { params })).json },
      { localMs: task.localMs, record: firstOf(tasks, task.id) },
      { localMs: comment.localMs, record: firstOf(comments, comment.id) },
    ]
    this.clock.setBy(
      seen.flatMap(({ localMs, record }) => {
        const seconds = isObject(record) ? record.created_at : undefined
        return typeof seconds === 'number' ? [{ seconds, localMs }] : []
      }),
    )
    this.#setMockClock()
    await api.call('deleteComment', { params: { ...params, commentId: comment.id } })
    await api.call('deleteTask', { params })
  }
}

const firstOf = (records: unknown, id: string): unknown =>
  Array.isArray(records) ? records.find((record) => isObject(record) && record.id === id) : undefined

function compareHeaders(ours: Reply, theirs: Reply): BodyDifference[] {
  const limit = 'x-ratelimit-limit'
  const [expected, got] = [ours.headers.get(limit), theirs.headers.get(limit)]
  return expected === null || expected === got ? [] : [{ path: limit, kind: 'header', expected, got }]
}

/** Of a file that the pull did not read, only the size is known. */
function compareBytes(ours: Reply, theirs: Reply): BodyDifference[] {
  const [expected, got] = [ours.bytes, theirs.bytes]
  const isKnown = expected.some((byte) => byte !== 0)
  const isSame =
    expected.length === got.length && (!isKnown || expected.every((byte, index) => byte === got[index]))
  const sizes = { expected: `${String(expected.length)} bytes`, got: `${String(got.length)} bytes` }
  return isSame ? [] : [{ path: 'bytes', kind: 'value', ...sizes }]
}

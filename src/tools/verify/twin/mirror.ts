// The mock of a deployment, loaded with a bounded pull, and the records that scenarios choose from.
import type { Fixture } from '../../../../fixtures/types.ts'
import { collectIds, IdPairs } from '../compare/ids.ts'
import type { Column, DataTableSummary } from '../../../contract/datatables.ts'
import { operations, type OperationId, type SuccessFor } from '../../../contract/index.ts'
import { fillPath } from '../../../contract/operation.ts'
import { createWorkspaceMock, type WorkspaceMock } from '../../../mock.ts'
import { idKinds } from '../../../service/store/counters.ts'
import type { Context } from '../../deployment/start.ts'
import { queryOf, type CallOptions } from '../../deployment/client.ts'
import { KeyRedaction, Reply } from '../../deployment/reply.ts'
import { Stop } from '../../deployment/stop.ts'
import { origin } from '../../deployment/transport.ts'
import { cellsOf, type Cells } from '../../deployment/shapes.ts'
import { readWorkspace } from '../../pull/pull.ts'

const noRedaction = new KeyRedaction('')

/** Generated ids start here, above the ids of pulled records. */
const firstId = 700_000

/**
 * Bounds of the pull. Larger tables and lists are not compared, nor are comments, entries and files of further tasks.
 */
const bounds = { rows: 5000, tasks: 1000, submissions: 1000, owners: 20, details: [8, 60] } as const

export interface KnownTable extends DataTableSummary {
  readonly columns: readonly Column[]
  /** The first 500 rows. */
  readonly rows: readonly { readonly id: string; readonly cells: Cells }[]
}

/** A table with a text column that can mark the rows of a run. */
export interface MarkableTable extends KnownTable {
  readonly text: Column
}

/** Larger tables are a last resort, because the clean-up searches the whole table. */
const largeRows = 2000

export const countTypes = ({ columns }: KnownTable) => new Set(columns.map(({ type }) => type)).size

/**
 * Finds tables for the run's rows: most column types first, large tables last.
 * @param name id or name of the only table to consider
 */
export function findMarkableTables(tables: readonly KnownTable[], name?: string): MarkableTable[] {
  const isLarge = ({ row_count }: KnownTable) => Number(row_count > largeRows)
  const sorted = tables.toSorted((a, b) => isLarge(a) - isLarge(b) || countTypes(b) - countTypes(a))
  return sorted.flatMap((table) => {
    const text = table.columns.find(({ type, readonly }) => type === 'text' && !readonly)
    return text && (name === undefined || [table.id, table.name].includes(name)) ? [{ ...table, text }] : []
  })
}

export type Mirror = Awaited<ReturnType<typeof pullMirror>>

/** A snapshot of the mock. Unlike `mock.boundary`, it also works in a browser. */
export type MockState = ReturnType<WorkspaceMock['snapshot']>

/** Sends an operation to the mock with its clock set to the deployment's time. */
export async function sendToMock(
  { mock, key }: Mirror,
  operation: OperationId,
  options: CallOptions,
  atMs: number,
): Promise<Reply> {
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

/**
 * Pulls the deployment and loads a mock with it.
 * @param wanted operations that need the data; by default all
 * @param takesParts whether to use partly read tables if none was read completely
 */
export async function pullMirror(
  { api, answers, marker }: Context,
  wanted?: ReadonlySet<OperationId>,
  takesParts = false,
) {
  const { fixture, answers: observed, partial } = await readWorkspace(api, answers, { ...bounds, wanted })
  const ids = Object.fromEntries(idKinds.map((kind) => [kind, firstId]))
  const mock = createWorkspaceMock({
    fixture: { ...fixture, runtime: { ...fixture.runtime, ids } },
    // How long a job takes is up to the deployment, so the mock's jobs end soon.
    answers: {
      ...answers,
      // The fixture does not load without these types.
      customFieldTypes: observed.customFieldTypes ?? answers.customFieldTypes,
      jobTimeline: { queuedMs: 1, chunkRows: 50_000, chunkMs: 500 },
    },
    // Only the deployment has limits per period; the run waits them out.
    limits: { bulkInsertPerMinute: null, requestsPerMonth: null },
    advanceOnPoll: false,
    journalSize: 0,
  })
  const { db } = mock
  const isWhole = ({ id }: { readonly id: string }) => !partial.has(id)
  const headers = { authorization: `Bearer ${mock.keys.master ?? ''}` }
  /** Reads rows from responses, because only they contain the values of formulas. */
  const readTables = async (isRead: typeof isWhole) => {
    const read: KnownTable[] = []
    for (const { id, name, columns } of db.tables.findMany().filter(isRead)) {
      const response = await mock.fetch(`${mock.baseUrl}/datatables/${id}/rows?limit=500`, { headers })
      if (!response.ok) throw new Stop(`the mock of the deployment cannot list the rows of table ${id}`)
      const { rows, total } = (await response.json()) as SuccessFor<'listRows'>
      const known = rows.map((row) => ({ id: row.id, cells: cellsOf(row) }))
      read.push({ id, name, columns, row_count: total, rows: known })
    }
    return read
  }
  const tables = await readTables(isWhole)
  const isFilled = ({ row_count }: KnownTable) => row_count > 0
  // Learning compares answers, so the first rows of a table are as good as all of them.
  if (takesParts && !tables.some(isFilled))
    tables.push(...(await readTables((table) => !isWhole(table))).filter(isFilled))
  const lists = db.lists
    .findMany()
    .filter(isWhole)
    .map((list) => ({
      ...list,
      tasks: db.tasks.findMany((q) => q.where({ list_id: list.id, deleted_at: null })),
    }))
  const forms = db.forms
    .findMany()
    .filter(isWhole)
    .map((form) => ({ ...form, submissions: db.submissions.findMany((q) => q.where({ form_id: form.id })) }))
  const members = db.workspaces.findMany().flatMap((workspace) => workspace.members)
  const columns = [...tables.flatMap((table) => table.columns), ...lists.flatMap((list) => list.fields)]
  const hasRecords = tables.some(isFilled) || lists.some(({ tasks }) => tasks.length > 0) || forms.length > 0
  return {
    mock,
    key: mock.keys.master ?? '',
    known: { members, tables, lists, forms },
    ids: new IdPairs(collectIds(fixture)),
    /** Columns and custom fields. */
    columns: new Map(columns.map((column) => [column.id, column])),
    /** Each pulled table, list and form as text, excluding records of the run. */
    content: contentOf(fixture, marker),
    /** Answers the pull revealed. */
    observed,
    /** Whether some tables were read only partly or not at all. */
    hasPartialTables: db.tables.count() > tables.length,
    /** Whether the workspace lacks the records most scenarios read. */
    isEmpty: partial.size === 0 && !hasRecords,
  }
}

/** Each record's content by id, without what the run made. A change means that someone else wrote to the workspace. */
function contentOf({ workspaces }: Fixture, marker: string): ReadonlyMap<string, string> {
  const content = new Map<string, string>()
  for (const { id = '', spaces = [], tables = [], forms = [], ...rest } of workspaces) {
    const others = spaces.filter(({ name }) => !name.includes(marker))
    content.set(id, JSON.stringify([rest, others.map(({ lists: _, ...space }) => space)]))
    const records: readonly { readonly id?: string }[] = [
      ...tables,
      ...forms,
      ...others.flatMap(({ lists = [] }) => lists),
    ]
    for (const one of records) content.set(one.id ?? '', JSON.stringify(one))
  }
  return content
}

// Pages of rows for consoles: searched, filtered and sorted, with the names of linked rows.
import * as z from 'zod/mini'
import { Filter } from '../../contract/rows.ts'
import { parseOrThrow, CountOption } from '../../mock/parse-or-throw.ts'
import { assertExists } from '../../mock/control-error.ts'
import { parseJson } from '../../mock/requests/json.ts'
import { isMomentType, momentTypes, numberTypes } from '../../contract/column-types.ts'
import { compileTable, type CompiledTable } from '../../service/rows/columns.ts'
import { toRow } from '../../service/rows/row-text.ts'
import { foldCase } from '../../contract/text/format.ts'
import { operatorTests } from '../../service/rows/filter.ts'
import { isDirection, prepareQuery } from '../../service/rows/query.ts'
import { findRows } from '../../service/rows/selection.ts'
import type { StoredRow } from '../../service/store/table.ts'
import type { Store } from '../../service/store/store.ts'
import { getRecord } from '../../mock/controls/records.ts'
import type { TableRecord } from '../../contract/types.d.ts'

export const rowPageSchema = z.lazy(() =>
  z.strictObject({
    /** Number of rows to skip. */
    offset: CountOption,
    /** Default: 50. */
    limit: CountOption,
    /** Only rows that contain this text in a value or the id. */
    search: z.optional(z.string()),
    /** Id of a column to sort by; `col_total:desc` for descending. Default: insertion order. */
    sort: z.optional(z.string()),
    /** Conditions as in `queryRows`, all of which must match; an array or its JSON text. */
    filters: z.optional(z.union([z.string(), z.readonly(z.array(Filter))])),
  }),
)
/** Which rows to return, and in which order. */
export type RowPageQuery = z.infer<typeof rowPageSchema>

function sortOf(text: string) {
  if (text === '') return []
  const colon = text.lastIndexOf(':')
  const direction = text.slice(colon + 1)
  return isDirection(direction) ? [{ column: text.slice(0, colon), direction }] : [{ column: text }]
}

/** The texts that values of a type can contain. A search for any other text skips columns of that type. */
const possibleTexts: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(momentTypes.map((type) => [type, /^[\d :-]+$/])),
  ...Object.fromEntries(numberTypes.map((type) => [type, /^[\de.+-]+$/])),
  checkbox: /^[a-z]+$/,
}

/**
 * Returns a function that tells whether a row contains a text. Labels, names and dates as `2026-01-05 10:00` count.
 */
function createSearchTest({ columns }: CompiledTable, search: string): (row: StoredRow) => boolean {
  const wanted = foldCase(search)
  const possible = columns.filter(({ record }) => possibleTexts[record.type]?.test(wanted) !== false)
  const tests = possible.map(({ record, kind, read }) => {
    const test = isMomentType(record.type)
      ? (value: unknown) =>
          typeof value === 'number' && new Date(value * 1000).toISOString().replace('T', ' ').includes(wanted)
      : operatorTests.contains({ ...kind, fold: foldCase }, search, 'search')
    return (row: StoredRow) => test(read(row))
  })
  return (row) => foldCase(row.id).includes(wanted) || tests.some((test) => test(row))
}

function linkOf(store: Store, tables: readonly TableRecord[], id: string) {
  for (const table of tables) {
    const row = store.rows(table.id).get(id)
    if (!row) continue
    const texts = compileTable(store, table).columns.map(({ read }) => read(row))
    const label = texts.find((text) => typeof text === 'string') ?? id
    return { table_id: table.id, /** The row's first text value, or else its id. */ label }
  }
  return undefined
}
export type RowLink = NonNullable<ReturnType<typeof linkOf>>

export function linksOf(
  store: Store,
  workspaceId: string,
  fields: readonly { readonly id: string; readonly type: string; readonly table_id?: string | undefined }[],
  valuesOf: (fieldId: string) => readonly unknown[],
): Readonly<Record<string, RowLink>> | undefined {
  const tables = store.tables.ownedBy(workspaceId)
  const links = new Map<string, RowLink>()
  for (const { id: fieldId, type, table_id } of fields) {
    if (type !== 'datatable' && table_id === undefined) continue
    const possible = table_id === undefined ? tables : tables.filter(({ id }) => id === table_id)
    for (const id of valuesOf(fieldId).flat()) {
      const link = typeof id === 'string' && !links.has(id) ? linkOf(store, possible, id) : undefined
      if (link) links.set(String(id), link)
    }
  }
  return links.size > 0 ? Object.fromEntries(links) : undefined
}

function pageOf(table: CompiledTable, total: number, rows: readonly StoredRow[]) {
  const { store, record } = table
  const links = linksOf(store, record.workspace_id, record.columns, (id) => rows.map(({ data }) => data[id]))
  return {
    /** Number of matching rows on all pages. */
    total,
    rows: rows.map((row) => toRow(table, row, 'data')),
    ...(links && { /** The linked rows by id; absent without links. */ links }),
  }
}
export type InspectedRows = ReturnType<typeof pageOf>

export function rowPageOf(store: Store, tableId: string, query: RowPageQuery = {}): InspectedRows {
  const {
    offset = 0,
    limit = 50,
    search: text = '',
    sort = '',
    filters: given = [],
  } = parseOrThrow(rowPageSchema, query, 'page')
  const table = compileTable(store, getRecord(store, 'tables', tableId))
  const filters = typeof given === 'string' ? parseJson(given, 'filters') : given
  const wanted = { filters: [...parseOrThrow(z.array(Filter), filters, 'filters')], sort: sortOf(sort) }
  if (text === '') {
    const { rows, total } = findRows(table, prepareQuery(table, wanted), offset, limit)
    return pageOf(table, total, rows)
  }
  const all = findRows(table, prepareQuery(table, wanted), 0, table.rows.count).rows
  const found = all.filter(createSearchTest(table, text))
  return pageOf(table, found.length, found.slice(offset, offset + limit))
}

export function inspectedRowOf(store: Store, tableId: string, rowId: string): InspectedRows {
  const table = store.tables.get(tableId)
  const row = table && store.rows(tableId).get(rowId)
  const page = table && row && pageOf(compileTable(store, table), 1, [row])
  return assertExists(page, 'row', rowId)
}

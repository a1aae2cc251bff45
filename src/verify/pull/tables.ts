// Datatables with their columns and rows, as a fixture has them.
import { columnFields, optionFields, type Column, type DataTableSummary } from '../../contract/datatables.ts'
import { isObject, type JsonObject } from '../../contract/data/objects.ts'
import type { Row } from '../../contract/rows.ts'
import type { FixtureColumn, FixtureRow, FixtureTable } from '../../../fixtures/types.ts'
import { cellsOf, emptyColumnIn, rowShapeOf, type Cells } from '../engine/shapes.ts'
import type { Gathered } from './gathered.ts'
import { recordsIn } from './reader.ts'

const rowsOfPage = 500

async function rowsOf(
  { reader, mostRows }: Gathered,
  { id: tableId, row_count }: DataTableSummary,
): Promise<{ rows: Row[]; total: number }> {
  const rows = new Map<string, Row>()
  const limit = Math.min(rowsOfPage, Math.max(mostRows, 1))
  let total = row_count
  for (let page = 1; rows.size < mostRows; page += 1) {
    const body = await reader.get('listRows', { tableId }, { page, limit })
    const found = recordsIn<Row>(body, 'rows')
    for (const row of found) rows.set(row.id, row)
    total = Number(body?.total ?? rows.size)
    if (found.length === 0 || page * Number(body?.pageSize ?? limit) >= total) break
  }
  return { rows: [...rows.values()].slice(0, mostRows), total }
}

/** Assumption: rowShape, emptyColumns */
async function observeShapes(
  gathered: Gathered,
  tableId: string,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const alone = await gathered.reader.get('getRow', { tableId, rowId: first.id })
  if (alone) gathered.observe('rowShape', rowShapeOf(first, alone))
  for (const row of rows) gathered.observe('emptyColumns', emptyColumnIn(columns, cellsOf(row))?.answer)
}

/** The items of an attachment column; the API lets nobody download what they hold. */
function attachmentsOf(gathered: Gathered, prefix: string, value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).flatMap(({ key, filename, size, contentType, uploadedAt }) => {
    if (typeof key !== 'string' || !key.startsWith(prefix) || typeof filename !== 'string') return []
    gathered.saw(uploadedAt)
    return [{ key, filename, size: gathered.file(key, Number(size ?? 0)), contentType, uploadedAt }]
  })
}

type Table = DataTableSummary & { readonly columns: readonly Column[] }

function dataOf(gathered: Gathered, { id: tableId, name, columns }: Table, rowId: string, cells: Cells) {
  const data: JsonObject = {}
  for (const column of columns) {
    const { id, type } = column
    const value = cells[id]
    if (value === null || value === undefined) continue
    if (type === 'formula' || type === 'created_at' || type === 'updated_at') continue
    if (type === 'attachment') data[id] = attachmentsOf(gathered, `dt/${tableId}/row/${rowId}/${id}/`, value)
    else if (gathered.fits(`table ${name}`, column, value)) data[id] = value
  }
  return data
}

const momentIn = ({ columns }: Table, type: Column['type'], cells: Cells) => {
  const value = cells[columns.find((column) => column.type === type)?.id ?? '']
  return typeof value === 'number' ? value : undefined
}

function fixtureRow(gathered: Gathered, table: Table, row: Row): FixtureRow {
  const cells = cellsOf(row)
  const updated_at = momentIn(table, 'updated_at', cells)
  const created_at = momentIn(table, 'created_at', cells) ?? updated_at
  gathered.saw(created_at, updated_at)
  return {
    id: row.id,
    version: row.version,
    data: dataOf(gathered, table, row.id, cells),
    ...(created_at !== undefined && { created_at }),
    ...(updated_at !== undefined && { updated_at }),
  }
}

function fixtureColumn(gathered: Gathered, { options, ...column }: Column): FixtureColumn {
  const { formula = '', ...record } = gathered.record(columnFields, column)
  return {
    ...record,
    ...(options && { options: options.map((option) => gathered.record(optionFields, option)) }),
    ...(column.type === 'formula' && { formula }),
  }
}

async function pulledTable(gathered: Gathered, summary: DataTableSummary): Promise<FixtureTable> {
  const { id, name } = summary
  const columns = await gathered.reader.list<Column>('getDatatableSchema', 'columns', { tableId: id })
  const { rows, total } = await rowsOf(gathered, summary)
  await observeShapes(gathered, id, columns, rows)
  if (rows.length < total)
    gathered.notes.add(`Table ${name}: ${String(rows.length)} of ${String(total)} rows were read.`)
  if (columns.some(({ type }) => type === 'datatable'))
    gathered.notes.add('Which table a datatable column leads to is not shown: links in rows are not checked.')
  if (!columns.some(({ type }) => type === 'created_at' || type === 'updated_at'))
    gathered.notes.add('When rows were made and changed is shown by columns of these types alone.')
  const table = { ...summary, columns }
  return {
    id,
    name,
    columns: columns.map((column) => fixtureColumn(gathered, column)),
    rows: rows.map((row) => fixtureRow(gathered, table, row)),
  }
}

export async function pulledTables(gathered: Gathered): Promise<FixtureTable[]> {
  const { reader, mostRows } = gathered
  const summaries = await reader.list<DataTableSummary>('listDatatables', 'datatables')
  for (const { row_count } of summaries)
    reader.plan(2 + Math.max(1, Math.ceil(Math.min(row_count, mostRows) / rowsOfPage)))
  const tables: FixtureTable[] = []
  for (const summary of summaries) tables.push(await pulledTable(gathered, summary))
  return tables
}

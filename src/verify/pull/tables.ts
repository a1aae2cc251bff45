// Datatables with their columns and rows, as a fixture has them.
import { columnFields, optionFields, type Column, type DataTableSummary } from '../../contract/datatables.ts'
import { isUnset } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { mostPerPage } from '../../contract/limits.ts'
import { RowAttachment } from '../../contract/row-attachments.ts'
import type { Row } from '../../contract/rows.ts'
import { quote } from '../../contract/text/quote.ts'
import type { FixtureColumn, FixtureRow, FixtureTable } from '../../../fixtures/types.ts'
import { cellsOf, emptyColumnIn, rowShapeOf, type Cells } from '../engine/shapes.ts'
import type { Gathered } from './gathered.ts'
import { fixed, note } from './losses.ts'
import { byPage } from './reader.ts'
import type { Shown } from './shown.ts'

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
function attachmentsOf(gathered: Gathered, prefix: string, items: readonly unknown[]): RowAttachment[] {
  return items.flatMap((item) => {
    const read = RowAttachment.safeParse(item)
    if (!read.success || !read.data.key.startsWith(prefix)) {
      const why = fixed(`must be a file with a key that begins with that of its row; received `)
      const sentence = note`An item of ${prefix} was left out: ${why}${quote(item)}`
      gathered.losses.add(`file ${prefix}`, { kind: 'value', operation: 'listRows', note: sentence })
      return []
    }
    const { key, filename, size, contentType, uploadedAt } = read.data
    gathered.saw(uploadedAt)
    return [{ key, filename, size: gathered.file(key, filename, size), contentType, uploadedAt }]
  })
}

interface Table {
  readonly id: string
  readonly columns: readonly Column[]
}

function dataOf(gathered: Gathered, { id: tableId, columns }: Table, rowId: string, cells: Cells) {
  const data: JsonObject = {}
  for (const { id, type } of columns) {
    const value = cells[id]
    if (value === null || value === undefined) continue
    if (type === 'formula' || type === 'created_at' || type === 'updated_at') continue
    const isFiles = type === 'attachment' && Array.isArray(value)
    data[id] = isFiles ? attachmentsOf(gathered, `dt/${tableId}/row/${rowId}/${id}/`, value) : value
    if (type === 'people' && Array.isArray(value))
      for (const person of value) if (typeof person === 'string') gathered.person(person)
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
    ...(row.version > 0 && { version: row.version }),
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

/** Columns for values whose table has no schema that could be read: a recording need not show it. */
function guessedColumns(rows: readonly Row[]): Column[] {
  const types = { string: 'text', number: 'number', boolean: 'checkbox' } as const
  const found = new Map<string, Column>()
  for (const row of rows)
    for (const [id, value] of Object.entries(cellsOf(row))) {
      const type = types[typeof value as keyof typeof types]
      if (!isUnset(value) && type && !found.has(id)) found.set(id, { id, name: id, type, readonly: false })
    }
  return [...found.values()]
}

async function pulledTable(gathered: Gathered, summary: Shown<DataTableSummary>): Promise<FixtureTable> {
  const { reader, bounds } = gathered
  const { id, name = id, row_count } = summary
  const read = await reader.list<Column>('getDatatableSchema', 'columns', { tableId: id })
  const most = bounds.rows ?? Infinity
  const { records, last } = await reader.pages<Row>('listRows', { tableId: id }, ...byPage('rows', most))
  const rows = (records as Row[]).slice(0, most)
  const columns = read.length === 0 && rows.length > 0 ? guessedColumns(rows) : (read as unknown as Column[])
  if (columns.length > read.length)
    gathered.add(note`Columns of table ${name} are not shown: names and types follow from its values.`)
  await observeShapes(gathered, id, columns, rows)
  const total = typeof last.total === 'number' ? last.total : (row_count ?? rows.length)
  if (rows.length < total) gathered.add(note`Table ${name}: ${rows.length} of ${total} rows were read.`)
  if (columns.some(({ type }) => type === 'datatable'))
    gathered.add(
      fixed('Which table a datatable column leads to is not shown: links in rows are not checked.'),
    )
  if (!columns.some(({ type }) => type === 'created_at' || type === 'updated_at'))
    gathered.add(fixed('When rows were made and changed is shown by columns of these types alone.'))
  const table = { id, columns }
  return {
    id,
    name,
    columns: columns.map((column) => fixtureColumn(gathered, column)),
    rows: rows.map((row) => fixtureRow(gathered, table, row)),
  }
}

export async function pulledTables(gathered: Gathered): Promise<FixtureTable[]> {
  const { reader, bounds } = gathered
  const summaries = (await reader.list<DataTableSummary>('listDatatables', 'datatables')).slice(
    0,
    bounds.tables,
  )
  const mostRows = bounds.rows ?? Infinity
  for (const { row_count = 1 } of summaries)
    reader.plan(2 + Math.max(1, Math.ceil(Math.min(row_count, mostRows) / mostPerPage.rows)))
  const tables: FixtureTable[] = []
  for (const summary of summaries) tables.push(await pulledTable(gathered, summary))
  return tables
}

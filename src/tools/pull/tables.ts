// Converts datatables with their columns and rows to the shape of a fixture.
import { columnFields, optionFields, type Column } from '../../contract/datatables.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { RowAttachment } from '../../contract/row-attachments.ts'
import type { Row } from '../../contract/rows.ts'
import { isObject, isUnset } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import type { FixtureColumn, FixtureRow, FixtureTable } from '../../../fixtures/types.ts'
import { cellsOf, type Cells } from '../deployment/shapes.ts'
import type { Gathered } from './gathered.ts'
import type { Shown } from './listings.ts'
import { toNote } from './notes.ts'

/** Converts row attachments. Their files cannot be downloaded through the API. */
function attachmentsOf(gathered: Gathered, prefix: string, items: readonly unknown[]): RowAttachment[] {
  return items.flatMap((item) => {
    const read = RowAttachment.safeParse(item)
    if (!read.success || !read.data.key.startsWith(prefix)) {
      const why = toNote`expected a file whose key begins with this prefix; received `
      const sentence = toNote`An item of ${prefix} was left out: ${why}${quote(item)}`
      gathered.notes.lose(sentence, { kind: 'value', operation: 'listRows' })
      return []
    }
    const { key, filename, size, contentType, uploadedAt } = read.data
    gathered.noteMoments(uploadedAt)
    return [{ key, filename, size: gathered.addFile(key, filename, size), contentType, uploadedAt }]
  })
}

const computedTypes: ReadonlySet<unknown> = new Set(['formula', 'created_at', 'updated_at'])

function toFixtureRow(
  gathered: Gathered,
  tableId: string,
  columns: readonly Shown<Column>[],
  row: Row,
): FixtureRow {
  const cells = cellsOf(row)
  const momentIn = (type: Column['type']) => {
    const value = cells[columns.find((column) => column.type === type)?.id ?? '']
    return typeof value === 'number' ? value : undefined
  }
  const updated_at = momentIn('updated_at')
  const created_at = momentIn('created_at') ?? updated_at
  gathered.noteMoments(created_at, updated_at)
  const data: JsonObject = {}
  for (const { id, type } of columns) {
    const value = cells[id]
    if (value === null || value === undefined || computedTypes.has(type)) continue
    const isFiles = type === 'attachment' && Array.isArray(value)
    data[id] = isFiles ? attachmentsOf(gathered, `dt/${tableId}/row/${row.id}/${id}/`, value) : value
    gathered.addPeopleIn(type, value)
  }
  return {
    id: row.id,
    ...(row.version > 0 && { version: row.version }),
    data,
    ...(created_at !== undefined && { created_at }),
    ...(updated_at !== undefined && { updated_at }),
  }
}

/** Guesses columns or custom fields from their values, if a recording does not show them. */
export function guessSpecs(records: readonly Cells[]) {
  const types = { string: 'text', number: 'number', boolean: 'checkbox' } as const
  const typeOf = (value: unknown) => types[typeof value as keyof typeof types]
  const values = records.flatMap((cells) => Object.entries(cells)).filter(([, value]) => typeOf(value))
  const guesses = values.map(([id, value]) => ({ id, name: id, type: typeOf(value), readonly: false }))
  return [...new Map(guesses.map((guess) => [guess.id, guess])).values()]
}

export const toTables = (gathered: Gathered): FixtureTable[] =>
  gathered.bag.recordsOf('listDatatables').map(({ id: tableId, name = tableId, row_count }) => {
    const { bag, notes } = gathered
    const read = bag.recordsOf('getDatatableSchema', tableId)
    const rows = bag.recordsOf('listRows', tableId) as Row[]
    const { total = row_count } = bag.contentOf('listRows', tableId).body
    const columns: readonly Shown<Column>[] = read.length === 0 ? guessSpecs(rows.map(cellsOf)) : read
    if (columns.length > read.length)
      notes.add(
        toNote`The columns of table ${name} could not be read: their names and types are derived from its values.`,
      )
    const [first] = rows
    if (first) {
      const isNested = isObject(first.data)
      const isAloneNested = isObject((bag.rowsAlone.get(first.id) ?? first).data)
      // No answer covers rows that are nested only in listings.
      if (isAloneNested) gathered.observe('rowShape', isNested ? 'data' : 'flatInLists')
      else if (!isNested) gathered.observe('rowShape', 'flat')
    }
    for (const cells of rows.map(cellsOf)) {
      const empty = columns.find(({ id }) => isUnset(cells[id]))
      if (empty) gathered.observe('emptyColumns', Object.hasOwn(cells, empty.id) ? 'null' : 'absent')
    }
    if (typeof total === 'number' && rows.length < total)
      notes.add(toNote`Table ${name}: ${rows.length} of ${total} rows were read.`)
    if (columns.some(({ type }) => type === 'datatable'))
      notes.add(
        'The API does not show which table a datatable column links to: links in rows are not checked.',
      )
    if (!columns.some(({ type }) => type === 'created_at' || type === 'updated_at'))
      notes.add('Only columns of type created_at or updated_at show when rows were created or changed.')
    return {
      id: tableId,
      name,
      columns: columns.map(({ options, ...column }): FixtureColumn => {
        const { formula = '', ...record } = gathered.toRecord(columnFields, column)
        return {
          ...record,
          ...(options && { options: options.map((option) => gathered.toRecord(optionFields, option)) }),
          ...(column.type === 'formula' && { formula }),
        }
      }),
      rows: rows.map((row) => toFixtureRow(gathered, tableId, columns, row)),
    }
  })

// Rows in either of their shapes, and the answers to open questions that their shapes show.
import type { Column, DataTableSummary } from '../../../contract/datatables.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import type { Row } from '../../../contract/rows.ts'
import { isObject, isUnset } from '../../../contract/data/objects.ts'

export type Cells = Readonly<Record<string, unknown>>

/** Assumption: rowShape */
const isNested = (row: unknown) => isObject(row) && isObject(row.data)

/** The values of a row by column id. Assumption: rowShape */
export function cellsOf(row: Row): Cells {
  if (isObject(row.data)) return row.data
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && name !== 'version'))
}

export interface KnownRow {
  readonly id: string
  readonly cells: Cells
}

export const toKnownRow = (row: Row): KnownRow => ({ id: row.id, cells: cellsOf(row) })

interface TableWithColumns extends DataTableSummary {
  readonly columns: readonly Column[]
}

/** Tables larger than this are avoided where there are others: they are searched for leftovers. */
const largeRows = 2000

/** A table with a text column that can mark the rows of a run. */
export type MarkableTable<T = object> = T & { readonly text: Column }

/**
 * Finds tables for rows of a run: those with the most types of columns first, large ones last.
 * @param name id or name of the only one wanted
 */
export function findMarkableTables<T extends TableWithColumns>(tables: readonly T[], name?: string) {
  const isLarge = ({ row_count }: T) => Number(row_count > largeRows)
  const sorted = tables.toSorted((a, b) => isLarge(a) - isLarge(b) || countTypes(b) - countTypes(a))
  return sorted.flatMap((table): MarkableTable<T>[] => {
    const text = table.columns.find(({ type, readonly }) => type === 'text' && !readonly)
    return text && (name === undefined || [table.id, table.name].includes(name)) ? [{ ...table, text }] : []
  })
}

export const countTypes = ({ columns }: { readonly columns: readonly Column[] }) =>
  new Set(columns.map(({ type }) => type)).size

/** Undefined where no answer covers both shapes. */
export function rowShapeOf(listed: unknown, alone: unknown): Answers['rowShape'] | undefined {
  if (isNested(alone)) return isNested(listed) ? 'data' : 'flatInLists'
  return isNested(listed) ? undefined : 'flat'
}

/** The first column without a value in a row. Assumption: emptyColumns */
export function emptyColumnIn<C extends { readonly id: string }>(columns: readonly C[], cells: Cells) {
  const column = columns.find(({ id }) => isUnset(cells[id]))
  const answer: Answers['emptyColumns'] = column && Object.hasOwn(cells, column.id) ? 'null' : 'absent'
  return column && { column, answer }
}

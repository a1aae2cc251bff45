// Rows in either of their shapes, and the answers to open questions that their shapes show.
import type { Column } from '../../contract/datatables.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Row } from '../../contract/rows.ts'
import { isObject, isUnset } from '../../contract/data/objects.ts'

export type Cells = Readonly<Record<string, unknown>>

/** Assumption: rowShape */
export function isNested(row: unknown): boolean {
  return isObject(row) && isObject(row.data)
}

/** By column id. Assumption: rowShape */
export function cellsOf(row: Row): Cells {
  if (isObject(row.data)) return row.data
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && name !== 'version'))
}

export interface KnownRow {
  readonly id: string
  readonly cells: Cells
}

export const toKnownRow = (row: Row): KnownRow => ({ id: row.id, cells: cellsOf(row) })

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

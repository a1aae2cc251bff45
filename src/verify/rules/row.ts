// Reads rows in either of their shapes. Assumption: rowShape
import type { Row } from '../../contract/rows.ts'

export type Cells = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the values of a row are in `data`. */
export function isNested(row: unknown): boolean {
  return isObject(row) && isObject(row.data)
}

/** Values of a row by column id, wherever they are. */
export function cellsOf(row: Row): Cells {
  if (isObject(row.data)) return row.data
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && name !== 'version'))
}

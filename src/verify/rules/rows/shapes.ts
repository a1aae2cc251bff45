// Reads rows in either of their shapes. Assumption: rowShape
import { isObject } from '../../../contract/values/objects.ts'
import type { Row } from '../../../contract/rows.ts'

export type Cells = Readonly<Record<string, unknown>>

/** Whether the values of a row are in `data`. */
export function isNested(row: unknown): boolean {
  return isObject(row) && isObject(row.data)
}

/** Values of a row by column id, wherever they are. */
export function cellsOf(row: Row): Cells {
  if (isObject(row.data)) return row.data
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && name !== 'version'))
}

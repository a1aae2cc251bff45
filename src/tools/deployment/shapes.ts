// Rows in either of their shapes. Assumption: rowShape
import type { Row } from '../../contract/rows.ts'
import { isObject } from '../../contract/data/objects.ts'

export type Cells = Readonly<Record<string, unknown>>

/** A row's values by column id. */
export function cellsOf(row: Row): Cells {
  if (isObject(row.data)) return row.data
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id' && name !== 'version'))
}

// Data derived from a table's column, cached and updated as rows are written.
import { getOrInsert } from '../../contract/data/maps.ts'
import type { RowTable, StoredRow, TableWatcher } from '../store/table.ts'
import type { TableColumn } from './columns.ts'

export interface Derived extends TableWatcher<StoredRow> {
  readonly column: TableColumn
}

/** Maximum number of columns per table with cached data; the least recently used is dropped first. */
const cachedColumns = 8

/** Caches what `make` derives, until the column is recompiled because names or answers changed. */
export function createDerived<D extends Derived>(make: (table: RowTable, column: TableColumn) => D) {
  const columnsOfTables = new WeakMap<RowTable, Map<string, D>>()
  return (table: RowTable, column: TableColumn): D => {
    const columns = getOrInsert(columnsOfTables, table, () => new Map<string, D>())
    let derived = columns.get(column.id)
    columns.delete(column.id)
    if (derived?.column !== column) {
      if (derived) table.watchers.delete(derived)
      derived = make(table, column)
      table.watchers.add(derived)
    }
    columns.set(column.id, derived)
    for (const [id, oldest] of columns) {
      if (columns.size <= cachedColumns) break
      table.watchers.delete(oldest)
      columns.delete(id)
    }
    return derived
  }
}

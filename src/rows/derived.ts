// Data derived from one column of a table, cached and kept up to date by its writes.
import type { RowTable, StoredRow, TableWatcher } from '../store/table.ts'
import type { TableColumn } from './columns.ts'

export interface Derived extends TableWatcher<StoredRow> {
  readonly column: TableColumn
}

/** For how many columns of a table data is kept; the least recently used is dropped first. */
const keptColumns = 8

interface Watched<D> {
  readonly derived: D
  readonly unwatch: () => void
}

/** Caches what `make` derives until the column is recompiled, which means that names or answers have changed. */
export function createDerived<D extends Derived>(make: (table: RowTable, column: TableColumn) => D) {
  const newColumns = () => new Map<string, Watched<D>>()
  return (table: RowTable, column: TableColumn): D => {
    const columns = table.derived.get(newColumns)
    let known = columns.get(column.id)
    columns.delete(column.id)
    if (known?.derived.column !== column) {
      known?.unwatch()
      const derived = make(table, column)
      known = { derived, unwatch: table.watch(derived) }
    }
    columns.set(column.id, known)
    for (const [id, { unwatch }] of columns) {
      if (columns.size <= keptColumns) break
      unwatch()
      columns.delete(id)
    }
    return known.derived
  }
}

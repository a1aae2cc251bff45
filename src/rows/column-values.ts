// The values of a column as one array, so that queries need not go from row to row.
import { isComputed, type TableColumn } from './columns.ts'
import type { BaseRows, RowTable, RowWatcher, StoredRow } from '../store/row-table.ts'

const baseValues = new WeakMap<BaseRows, Map<string, readonly unknown[]>>()

/** Stored values of the base's rows; every store shares them. */
function valuesOfBase(base: BaseRows, column: TableColumn): readonly unknown[] {
  let columns = baseValues.get(base)
  if (!columns) baseValues.set(base, (columns = new Map<string, readonly unknown[]>()))
  let values = columns.get(column.id)
  if (!values) columns.set(column.id, (values = base.rows.map(column.read)))
  return values
}

/** The values of one column in one table, kept up with its writes. */
class ColumnValues implements RowWatcher {
  readonly column: TableColumn
  readonly #table: RowTable
  #own: unknown[] | undefined
  /** Ids of the rows written since the values were last read. */
  #stale: string[] = []

  constructor(table: RowTable, column: TableColumn) {
    this.#table = table
    this.column = column
  }

  /** By slot; null where there is no row. Read it at once: the next write changes it. */
  get(): readonly unknown[] {
    if (this.#own) return this.#refreshed(this.#own)
    if (isComputed(this.column)) return (this.#own = this.#table.slots().map(this.#read))
    const base = valuesOfBase(this.#table.base, this.column)
    return this.#table.changes.size === 0 ? base : (this.#own = this.#changedFrom(base))
  }

  changed(id: string): void {
    if (this.#own) this.#stale.push(id)
  }

  reset(): void {
    this.#own = undefined
    this.#stale = []
  }

  #refreshed(values: unknown[]): unknown[] {
    if (this.#stale.length === 0) return values
    const rows = this.#table.slots()
    for (const id of this.#stale) {
      const slot = this.#table.slotOf(id)
      if (slot !== undefined) values[slot] = this.#read(rows[slot] ?? null)
    }
    this.#stale = []
    return values
  }

  readonly #read = (row: StoredRow | null): unknown => row && this.column.read(row)

  #changedFrom(base: readonly unknown[]): unknown[] {
    const values = base.slice()
    for (const [id, row] of this.#table.changes)
      values[this.#table.slotOf(id) ?? values.length] = this.#read(row)
    return values
  }
}

interface Kept {
  readonly values: ColumnValues
  readonly unwatch: () => void
}

/** Columns of a table whose values are kept, least recently used dropped first. */
const keptColumns = 8

const kept = new WeakMap<RowTable, Map<string, Kept>>()

/** The values of a column by slot, null where there is no row. Read it at once: the next write changes it. */
export function columnValues(table: RowTable, column: TableColumn): readonly unknown[] {
  let columns = kept.get(table)
  if (!columns) kept.set(table, (columns = new Map<string, Kept>()))
  let known = columns.get(column.id)
  columns.delete(column.id)
  if (known?.values.column !== column) {
    // Columns are recompiled when what they depend on has changed.
    known?.unwatch()
    const values = new ColumnValues(table, column)
    known = { values, unwatch: table.watch(values) }
  }
  columns.set(column.id, known)
  for (const [id, { unwatch }] of columns) {
    if (columns.size <= keptColumns) break
    unwatch()
    columns.delete(id)
  }
  return known.values.get()
}

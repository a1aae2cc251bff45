// A column's values as an array, so that queries need not visit each row.
import { isComputed, type TableColumn } from './columns.ts'
import { createDerived, type Derived } from './derived.ts'
import type { RowTable, StoredRow } from '../store/table.ts'

class ColumnValues implements Derived {
  readonly column: TableColumn
  readonly #table: RowTable
  #own: unknown[] | undefined
  /** Slots written since the values were last read. */
  #stale: number[] = []
  #numbers = new Float64Array()

  constructor(table: RowTable, column: TableColumn) {
    this.#table = table
    this.column = column
  }

  /** Values by slot; null for a missing row. Read them immediately, because the next write changes them. */
  get(): readonly unknown[] {
    if (this.#own) return this.#refresh(this.#own)
    if (isComputed(this.column)) return (this.#own = this.#table.slots().map(this.#read))
    const { read, id } = this.column
    const values = this.#table.base.derive(`values:${id}`, (records) => records.map(read))
    if (this.#table.isUnchanged) return values
    this.#own = values.slice()
    for (const [slot, row] of this.#table.differences()) this.#own[slot] = this.#read(row)
    return this.#own
  }

  /** Sort keys that depend only on the value, by slot; 0 if not computed yet. */
  numbers(): Float64Array {
    const { length } = this.get()
    if (this.#numbers.length < length) {
      const numbers = new Float64Array(length + (length >> 3))
      numbers.set(this.#numbers)
      this.#numbers = numbers
    }
    return this.#numbers
  }

  changed(slot: number): void {
    if (this.#own) this.#stale.push(slot)
    this.#numbers[slot] = 0
  }

  #refresh(values: unknown[]): unknown[] {
    for (const slot of this.#stale) values[slot] = this.#read(this.#table.at(slot))
    this.#stale = []
    return values
  }

  readonly #read = (row: StoredRow | null): unknown => row && this.column.read(row)
}

export const columnValues = createDerived((table, column) => new ColumnValues(table, column))

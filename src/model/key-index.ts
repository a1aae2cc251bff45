// Owns finding rows by the value of one column: an index on the base, made once for all worlds, under the table's own changes.
import type { TableColumn } from './columns.ts'
import type { BaseRows, RowTable, RowWatcher, StoredRow } from './row-table.ts'
import { isEmpty } from './values.ts'

type Key = string | number | boolean
/** Slots of the rows with one key; most keys have one row. */
type Slots = number | number[]
type ReadKey = (row: StoredRow) => Key | undefined

/** What is compared: lists as JSON; empty values are no keys. */
function keyOfValue(value: unknown): Key | undefined {
  if (isEmpty(value)) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

/**
 * What rows are found by in a column. What the API never writes is never checked for its type either, so numbers
 * and text are alike there.
 */
export function keyOf(column: TableColumn, value: unknown): Key | undefined {
  const key = keyOfValue(value)
  return column.isReadOnly && key !== undefined ? String(key) : key
}

function add(slots: Map<Key, Slots>, key: Key | undefined, slot: number): void {
  if (key === undefined) return
  const known = slots.get(key)
  if (known === undefined) slots.set(key, slot)
  else if (typeof known === 'number') slots.set(key, [known, slot])
  else known.push(slot)
}

function remove(slots: Map<Key, Slots>, key: Key | undefined, slot: number): void {
  if (key === undefined) return
  const known = slots.get(key)
  if (known === slot) slots.delete(key)
  else if (typeof known === 'object') known.splice(known.indexOf(slot), 1)
}

const listOf = (slots: Slots | undefined): readonly number[] =>
  slots === undefined ? [] : typeof slots === 'number' ? [slots] : slots

function indexed(rows: readonly (StoredRow | null)[], read: ReadKey): Map<Key, Slots> {
  const slots = new Map<Key, Slots>()
  for (const [slot, row] of rows.entries()) if (row) add(slots, read(row), slot)
  return slots
}

/** What the index has to do with of a base: nothing, where a column is computed. */
interface IndexedBase {
  readonly rows: readonly StoredRow[]
  readonly slots: ReadonlyMap<Key, Slots>
}

const noBase: IndexedBase = { rows: [], slots: new Map() }

/** Rows of a table by key, kept up with its writes. */
export class KeyIndex implements RowWatcher {
  readonly #table: RowTable
  readonly #read: ReadKey
  readonly #base: IndexedBase
  /** The rows that are not as the base has them. */
  #own: Map<Key, Slots> | undefined

  constructor(table: RowTable, read: ReadKey, base: IndexedBase) {
    this.#table = table
    this.#read = read
    this.#base = base
  }

  /** Of several rows with the key the first in insertion order. */
  first(key: Key): StoredRow | undefined {
    this.#own ??= this.#ownRows()
    const slots = this.#table.slots()
    const { rows } = this.#base
    const unchanged = listOf(this.#base.slots.get(key)).find((slot) => slots[slot] === rows[slot]) ?? Infinity
    const first = listOf(this.#own.get(key)).reduce((least, slot) => Math.min(least, slot), unchanged)
    return slots[first] ?? undefined
  }

  changed(slot: number, before: StoredRow | null, after: StoredRow | null): void {
    if (!this.#own) return
    const base = this.#base.rows[slot]
    if (before && before !== base) remove(this.#own, this.#read(before), slot)
    if (after && after !== base) add(this.#own, this.#read(after), slot)
  }

  reset(): void {
    this.#own = undefined
  }

  #ownRows(): Map<Key, Slots> {
    const { rows } = this.#base
    if (rows.length === 0) return indexed(this.#table.slots(), this.#read)
    const own = new Map<Key, Slots>()
    for (const [id, row] of this.#table.changes) {
      const slot = row ? this.#table.slotOf(id) : undefined
      if (row && slot !== undefined && row !== rows[slot]) add(own, this.#read(row), slot)
    }
    return own
  }
}

const baseIndexes = new WeakMap<BaseRows, Map<string, ReadonlyMap<Key, Slots>>>()

/** The base's rows by a stored column; what is stored does not change, so every world can share it. */
function indexedBase(base: BaseRows, column: TableColumn, read: ReadKey): IndexedBase {
  let indexes = baseIndexes.get(base)
  if (!indexes) baseIndexes.set(base, (indexes = new Map()))
  const name = indexName(column)
  let slots = indexes.get(name)
  if (!slots) indexes.set(name, (slots = indexed(base.rows, read)))
  return { rows: base.rows, slots }
}

const indexName = ({ id, isReadOnly }: TableColumn) => `${isReadOnly ? 'text' : 'typed'}:${id}`

const tableIndexes = new WeakMap<RowTable, Map<string, KeyIndex>>()

const computedTypes: ReadonlySet<string> = new Set(['formula', 'created_at', 'updated_at'])

/**
 * Calls `use` with an index of the table's rows by a column. That of a stored column is kept for the next time;
 * a computed one depends on more than the row, so it is made anew.
 */
export function withKeyIndex<T>(table: RowTable, column: TableColumn, use: (index: KeyIndex) => T): T {
  const read: ReadKey = (row) => keyOf(column, column.read(row))
  if (computedTypes.has(column.record.type)) {
    const index = new KeyIndex(table, read, noBase)
    const unwatch = table.watch(index)
    try {
      return use(index)
    } finally {
      unwatch()
    }
  }
  let indexes = tableIndexes.get(table)
  if (!indexes) tableIndexes.set(table, (indexes = new Map()))
  let index = indexes.get(indexName(column))
  if (!index) {
    index = new KeyIndex(table, read, indexedBase(table.base, column, read))
    table.watch(index)
    indexes.set(indexName(column), index)
  }
  return use(index)
}

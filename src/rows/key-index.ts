// Finds rows by the value of one column: an index of the base, made once for all stores, and one of the table's changes.
import { getOrInsert } from '../contract/data/maps.ts'
import { isComputed, type TableColumn } from './columns.ts'
import { createDerived, type Derived } from './derived.ts'
import type { BaseTable, RowTable, StoredRow } from '../store/table.ts'

type Key = string | number | boolean
/** Slots of the rows with one key; most keys have one row. */
type Slots = number | number[]

/** The key of a value: lists as JSON; null has no key, an empty text has. Assumption: upsertMatch */
function keyOfValue(value: unknown): Key | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

/**
 * The key of a value in a column. Values that the API never writes are never type-checked either, so numbers
 * and text are alike there.
 */
export function keyOf(column: TableColumn, value: unknown): Key | undefined {
  const key = keyOfValue(value)
  return column.isReadOnly && key !== undefined ? String(key) : key
}

function add(index: Map<Key, Slots>, key: Key | undefined, slot: number): void {
  if (key === undefined) return
  const known = index.get(key)
  if (known === undefined) index.set(key, slot)
  else if (typeof known === 'number') index.set(key, [known, slot])
  else known.push(slot)
}

function remove(index: Map<Key, Slots>, key: Key | undefined, slot: number): void {
  if (key === undefined) return
  const known = index.get(key)
  if (known === slot) index.delete(key)
  else if (typeof known === 'object' && known.includes(slot)) known.splice(known.indexOf(slot), 1)
}

/** The lowest of the slots that qualify; Infinity if none does. */
function lowest(slots: Slots | undefined, qualifies: (slot: number) => boolean): number {
  if (slots === undefined) return Infinity
  if (typeof slots === 'number') return qualifies(slots) ? slots : Infinity
  return Math.min(...slots.filter(qualifies))
}

/** Slots of a base by key. */
type BaseIndex = ReadonlyMap<Key, Slots>

const baseIndexes = new WeakMap<BaseTable<StoredRow>, Map<string, BaseIndex>>()

/** The base's rows by a stored column; immutable, so every store can share it. */
function baseIndex(base: BaseTable<StoredRow>, column: TableColumn): BaseIndex {
  const indexes = getOrInsert(baseIndexes, base, () => new Map<string, BaseIndex>())
  return getOrInsert(indexes, `${column.isReadOnly ? 'text' : 'typed'}:${column.id}`, () => {
    const index = new Map<Key, Slots>()
    for (const [slot, row] of base.records.entries()) add(index, keyOf(column, column.read(row)), slot)
    return index
  })
}

/** Rows of a table by key, updated with its writes. */
class KeyIndex implements Derived {
  readonly column: TableColumn
  readonly #table: RowTable
  /** Null where the column is computed: then all rows are the table's own. */
  readonly #base: BaseIndex | null
  /** Slots that differ from the base. */
  #own: Map<Key, Slots> | undefined

  constructor(table: RowTable, column: TableColumn) {
    this.#table = table
    this.column = column
    this.#base = isComputed(column) ? null : baseIndex(table.base, column)
  }

  /** Of several rows with the key the first in insertion order. */
  first(key: Key): StoredRow | undefined {
    this.#own ??= this.#ownSlots()
    const slot = Math.min(
      lowest(this.#base?.get(key), (inBase) => !this.#table.differs(inBase)),
      lowest(this.#own.get(key), () => true),
    )
    return this.#table.at(slot) ?? undefined
  }

  changed(slot: number, before: StoredRow | null, after: StoredRow | null): void {
    if (!this.#own) return
    if (before) remove(this.#own, this.#keyOf(before), slot)
    // After a rollback the row can be that of the base again.
    if (after && (this.#base === null || this.#table.differs(slot))) add(this.#own, this.#keyOf(after), slot)
  }

  #keyOf(row: StoredRow): Key | undefined {
    return keyOf(this.column, this.column.read(row))
  }

  #ownSlots(): Map<Key, Slots> {
    const own = new Map<Key, Slots>()
    const slots = this.#base === null ? this.#table.slots().entries() : this.#table.differences()
    for (const [slot, row] of slots) if (row) add(own, this.#keyOf(row), slot)
    return own
  }
}

/** The index of a table's rows by a column, cached. */
export const keyIndex = createDerived((table, column) => new KeyIndex(table, column))

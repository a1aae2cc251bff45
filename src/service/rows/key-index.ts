// Finds rows by the value of one column: an index of the base, shared by all stores, plus one of the table's changes.
import { isComputed, type TableColumn } from './columns.ts'
import { createDerived, type Derived } from './derived.ts'
import { findFirstIndex } from '../store/collection.ts'
import type { RowTable, StoredRow } from '../store/table.ts'

type Key = string | number | boolean
/** The slots of the rows with one key; most keys have a single row. */
type Slots = number | number[]

/**
 * The key of a value in a column. Lists become JSON; null has no key, but an empty string does. Values the API never writes
 * are not type-checked, so for them a number equals its text. Assumption: upsertMatch
 */
export function keyOf({ isReadOnly }: TableColumn, value: unknown): Key | undefined {
  if (value === null || value === undefined) return undefined
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const key = isScalar ? value : JSON.stringify(value)
  return isReadOnly ? String(key) : key
}

/** Inserts a slot into its key's ordered slots, usually at the end. */
function addSlot(index: Map<Key, Slots>, key: Key | undefined, slot: number): void {
  if (key === undefined) return
  const known = index.get(key)
  if (known === undefined) index.set(key, slot)
  else if (typeof known === 'number') index.set(key, known < slot ? [known, slot] : [slot, known])
  else if (slot > (known.at(-1) ?? -1)) known.push(slot)
  else {
    const place = findFirstIndex(known, (other) => other > slot)
    known.splice(place, 0, slot)
  }
}

class KeyIndex implements Derived {
  readonly column: TableColumn
  readonly #table: RowTable
  /** The base's index; empty for a computed column, whose rows are all indexed here. */
  readonly #base: ReadonlyMap<Key, Slots>
  /** All slots of each key whose slots differ from the base's. */
  readonly #own = new Map<Key, Slots>()

  constructor(table: RowTable, column: TableColumn) {
    this.#table = table
    this.column = column
    if (isComputed(column)) {
      this.#base = new Map()
      for (const [slot, row] of table.slots().entries()) this.changed(slot, null, row)
    } else {
      const { records } = table.base
      this.#base = table.base.derive(`${column.isReadOnly ? 'text' : 'typed'}:${column.id}`, () => {
        const index = new Map<Key, Slots>()
        for (const [slot, row] of records.entries()) addSlot(index, this.#keyOf(row), slot)
        return index
      })
      for (const [slot, row] of table.differences()) this.changed(slot, records[slot] ?? null, row)
    }
  }

  /** The first row with a key, in insertion order. */
  first(key: Key): StoredRow | undefined {
    const slots = this.#slotsOf(key)
    const slot = typeof slots === 'object' ? slots[0] : slots
    return slot === undefined ? undefined : (this.#table.at(slot) ?? undefined)
  }

  changed(slot: number, before: StoredRow | null, after: StoredRow | null): void {
    const left = before ? this.#keyOf(before) : undefined
    const entered = after ? this.#keyOf(after) : undefined
    if (left === entered) return
    this.#remove(left, slot)
    if (entered === undefined) return
    const slots = this.#slotsOf(entered)
    // The base's array is copied before its first change.
    if (slots !== undefined && !this.#own.has(entered))
      this.#own.set(entered, typeof slots === 'number' ? slots : slots.slice())
    addSlot(this.#own, entered, slot)
  }

  #remove(key: Key | undefined, slot: number): void {
    if (key === undefined) return
    const slots = this.#slotsOf(key)
    const left = typeof slots === 'object' ? (this.#own.has(key) ? slots : slots.slice()) : [slots ?? -1]
    const place = findFirstIndex(left, (other) => other >= slot)
    if (left[place] === slot) left.splice(place, 1)
    if (left.length > 0 || this.#base.has(key)) this.#own.set(key, left)
    else this.#own.delete(key)
  }

  #slotsOf(key: Key): Slots | undefined {
    return this.#own.get(key) ?? this.#base.get(key)
  }

  #keyOf(row: StoredRow): Key | undefined {
    return keyOf(this.column, this.column.read(row))
  }
}

export const keyIndex = createDerived((table, column) => new KeyIndex(table, column))

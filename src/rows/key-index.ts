// Finds rows by the value of one column: an index on the base, made once for all stores, under the table's own changes.
import { isComputed } from './columns.ts'
import type { TableColumn } from './columns.ts'
import type { BaseRows, RowTable, RowWatcher, StoredRow } from '../store/row-table.ts'

type Key = string | number | boolean
/** The rows with one key; most keys have one row. */
type Few<T> = T | T[]
type ReadKey = (row: StoredRow) => Key | undefined

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

function add<T extends string | StoredRow>(rows: Map<Key, Few<T>>, key: Key | undefined, row: T): void {
  if (key === undefined) return
  const known = rows.get(key)
  if (known === undefined) rows.set(key, row)
  else if (Array.isArray(known)) known.push(row)
  else rows.set(key, [known, row])
}

function remove(rows: Map<Key, Few<string>>, key: Key | undefined, row: string): void {
  const known = key === undefined ? undefined : rows.get(key)
  if (key === undefined || known === undefined) return
  const left = listOf(known).filter((other) => other !== row)
  const [first] = left
  if (first === undefined) rows.delete(key)
  else rows.set(key, left.length === 1 ? first : left)
}

function listOf<T>(few: Few<T> | undefined): readonly T[] {
  if (few === undefined) return []
  return Array.isArray(few) ? few : [few]
}

/** Rows of a base by key. */
type BaseIndex = ReadonlyMap<Key, Few<StoredRow>>

/** Rows of a table by key, kept up with its writes. */
export class KeyIndex implements RowWatcher {
  readonly #table: RowTable
  readonly #read: ReadKey
  /** Null where the column is computed: then all rows are the table's own. */
  readonly #base: BaseIndex | null
  /** Ids of the rows that differ from the base. */
  #own: Map<Key, Few<string>> | undefined

  constructor(table: RowTable, read: ReadKey, base: BaseIndex | null) {
    this.#table = table
    this.#read = read
    this.#base = base
  }

  /** Of several rows with the key the first in insertion order. */
  first(key: Key): StoredRow | undefined {
    this.#own ??= this.#ownRows()
    const unchanged = this.#unchanged(key)
    const own = this.#own.get(key)
    if (own === undefined) return unchanged
    const ids = unchanged ? [unchanged.id, ...listOf(own)] : listOf(own)
    const [first = ''] = ids
    return this.#table.get(
      ids.length === 1 ? first : ids.reduce((a, b) => (this.#slot(a) < this.#slot(b) ? a : b)),
    )
  }

  changed(id: string, before: StoredRow | null, after: StoredRow | null): void {
    if (!this.#own) return
    if (before) remove(this.#own, this.#read(before), id)
    if (after) add(this.#own, this.#read(after), id)
  }

  reset(): void {
    this.#own = undefined
  }

  #slot(id: string): number {
    return this.#table.slotOf(id) ?? Infinity
  }

  /** The first row with the key that is unchanged from the base. */
  #unchanged(key: Key): StoredRow | undefined {
    const { changes } = this.#table
    for (const row of listOf(this.#base?.get(key))) if (!changes.has(row.id)) return row
    return undefined
  }

  #ownRows(): Map<Key, Few<string>> {
    const own = new Map<Key, Few<string>>()
    const rows = this.#base === null ? this.#table.all() : this.#table.changes.values()
    for (const row of rows) if (row) add(own, this.#read(row), row.id)
    return own
  }
}

const baseIndexes = new WeakMap<BaseRows, Map<string, BaseIndex>>()

/** The base's rows by a stored column; immutable, so every store can share it. */
function baseIndex(base: BaseRows, column: TableColumn, read: ReadKey): BaseIndex {
  let indexes = baseIndexes.get(base)
  if (!indexes) baseIndexes.set(base, (indexes = new Map<string, BaseIndex>()))
  const known = indexes.get(indexName(column))
  if (known) return known
  const index = new Map<Key, Few<StoredRow>>()
  for (const row of base.rows) add(index, read(row), row)
  indexes.set(indexName(column), index)
  return index
}

const indexName = ({ id, isReadOnly }: TableColumn) => `${isReadOnly ? 'text' : 'typed'}:${id}`

const tableIndexes = new WeakMap<RowTable, Map<string, KeyIndex>>()

/**
 * Calls `use` with an index of the table's rows by a column. That of a stored column is cached;
 * a computed one depends on more than the row, so it is rebuilt.
 */
export function withKeyIndex<T>(table: RowTable, column: TableColumn, use: (index: KeyIndex) => T): T {
  const read: ReadKey = (row) => keyOf(column, column.read(row))
  if (isComputed(column)) {
    const index = new KeyIndex(table, read, null)
    const unwatch = table.watch(index)
    try {
      return use(index)
    } finally {
      unwatch()
    }
  }
  let indexes = tableIndexes.get(table)
  if (!indexes) tableIndexes.set(table, (indexes = new Map<string, KeyIndex>()))
  let index = indexes.get(indexName(column))
  if (!index) {
    index = new KeyIndex(table, read, baseIndex(table.base, column, read))
    table.watch(index)
    indexes.set(indexName(column), index)
  }
  return use(index)
}

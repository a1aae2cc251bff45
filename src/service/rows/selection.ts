// Finds the rows that match filters, in order, and caches the result for the next page.
import { BoundedMap } from '../../contract/data/bounded-map.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { columnValues } from './column-values.ts'
import type { CompiledTable, TableColumn } from './columns.ts'
import type { LazyOrder } from './lazy-order.ts'
import type { ValueTest } from './filter.ts'
import { orderRows, type SortBy } from './sort.ts'
import type { RowTable, StoredRow } from '../store/table.ts'

export interface RowFilter {
  readonly column: TableColumn
  readonly test: ValueTest
  /** JSON that is equal for filters that match the same rows. */
  readonly cacheKey: readonly unknown[]
}

export interface RowSelection {
  readonly filters: readonly RowFilter[]
  /** Whether matching one filter is enough. */
  readonly matchesAny: boolean
  readonly sort: readonly SortBy[]
}

/** Whether a row matches the filters of a selection. */
export const matchesFilters = (
  { filters, matchesAny }: Omit<RowSelection, 'sort'>,
  row: StoredRow,
): boolean =>
  filters.length === 0 || filters[matchesAny ? 'some' : 'every'](({ column, test }) => test(column.read(row)))

/** Slots of the matching rows in insertion order, and how they are sorted. */
interface Matches {
  readonly slots: Uint32Array
  readonly order: LazyOrder | null
}

const cachedSelections = 4
/** Results of queries with longer keys are not cached. */
const mostKeyCharacters = 10_000

/** Results of recent queries by key; valid until a row changes. */
interface CachedResults {
  /** Recompiled when names of options or members change, or when text comparison does. */
  readonly table: CompiledTable
  readonly revision: number
  readonly byKey: BoundedMap<Matches>
}
const resultsOfTables = new WeakMap<RowTable, CachedResults>()

interface ColumnTest {
  readonly values: readonly unknown[]
  readonly test: ValueTest
}

/** Whether a slot passes one of the tests or, if `passed` is false, fails one. */
function hasResult(slot: number, tests: readonly ColumnTest[], passed: boolean): boolean {
  for (const { values, test } of tests) if (test(values[slot]) === passed) return true
  return false
}

/** Puts the matches among the first `length` slots into `found`. @returns how many there are */
function collect(found: Uint32Array, length: number, tests: readonly ColumnTest[], matchesAny: boolean) {
  let count = 0
  const [first, second] = tests
  const only = first?.test.only
  if (first && !second && only !== undefined) {
    const { values } = first
    for (let slot = 0; slot < length; slot++) if (values[slot] === only) found[count++] = slot
    return count
  }
  // A row matches if one test passes, or if none fails.
  const isSome = matchesAny && first !== undefined
  for (let slot = 0; slot < length; slot++)
    if (hasResult(slot, tests, isSome) === isSome) found[count++] = slot
  return count
}

/** Shared buffer for matches; a new array per query would take longer than the search. */
let scratch = new Uint32Array()

function findMatches(table: CompiledTable, selection: RowSelection): Matches {
  const { rows } = table
  const { filters, matchesAny, sort } = selection
  let results = resultsOfTables.get(rows)
  if (results?.revision !== rows.revision || results.table !== table) {
    results = { table, revision: rows.revision, byKey: new BoundedMap(cachedSelections) }
    resultsOfTables.set(rows, results)
  }
  const order = sort.map(({ column, isDescending }) => [column.id, isDescending])
  const key = JSON.stringify([filters.map(({ cacheKey }) => cacheKey), matchesAny, order])
  let found = results.byKey.get(key)
  if (!found) {
    const byColumn = new Map<TableColumn, readonly unknown[]>()
    const valuesOf = (column: TableColumn) =>
      getOrInsert(byColumn, column, () => columnValues(rows, column).get())
    const tests = filters.map(({ column, test }) => ({ values: valuesOf(column), test }))
    const all = rows.slots()
    if (scratch.length < all.length) scratch = new Uint32Array(all.length)
    let slots = scratch.slice(0, collect(scratch, all.length, tests, matchesAny))
    // Operators such as `is_empty` also match slots of removed rows.
    if (all.length > rows.count) slots = slots.filter((slot) => all[slot] !== null)
    found = { slots, order: sort.length > 0 ? orderRows(rows, slots, sort) : null }
  }
  if (key.length <= mostKeyCharacters) results.byKey.set(key, found)
  return found
}

/**
 * The rows of a page, and the number of matching rows. Sorts only as far as the pages read so far require; the next page of
 * a recent query continues from there.
 */
export function findRows(
  table: CompiledTable,
  selection: RowSelection,
  offset: number,
  limit: number,
): { readonly rows: readonly StoredRow[]; readonly total: number } {
  if (selection.filters.length === 0 && selection.sort.length === 0)
    return { rows: table.rows.slice(offset, limit), total: table.rows.count }
  const { slots, order } = findMatches(table, selection)
  const from = Math.min(offset, slots.length)
  const to = Math.min(offset + limit, slots.length)
  const rows = table.rows.slots()
  const found: StoredRow[] = []
  const page = order?.slice(from, to)
  for (let i = from; i < to; i++) {
    const row = rows[slots[page ? (page[i - from] ?? i) : i] ?? -1]
    if (row) found.push(row)
  }
  return { rows: found, total: slots.length }
}

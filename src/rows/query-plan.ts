// What a listing and a query of rows have in common: columns by name, filters and order, and the page.
import { ApiError } from '../contract/errors.ts'
import { getOrInsert } from '../contract/data/maps.ts'
import type { RowPage } from '../contract/rows.ts'
import { listItems, quote } from '../contract/text/quote.ts'
import { invalidValue } from '../contract/schema/checks.ts'
import type { JsonText } from '../contract/text/json-text.ts'
import type { CompiledTable, TableColumn } from './columns.ts'
import { pageText } from './row-text.ts'
import { findRows, type RowSelection } from './selection.ts'
import type { SortBy } from './sort.ts'

export type FindColumn = (name: string) => TableColumn | undefined

/** Names of the columns, as many as fit a message. */
export const namesOf = ({ columns }: CompiledTable): string => listItems(columns, ({ name }) => quote(name))

/**
 * Refuses a name that is not a column's, unless such names are to have no effect: then nothing stands for it.
 * Assumption: unknownSortColumn
 * @throws {ApiError} validation
 */
export function refuseColumn(table: CompiledTable, field: string, name: string): [] {
  if (table.answers.unknownSortColumn === 'ignore') return []
  const namesake = table.byId.get(name)
  const hint = namesake ? `; ${quote(name)} is the id of the column ${quote(namesake.name)}` : ''
  throw new ApiError(
    'validation',
    `${field} names no column of datatable ${quote(table.record.name)}: ${quote(name)}; allowed are ${namesOf(table)}${hint}`,
  )
}

export const isDirection = (direction: string | undefined) => direction === 'asc' || direction === 'desc'

/** Filters, order and columns of a request, found and checked. */
export interface PreparedQuery extends RowSelection {
  /** Ids of the columns to show; undefined for all. */
  readonly only: ReadonlySet<string> | undefined
}

export function responsePage(
  table: CompiledTable,
  prepared: PreparedQuery,
  page: number,
  limit: number,
): JsonText<RowPage> {
  const { rows, total } = findRows(table, prepared, (page - 1) * limit, limit)
  return pageText(table, { rows, total, page, pageSize: limit }, prepared.only)
}

/**
 * A column to sort by; empty if its direction is to have no effect. `field` names the direction in messages.
 * @throws {ApiError} validation
 */
export function sortBy(
  { answers }: CompiledTable,
  column: TableColumn,
  field: string,
  direction: string,
): SortBy[] {
  if (isDirection(direction)) return [{ column, isDescending: direction === 'desc' }]
  if (answers.unknownSortColumn === 'ignore') return []
  throw invalidValue(field, '"asc" or "desc"', direction)
}

/** Ids of the columns with these names, undefined if there are none. `fieldOf` gives the field of a name for messages. */
export function selectColumns(
  table: CompiledTable,
  find: FindColumn,
  names: readonly string[],
  fieldOf: (index: number) => string,
): ReadonlySet<string> | undefined {
  const ids = new Set<string>()
  for (const [index, name] of names.entries()) {
    const column = find(name)
    if (column) ids.add(column.id)
    else refuseColumn(table, fieldOf(index), name)
  }
  return ids.size > 0 ? ids : undefined
}

/** The first of several items with one key: a column that is named twice is sorted by once. */
export function withoutRepeats<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const item of items) getOrInsert(byKey, keyOf(item), () => item)
  return [...byKey.values()]
}

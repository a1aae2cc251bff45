// The row listing and the structured query: filters, order and page.
import { ApiError } from '../contract/errors.ts'
import type { QueryFor } from '../contract/index.ts'
import type { JsonText } from '../contract/text/json-text.ts'
import type { Answers } from '../contract/questions/register.ts'
import { mostEntries, rowPaging, type Filter, type RowPage, type RowQuery } from '../contract/rows.ts'
import { quote } from '../contract/text/quote.ts'
import type { CompiledTable, TableColumn } from './columns.ts'
import { integerValue } from '../contract/data/integers.ts'
import { countItems } from './bulk.ts'
import { equalityTest, operatorTests } from './filter.ts'
import {
  responsePage,
  isDirection,
  namesOf,
  refuseColumn,
  selectColumns,
  sortBy,
  withoutRepeats,
  type FindColumn,
  type PreparedQuery,
} from './query-plan.ts'
import type { RowFilter } from './selection.ts'
import type { SortBy } from './sort.ts'
import type { ReportBreach } from '../store/store.ts'

/** Assumption: columnNames */
function listingColumn({ answers, byId, byName }: CompiledTable): FindColumn {
  if (answers.columnNames === 'names') return (name) => byName.get(name)
  return (name) => byName.get(name) ?? byId.get(name)
}

/** Assumption: queryBody (by id or name) */
const queryColumn =
  ({ byId, byName }: CompiledTable): FindColumn =>
  (name) =>
    byId.get(name) ?? byName.get(name)

/** @throws {ApiError} validation */
function assertFew(field: string, received: number): void {
  if (received > mostEntries)
    throw new ApiError(
      'validation',
      `${field} must have at most ${String(mostEntries)} entries; received ${String(received)}`,
    )
}

/**
 * Refuses a query of too many parts before they are checked.
 * @throws {ApiError} validation
 */
export function measureQuery(json: unknown): void {
  for (const field of ['filters', 'sort', 'select']) assertFew(field, countItems(json, field))
}

/**
 * For each part, the end of the piece that begins there, such that the fewest pieces name nothing: the next comma or,
 * where that is worse, the end of a name that contains commas, the longest first.
 */
function endsOf(parts: readonly string[], mostCommas: number, isName: (piece: string) => boolean): number[] {
  const ends = parts.map(() => 0)
  /** How many pieces from each part on name nothing. */
  const unknown = [...ends, 0]
  for (let from = parts.length - 1; from >= 0; from--) {
    const [part = ''] = parts.slice(from, from + 1)
    let least = (part === '' || isName(part) ? 0 : 1) + (unknown[from + 1] ?? 0)
    ends[from] = from + 1
    for (let to = Math.min(parts.length, from + 1 + mostCommas); to > from + 1 && least > 0; to--) {
      const left = unknown[to] ?? 0
      if (left >= least || !isName(parts.slice(from, to).join(','))) continue
      least = left
      ends[from] = to
    }
    unknown[from] = least
  }
  return ends
}

/**
 * Splits a list of names at commas, except at those within names. Assumption: columnNames
 * @throws {ApiError} validation, for more entries than allowed
 */
function splitNames(
  field: string,
  text: string,
  { columns }: CompiledTable,
  isName: (piece: string) => boolean,
): string[] {
  const parts = text.split(',')
  const mostCommas = columns.reduce((most, { name }) => Math.max(most, name.split(',').length - 1), 0)
  assertFew(field, Math.ceil(parts.length / (mostCommas + 1)))
  const ends = mostCommas === 0 ? [] : endsOf(parts, mostCommas, isName)
  const pieces: string[] = []
  for (let from = 0; from < parts.length;) {
    const to = ends[from] ?? from + 1
    pieces.push(parts.slice(from, to).join(','))
    from = to
  }
  assertFew(field, pieces.length)
  return pieces.filter((piece) => piece !== '')
}

/** One entry of `sort` as the listing takes it; a name can contain colons. */
function readSortEntry(
  find: FindColumn,
  piece: string,
): { column: TableColumn; direction: string } | undefined {
  const colon = piece.lastIndexOf(':')
  const direction = piece.slice(colon + 1)
  const column = colon === -1 ? undefined : find(piece.slice(0, colon))
  if (column && isDirection(direction)) return { column, direction }
  const whole = find(piece)
  if (whole) return { column: whole, direction: 'asc' }
  return column && { column, direction }
}

function listingSort(table: CompiledTable, find: FindColumn, text: string): SortBy[] {
  const isEntry = (piece: string) => isDirection(readSortEntry(find, piece)?.direction)
  return splitNames('sort', text, table, isEntry).flatMap((piece) => {
    const entry = readSortEntry(find, piece)
    if (!entry) return refuseColumn(table, 'sort', piece.replace(/:(?:asc|desc)$/, ''))
    const { column, direction } = entry
    return sortBy(table, column, `direction of ${quote(column.name)} in sort`, direction)
  })
}

/** Assumption: unknownFilter, filterValues */
function listingFilters(
  table: CompiledTable,
  find: FindColumn,
  others: ReadonlyMap<string, string>,
  reportBreach: ReportBreach,
): RowFilter[] {
  return [...others].flatMap(([name, text]): RowFilter[] => {
    const column = find(name)
    if (column) return [{ column, test: equalityTest(column.kind, text), asks: [column.id, 'text', text] }]
    reportBreach('unknown-parameter', name)
    if (table.answers.unknownFilter === 'ignore') return []
    throw new ApiError(
      'validation',
      `query parameter ${quote(name)} is neither a parameter of this operation nor the name of a column; allowed are ${namesOf(table)}`,
      { reported: true },
    )
  })
}

/**
 * Lists the rows of a table. `otherQuery` holds the parameters that can be equality filters.
 * Source: contract, Datatables (GET rows).
 * @throws {ApiError} validation
 */
export function runListing(
  table: CompiledTable,
  { page, limit, sort = '', select = '' }: QueryFor<'listRows'>,
  otherQuery: ReadonlyMap<string, string>,
  reportBreach: ReportBreach,
): JsonText<RowPage> {
  const find = listingColumn(table)
  const names = splitNames('select', select, table, (piece) => find(piece) !== undefined)
  const prepared: PreparedQuery = {
    filters: listingFilters(table, find, otherQuery, reportBreach),
    matchesAny: false,
    sort: withoutRepeats(listingSort(table, find, sort), ({ column }) => column.id),
    only: selectColumns(table, find, names, () => 'select'),
  }
  return responsePage(table, prepared, page, limit)
}

function queryFilter(table: CompiledTable, find: FindColumn, filter: Filter, index: number): RowFilter[] {
  const field = `filters[${String(index)}]`
  const column = find(filter.column)
  if (!column) return refuseColumn(table, `${field}.column`, filter.column)
  const { operator, value } = filter
  const test = operatorTests[operator](column.kind, value, `${field}.value`)
  return [{ column, test, asks: [column.id, operator, value] }]
}

function querySort(table: CompiledTable, find: FindColumn, sort: NonNullable<RowQuery['sort']>): SortBy[] {
  return sort.flatMap(({ column: name, direction = 'asc' }, index) => {
    const field = `sort[${String(index)}]`
    const column = find(name)
    if (!column) return refuseColumn(table, `${field}.column`, name)
    return sortBy(table, column, `${field}.direction`, direction)
  })
}

/**
 * Finds and checks the parts of a structured query. Assumption: queryBody
 * @throws {ApiError} validation
 */
export function prepareQuery(table: CompiledTable, body: RowQuery): PreparedQuery {
  const { filters = [], match = 'all', sort = [], select = [] } = body
  const find = queryColumn(table)
  return {
    filters: withoutRepeats(
      filters.flatMap((filter, index) => queryFilter(table, find, filter, index)),
      ({ asks }) => JSON.stringify(asks),
    ),
    matchesAny: match === 'any',
    sort: withoutRepeats(querySort(table, find, sort), ({ column }) => column.id),
    only: selectColumns(table, find, select, (index) => `select[${String(index)}]`),
  }
}

/**
 * Runs a structured query.
 * @throws {ApiError} validation
 */
export function runQuery(table: CompiledTable, body: RowQuery): JsonText<RowPage> {
  const valueOf = (name: 'page' | 'limit') => pagingValue(table.answers, name, body[name])
  return responsePage(table, prepareQuery(table, body), valueOf('page'), valueOf('limit'))
}

/** Assumption: limitAboveMax, queryBody (page and limit as in the listing) */
export function pagingValue(answers: Answers, name: 'page' | 'limit', received: unknown): number {
  const parameter = rowPaging[name]
  const value = received === undefined ? undefined : integerValue(answers, name, parameter, received)
  return value ?? parameter.default
}

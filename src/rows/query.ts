// Owns the row listing and the structured query: what is filtered, in which order, and which page is answered.
import { ApiError } from '../contract/errors.ts'
import { rowPaging, type Filter, type RowPage, type RowQuery } from '../contract/rows.ts'
import { quote } from '../contract/quote.ts'
import type { TableColumn } from './columns.ts'
import type { TableRecord } from '../contract/datatables.ts'
import { integerValue } from '../contract/integers.ts'
import { equalityTest, operatorTest } from './filter.ts'
import {
  answerPage,
  comparisonOf,
  isDescending,
  isDirection,
  namesOf,
  queried,
  refuseColumn,
  selected,
  sortBy,
  withoutRepeated,
  type FindColumn,
  type Queried,
  type Question,
} from './query-plan.ts'
import type { RowFilter } from './selection.ts'
import type { SortBy } from './sort.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** Assumption: columnNames */
function listingColumn({ answers, compiled }: Queried): FindColumn {
  if (answers.columnNames === 'names') return (name) => compiled.byName.get(name)
  return (name) => compiled.byName.get(name) ?? compiled.byId.get(name)
}

/** Assumption: queryBody (by id or name) */
const queryColumn =
  ({ compiled }: Queried): FindColumn =>
  (name) =>
    compiled.byId.get(name) ?? compiled.byName.get(name)

/** Splits a list of names at commas, save those inside the name of a column. */
function listed(text: string, { compiled }: Queried, isName: (piece: string) => boolean): string[] {
  const parts = text.split(',')
  const mostCommas = Math.max(0, ...compiled.columns.map(({ name }) => name.split(',').length - 1))
  const pieces: string[] = []
  for (let from = 0; from < parts.length;) {
    // The longest name counts; where there is none, one part is what names no column.
    let to = Math.min(parts.length, from + 1 + mostCommas)
    const piece = () => parts.slice(from, to).join(',').trim()
    while (to > from + 1 && !isName(piece())) to -= 1
    if (piece() !== '') pieces.push(piece())
    from = to
  }
  return pieces
}

/** One entry of `sort` as the listing takes it; a name may have colons of its own. */
function readSortEntry(
  find: FindColumn,
  piece: string,
): { column: TableColumn; direction: string } | undefined {
  const colon = piece.lastIndexOf(':')
  const direction = piece.slice(colon + 1).trim()
  const column = colon === -1 ? undefined : find(piece.slice(0, colon).trim())
  if (column && isDirection(direction)) return { column, direction }
  const whole = find(piece)
  if (whole) return { column: whole, direction: 'asc' }
  return column && { column, direction }
}

function listingSort(queried: Queried, find: FindColumn, text: string): SortBy[] {
  const isEntry = (piece: string) => isDirection(readSortEntry(find, piece)?.direction)
  return listed(text, queried, isEntry).flatMap((piece) => {
    const entry = readSortEntry(find, piece)
    if (!entry) {
      refuseColumn(queried, 'sort', piece.replace(/:(?:asc|desc)$/, ''))
      return []
    }
    const descending = isDescending(
      queried.answers,
      `direction of ${quote(entry.column.name)} in sort`,
      entry.direction,
    )
    return descending === undefined ? [] : [sortBy(queried, entry.column, descending)]
  })
}

/** Assumption: unknownFilter, filterValues */
function listingFilters(
  queried: Queried,
  find: FindColumn,
  others: ReadonlyMap<string, string>,
  observe: ReportBreach,
): RowFilter[] {
  return [...others].flatMap(([name, text]): RowFilter[] => {
    const column = find(name)
    if (column) {
      const test = equalityTest(comparisonOf(queried, column), text)
      return [{ column, test, asks: [column.id, 'text', text] }]
    }
    observe('unknown-parameter', name)
    if (queried.answers.unknownFilter === 'ignore') return []
    throw new ApiError(
      'validation',
      `query parameter ${quote(name)} is neither a parameter of this operation nor the name of a column; allowed are ${namesOf(queried.compiled)}`,
      { reported: true },
    )
  })
}

export interface ListingQuery {
  readonly page: number
  readonly limit: number
  readonly sort?: string | undefined
  readonly select?: string | undefined
}

/**
 * Answers the listing of a table. `otherQuery` holds the parameters that may be equality filters.
 * Source: contract, Datatables (GET rows).
 * @throws {ApiError} validation
 */
export function runListing(
  store: Store,
  table: TableRecord,
  { page, limit, sort = '', select = '' }: ListingQuery,
  otherQuery: ReadonlyMap<string, string>,
  observe: ReportBreach,
): RowPage {
  const asked = queried(store, table)
  const find = listingColumn(asked)
  const names = listed(select, asked, (piece) => find(piece) !== undefined)
  const question: Question = {
    filters: listingFilters(asked, find, otherQuery, observe),
    matchesAny: false,
    sort: withoutRepeated(listingSort(asked, find, sort)),
    only: selected(asked, find, names, () => 'select'),
  }
  return answerPage(asked, question, page, limit)
}

function queryFilter(queried: Queried, find: FindColumn, filter: Filter, index: number): RowFilter[] {
  const field = `filters[${String(index)}]`
  const column = find(filter.column)
  if (!column) {
    refuseColumn(queried, `${field}.column`, filter.column)
    return []
  }
  const { operator, value } = filter
  const test = operatorTest(comparisonOf(queried, column), operator, value, `${field}.value`)
  return [{ column, test, asks: [column.id, operator, value] }]
}

function querySort(queried: Queried, find: FindColumn, sort: NonNullable<RowQuery['sort']>): SortBy[] {
  return sort.flatMap(({ column: name, direction = 'asc' }, index) => {
    const field = `sort[${String(index)}]`
    const column = find(name)
    if (!column) {
      refuseColumn(queried, `${field}.column`, name)
      return []
    }
    const descending = isDescending(queried.answers, `${field}.direction`, direction)
    return descending === undefined ? [] : [sortBy(queried, column, descending)]
  })
}

/**
 * Answers a structured query. Assumption: queryBody
 * @throws {ApiError} validation
 */
export function runQuery(store: Store, table: TableRecord, body: RowQuery): RowPage {
  const { filters = [], match = 'all', sort = [], select = [] } = body
  const asked = queried(store, table)
  const find = queryColumn(asked)
  const question: Question = {
    filters: filters.flatMap((filter, index) => queryFilter(asked, find, filter, index)),
    matchesAny: match === 'any',
    sort: withoutRepeated(querySort(asked, find, sort)),
    only: selected(asked, find, select, (index) => `select[${String(index)}]`),
  }
  return answerPage(asked, question, pageOf(asked, 'page', body.page), pageOf(asked, 'limit', body.limit))
}

/** Assumption: limitAboveMax, queryBody (page and limit as in the listing) */
function pageOf({ answers }: Queried, name: 'page' | 'limit', received: unknown): number {
  const parameter = rowPaging[name]
  return received === undefined
    ? parameter.default
    : (integerValue(answers, name, parameter, received) ?? parameter.default)
}

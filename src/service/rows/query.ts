// Row queries: the structured query, and the listing with its equality filters, sorting and columns by name.
import { ApiError } from '../../contract/errors.ts'
import type { QueryFor } from '../../contract/index.ts'
import type { JsonText } from '../../contract/text/json-text.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { rowPaging, type RowPage, type RowQuery } from '../../contract/rows.ts'
import { listItems, quote } from '../../contract/text/quote.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import type { CompiledTable, TableColumn } from './columns.ts'
import { readInteger } from '../../contract/data/integers.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { countItems } from './bulk.ts'
import { createListingTest, operatorTests } from './filter.ts'
import { toPageText } from './row-text.ts'
import { findRows, type RowFilter, type RowSelection } from './selection.ts'
import type { SortBy } from './sort.ts'
import { assertFew, splitNames } from './split-names.ts'
import { ignoreBreach, type ReportBreach } from '../store/store.ts'

type FindColumn = (name: string) => TableColumn | undefined

const namesOf = ({ columns }: CompiledTable): string => listItems(columns, ({ name }) => quote(name))

/**
 * Rejects a name that no column has, unless unknown names are ignored. Assumption: unknownSortColumn
 * @throws {ApiError} validation
 */
function refuseColumn(table: CompiledTable, field: string, name: string): [] {
  if (table.answers.unknownSortColumn === 'ignore') return []
  const namesake = table.byId.get(name)
  const hint = namesake ? `; ${quote(name)} is the id of the column ${quote(namesake.name)}` : ''
  throw new ApiError(
    'validation',
    `${field} names no column of datatable ${quote(table.record.name)}: ${quote(name)}; allowed: ${namesOf(table)}${hint}`,
  )
}

export const isDirection = (direction: string | undefined) => direction === 'asc' || direction === 'desc'

interface PreparedQuery extends RowSelection {
  /** Ids of the columns to show; undefined means all. */
  readonly only: ReadonlySet<string> | undefined
}

/** Keeps the first item per key, so that a column named twice is sorted by once. */
function removeRepeats<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const item of items) getOrInsert(byKey, keyOf(item), () => item)
  return [...byKey.values()]
}

function findPage(table: CompiledTable, query: PreparedQuery, page: number, limit: number) {
  const filters = removeRepeats(query.filters, ({ cacheKey }) => JSON.stringify(cacheKey))
  const sort = removeRepeats(query.sort, ({ column }) => column.id)
  const { rows, total } = findRows(table, { ...query, filters, sort }, (page - 1) * limit, limit)
  return toPageText(table, { rows, total, page, pageSize: limit }, query.only)
}

/**
 * Resolves a sort column; empty if its direction is ignored. `field` names the direction in messages.
 * @throws {ApiError} validation
 */
function toSortBy(
  { answers }: CompiledTable,
  column: TableColumn,
  field: string,
  direction: string,
): SortBy[] {
  if (isDirection(direction)) return [{ column, isDescending: direction === 'desc' }]
  if (answers.unknownSortColumn === 'ignore') return []
  throw toValueError(field, '"asc" or "desc"', direction)
}

/** Resolves column names to ids; undefined means all columns. `fieldOf` says which field contains a name, for messages. */
function selectColumns(
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

/** Rejects a query with too many parts before validating them. @throws {ApiError} validation */
export function measureQuery(json: unknown): void {
  for (const field of ['filters', 'sort', 'select']) assertFew(field, countItems(json, field))
}

/** Reads and validates the parts of a structured query. Assumption: queryBody @throws {ApiError} validation */
export function prepareQuery(table: CompiledTable, body: RowQuery): PreparedQuery {
  const { filters = [], match = 'all', sort = [], select = [] } = body
  const { byId, byName } = table
  const find: FindColumn = (name) => byId.get(name) ?? byName.get(name)
  return {
    filters: filters.flatMap(({ column: name, operator, value }, index): RowFilter[] => {
      const field = `filters[${String(index)}]`
      const column = find(name)
      if (!column) return refuseColumn(table, `${field}.column`, name)
      const test = operatorTests[operator](column.kind, value, `${field}.value`)
      return [{ column, test, cacheKey: [column.id, operator, value] }]
    }),
    matchesAny: match === 'any',
    sort: sort.flatMap(({ column: name, direction = 'asc' }, index) => {
      const field = `sort[${String(index)}]`
      const column = find(name)
      if (!column) return refuseColumn(table, `${field}.column`, name)
      return toSortBy(table, column, `${field}.direction`, direction)
    }),
    only: selectColumns(table, find, select, (index) => `select[${String(index)}]`),
  }
}

/** @throws {ApiError} validation */
export function runQuery(
  table: CompiledTable,
  body: RowQuery,
  reportBreach: ReportBreach,
): JsonText<RowPage> {
  const valueOf = (name: 'page' | 'limit') => parsePaging(table.answers, name, body[name], reportBreach)
  const [page, limit] = [valueOf('page'), valueOf('limit')]
  return findPage(table, prepareQuery(table, body), page, limit)
}

/** Reads page or limit like the listing. Assumption: limitAboveMax, queryBody */
export function parsePaging(
  answers: Answers,
  name: 'page' | 'limit',
  received: unknown,
  reportBreach: ReportBreach,
): number {
  const parameter = rowPaging[name]
  const reportWrong = () => reportBreach('page-size', name, received)
  const value =
    received === undefined ? undefined : readInteger(answers, name, parameter, received, reportWrong)
  return value ?? parameter.default
}

/** Reads an entry in the listing's `sort`; names can contain colons. */
function readSortEntry(find: FindColumn, piece: string) {
  const colon = piece.lastIndexOf(':')
  const direction = piece.slice(colon + 1)
  const column = colon === -1 ? undefined : find(piece.slice(0, colon))
  if (column && isDirection(direction)) return { column, direction }
  const whole = find(piece)
  if (whole) return { column: whole, direction: 'asc' }
  return column && { column, direction }
}

function parseSort(table: CompiledTable, find: FindColumn, text: string): SortBy[] {
  const isEntry = (piece: string) => isDirection(readSortEntry(find, piece)?.direction)
  return splitNames('sort', text, table, isEntry).flatMap((piece) => {
    const entry = readSortEntry(find, piece)
    if (!entry) return refuseColumn(table, 'sort', piece.replace(/:(?:asc|desc)$/, ''))
    const { column, direction } = entry
    return toSortBy(table, column, `direction of ${quote(column.name)} in sort`, direction)
  })
}

/** Assumption: columnNames */
const nameFinderOf =
  ({ answers, byId, byName }: CompiledTable): FindColumn =>
  (name) =>
    byName.get(name) ?? (answers.columnNames === 'names' ? undefined : byId.get(name))

/** Assumption: unknownFilter, filterValues */
export function parseListingFilters(
  table: CompiledTable,
  others: ReadonlyMap<string, string>,
  reportBreach = ignoreBreach,
): RowFilter[] {
  const find = nameFinderOf(table)
  return [...others].flatMap(([name, text]): RowFilter[] => {
    const column = find(name)
    if (column)
      return [{ column, test: createListingTest(column.kind, text), cacheKey: [column.id, 'text', text] }]
    reportBreach('unknown-parameter', name)
    if (table.answers.unknownFilter === 'ignore') return []
    throw new ApiError(
      'validation',
      `query parameter ${quote(name)} is neither a parameter of this operation nor the name of a column; allowed: ${namesOf(table)}`,
      { reported: true },
    )
  })
}

/**
 * Lists a table's rows. `otherQuery` holds parameters that may be equality filters. Source: contract, Datatables (GET rows).
 * @throws {ApiError} validation
 */
export function runListing(
  table: CompiledTable,
  { page, limit, sort = '', select = '' }: QueryFor<'listRows'>,
  otherQuery: ReadonlyMap<string, string>,
  reportBreach: ReportBreach,
): JsonText<RowPage> {
  const find = nameFinderOf(table)
  const names = splitNames('select', select, table, (piece) => find(piece) !== undefined)
  const prepared: PreparedQuery = {
    filters: parseListingFilters(table, otherQuery, reportBreach),
    matchesAny: false,
    sort: parseSort(table, find, sort),
    only: selectColumns(table, find, names, () => 'select'),
  }
  return findPage(table, prepared, page, limit)
}

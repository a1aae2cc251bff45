// The row listing: equality filters, order and columns by name.
import { ApiError } from '../../contract/errors.ts'
import type { QueryFor } from '../../contract/index.ts'
import type { JsonText } from '../../contract/text/json-text.ts'
import type { RowPage } from '../../contract/rows.ts'
import { quote } from '../../contract/text/quote.ts'
import type { CompiledTable } from './columns.ts'
import { createListingTest } from './filter.ts'
import { assertFew, findPage, isDirection, namesOf, refuseColumn, selectColumns, toSortBy } from './query.ts'
import type { FindColumn, PreparedQuery } from './query.ts'
import type { RowFilter } from './selection.ts'
import type { SortBy } from './sort.ts'
import { ignoreBreach, type ReportBreach } from '../store/store.ts'

/**
 * For each part, where the piece that begins there ends, such that the fewest names are unknown: at the next comma or,
 * where that is worse, at the end of a name that contains commas, the longest first.
 */
function endsOf(parts: readonly string[], mostCommas: number, isName: (piece: string) => boolean): number[] {
  const ends = parts.map(() => 0)
  /** How many names are unknown from each part on. */
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
  if (text === '') return []
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

/** Reads an entry of the listing's `sort`; names can contain colons. */
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

/** Assumption: unknownFilter, filterValues */
function parseFilters(
  table: CompiledTable,
  find: FindColumn,
  others: ReadonlyMap<string, string>,
  reportBreach: ReportBreach,
): RowFilter[] {
  return [...others].flatMap(([name, text]): RowFilter[] => {
    const column = find(name)
    if (column)
      return [{ column, test: createListingTest(column.kind, text), cacheKey: [column.id, 'text', text] }]
    reportBreach('unknown-parameter', name)
    if (table.answers.unknownFilter === 'ignore') return []
    throw new ApiError(
      'validation',
      `query parameter ${quote(name)} is neither a parameter of this operation nor the name of a column; allowed are ${namesOf(table)}`,
      { reported: true },
    )
  })
}

/** Assumption: columnNames */
const nameFinderOf =
  ({ answers, byId, byName }: CompiledTable): FindColumn =>
  (name) =>
    byName.get(name) ?? (answers.columnNames === 'names' ? undefined : byId.get(name))

/** The filters of a listing that was answered. */
export const filtersOfListing = (table: CompiledTable, otherQuery: ReadonlyMap<string, string>) =>
  parseFilters(table, nameFinderOf(table), otherQuery, ignoreBreach)

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
  const find = nameFinderOf(table)
  const names = splitNames('select', select, table, (piece) => find(piece) !== undefined)
  const prepared: PreparedQuery = {
    filters: parseFilters(table, find, otherQuery, reportBreach),
    matchesAny: false,
    sort: parseSort(table, find, sort),
    only: selectColumns(table, find, names, () => 'select'),
  }
  return findPage(table, prepared, page, limit)
}

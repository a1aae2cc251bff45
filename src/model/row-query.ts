// Owns the row listing and the structured query: what is filtered, in which order, and which page is answered.
import { Refusal } from '../contract/errors.ts'
import { rowPaging, type Filter, type RowPage, type RowQuery } from '../contract/rows.ts'
import type { Answers } from '../contract/questions.ts'
import { quote } from '../contract/quote.ts'
import { mustBe } from './checks.ts'
import { kindOf } from './column-kinds.ts'
import { compileTable, presentRow, type CompiledTable, type TableColumn } from './columns.ts'
import type { TableRecord } from './datatables.ts'
import { integerValue } from './integers.ts'
import { equalityTest, operatorTest } from './row-filter.ts'
import { findRows, type RowFilter, type RowSelection } from './row-selection.ts'
import type { SortBy } from './row-sort.ts'
import { choices } from './values.ts'
import type { WorkspaceRecord } from './workspaces.ts'
import type { Observe, World } from './world.ts'

/** A table as a query sees it. */
interface Queried {
  readonly world: World
  readonly answers: Answers
  readonly table: TableRecord
  readonly workspace: WorkspaceRecord
  readonly compiled: CompiledTable
}

type FindColumn = (name: string) => TableColumn | undefined

function queried(world: World, table: TableRecord): Queried {
  const workspace = world.workspaces.get(table.workspace_id)
  if (!workspace) throw new Error(`datatable ${table.id} is of workspace ${table.workspace_id}, which does not exist`)
  return { world, answers: world.answers, table, workspace, compiled: compileTable(world, table) }
}

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

/**
 * Says that something names no column, unless such things are to have no effect.
 * Assumption: unknownSortColumn
 * @throws {Refusal} validation
 */
function refuseColumn({ answers, compiled, table }: Queried, field: string, name: string): void {
  if (answers.unknownSortColumn === 'ignore') return
  const namesake = compiled.byId.get(name)
  const hint = namesake ? `; ${quote(name)} is the id of the column ${quote(namesake.name)}` : ''
  throw new Refusal(
    'validation',
    `${field} names no column of datatable ${quote(table.name)}: ${quote(name)}; allowed are ${choices(compiled.columns)}${hint}`,
  )
}

/** @throws {Refusal} validation */
function isDescending(answers: Answers, field: string, direction: string): boolean | undefined {
  if (direction === 'asc' || direction === 'desc') return direction === 'desc'
  if (answers.unknownSortColumn === 'ignore') return undefined
  throw mustBe(field, '"asc" or "desc"', direction)
}

/** Filters, order and columns of a request, found and checked. */
interface Question {
  readonly filters: readonly RowFilter[]
  readonly matchesAny: boolean
  readonly sort: readonly SortBy[]
  /** Ids of the columns to show; undefined for all. */
  readonly only: ReadonlySet<string> | undefined
}

function answerPage({ world, answers, table, workspace }: Queried, question: Question, page: number, limit: number): RowPage {
  const selection: RowSelection = { answers, table, workspace, ...question }
  const { rows, total } = findRows(world.rows(table.id), selection, (page - 1) * limit, limit)
  const shape = answers.rowShape === 'data' ? 'data' : 'flat'
  return {
    rows: rows.map((row) => presentRow(world, table, row, shape, question.only)),
    total,
    page,
    pageSize: limit,
  }
}

const comparisonOf = ({ answers, workspace }: Queried, column: TableColumn) => ({ kind: kindOf(column, workspace), answers })

function sortBy({ workspace }: Queried, column: TableColumn, descending: boolean): SortBy {
  return { column, kind: kindOf(column, workspace), isDescending: descending }
}

/** Splits a list of names at commas, save those inside the name of a column. */
function listed(text: string, { compiled }: Queried, isName: (piece: string) => boolean): string[] {
  const parts = text.split(',')
  const mostCommas = Math.max(0, ...compiled.columns.map(({ name }) => name.split(',').length - 1))
  const pieces: string[] = []
  for (let from = 0; from < parts.length; ) {
    let to = from + 1
    const piece = () => parts.slice(from, to).join(',').trim()
    while (to < parts.length && to - from <= mostCommas && !isName(piece())) to += 1
    if (!isName(piece())) to = from + 1
    if (piece() !== '') pieces.push(piece())
    from = to
  }
  return pieces
}

/** One entry of `sort` as the listing takes it; a name may have colons of its own. */
function readSortEntry(find: FindColumn, piece: string): { column: TableColumn; direction: string } | undefined {
  const colon = piece.lastIndexOf(':')
  const direction = piece.slice(colon + 1).trim()
  const column = colon === -1 ? undefined : find(piece.slice(0, colon).trim())
  if (column && (direction === 'asc' || direction === 'desc')) return { column, direction }
  const whole = find(piece)
  if (whole) return { column: whole, direction: 'asc' }
  return column && { column, direction }
}

function listingSort(queried: Queried, find: FindColumn, text: string): SortBy[] {
  return listed(text, queried, (piece) => readSortEntry(find, piece) !== undefined).flatMap((piece) => {
    const entry = readSortEntry(find, piece)
    if (!entry) {
      refuseColumn(queried, 'sort', piece.replace(/:(?:asc|desc)$/, ''))
      return []
    }
    const descending = isDescending(queried.answers, `direction of ${quote(entry.column.name)} in sort`, entry.direction)
    return descending === undefined ? [] : [sortBy(queried, entry.column, descending)]
  })
}

/** Assumption: unknownFilter, filterValues */
function listingFilters(
  queried: Queried,
  find: FindColumn,
  others: ReadonlyMap<string, string>,
  observe: Observe,
): RowFilter[] {
  return [...others].flatMap(([name, text]): RowFilter[] => {
    const column = find(name)
    if (column) {
      const test = equalityTest(comparisonOf(queried, column), text)
      return [{ column, test, asks: [column.id, 'text', text] }]
    }
    observe('unknown-parameter', name)
    if (queried.answers.unknownFilter === 'ignore') return []
    throw new Refusal(
      'validation',
      `query parameter ${quote(name)} is neither a parameter of this operation nor the name of a column; allowed are ${choices(queried.compiled.columns)}`,
    )
  })
}

/** Ids of the columns that `names` name, undefined where none is. `fieldOf` says where a name stands. */
function selected(
  queried: Queried,
  find: FindColumn,
  names: readonly string[],
  fieldOf: (index: number) => string,
): ReadonlySet<string> | undefined {
  const ids = new Set<string>()
  for (const [index, name] of names.entries()) {
    const column = find(name)
    if (column) ids.add(column.id)
    else refuseColumn(queried, fieldOf(index), name)
  }
  return ids.size > 0 ? ids : undefined
}

/** A column sorted by twice is sorted by once. */
function withoutRepeated(sort: readonly SortBy[]): SortBy[] {
  const seen = new Set<string>()
  return sort.filter(({ column }) => !seen.has(column.id) && seen.add(column.id))
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
 * @throws {Refusal} validation
 */
export function runListing(
  world: World,
  table: TableRecord,
  { page, limit, sort = '', select = '' }: ListingQuery,
  otherQuery: ReadonlyMap<string, string>,
  observe: Observe,
): RowPage {
  const asked = queried(world, table)
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
 * @throws {Refusal} validation
 */
export function runQuery(world: World, table: TableRecord, body: RowQuery): RowPage {
  const { filters = [], match = 'all', sort = [], select = [] } = body
  const asked = queried(world, table)
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
  return received === undefined ? parameter.default : (integerValue(answers, name, parameter, received) ?? parameter.default)
}

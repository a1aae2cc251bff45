// Scenarios of row listings and queries: pages, order, projection, filters, every operator, on rows that are there and on rows of the run.
import type { Column } from '../../contract/datatables.ts'
import { operators } from '../../contract/rows.ts'
import { Unreachable } from '../engine/drift.ts'
import type { KnownTable } from '../twin/oracle.ts'
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { markedRow, ownTable, writableColumns } from './own.ts'
import { valuesOf } from './values.ts'

type Query = Readonly<Record<string, string | number>>
type Filter = Readonly<Record<string, unknown>>

const typesOf = ({ columns }: KnownTable) => new Set(columns.map(({ type }) => type)).size
const filled = ({ known }: Play) => known.tables.filter(({ row_count }) => row_count > 0)

/** The table with the most types of columns. @throws {Unreachable} if no table has rows */
function richTable(play: Play): KnownTable {
  const [rich] = filled(play).sort((a, b) => typesOf(b) - typesOf(a))
  if (!rich) throw new Unreachable('no table has rows')
  return rich
}

/** The richest table and the largest one. */
function someTables(play: Play): KnownTable[] {
  const [largest] = filled(play).sort((a, b) => b.row_count - a.row_count)
  return [...new Set([richTable(play), ...(largest ? [largest] : [])])]
}

/** Values of a column by which rows can be found: members and options by id. */
const valuesIn = ({ rows }: KnownTable, { id }: Column): unknown[] =>
  [...new Set(rows.flatMap(({ cells }) => [cells[id]].flat()))].filter(
    (value) => value !== null && value !== undefined && value !== '' && typeof value !== 'object',
  )

const list = (play: Play, { id: tableId }: KnownTable, ...queries: readonly Query[]) =>
  sequence(queries, (query) => play.call('listRows', { params: { tableId }, query }))

async function sequence<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await act(item)
}

const queryRows = (play: Play, { id: tableId }: KnownTable, ...bodies: readonly unknown[]) =>
  sequence(bodies, (json) => play.call('queryRows', { params: { tableId }, json }))

const pages: readonly Scenario[] = [
  reading('listRows/pages', 'contract, Limits', 'pages have 50 rows unless limit says otherwise, 500 at most', async (play) => {
    for (const table of someTables(play)) {
      const last = Math.ceil(table.row_count / 3)
      await list(
        play,
        table,
        {},
        { limit: 1 },
        { limit: 2, page: 2 },
        { pageSize: 3 },
        { limit: 3, page: last },
        { limit: 2, page: 9999 },
        { page: 2 },
        { limit: 500 },
        { limit: 101 },
        { limit: 200, page: 6 },
        { limit: 500, page: 3 },
      )
    }
  }),
  reading('listRows/odd-pages', 'assumption limitAboveMax', 'page sizes beyond the maximum, and numbers out of range', async (play) => {
    const table = richTable(play)
    await list(play, table, { limit: 501 }, { limit: 4, pageSize: 2 }, { limit: 0 }, { page: 0 }, { page: 'x' }, { limit: '2.5' }, { limit: -1 })
  }),
  reading('listRows getRow/rows', 'contract, Datatables', 'a row alone is as it is listed', async (play) => {
    for (const { id: tableId, rows } of filled(play))
      await sequence(rows.slice(0, 4), ({ id: rowId }) => play.call('getRow', { params: { tableId, rowId } }))
  }),
  reading('listDatatables getDatatableSchema listRows/tables', 'contract, Datatables', 'tables, their columns and their rows', async (play) => {
    await play.call('listDatatables')
    for (const table of play.known.tables.slice(0, 10)) {
      await play.call('getDatatableSchema', { params: { tableId: table.id } })
      await list(play, table, { limit: 500 })
    }
  }),
]

/** The columns of a table in groups, so that no scenario is long. */
const thirds = [0, 1, 2] as const
const inThird = <T>(items: readonly T[], third: number): T[] => items.filter((_, index) => index % 3 === third)

const sorted = (third: number): Scenario =>
  reading(`listRows/sort-${String(third + 1)}`, 'contract, Datatables', 'sort orders by a column, ascending unless desc', async (play) => {
    const table = richTable(play)
    for (const { name } of inThird(table.columns, third).slice(0, 8))
      await list(play, table, { sort: name, limit: 500 }, { sort: `${name}:desc`, limit: 500 })
  })

const views: readonly Scenario[] = [
  ...thirds.map(sorted),
  reading('listRows/sort-two', 'contract, Datatables', 'sort orders by one column, then by another', async (play) => {
    for (const table of someTables(play)) {
      const [a, b = a, c = b] = table.columns.filter(({ type }) => type !== 'autonumber').map(({ name }) => name)
      for (const sort of [`${b ?? ''}:desc,${a ?? ''}`, `${c ?? ''},${b ?? ''}:desc`, `${a ?? ''}:asc`])
        await list(play, table, { sort, limit: 60 }, { sort, limit: 5, page: 2 })
    }
  }),
  reading('listRows/odd-sort', 'assumption unknownSortColumn', 'sort and select by what is no column name', async (play) => {
    const table = richTable(play)
    const [{ name = '', id = '' } = {}] = table.columns
    await list(play, table, ...['verify no such column', `${name}:up`, ''].flatMap((text) => [{ sort: text, limit: 5 }]), { select: 'verify no such column' }, { select: '' })
    play.says('sort, select and filters take names, not ids', 'assumption columnNames')
    await list(play, table, { sort: `${id}:desc`, limit: 5 }, { select: id, limit: 5 })
  }),
  reading('listRows/select', 'contract, Datatables', 'select shows the named columns alone', async (play) => {
    const table = richTable(play)
    for (const { name } of table.columns.slice(0, 20)) await list(play, table, { select: name, limit: 3 })
    const [a, b = a, c = b] = table.columns.map(({ name }) => name)
    await list(play, table, ...[`${a ?? ''},${b ?? ''}`, `${c ?? ''},${a ?? ''},${a ?? ''}`].map((select) => ({ select, limit: 5, sort: `${b ?? ''}:desc` })))
  }),
  ...thirds.map((third) =>
    reading(`listRows/filter-${String(third + 1)}`, 'assumption filterValues', 'a parameter named after a column finds the rows with that value', async (play) => {
      const table = richTable(play)
      for (const column of inThird(table.columns, third).slice(0, 8)) {
        const [value, other] = valuesIn(table, column)
        const label = column.options?.[0]?.label ?? (column.type === 'people' ? play.known.members[0]?.name : undefined)
        const values = [value, other, label, column.type === 'checkbox' ? 'false' : undefined]
        for (const one of values) if (one !== undefined) await list(play, table, { [column.name]: String(one) })
      }
    }),
  ),
  reading('listRows/filters', 'contract, Datatables', 'several filters hold together, with order and pages; equality is exact', async (play) => {
    for (const table of someTables(play)) {
      const row = table.rows[1] ?? table.rows[0]
      const set = table.columns.filter(({ id }) => typeof row?.cells[id] === 'string').slice(0, 3)
      const [a, b = a] = set
      if (!row || !a || !b) continue
      const [one, two] = [String(row.cells[a.id]), String(row.cells[b.id])]
      await list(play, table, { [a.name]: one, [b.name]: two }, { [a.name]: one, [b.name]: 'verify none such' }, { [a.name]: one.toUpperCase() }, { [a.name]: one.slice(0, 3) }, { [a.name]: '' }, { [b.name]: two, sort: `${a.name}:desc`, limit: 2, page: 2 })
    }
    play.says('a parameter that is no column name has no effect', 'assumption unknownFilter')
    await list(play, richTable(play), { 'verify no such column': 'x', limit: 2 })
  }),
]

/** Operands for an operator: values that exist, their parts, and neighbours. */
function operandsOf(operator: string, values: readonly unknown[]): unknown[] {
  const [a, b = a] = values
  if (a === undefined) return []
  const sorted = [...values].slice(0, 9).sort((x, y) => (Number(x) - Number(y) || (String(x) < String(y) ? -1 : 1)))
  if (operator === 'between') return [[sorted[0], sorted.at(-1)], [sorted[1] ?? a, sorted[1] ?? a], [sorted.at(-1), sorted[0]]]
  if (operator === 'in' || operator === 'not_in') return [[a, b], [a], []]
  if (typeof a !== 'string') return [a, b]
  if (!operator.includes('_with') && !operator.includes('contains')) return [a, b, a.toUpperCase()]
  return [a.slice(1, 4).toUpperCase(), a.slice(0, 3), a.slice(-3), a]
}

/** The operands of one column begin with the first, those of the next with the second: few queries try them all. */
const rotated = <T>(items: readonly T[], by: number): T[] => {
  const from = by % Math.max(items.length, 1)
  return [...items.slice(from), ...items.slice(0, from)]
}

const filtersOf = (operator: string, { name, id }: Column, values: readonly unknown[]): Filter[] =>
  operator.startsWith('is_')
    ? [{ column: id, operator }]
    : operandsOf(operator, values).map((value) => ({ column: name, operator, value }))

const mostQueries = 10

const operating = operators.map((operator) =>
  reading(`queryRows/${operator}`, 'assumption queryBody', `operator ${operator} finds the rows that it says`, async (play) => {
    const table = richTable(play)
    const byColumn = table.columns.map((column, index) => rotated(filtersOf(operator, column, valuesIn(table, column)), index))
    // One of every column before a second of any.
    const filters = [0, 1, 2, 3].flatMap((index) => byColumn.flatMap((all) => all.slice(index, index + 1)))
    await queryRows(play, table, ...filters.slice(0, mostQueries).map((filter) => ({ filters: [filter], limit: 500 })))
  }),
)

const queries: readonly Scenario[] = [
  reading('queryRows/match', 'assumption queryBody', 'filters hold all together, or any of them', async (play) => {
    for (const table of someTables(play)) {
      const filters = table.columns.flatMap((column) => filtersOf('eq', column, valuesIn(table, column)).slice(0, 1)).slice(0, 3)
      for (const match of ['all', 'any', undefined, 'verify']) await queryRows(play, table, { filters, ...(match !== undefined && { match }), limit: 50 })
      await queryRows(play, table, { filters, match: 'any', sort: [{ column: table.columns[0]?.name, direction: 'desc' }], limit: 2, page: 2 })
    }
  }),
  reading('queryRows/views', 'assumption queryBody', 'a query has sort, select, page and limit as a listing has', async (play) => {
    const table = richTable(play)
    for (const { name, id } of table.columns.slice(0, 6))
      await queryRows(play, table, { sort: [{ column: name, direction: 'desc' }], limit: 20 }, { sort: [{ column: id }], limit: 3, page: 2, select: [name] })
    const [large] = someTables(play).slice(-1)
    await queryRows(play, large ?? table, {}, { page: 2 }, { limit: 500, page: 3 }, { limit: 101 }, { page: 2, limit: 2 })
  }),
  reading('queryRows/bodies', 'assumption queryBody', 'a query that is none is refused', async (play) => {
    const table = richTable(play)
    const column = table.columns[0]?.name
    await queryRows(play, table, { filters: [] }, { limit: 501 }, { page: 0 }, { limit: 'x' }, { filters: 'x' }, { filters: [{ column: 'verify none such', operator: 'eq', value: 1 }] }, { filters: [{ column, operator: 'near', value: 1 }] }, { sort: [{ column: 'verify none such' }] }, { sort: [{ column, direction: 'up' }] }, { select: ['verify none such'] }, [], 'x', { verify_no_such_field: 1 })
  }),
]

/** Rows of the run with ties, empty values, other cases and umlauts; `group` marks them. */
async function makeGroup(play: Play) {
  const table = ownTable(play)
  const group = play.text()
  const texts = ['Banana', 'apple', 'banana', 'Äpfel', '', null, '10', '9', 'apple']
  const numbers = [10, 9, 2, 10, null, null, -1, 100, 9]
  const columns = writableColumns(table)
  const valueAt = (column: Column, index: number): unknown => {
    const { good } = valuesOf(column, play.known.members)
    const isEmpty = index === 4 || index === 5
    if (['text', 'longtext', 'email', 'phone', 'link'].includes(column.type)) return texts[index]
    if (['number', 'currency', 'slider', 'date'].includes(column.type)) return numbers[index]
    return isEmpty ? null : good[index % good.length]
  }
  const rows = texts.map((_, index) => ({
    ...markedRow(play, table),
    [table.text.id]: group,
    ...Object.fromEntries(columns.map((column) => [column.id, valueAt(column, index)])),
  }))
  await play.make('bulkInsertRows', { params: { tableId: table.id }, json: { rows } })
  const valuesFor = (column: Column) => [...new Set(texts.map((_, index) => valueAt(column, index)).flat())].filter((value) => value !== null && value !== '' && value !== undefined)
  return { table, columns, valuesFor, mine: { [table.text.name]: group }, mineToo: { column: table.text.name, operator: 'eq', value: group } }
}

/** Operators that are alike, and the types on which they differ. */
const operatorGroups: Readonly<Record<string, readonly [operators: readonly string[], types: readonly string[]]>> = {
  equal: [['eq', 'neq', 'in', 'not_in'], ['longtext', 'number', 'dropdown', 'tags', 'people', 'checkbox']],
  text: [['contains', 'not_contains', 'starts_with', 'ends_with'], ['longtext', 'email', 'dropdown']],
  order: [['gt', 'gte', 'lt', 'lte', 'between'], ['longtext', 'number', 'date', 'dropdown']],
  empty: [['is_empty', 'is_not_empty', 'is_true', 'is_false'], ['longtext', 'number', 'dropdown', 'tags', 'people', 'checkbox']],
}

const groups: readonly Scenario[] = [
  ...thirds.map((third) =>
    writing(`listRows bulkInsertRows queryRows/own-sort-${String(third + 1)}`, 'assumption emptyValues', 'rows with equal and empty values are in their place, in both directions', async (play) => {
      const { table, mine, mineToo } = await makeGroup(play)
      // Which rows were made in the same second is chance.
      const sortable = table.columns.filter(({ type }) => type !== 'created_at' && type !== 'updated_at')
      for (const { name } of inThird(sortable, third).slice(0, 6)) {
        await list(play, table, { ...mine, sort: name }, { ...mine, sort: `${name}:desc`, limit: 4, page: 2 })
        await queryRows(play, table, { filters: [mineToo], sort: [{ column: name, direction: 'desc' }], limit: 6 })
      }
    }),
  ),
  ...Object.entries(operatorGroups).map(([name, [group, types]]) =>
    writing(`queryRows bulkInsertRows/own-${name}`, 'assumption queryBody', 'operators on empty values, other cases and umlauts', async (play) => {
      const { table, columns, valuesFor, mineToo } = await makeGroup(play)
      const byType = types.flatMap((type) => columns.filter((column) => column.type === type).slice(0, 1))
      const filters = group.flatMap((operator) =>
        byType.map((column, index) => rotated(filtersOf(operator, column, valuesFor(column)), index)),
      )
      const chosen = [0, 1].flatMap((index) => filters.flatMap((all) => all.slice(index, index + 1)))
      await queryRows(play, table, ...chosen.slice(0, 24).map((filter) => ({ filters: [mineToo, filter] })))
    }),
  ),
]

export const listingScenarios: readonly Scenario[] = [...pages, ...views, ...operating, ...queries, ...groups]

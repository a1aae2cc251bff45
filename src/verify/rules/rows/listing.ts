// The rules of sorting, selecting and filtering the row listing.
import type { Column } from '../../../contract/datatables.ts'
import type { Context } from '../../engine/context.ts'
import type { WholeTable } from '../../engine/discovery.ts'
import { cellsOf } from './shapes.ts'
import {
  checkboxColumn,
  dropdownColumn,
  isEmpty,
  isPlain,
  numberColumn,
  someValue,
  textColumn,
  valuesOf,
} from './cells.ts'
import { filterHolds, isSorted } from './oracle.ts'
import { rowPage } from './rows.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  needed,
  type Rule,
  rulesOf,
  type Source,
  Unreachable,
} from '../../engine/rule.ts'

const listing = contract('Datatables, GET rows')
const noSuchName = 'verify no such column'

type Query = Readonly<Record<string, string>>

const listingRule = rulesOf('listRows', 'read', ({ seen }) => seen.richTable())

const listed = async (context: Context, { table }: WholeTable, query: Query) =>
  (await rowPage(context, table.id, { limit: '500', ...query })).rows

async function idsListed(context: Context, table: WholeTable, query: Query): Promise<string[]> {
  return (await listed(context, table, query)).map(({ id }) => id)
}

function sortRule(
  id: string,
  source: Source,
  pick: (table: WholeTable) => Column,
  suffix: '' | ':asc' | ':desc',
): Rule {
  const direction = suffix === ':desc' ? 'desc' : 'asc'
  return listingRule(
    id,
    source,
    `sort=Column${suffix} sorts by it, ${direction}ending`,
    async (table, context) => {
      const column = pick(table)
      const rows = await listed(context, table, { sort: `${column.name}${suffix}` })
      const values = rows.map((row) => cellsOf(row)[column.id])
      expectSame('number of rows', rows.length, table.rows.length)
      expectThat(
        isSorted(values, direction),
        `values of ${column.name} ${direction}ending, empty ones last`,
        values,
      )
    },
  )
}

/** An equality filter finds exactly the rows with the value. */
function filterRule(
  id: string,
  source: Source,
  pick: (table: WholeTable) => Column,
  textOf = (value: unknown) => String(value),
): Rule {
  return listingRule(
    id,
    source,
    'a parameter named after a column keeps the rows with that value',
    async (table, context) => {
      const column = pick(table)
      const value = someValue(table, column)
      const wanted = table.rows.filter(({ cells }) =>
        filterHolds(context.answers, 'eq', cells[column.id], value),
      )
      const got = await idsListed(context, table, { [column.name]: textOf(value) })
      expectSame(
        `rows with ${column.name} ${textOf(value)}`,
        got,
        wanted.map(({ id }) => id),
      )
    },
  )
}

const sorting: readonly Rule[] = [
  sortRule('sort-default', listing, (table) => numberColumn(table), ''),
  sortRule('sort-ascending', listing, (table) => numberColumn(table), ':asc'),
  sortRule('sort-descending', listing, (table) => numberColumn(table), ':desc'),
  sortRule('sort-text', assumed('emptyValues'), (table) => textColumn(table), ':asc'),
  listingRule(
    'sort-twice',
    listing,
    'a second column sorts what the first leaves equal',
    async (table, context) => {
      const second = numberColumn(table)
      const first = table.columns.find(
        (column) =>
          column !== second &&
          ['checkbox', 'dropdown', 'text'].includes(column.type) &&
          hasRepeats(table, column),
      )
      if (!first)
        throw new Unreachable(
          `table ${table.table.name} has no column with repeated values besides ${second.name}`,
        )
      const rows = await listed(context, table, { sort: `${first.name}:asc,${second.name}:desc` })
      for (const value of new Set(rows.map((row) => cellsOf(row)[first.id]))) {
        const group = rows.filter((row) => cellsOf(row)[first.id] === value)
        const values = group.map((row) => cellsOf(row)[second.id])
        expectThat(isSorted(values, 'desc'), `${second.name} descending within equal ${first.name}`, values)
      }
    },
  ),
  listingRule(
    'sort-unknown',
    assumed('unknownSortColumn'),
    'an unknown column in sort does what question unknownSortColumn says',
    async ({ table }, { api, answers }) => {
      const status = answers.unknownSortColumn === 'reject' ? 400 : 200
      await api.expect('listRows', status, { params: { tableId: table.id }, query: { sort: noSuchName } })
    },
  ),
  listingRule(
    'sort-direction',
    assumed('unknownSortColumn'),
    'a direction other than asc and desc does what question unknownSortColumn says',
    async (table, { api, answers }) => {
      const status = answers.unknownSortColumn === 'reject' ? 400 : 200
      const query = { sort: `${numberColumn(table, 1).name}:upwards` }
      await api.expect('listRows', status, { params: { tableId: table.table.id }, query })
    },
  ),
]

const hasRepeats = (table: WholeTable, column: Column) => {
  const values = valuesOf(table, column).filter((value) => !isEmpty(value))
  return new Set(values).size < values.length
}

const selecting: readonly Rule[] = [
  listingRule('select', listing, 'select answers the named columns alone', async (table, context) => {
    const [first, second] = [textColumn(table, 1), numberColumn(table, 1)]
    const rows = await listed(context, table, { select: `${first.name},${second.name}` })
    for (const row of rows)
      for (const key of Object.keys(cellsOf(row)))
        expectThat([first.id, second.id].includes(key), 'the selected columns alone', key)
    const values = (id: string) => rows.map((row) => cellsOf(row)[id] ?? null)
    for (const { id } of [first, second])
      expectSame(
        'selected values',
        values(id),
        table.rows.map(({ cells }) => cells[id] ?? null),
      )
  }),
  listingRule(
    'select-unknown',
    assumed('unknownSortColumn'),
    'an unknown column in select does what question unknownSortColumn says',
    async ({ table }, { api, answers }) => {
      const status = answers.unknownSortColumn === 'reject' ? 400 : 200
      await api.expect('listRows', status, { params: { tableId: table.id }, query: { select: noSuchName } })
    },
  ),
]

const filtering: readonly Rule[] = [
  filterRule('filter-text', listing, (table) => textColumn(table)),
  filterRule('filter-number', assumed('filterValues'), (table) => numberColumn(table)),
  filterRule('filter-checkbox', assumed('filterValues'), (table) => checkboxColumn(table)),
  filterRule('filter-option', assumed('filterValues'), (table) => dropdownColumn(table)),
  listingRule(
    'filter-label',
    assumed('filterValues'),
    'a dropdown is filtered by label as by id',
    async (table, context) => {
      const column = dropdownColumn(table)
      const value = someValue(table, column)
      const label = column.options?.find(({ id }) => id === value)?.label ?? ''
      const byId = await idsListed(context, table, { [column.name]: String(value) })
      expectSame('rows found by label', await idsListed(context, table, { [column.name]: label }), byId)
    },
  ),
  listingRule('filters-join', listing, 'several filters must all hold', async (table, context) => {
    const [text, number] = [textColumn(table), numberColumn(table)]
    const row = table.rows.find(({ cells }) => !isEmpty(cells[text.id]) && !isEmpty(cells[number.id]))
    const other = table.rows.find(
      ({ cells }) => cells[number.id] !== row?.cells[number.id] && !isEmpty(cells[number.id]),
    )
    if (!row || !other)
      throw new Unreachable(`table ${table.table.name} has no two rows that differ in ${number.name}`)
    const query = { [text.name]: String(row.cells[text.id]), [number.name]: String(other.cells[number.id]) }
    const wanted = table.rows.filter(
      ({ cells }) => cells[text.id] === row.cells[text.id] && cells[number.id] === other.cells[number.id],
    )
    expectSame(
      'rows',
      await idsListed(context, table, query),
      wanted.map(({ id }) => id),
    )
  }),
  listingRule('filter-total', listing, 'total counts the rows that match', async (table, context) => {
    const column = textColumn(table)
    const query = { limit: 1, [column.name]: String(someValue(table, column)) }
    const { total } = await rowPage(context, table.table.id, query)
    const wanted = table.rows.filter(({ cells }) => cells[column.id] === someValue(table, column))
    expectSame('total', total, wanted.length)
  }),
  listingRule(
    'sort-pages',
    listing,
    'pages of a sorted listing follow one another',
    async (table, context) => {
      const query = { sort: `${numberColumn(table).name}:desc` }
      const whole = (await idsListed(context, table, query)).slice(0, 3)
      const pages = ['1', '2', '3'].map((page) => idsListed(context, table, { ...query, limit: '1', page }))
      expectSame('ids of three pages of 1', (await Promise.all(pages)).flat(), whole)
    },
  ),
  listingRule(
    'filter-pages',
    listing,
    'pages of a filtered listing follow one another',
    async (table, context) => {
      const column = needed(
        table.columns.find((one) => isPlain(one, table) && one.type === 'checkbox' && hasRepeats(table, one)),
        'no checkbox has repeated values',
      )
      const isTrue = valuesOf(table, column).filter((value) => value === true).length > 1
      const query = { [column.name]: String(isTrue) }
      const whole = (await idsListed(context, table, query)).slice(0, 2)
      const pages = ['1', '2'].map((page) => idsListed(context, table, { ...query, limit: '1', page }))
      expectSame('ids of two pages of 1', (await Promise.all(pages)).flat(), whole)
    },
  ),
  listingRule(
    'filter-unknown',
    assumed('unknownFilter'),
    'a parameter named after nothing does what question unknownFilter says',
    async ({ table }, { api, answers }) => {
      const status = answers.unknownFilter === 'reject' ? 400 : 200
      await api.expect('listRows', status, { params: { tableId: table.id }, query: { [noSuchName]: '1' } })
    },
  ),
  listingRule(
    'select-by-id',
    assumed('columnNames'),
    'select takes ids as question columnNames says',
    async (table, context) => {
      const { api, answers } = context
      const column = textColumn(table, 1)
      if (table.columns.some(({ name }) => name === column.id))
        throw new Unreachable('a column is called like an id')
      const ask = { params: { tableId: table.table.id }, query: { select: column.id } }
      if (answers.columnNames === 'names' && answers.unknownSortColumn === 'reject') {
        await api.expect('listRows', 400, ask)
        return
      }
      const rows = await listed(context, table, { select: column.id })
      const shown = new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))
      expectSame('only the column with the id shown', shown.size === 1, answers.columnNames === 'namesAndIds')
    },
  ),
]

export const rowListingRules: readonly Rule[] = [...sorting, ...selecting, ...filtering]

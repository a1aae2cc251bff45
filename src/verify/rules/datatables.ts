// The rules of datatables and their columns.
import { isColor } from '../../contract/schema/colors.ts'
import { columnTypes, readOnlyColumnTypes, type Column } from '../../contract/datatables.ts'
import { expectOnce, expectSame, expectSome, expectThat } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import { readRules, type Context } from '../engine/rule.ts'
import { idsOf } from '../../contract/data/maps.ts'

const comparedTables = 5
const isHexColor = (color: unknown) => typeof color === 'string' && isColor(color)
const readOnly: readonly Column['type'][] = readOnlyColumnTypes
const writable = columnTypes.filter((type) => !readOnly.includes(type) && type !== 'attachment')

/** What holds for the columns of some types. */
const columnFacts: readonly (readonly [
  id: string,
  says: string,
  types: readonly Column['type'][],
  holds: (column: Column) => boolean,
])[] = [
  ['read-only', 'columns of these types are readonly', readOnly, ({ readonly }) => readonly],
  ['writable', 'columns of these types are not readonly', writable, ({ readonly }) => !readonly],
  [
    'dropdown-options',
    'a dropdown has options, with a hex colour each',
    ['dropdown'],
    ({ options }) => options?.every(({ color }) => isHexColor(color)) === true,
  ],
  ['tags-options', 'tags have options', ['tags'], ({ options }) => options !== undefined],
  [
    'currency-code',
    'a currency has an ISO currency code',
    ['currency'],
    ({ currency_code: code }) => code !== undefined && /^[A-Z]{3}$/.test(code),
  ],
  ['formula', 'a formula column has its formula', ['formula'], ({ formula }) => formula !== undefined],
  [
    'autonumber-format',
    'an autonumber has a format with a placeholder in braces',
    ['autonumber'],
    ({ format }) => format !== undefined && /^[^{}]*\{[^{}]+\}[^{}]*$/.test(format),
  ],
]

const columns = columnFacts.flatMap(([id, says, types, holds]) =>
  readRules('contract, Column', {
    [`getDatatableSchema/${id}: ${says}`]: async ({ seen }: Context) => {
      const all = (await seen.seenTables()).flatMap((table) => table.columns)
      const meant = all.filter(({ type }) => types.includes(type))
      if (meant.length === 0) throw new Unreachable(`no table has a column of type ${types.join(' or ')}`)
      for (const column of meant) expectThat(holds(column), says, column)
    },
  }),
)

const tables = readRules('contract, Column', {
  'listDatatables/tables-once: lists every table once (contract, Datatables)': async (c) =>
    expectOnce('table ids', idsOf(await c.seen.tables())),
  'getDatatableSchema/formula-names: a formula names columns of its table': async ({ seen }) => {
    const tables = await seen.seenTables()
    const all = tables.flatMap(({ columns }) => columns.map((column) => ({ column, columns })))
    const formulas = all.filter(({ column: { formula = '' } }) => /[\p{L}]/u.test(formula))
    if (formulas.length === 0) throw new Unreachable('no formula names a column')
    for (const { column, columns } of formulas)
      expectSome(
        columns,
        ({ name }) => column.formula?.includes(name) === true,
        `a column in ${String(column.formula)}`,
      )
  },
  'listDatatables/row-count: row_count is the total of the row listing (contract, DataTableSummary)': async (
    c,
  ) => {
    // Read again: rows may have been added since the tables were first read.
    const { datatables } = await c.api.succeed('listDatatables')
    for (const { id, row_count } of datatables.slice(0, comparedTables)) {
      const { total } = await c.api.succeed('listRows', { params: { tableId: id }, query: { limit: 1 } })
      expectSame(`row_count of ${id}`, row_count, total)
    }
  },
  'getDatatableSchema/columns-once: lists every column of a table once': async ({ seen }) => {
    for (const table of await seen.seenTables()) expectOnce('column ids', idsOf(table.columns))
  },
  'getDatatableSchema/options-in-use: a column lists every option that its rows hold': async ({ seen }) => {
    for (const table of await seen.wholeTables())
      for (const { id, name, type, options = [] } of table.columns) {
        if (type !== 'dropdown' && type !== 'tags') continue
        const values = table.rows.flatMap(({ cells }) => [cells[id]].flat())
        for (const value of values.filter((one) => typeof one === 'string'))
          expectThat(idsOf(options).includes(value), `option ${value} of ${name}`, options)
      }
  },
})

export const datatableRules = [...tables, ...columns]

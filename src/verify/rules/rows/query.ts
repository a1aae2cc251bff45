// The rules of the structured query.
import { operators, type Operator, type RowQuery } from '../../../contract/rows.ts'
import type { Context } from '../../engine/context.ts'
import type { SeenRow, WholeTable } from '../../engine/discovery.ts'
import { cellsOf } from './shapes.ts'
import { isEmpty, numberColumn, someValue, textColumn, valuesOf } from './cells.ts'
import type { Column } from '../../../contract/datatables.ts'
import { operandsOf } from './operands.ts'
import { ownSample } from './sample.ts'
import { filterHolds, isSorted } from './oracle.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule, rulesOf } from '../../engine/rule.ts'

const body = assumed('queryBody')

async function queried({ api }: Context, { table }: WholeTable, query: RowQuery) {
  return api.succeed('queryRows', { params: { tableId: table.id }, json: { limit: 500, ...query } })
}

async function idsQueried(context: Context, table: WholeTable, query: RowQuery): Promise<string[]> {
  return (await queried(context, table, query)).rows.map(({ id }) => id)
}

const queryRule = rulesOf('queryRows', 'read', ({ seen }) => seen.richTable())

type Filters = NonNullable<RowQuery['filters']>

/** Tries an operator on rows that are known; `base` finds them among the others of the table. */
async function tryOperator(context: Context, table: WholeTable, operator: Operator, base: Filters) {
  for (const { column, value } of operandsOf(table, operator, context.answers)) {
    const filter = { column: column.id, operator, ...(value !== undefined && { value }) }
    const wanted = table.rows.filter(({ cells }) =>
      filterHolds(context.answers, operator, cells[column.id], value),
    )
    expectSame(
      `rows for ${column.name} ${operator} ${JSON.stringify(value)}`,
      await idsQueried(context, table, { filters: [...base, filter] }),
      wanted.map(({ id }) => id),
    )
  }
}

const operatorRule = (operator: Operator): Rule =>
  queryRule(
    `operator-${operator}`,
    contract('Datatables, POST query'),
    `${operator} finds the rows that it means`,
    async (table, context) => tryOperator(context, table, operator, []),
  )

const ownQueryRule = rulesOf('queryRows', 'write', ownSample)

/** The same on rows of the run's own, which are made so that every wrong reading shows. */
const ownOperatorRule = (operator: Operator): Rule =>
  ownQueryRule(
    `operator-${operator}-own`,
    contract('Datatables, POST query'),
    `${operator} finds the rows that it means, together with another filter`,
    async ({ table, text, marker }, context) =>
      tryOperator(context, table, operator, [{ column: text.id, operator: 'contains', value: marker }]),
  )

/** Refuses a body that is wrong. Such a body changes nothing, so that it may be sent to any deployment. */
const refusedBody = (id: string, says: string, json: (table: WholeTable) => unknown): Rule =>
  queryRule(id, body, says, async (table, { api }) => {
    await api.expect('queryRows', 400, { params: { tableId: table.table.id }, json: json(table) })
  })

const otherCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

const bodies: readonly Rule[] = [
  queryRule(
    'everything',
    body,
    'an empty body finds every row, 50 to the page',
    async ({ table, rows }, { api }) => {
      const got = await api.succeed('queryRows', { params: { tableId: table.id }, json: {} })
      expectSame('page', [got.page, got.pageSize, got.total], [1, 50, rows.length])
      expectSame(
        'ids',
        got.rows.map(({ id }) => id),
        rows.slice(0, 50).map(({ id }) => id),
      )
    },
  ),
  queryRule('by-name', body, 'a column is named by id or name', async (table, context) => {
    const column = textColumn(table)
    const value = someValue(table, column)
    const found = (name: string) =>
      idsQueried(context, table, { filters: [{ column: name, operator: 'eq', value }] })
    expectSame('rows by name', await found(column.name), await found(column.id))
  }),
  queryRule('match-all', body, 'all filters must hold unless match is any', async (table, context) => {
    const filters = bothFilters(context, table)
    const holds = ({ cells }: SeenRow) =>
      filters.every(({ column, operator, value }) =>
        filterHolds(context.answers, operator, cells[column], value),
      )
    expectSame(
      'rows',
      await idsQueried(context, table, { filters }),
      table.rows.filter(holds).map(({ id }) => id),
    )
  }),
  queryRule('match-any', body, 'with match any one filter must hold', async (table, context) => {
    const filters = bothFilters(context, table)
    const holds = ({ cells }: SeenRow) =>
      filters.some(({ column, operator, value }) =>
        filterHolds(context.answers, operator, cells[column], value),
      )
    expectSame(
      'rows',
      await idsQueried(context, table, { filters, match: 'any' }),
      table.rows.filter(holds).map(({ id }) => id),
    )
  }),
  queryRule('sort', body, 'sort orders what is found', async (table, context) => {
    const column = numberColumn(table)
    const { rows } = await queried(context, table, { sort: [{ column: column.id, direction: 'desc' }] })
    const values = rows.map((row) => cellsOf(row)[column.id])
    expectThat(isSorted(values, 'desc'), `${column.name} descending`, values)
  }),
  queryRule('sort-default', body, 'sort is ascending unless asked otherwise', async (table, context) => {
    const column = numberColumn(table)
    const { rows } = await queried(context, table, { sort: [{ column: column.id }] })
    const values = rows.map((row) => cellsOf(row)[column.id])
    expectThat(isSorted(values, 'asc'), `${column.name} ascending`, values)
  }),
  queryRule('sort-twice', body, 'a second key sorts what the first leaves equal', async (table, context) => {
    const [first, second] = sortKeys(table)
    for (const direction of ['asc', 'desc'] as const) {
      const sort = [{ column: first.id }, { column: second.id, direction }]
      const { rows } = await queried(context, table, { sort })
      for (const value of [true, false]) {
        const group = rows.filter((row) => cellsOf(row)[first.id] === value)
        const values = group.map((row) => cellsOf(row)[second.id])
        expectThat(
          isSorted(values, direction),
          `${second.name} ${direction} within equal ${first.name}`,
          values,
        )
      }
    }
  }),
  queryRule('select', body, 'select answers the named columns alone', async (table, context) => {
    const column = textColumn(table, 1)
    const { rows } = await queried(context, table, { select: [column.id] })
    const keys = [...new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))]
    expectSame('columns', keys, [column.id])
  }),
  queryRule('paging', body, 'page and limit are those of the listing', async (table, context) => {
    const got = await queried(context, table, { page: 2, limit: 1 })
    expectSame('page', [got.page, got.pageSize, got.total], [2, 1, table.rows.length])
    expectSame(
      'ids',
      got.rows.map(({ id }) => id),
      table.rows.slice(1, 2).map(({ id }) => id),
    )
  }),
  queryRule(
    'letter-case',
    assumed('queryText'),
    'contains minds letter case as question queryText says',
    async (table, context) => {
      const column = textColumn(table)
      const value = otherCase(String(someValue(table, column)))
      const filters = [{ column: column.id, operator: 'contains' as const, value }]
      const wanted = table.rows.filter(({ cells }) =>
        filterHolds(context.answers, 'contains', cells[column.id], value),
      )
      expectSame(
        `rows that contain ${value}`,
        await idsQueried(context, table, { filters }),
        wanted.map(({ id }) => id),
      )
    },
  ),
  queryRule(
    'unknown-column',
    assumed('unknownSortColumn'),
    'an unknown column does what question unknownSortColumn says',
    async ({ table }, { api, answers }) => {
      const json = { filters: [{ column: 'verify_no_such_column', operator: 'eq', value: 1 }] }
      const status = answers.unknownSortColumn === 'reject' ? 400 : 200
      await api.expect('queryRows', status, { params: { tableId: table.id }, json })
    },
  ),
  queryRule(
    'unknown-field',
    assumed('unknownBodyFields'),
    'an unknown field does what question unknownBodyFields says',
    async ({ table }, { api, answers }) => {
      const status = answers.unknownBodyFields === 'reject' ? 400 : 200
      await api.expect('queryRows', status, {
        params: { tableId: table.id },
        json: { verify_no_such_field: 1 },
      })
    },
  ),
  queryRule(
    'other-content-type',
    assumed('contentType'),
    'JSON of another content type is taken as question contentType says',
    async ({ table }, { api, answers }) => {
      const status = answers.contentType === 'strict' ? 400 : 200
      const ask = { params: { tableId: table.id }, body: '{}', headers: { 'content-type': 'text/plain' } }
      await api.expect('queryRows', status, ask)
    },
  ),
  refusedBody('unknown-operator', 'refuses an unknown operator', (table) => ({
    filters: [{ column: table.columns[0]?.id, operator: 'resembles', value: 'x' }],
  })),
  refusedBody('filters-no-array', 'refuses filters that are not an array', () => ({ filters: {} })),
  refusedBody('in-without-array', 'refuses in without an array', (table) => ({
    filters: [{ column: textColumn(table).id, operator: 'in', value: 'x' }],
  })),
  refusedBody('between-without-pair', 'refuses between without two values', (table) => ({
    filters: [{ column: numberColumn(table).id, operator: 'between', value: 1 }],
  })),
]

function bothFilters({ answers }: Context, table: WholeTable): Filters {
  const [text] = operandsOf(table, 'eq', answers)
  const [number] = operandsOf(table, 'gt', answers)
  return [
    { column: text?.column.id ?? '', operator: 'eq', value: text?.value },
    { column: number?.column.id ?? '', operator: 'gt', value: number?.value },
  ]
}

/** A column with repeated values and a number column to sort within them. */
function sortKeys(table: WholeTable): readonly [first: Column, second: Column] {
  const second = numberColumn(table)
  const first = table.columns.find((column) => {
    const values = valuesOf(table, column).filter((value) => !isEmpty(value))
    return column !== second && column.type === 'checkbox' && new Set(values).size < values.length
  })
  return [needed(first, `table ${table.table.name} has no checkbox with repeated values`), second]
}

const emptyText = rulesOf('queryRows', 'write', ({ own }) => own.table())(
  'operator-is_empty-text',
  contract('Datatables, POST query'),
  'is_empty finds rows without a text',
  async ({ columns, text }, context) => {
    const other = needed(
      columns.find(({ id, type, readonly }) => id !== text.id && type === 'longtext' && !readonly),
      'the table has no second text column',
    )
    const marker = context.own.text()
    const { id } = await context.own.row({ [text.id]: null, [other.id]: marker })
    await context.own.row({ [other.id]: marker })
    const table = { ...(await context.own.table()), rows: [] }
    const filters = [
      { column: text.id, operator: 'is_empty' as const },
      { column: other.id, operator: 'eq' as const, value: marker },
    ]
    expectSame('rows', await idsQueried(context, table, { filters }), [id])
  },
)

export const rowQueryRules: readonly Rule[] = [
  ...operators.map(operatorRule),
  ...bodies,
  ...operators.map(ownOperatorRule),
  emptyText,
]

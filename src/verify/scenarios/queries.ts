// Scenarios of the structured query: every operator, on rows that are there and on rows of the run with ties and empty values.
import type { Column } from '../../contract/datatables.ts'
import { operators } from '../../contract/rows.ts'
import type { Play } from '../twin/play.ts'
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import { isTextType } from '../../contract/column-types.ts'
import { needed } from '../engine/expect.ts'
import { markedRow, ownTable, writableColumns } from './own.ts'
import {
  filtersOf,
  inThird,
  list,
  queryRows,
  richTable,
  rotated,
  someTables,
  thirds,
  valuesIn,
} from './tables.ts'
import { valuesOf } from './values.ts'

/** Queries of an operator: what is empty is asked of every column. */
const mostQueries = (operator: string) => (operator.endsWith('_empty') ? 20 : 8)

const operating = operators.map((operator) =>
  reading(
    `queryRows/${operator}`,
    'assumption queryBody',
    `operator ${operator} finds the rows that it says`,
    async (play) => {
      const table = richTable(play)
      // Of the few columns that are asked, those that the operator tells apart come first.
      const isMeant = ({ type }: Column) => Number(type === 'checkbox' && /_(?:true|false)$/.test(operator))
      const columns = table.columns.toSorted((a, b) => isMeant(b) - isMeant(a))
      const byColumn = columns.map((column, index) =>
        rotated(filtersOf(operator, column, valuesIn(table, column)), index),
      )
      // One of every column before a second of any.
      const filters = [0, 1, 2, 3].flatMap((index) => byColumn.flatMap((all) => all.slice(index, index + 1)))
      await queryRows(
        play,
        table,
        ...filters.slice(0, mostQueries(operator)).map((filter) => ({ filters: [filter], limit: 500 })),
      )
    },
  ),
)

const queries: readonly Scenario[] = [
  reading(
    'queryRows/match',
    'assumption queryBody',
    'filters hold all together, or any of them',
    async (play) => {
      for (const table of someTables(play)) {
        const filters = table.columns
          .flatMap((column) => filtersOf('eq', column, valuesIn(table, column)).slice(0, 1))
          .slice(0, 3)
        for (const match of ['all', 'any', undefined, 'verify'])
          await queryRows(play, table, { filters, ...(match !== undefined && { match }), limit: 50 })
        await queryRows(play, table, {
          filters,
          match: 'any',
          sort: [{ column: table.columns[0]?.name, direction: 'desc' }],
          limit: 2,
          page: 2,
        })
      }
    },
  ),
  reading(
    'queryRows/views',
    'assumption queryBody',
    'a query has sort, select, page and limit as a listing has',
    async (play) => {
      const table = richTable(play)
      for (const { name, id } of table.columns.slice(0, 6))
        await queryRows(
          play,
          table,
          { sort: [{ column: name, direction: 'desc' }], limit: 20 },
          { sort: [{ column: id }], limit: 3, page: 2, select: [name] },
        )
      const keys = table.columns
        .filter((column) => valuesIn(table, column).length < table.rows.length)
        .slice(0, 5)
      for (const [index, { id: column }] of keys.entries())
        await queryRows(play, table, {
          sort: [{ column }, { column: keys.at(index - 1)?.id, direction: 'desc' }],
        })
      const [large] = someTables(play).slice(-1)
      await queryRows(
        play,
        large ?? table,
        {},
        { page: 2 },
        { limit: 500, page: 3 },
        { limit: 101 },
        { page: 2, limit: 2 },
      )
    },
  ),
  reading('queryRows/bodies', 'assumption queryBody', 'a query that is none is refused', async (play) => {
    const table = richTable(play)
    const column = table.columns[0]?.name
    await queryRows(
      play,
      table,
      { filters: [] },
      { limit: 501 },
      { page: 0 },
      { limit: 'x' },
      { filters: 'x' },
      { filters: [{ column: 'verify none such', operator: 'eq', value: 1 }] },
      { filters: [{ column, operator: 'near', value: 1 }] },
      { sort: [{ column: 'verify none such' }] },
      { sort: [{ column, direction: 'up' }] },
      { select: ['verify none such'] },
      [],
      'x',
      { verify_no_such_field: 1 },
    )
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
  const valuesFor = (column: Column) =>
    [...new Set(texts.map((_, index) => valueAt(column, index)).flat())].filter(
      (value) => value !== null && value !== '' && value !== undefined,
    )
  return {
    table,
    columns,
    valuesFor,
    mine: { [table.text.name]: group },
    mineToo: { column: table.text.name, operator: 'eq', value: group },
  }
}

/** Operators that are alike, and the types on which they differ. */
const operatorGroups: Readonly<
  Record<string, readonly [operators: readonly string[], types: readonly string[]]>
> = {
  equal: [
    ['eq', 'neq', 'in', 'not_in'],
    ['longtext', 'number', 'dropdown', 'tags', 'people', 'checkbox'],
  ],
  text: [
    ['contains', 'not_contains', 'starts_with', 'ends_with'],
    ['longtext', 'email', 'dropdown'],
  ],
  order: [
    ['gt', 'gte', 'lt', 'lte', 'between'],
    ['longtext', 'number', 'date', 'dropdown'],
  ],
  empty: [
    ['is_empty', 'is_not_empty', 'is_true', 'is_false'],
    ['longtext', 'number', 'dropdown', 'tags', 'people', 'checkbox'],
  ],
}

const groups: readonly Scenario[] = [
  writing(
    'queryRows bulkInsertRows/own-empty-text',
    'assumption queryBody',
    'is_empty finds rows without a text',
    async (play) => {
      const table = ownTable(play)
      const other = writableColumns(table).find(({ type }) => isTextType(type))
      const { id, name } = needed(other, 'the table has one text column alone')
      const group = play.text()
      const rows = [{ [id]: group }, { [id]: group, [table.text.id]: play.text() }]
      await play.make('bulkInsertRows', { params: { tableId: table.id }, json: { rows } })
      const mine = { column: name, operator: 'eq', value: group }
      for (const operator of ['is_empty', 'is_not_empty'])
        await queryRows(play, table, { filters: [mine, { column: table.text.id, operator }] })
    },
  ),
  ...thirds.map((third) =>
    writing(
      `listRows bulkInsertRows queryRows/own-sort-${String(third + 1)}`,
      'assumption emptyValues',
      'rows with equal and empty values are in their place, in both directions',
      async (play) => {
        const { table, mine, mineToo } = await makeGroup(play)
        // Which rows were made in the same second is chance.
        const sortable = table.columns.filter(({ type }) => type !== 'created_at' && type !== 'updated_at')
        for (const { name } of inThird(sortable, third).slice(0, 4)) {
          await list(
            play,
            table,
            { ...mine, sort: name },
            { ...mine, sort: `${name}:desc`, limit: 4, page: 2 },
          )
          await queryRows(play, table, {
            filters: [mineToo],
            sort: [{ column: name, direction: 'desc' }],
            limit: 6,
          })
        }
      },
    ),
  ),
  ...Object.entries(operatorGroups).map(([name, [group, types]]) =>
    writing(
      `queryRows bulkInsertRows/own-${name}`,
      'assumption queryBody',
      'operators on empty values, other cases and umlauts',
      async (play) => {
        const { table, columns, valuesFor, mineToo } = await makeGroup(play)
        const byType = types.flatMap((type) => columns.filter((column) => column.type === type).slice(0, 1))
        const filters = group.flatMap((operator) =>
          byType.map((column, index) => rotated(filtersOf(operator, column, valuesFor(column)), index)),
        )
        const chosen = [0, 1].flatMap((index) => filters.flatMap((all) => all.slice(index, index + 1)))
        await queryRows(play, table, ...chosen.slice(0, 24).map((filter) => ({ filters: [mineToo, filter] })))
      },
    ),
  ),
]

export const queryScenarios: readonly Scenario[] = [...operating, ...queries, ...groups]

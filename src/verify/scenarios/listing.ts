// Scenarios of row listings: pages, order, projection, equality filters, on rows that are there.
import type { Column } from '../../contract/datatables.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { RowPage } from '../../contract/rows.ts'
import { needed } from '../engine/expect.ts'
import { cellsOf } from '../engine/shapes.ts'
import type { Play } from '../twin/play.ts'
import { reading, type Scenario } from '../twin/scenario.ts'
import { filled, inThird, list, richTable, sequence, someTables, thirds, valuesIn } from './tables.ts'

/** Values of rows that are no option of their column: a pull leaves them out. */
function reportUnknownOptions(play: Play, columns: readonly Column[]): void {
  const { rows = [] } = Object(play.exchanges.at(-1)?.theirs.json) as Partial<RowPage>
  for (const { id, options = [], type } of columns) {
    if (type !== 'dropdown' && type !== 'tags') continue
    const used = rows.flatMap((row) => [cellsOf(row)[id]].flat()).filter((value) => typeof value === 'string')
    const unknown = used.find((value) => !options.some((option) => option.id === value))
    if (unknown !== undefined)
      play.report('getDatatableSchema', {
        path: 'columns[].options',
        kind: 'records',
        expected: unknown,
        got: options,
      })
  }
}

const pages: readonly Scenario[] = [
  reading(
    'listRows/pages',
    'contract, Limits',
    'pages have 50 rows unless limit says otherwise, 500 at most',
    async (play) => {
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
          { limit: 500, page: 3 },
        )
      }
    },
  ),
  reading(
    'listRows/odd-pages',
    'assumption limitAboveMax',
    'page sizes beyond the maximum, and numbers out of range',
    async (play) => {
      const table = richTable(play)
      await list(
        play,
        table,
        { limit: 501 },
        { limit: 4, pageSize: 2 },
        { limit: 0 },
        { page: 0 },
        { page: 'x' },
        { limit: '2.5' },
        { limit: -1 },
      )
    },
  ),
  reading('listRows getRow/rows', 'contract, Datatables', 'a row alone is as it is listed', async (play) => {
    for (const { id: tableId, rows } of filled(play))
      await sequence(rows.slice(0, 4), ({ id: rowId }) => play.call('getRow', { params: { tableId, rowId } }))
  }),
  reading(
    'getRow/other-table',
    'contract, Endpoints',
    'a row is found in its own table alone',
    async (play) => {
      const [one, other] = filled(play)
      for (const [table, of] of [
        [one, other],
        [other, one],
      ] as const)
        if (table && of)
          await play.call('getRow', { params: { tableId: table.id, rowId: of.rows[0]?.id ?? '' } })
    },
  ),
  reading(
    'listDatatables getDatatableSchema listRows/tables',
    'contract, Datatables',
    'tables, their columns and their rows',
    async (play) => {
      await play.call('listDatatables')
      for (const table of play.known.tables.slice(0, 10)) {
        await play.call('getDatatableSchema', { params: { tableId: table.id } })
        const { columns = [] } = Object(play.exchanges.at(-1)?.theirs.json) as Partial<
          SuccessFor<'getDatatableSchema'>
        >
        await list(play, table, { limit: 500 })
        reportUnknownOptions(play, columns)
      }
    },
  ),
]

const sorted = (third: number): Scenario =>
  reading(
    `listRows/sort-${String(third + 1)}`,
    'contract, Datatables',
    'sort orders by a column, ascending unless desc',
    async (play) => {
      const table = richTable(play)
      for (const { name } of inThird(table.columns, third).slice(0, 8))
        await list(play, table, { sort: name, limit: 500 }, { sort: `${name}:desc`, limit: 500 })
    },
  )

const views: readonly Scenario[] = [
  ...thirds.map(sorted),
  reading(
    'listRows/sort-two',
    'contract, Datatables',
    'sort orders by one column, then by another',
    async (play) => {
      for (const table of someTables(play)) {
        const [a, b = a, c = b] = table.columns
          .filter(({ type }) => type !== 'autonumber')
          .map(({ name }) => name)
        for (const sort of [`${b ?? ''}:desc,${a ?? ''}`, `${c ?? ''},${b ?? ''}:desc`, `${a ?? ''}:asc`])
          await list(play, table, { sort, limit: 60 }, { sort, limit: 5, page: 2 })
      }
    },
  ),
  reading(
    'listRows/odd-sort',
    'assumption unknownSortColumn',
    'sort and select by what is no column name',
    async (play) => {
      const table = richTable(play)
      const { name, id } = needed(table.columns[0], 'the table has no column')
      await list(
        play,
        table,
        ...['verify no such column', `${name}:up`, ''].flatMap((text) => [{ sort: text, limit: 5 }]),
        { select: 'verify no such column' },
        { select: '' },
      )
      play.says('sort, select and filters take names, not ids', 'assumption columnNames')
      await list(play, table, { sort: `${id}:desc`, limit: 5 }, { select: id, limit: 5 })
    },
  ),
  reading('listRows/select', 'contract, Datatables', 'select shows the named columns alone', async (play) => {
    const table = richTable(play)
    for (const { name } of table.columns.slice(0, 20)) await list(play, table, { select: name, limit: 3 })
    const [a, b = a, c = b] = table.columns.map(({ name }) => name)
    await list(
      play,
      table,
      ...[`${a ?? ''},${b ?? ''}`, `${c ?? ''},${a ?? ''},${a ?? ''}`].map((select) => ({
        select,
        limit: 5,
        sort: `${b ?? ''}:desc`,
      })),
    )
  }),
  ...thirds.map((third) =>
    reading(
      `listRows/filter-${String(third + 1)}`,
      'assumption filterValues',
      'a parameter named after a column finds the rows with that value',
      async (play) => {
        const table = richTable(play)
        for (const column of inThird(table.columns, third).slice(0, 8)) {
          const [value, other] = valuesIn(table, column)
          const label =
            column.options?.[0]?.label ?? (column.type === 'people' ? play.known.members[0]?.name : undefined)
          const values = [value, other, label, column.type === 'checkbox' ? 'false' : undefined]
          for (const one of values)
            if (one !== undefined)
              await list(play, table, { [column.name]: typeof one === 'string' ? one : JSON.stringify(one) })
        }
      },
    ),
  ),
  reading(
    'listRows/filters',
    'contract, Datatables',
    'several filters hold together, with order and pages; equality is exact',
    async (play) => {
      for (const table of someTables(play)) {
        const row = table.rows[1] ?? table.rows[0]
        const set = table.columns.filter(({ id }) => typeof row?.cells[id] === 'string').slice(0, 3)
        const [a, b = a] = set
        if (!row || !a || !b) continue
        const [one, two] = [String(row.cells[a.id]), String(row.cells[b.id])]
        await list(
          play,
          table,
          { [a.name]: one, [b.name]: two },
          { [a.name]: one, [b.name]: 'verify none such' },
          { [a.name]: one.toUpperCase() },
          { [a.name]: one.slice(0, 3) },
          { [a.name]: '' },
          { [b.name]: two, sort: `${a.name}:desc`, limit: 2, page: 2 },
        )
      }
      play.says('a parameter that is no column name has no effect', 'assumption unknownFilter')
      await list(play, richTable(play), { 'verify no such column': 'x', limit: 2 })
    },
  ),
]

export const listingScenarios: readonly Scenario[] = [...pages, ...views]

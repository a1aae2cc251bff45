// The rules of the row listing's pages and of single rows as they are read.
import type { RowPage } from '../../../contract/rows.ts'
import type { Ask } from '../../engine/client.ts'
import type { Context } from '../../engine/context.ts'
import { cellsOf, isNested } from './shapes.ts'
import { fitsColumn, isEmpty } from './cells.ts'
import {
  assumed,
  contract,
  Drift,
  expectSame,
  expectThat,
  needed,
  type Rule,
  type Source,
  Unreachable,
} from '../../engine/rule.ts'

const limits = contract('Limits')
const listing = contract('Datatables, GET rows')

export async function rowPage({ api }: Context, tableId: string, query: Ask['query']): Promise<RowPage> {
  const { rows, total, page, pageSize } = await api.succeed('listRows', {
    params: { tableId },
    query: query ?? '',
  })
  return { rows, total, page, pageSize }
}

const idsOf = ({ rows }: RowPage) => rows.map(({ id }) => id)

/** A rule of the listing's pages, checked on the largest table. */
function pageRule(
  id: string,
  source: Source,
  says: string,
  check: (
    page: (query: Ask['query']) => Promise<RowPage>,
    total: number,
    tableId: string,
    context: Context,
  ) => Promise<void>,
): Rule {
  return {
    id,
    operation: 'listRows',
    source,
    needs: 'read',
    says,
    check: async (context) => {
      const { table } = await context.seen.largestTable()
      await check((query) => rowPage(context, table.id, query), table.row_count, table.id, context)
    },
  }
}

function expectPage(got: RowPage, page: number, pageSize: number): void {
  expectSame('page', got.page, page)
  expectSame('pageSize', got.pageSize, pageSize)
  const left = Math.max(0, got.total - (page - 1) * pageSize)
  expectSame('number of rows', got.rows.length, Math.min(pageSize, left))
}

/** A size or number of page that is out of range, or none. Assumption: limitAboveMax */
const outOfRange = (id: string, query: string, page: number, pageSize: number): Rule =>
  pageRule(
    id,
    assumed('limitAboveMax'),
    `takes ${query} as question limitAboveMax says`,
    async (ask, _, tableId, { api, answers }) => {
      if (answers.limitAboveMax === 'reject')
        await api.expect('listRows', 400, { params: { tableId }, query })
      else expectPage(await ask(query), page, pageSize)
    },
  )

const pages: readonly Rule[] = [
  pageRule('default-page', limits, 'answers page 1 with 50 rows unless asked otherwise', async (ask) =>
    expectPage(await ask(''), 1, 50),
  ),
  pageRule('limit', listing, 'limit sets the page size', async (ask) =>
    expectPage(await ask('limit=3'), 1, 3),
  ),
  pageRule('page-size-alias', listing, 'pageSize is another name of limit', async (ask) =>
    expectPage(await ask('pageSize=4'), 1, 4),
  ),
  pageRule('limit-first', assumed('limitAboveMax'), 'limit takes precedence over pageSize', async (ask) =>
    expectPage(await ask('pageSize=4&limit=2'), 1, 2),
  ),
  pageRule('largest-page', limits, 'a page can have 500 rows', async (ask) =>
    expectPage(await ask('limit=500'), 1, 500),
  ),
  outOfRange('limit-above-maximum', 'limit=501', 1, 500),
  outOfRange('limit-zero', 'limit=0', 1, 50),
  outOfRange('limit-no-number', 'limit=many', 1, 50),
  outOfRange('page-zero', 'page=0&limit=2', 1, 2),
  pageRule('pages-join', listing, 'pages follow one another without gap or overlap', async (ask) => {
    const whole = idsOf(await ask('limit=6'))
    const parts = [...idsOf(await ask('limit=3')), ...idsOf(await ask('limit=3&page=2'))]
    expectSame('ids of two pages of 3', parts, whole)
  }),
  pageRule('second-page', listing, 'page says which page is answered', async (ask, total) => {
    if (total < 2) throw new Unreachable('no table has two rows')
    expectPage(await ask('limit=1&page=2'), 2, 1)
  }),
  pageRule('past-the-end', listing, 'a page past the last is empty, with the same total', async (ask) => {
    const first = await ask('limit=500')
    const past = await ask('limit=500&page=100000')
    expectSame('rows', past.rows, [])
    expectSame('total', past.total, first.total)
  }),
  pageRule('total', listing, 'total is the number of rows on all pages', async (ask) => {
    const { total } = await ask('limit=1')
    const whole = await ask('limit=500')
    expectSame('total of both page sizes', total, whole.total)
    if (total <= 500) expectSame('total', total, whole.rows.length)
    else expectThat(whole.rows.length === 500, 'a full page of 500', whole.rows.length)
  }),
]

const reads: readonly Rule[] = [
  {
    id: 'row-shape',
    operation: 'listRows',
    source: assumed('rowShape'),
    needs: 'read',
    says: 'holds the values of listed rows where question rowShape says',
    check: async (context) => {
      const { table } = await context.seen.largestTable()
      const [row] = (await rowPage(context, table.id, 'limit=1')).rows
      expectSame('values under data', isNested(row), context.answers.rowShape === 'data')
    },
  },
  {
    id: 'row-shape',
    operation: 'getRow',
    source: assumed('rowShape'),
    needs: 'read',
    says: 'holds the values of a row where question rowShape says',
    check: async ({ api, seen, answers }) => {
      const { table, rows } = await seen.richTable()
      const row = await api.succeed('getRow', { params: { tableId: table.id, rowId: rows[0]?.id ?? '' } })
      expectSame('values under data', isNested(row), answers.rowShape !== 'flat')
    },
  },
  {
    id: 'keys-are-columns',
    operation: 'listRows',
    source: contract('Row'),
    needs: 'read',
    says: 'keys values by column id',
    check: async ({ seen }) => {
      for (const { columns, rows } of await seen.wholeTables()) {
        const ids = new Set(columns.map(({ id }) => id))
        for (const { cells } of rows)
          for (const key of Object.keys(cells)) expectThat(ids.has(key), 'column ids alone as keys', key)
      }
    },
  },
  {
    id: 'empty-columns',
    operation: 'listRows',
    source: assumed('emptyColumns'),
    needs: 'read',
    says: 'shows columns without a value as question emptyColumns says',
    check: async ({ seen, answers }) => {
      const isShown = answers.emptyColumns === 'null'
      for (const { columns, rows } of await seen.wholeTables())
        for (const { cells } of rows)
          for (const { id, name } of columns)
            if (isEmpty(cells[id]))
              expectSame(`the empty column ${name} shown`, Object.hasOwn(cells, id), isShown)
    },
  },
  {
    id: 'value-types',
    operation: 'listRows',
    source: contract('Column'),
    needs: 'read',
    says: 'values are of the type of their column',
    check: async ({ seen }) => {
      for (const { table, columns, rows } of await seen.wholeTables())
        for (const row of rows)
          for (const column of columns)
            if (!isEmpty(row.cells[column.id]) && !fitsColumn(table.id, row, column))
              throw new Drift(
                `a value of ${column.name} that is a ${column.type}`,
                JSON.stringify(row.cells[column.id]),
              )
    },
  },
  {
    id: 'foreign-row',
    operation: 'getRow',
    source: contract('Datatables'),
    needs: 'read',
    says: 'answers 404 to a row of another table',
    check: async ({ api, seen }) => {
      const { table, rows } = await seen.richTable()
      const other = (await seen.tables()).find(({ id }) => id !== table.id)
      const tableId = needed(other, 'the workspace has one table only').id
      await api.expect('getRow', 404, { params: { tableId, rowId: rows[0]?.id ?? '' } })
    },
  },
  {
    id: 'as-listed',
    operation: 'getRow',
    source: contract('Datatables'),
    needs: 'read',
    says: 'answers a row as it is listed, with all columns',
    check: async ({ api, seen }) => {
      const { table, rows } = await seen.richTable()
      for (const listed of rows.slice(0, 3)) {
        const row = await api.succeed('getRow', { params: { tableId: table.id, rowId: listed.id } })
        expectSame('id', row.id, listed.id)
        expectSame('version', row.version, listed.version)
        expectSame('values', cellsOf(row), listed.cells)
      }
    },
  },
]

export const rowRules: readonly Rule[] = [...pages, ...reads]

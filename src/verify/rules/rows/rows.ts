// The rules of the row listing's pages and of single rows as they are read.
import type { RowPage } from '../../../contract/rows.ts'
import type { WholeTable } from '../../engine/discovery.ts'
import { expectFields, expectSame, expectThat, found } from '../../engine/expect.ts'
import { Drift, Unreachable } from '../../engine/drift.ts'
import { readRules, rulesOn, type Context } from '../../engine/rule.ts'
import { asAnswered } from '../checks.ts'
import { fitsColumn } from './cells.ts'
import { cellsOf, isNested } from '../../engine/shapes.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { idsOf } from '../../../contract/data/maps.ts'

/** A table whose rows are all known; calls are about it. */
export const onTable = <Table extends WholeTable>(context: Context, table: Table) => ({
  ...context,
  ...table,
  api: context.api.at({ tableId: table.table.id }),
})
export type RichTable = ReturnType<typeof onTable<WholeTable>>
export const richTable = async (context: Context) => onTable(context, await context.seen.richTable())

/** The largest table and its pages. */
async function largestTable(context: Context) {
  const { table } = await context.seen.largestTable()
  const api = context.api.at({ tableId: table.id })
  const page = (query: string) => api.succeed('listRows', { query })
  return { ...context, api, total: table.row_count, page }
}
type Listing = Awaited<ReturnType<typeof largestTable>>
const pageRules = rulesOn('read', largestTable)

function expectPage(got: RowPage, page: number, pageSize: number): void {
  expectSame('page', got.page, page)
  expectSame('pageSize', got.pageSize, pageSize)
  const left = Math.max(0, got.total - (page - 1) * pageSize)
  expectSame('number of rows', got.rows.length, Math.min(pageSize, left))
}

const isPage = (query: string, number: number, pageSize: number) => async (c: Listing) =>
  expectPage(await c.page(query), number, pageSize)

const clamped = (query: string, pageSize: number) => asAnswered({ query }, isPage(query, 1, pageSize))

const listedShape = pageRules('contract, Row', {
  'listRows/row-shape: holds the values of listed rows where question rowShape says': async (c) => {
    const [row] = (await c.page('limit=1')).rows
    expectSame('values under data', isNested(row), c.answers.rowShape === 'data')
  },
})

const pages = pageRules('contract, Datatables, GET rows', {
  'listRows/default-page: returns page 1 with 50 rows by default (contract, Limits)': isPage('', 1, 50),
  'listRows/limit: limit sets the page size': isPage('limit=3', 1, 3),
  'listRows/page-size-alias: pageSize is another name of limit': isPage('pageSize=4', 1, 4),
  'listRows/limit-first: limit takes precedence over pageSize (assumption limitAboveMax)': isPage(
    'pageSize=4&limit=2',
    1,
    2,
  ),
  'listRows/largest-page: a page can have 500 rows (contract, Limits)': isPage('limit=500', 1, 500),
  'listRows/limit-above-maximum: takes limit=501 as question limitAboveMax says': clamped('limit=501', 500),
  'listRows/limit-zero: takes limit=0 as question limitAboveMax says': clamped('limit=0', 50),
  'listRows/limit-no-number: takes limit=many as question limitAboveMax says': clamped('limit=many', 50),
  'listRows/page-zero: takes page=0&limit=2 as question limitAboveMax says': clamped('page=0&limit=2', 2),
  'listRows/pages-join: pages follow one another without gap or overlap': async ({ page }) => {
    const whole = await page('limit=6')
    const parts = [...(await page('limit=3')).rows, ...(await page('limit=3&page=2')).rows]
    expectSame('ids of two pages of 3', idsOf(parts), idsOf(whole.rows))
  },
  'listRows/second-page: page says which page is returned': async ({ page, total }) => {
    if (total < 2) throw new Unreachable('no table has two rows')
    expectPage(await page('limit=1&page=2'), 2, 1)
  },
  'listRows/past-the-end: a page past the last is empty, with the same total': async ({ page }) => {
    const [first, past] = [await page('limit=500'), await page('limit=500&page=100000')]
    expectSame('rows', past.rows, [])
    expectSame('total', past.total, first.total)
  },
  'listRows/total: total is the number of rows on all pages': async ({ page }) => {
    const { total } = await page('limit=1')
    const whole = await page('limit=500')
    expectSame('total of both page sizes', total, whole.total)
    if (total <= 500) expectSame('total', total, whole.rows.length)
    else expectThat(whole.rows.length === 500, 'a full page of 500', whole.rows.length)
  },
})

const shapes = readRules('contract, Row', {
  'listRows/keys-are-columns: keys values by column id': async ({ seen }) => {
    for (const { columns, rows } of await seen.wholeTables())
      for (const key of rows.flatMap(({ cells }) => Object.keys(cells)))
        expectThat(idsOf(columns).includes(key), 'column ids alone as keys', key)
  },
  'listRows/empty-columns: shows columns without a value as question emptyColumns says': async (c) => {
    const isShown = c.answers.emptyColumns === 'null'
    for (const { columns, rows } of await c.seen.wholeTables())
      for (const { cells } of rows)
        for (const { id, name } of columns)
          if (isEmpty(cells[id]))
            expectSame(`the empty column ${name} shown`, Object.hasOwn(cells, id), isShown)
  },
  'listRows/value-types: values are of the type of their column (contract, Column)': async ({ seen }) => {
    for (const { table, columns, rows } of await seen.wholeTables())
      for (const row of rows)
        for (const column of columns) {
          const value = row.cells[column.id]
          if (!isEmpty(value) && !fitsColumn(table.id, row, column))
            throw new Drift(`a value of ${column.name} that is a ${column.type}`, JSON.stringify(value))
        }
  },
})

const single = rulesOn('read', richTable)('contract, Datatables', {
  'getRow/row-shape: holds the values of a row where question rowShape says': async ({
    api,
    rows,
    answers,
  }) => {
    const row = await api.succeed('getRow', { params: { rowId: rows[0]?.id ?? '' } })
    expectSame('values under data', isNested(row), answers.rowShape !== 'flat')
  },
  'getRow/foreign-row: responds with 404 to a row of another table': async ({ api, seen, table, rows }) => {
    const other = found(await seen.tables(), ({ id }) => id !== table.id, 'the workspace has one table only')
    await api.expect('getRow', 404, { params: { tableId: other.id, rowId: rows[0]?.id ?? '' } })
  },
  'getRow/as-listed: returns a row as it is listed, with all columns': async ({ api, rows }) => {
    for (const { id, version, cells } of rows.slice(0, 3)) {
      const row = await api.succeed('getRow', { params: { rowId: id } })
      expectFields('row', row, { id, version })
      expectSame('values', cellsOf(row), cells)
    }
  },
})

export const rowRules = [...pages, ...listedShape, ...shapes, ...single]

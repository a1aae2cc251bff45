// The rules of what a write to a row changes elsewhere and leaves alone, read again afterwards.
import type { Column } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import { expectSame, expectThat, found } from '../../engine/expect.ts'
import type { OwnTable } from '../../engine/own.ts'
import { Unreachable } from '../../engine/drift.ts'
import type { Context } from '../../engine/rule.ts'
import { writtenCells } from './cells.ts'
import { cellsOf } from '../../engine/shapes.ts'
import { change, expectCells, tableRules, type OfTable } from './writes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const countOf = async (c: OfTable) =>
  (await c.api.succeed('listDatatables')).datatables.find(({ id }) => id === c.table.id)?.row_count

/** The last rows of a table, in the order of the listing. */
export async function lastRows({ api }: Context, tableId: string, count: number): Promise<Row[]> {
  const limit = 250
  const page = async (number: number) =>
    api.succeed('listRows', { params: { tableId }, query: { limit, page: number } })
  const { total, rows } = await page(1)
  const last = Math.ceil(total / limit)
  if (last <= 1) return rows.slice(-count)
  const before = last === 2 ? rows : (await page(last - 1)).rows
  return [...before, ...(await page(last)).rows].slice(-count)
}

const inOtherTable = (['getRow', 'updateRow', 'deleteRow'] as const).flatMap((operation) =>
  tableRules('contract, Datatables', {
    [`${operation}/other-table: responds with 404 under another table`]: async (c: OfTable) => {
      const { id: rowId } = await c.own.row()
      const tables = await c.seen.tables()
      const other = found(tables, ({ id }) => id !== c.table.id, 'the workspace has one table only')
      const body = operation === 'updateRow' ? { json: { data: {} } } : {}
      await c.api.expect(operation, 404, { params: { tableId: other.id, rowId }, ...body })
    },
  }),
)

/** Number columns that a formula names. */
function operandsIn({ columns }: OwnTable, formula: string) {
  return columns.filter(
    (c) => ['number', 'currency'].includes(c.type) && !c.readonly && formula.includes(c.name),
  )
}

const reading = tableRules('contract, Datatables', {
  'listDatatables/count-follows: row_count follows what is created and deleted (contract, DataTableSummary)':
    async (c) => {
      const before = Number(await countOf(c))
      const { id } = await c.own.row()
      expectSame('row_count after a creation', await countOf(c), before + 1)
      await c.api.succeed('deleteRow', { params: { rowId: id } })
      expectSame('row_count after a deletion', await countOf(c), before)
    },
  'listRows/follows: a listing shows what was made, changed and deleted since it was last read': async (
    c,
  ) => {
    const text = c.own.text()
    const query = { [c.text.name]: text }
    const shown = async () => idsOf((await c.api.succeed('listRows', { query })).rows)
    expectSame('rows', await shown(), [])
    const { id } = await c.own.row({ [c.text.id]: text })
    expectSame('rows after a creation', await shown(), [id])
    await change(c, id, { [c.text.id]: c.own.text() })
    expectSame('rows after a change', await shown(), [])
    await change(c, id, { [c.text.id]: text })
    await c.api.succeed('deleteRow', { params: { rowId: id } })
    expectSame('rows after a deletion', await shown(), [])
  },
  'listRows/new-rows-last: lists new rows last (assumption listOrder)': async (c) => {
    const made = [await c.own.row(), await c.own.row()]
    expectSame('last rows', idsOf(await lastRows(c, c.table.id, 2)), idsOf(made))
  },
  'listRows/filter-exact: a filter finds the rows with exactly that value (contract, Datatables, GET rows)':
    async ({ api, own, text }) => {
      const value = `${own.text()} exact`
      const { id } = await own.row({ [text.id]: value })
      for (const other of [`${value} or more`, `not ${value}`, value.toUpperCase()])
        await own.row({ [text.id]: other })
      const { rows } = await api.succeed('listRows', { query: { [text.name]: value } })
      expectSame('rows', idsOf(rows), [id])
    },
})

const writing = tableRules('contract, Column', {
  'createRow/hard-values: stores 0, false, fractions, several options and several lines': async (c) => {
    const cells = await writtenCells(c, 'hard')
    const { id } = await c.own.row(cells)
    expectCells(await c.own.readRow(id), cells)
  },
  'updateRow/hard-values: stores 0, false, fractions, several options and several lines': async (c) => {
    const cells = await writtenCells(c, 'hard')
    const { id } = await c.own.row(await writtenCells(c, 'sample'))
    await change(c, id, cells)
    expectCells(await c.own.readRow(id), cells)
  },
  'updateRow/refused-whole: a refused change changes nothing (contract, Datatables)': async (c) => {
    const column = await c.own.column('number', 'currency', 'dropdown')
    const { id } = await c.own.row()
    const params = { rowId: id }
    const before = await c.own.readRow(id)
    const data = { [c.text.id]: c.own.text(), [column.id]: 'verify_no_such_option' }
    await c.api.expect('updateRow', 400, { params, json: { data } }, 'assumption typeChecks')
    expectSame('the row', await c.own.readRow(id), before)
  },
  'updateRow/formula: a formula follows the columns that it names': async (c) => {
    const isMeant = ({ type, formula = '' }: Column) =>
      type === 'formula' && operandsIn(c, formula).length > 0
    const { id, formula = '' } = found(c.columns, isMeant, 'the table has no formula over number columns')
    const cells = (value: number) =>
      Object.fromEntries(operandsIn(c, formula).map((operand) => [operand.id, value]))
    const row = await c.own.row(cells(3))
    const before = cellsOf(row)[id]
    expectThat(before !== null && before !== undefined, `a value of ${formula}`, before)
    const after = cellsOf(await change(c, row.id, cells(11)))[id]
    expectThat(after !== before, `another value of ${formula} than before`, before)
    expectSame(`${formula} as read`, cellsOf(await c.own.readRow(row.id))[id], after)
  },
  'updateRow/updated-at: advances updated_at and leaves created_at': async (c) => {
    const updated = c.columns.find(({ type }) => type === 'updated_at')
    const created = c.columns.find(({ type }) => type === 'created_at')
    if (!updated && !created) throw new Unreachable('the table has no column for its times')
    const row = await c.own.row()
    await c.wait(1500)
    const after = cellsOf(await change(c, row.id, { [c.text.id]: c.own.text() }))
    const before = cellsOf(row)
    if (created) expectSame('created_at', after[created.id], before[created.id])
    if (!updated) return
    const [old, now] = [before[updated.id], after[updated.id]]
    expectThat(Number(now) > Number(old), `an updated_at after ${String(old)}`, now)
  },
  'deleteRow/that-row-alone: leaves the rows around it (contract, Datatables)': async ({ api, own }) => {
    const [first, second, third] = [await own.row(), await own.row(), await own.row()]
    await api.succeed('deleteRow', { params: { rowId: second.id } })
    for (const { id } of [first, third]) await api.expect('getRow', 200, { params: { rowId: id } })
  },
})

export const rowConsequenceRules = [...reading, ...inOtherTable, ...writing]

// The rules of what a write to a row changes elsewhere and leaves alone, read again afterwards.
import type { Row } from '../../../contract/rows.ts'
import type { Context } from '../../engine/context.ts'
import type { OwnTable } from '../../engine/own.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  needed,
  type Rule,
  Unreachable,
} from '../../engine/rule.ts'
import { rowRule } from './creation.ts'
import { fullCells } from './sample.ts'
import { cellsOf, type Cells } from './shapes.ts'

const datatables = contract('Datatables')

const countOf = async ({ api }: Context, { table }: OwnTable) =>
  (await api.succeed('listDatatables')).datatables.find(({ id }) => id === table.id)?.row_count

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

const change = ({ api }: Context, { table }: OwnTable, rowId: string, data: Cells) =>
  api.succeed('updateRow', { params: { tableId: table.id, rowId }, json: { data } })

/** A table of the workspace other than that of the run. */
async function otherTable({ own, seen }: Context): Promise<string> {
  const { table } = await own.table()
  const other = (await seen.tables()).find(({ id }) => id !== table.id)
  return needed(other, 'the workspace has one table only').id
}

const inOtherTable = (operation: 'getRow' | 'updateRow' | 'deleteRow'): Rule =>
  rowRule(operation, 'other-table', datatables, 'answers 404 under another table', async (_, context) => {
    const { id } = await context.own.row()
    const params = { tableId: await otherTable(context), rowId: id }
    const body = operation === 'updateRow' ? { json: { data: {} } } : {}
    await context.api.expect(operation, 404, { params, ...body })
  })

/** Values that are easily lost: of each type what is falsy, negative, a fraction, or more than one. */
async function hardCells(context: Context): Promise<Cells> {
  const { columns } = await context.own.table()
  const { members } = await context.seen.identity()
  const cells: Record<string, unknown> = {}
  for (const { id, type, readonly, options = [] } of columns) {
    if (readonly) continue
    if (type === 'number') cells[id] = -0.25
    if (type === 'currency') cells[id] = 0
    if (type === 'checkbox') cells[id] = false
    if (type === 'tags' && options.length > 1) cells[id] = options.slice(0, 2).map((option) => option.id)
    if (type === 'people' && members.length > 1) cells[id] = members.slice(0, 2).map((member) => member.id)
    if (type === 'longtext') cells[id] = 'first line\n\tsecond line'
  }
  return cells
}

function expectCells(row: Row, cells: Cells): void {
  for (const [id, value] of Object.entries(cells)) expectSame(`value of ${id}`, cellsOf(row)[id], value)
}

/** Number columns that a formula names. */
function operandsIn({ columns }: OwnTable, formula: string) {
  return columns.filter(
    ({ type, name, readonly }) =>
      ['number', 'currency'].includes(type) && !readonly && formula.includes(name),
  )
}

export const rowConsequenceRules: readonly Rule[] = [
  rowRule(
    'listDatatables',
    'count-follows',
    contract('DataTableSummary'),
    'row_count follows what is created and deleted',
    async (table, context) => {
      const before = Number(await countOf(context, table))
      const { id } = await context.own.row()
      expectSame('row_count after a creation', await countOf(context, table), before + 1)
      await context.api.succeed('deleteRow', { params: { tableId: table.table.id, rowId: id } })
      expectSame('row_count after a deletion', await countOf(context, table), before)
    },
  ),
  rowRule(
    'listRows',
    'new-rows-last',
    assumed('listOrder'),
    'lists new rows last',
    async ({ table }, context) => {
      const made = [await context.own.row(), await context.own.row()]
      const last = await lastRows(context, table.id, 2)
      expectSame(
        'last rows',
        last.map(({ id }) => id),
        made.map(({ id }) => id),
      )
    },
  ),
  rowRule(
    'listRows',
    'filter-exact',
    contract('Datatables, GET rows'),
    'a filter finds the rows with that very value',
    async ({ table, text }, { api, own }) => {
      const value = `${own.text()} exact`
      const { id } = await own.row({ [text.id]: value })
      for (const other of [`${value} or more`, `not ${value}`, value.toUpperCase()])
        await own.row({ [text.id]: other })
      const { rows } = await api.succeed('listRows', {
        params: { tableId: table.id },
        query: { [text.name]: value },
      })
      expectSame(
        'rows',
        rows.map((row) => row.id),
        [id],
      )
    },
  ),
  ...(['getRow', 'updateRow', 'deleteRow'] as const).map(inOtherTable),
  rowRule(
    'createRow',
    'hard-values',
    contract('Column'),
    'stores 0, false, fractions, several options and several lines',
    async ({ table }, context) => {
      const cells = await hardCells(context)
      const { id } = await context.own.row(cells)
      expectCells(await context.own.readRow(table.id, id), cells)
    },
  ),
  rowRule(
    'updateRow',
    'hard-values',
    contract('Column'),
    'stores 0, false, fractions, several options and several lines',
    async (table, context) => {
      const cells = await hardCells(context)
      const { id } = await context.own.row(await fullCells(context))
      await change(context, table, id, cells)
      expectCells(await context.own.readRow(table.table.id, id), cells)
    },
  ),
  rowRule(
    'updateRow',
    'refused-whole',
    datatables,
    'a refused change changes nothing',
    async (table, context) => {
      const column = await context.own.column('number', 'currency', 'dropdown')
      const { id } = await context.own.row()
      const params = { tableId: table.table.id, rowId: id }
      const before = await context.own.readRow(params.tableId, id)
      const data = { [table.text.id]: context.own.text(), [column.id]: 'verify_no_such_option' }
      await context.api.expect('updateRow', 400, { params, json: { data } }, assumed('typeChecks'))
      expectSame('the row', await context.own.readRow(params.tableId, id), before)
    },
  ),
  rowRule(
    'updateRow',
    'formula',
    contract('Column'),
    'a formula follows the columns that it names',
    async (table, context) => {
      const formula = table.columns.find(
        (one) => one.type === 'formula' && operandsIn(table, one.formula ?? '').length > 0,
      )
      const { id: formulaId, formula: text = '' } = needed(
        formula,
        'the table has no formula over number columns',
      )
      const operands = operandsIn(table, text)
      const cells = (value: number) => Object.fromEntries(operands.map(({ id }) => [id, value]))
      const row = await context.own.row(cells(3))
      const before = cellsOf(row)[formulaId]
      expectThat(before !== null && before !== undefined, `a value of ${text}`, before)
      const changed = await change(context, table, row.id, cells(11))
      expectThat(cellsOf(changed)[formulaId] !== before, `another value of ${text} than before`, before)
      const read = await context.own.readRow(table.table.id, row.id)
      expectSame(`${text} as read`, cellsOf(read)[formulaId], cellsOf(changed)[formulaId])
    },
  ),
  rowRule(
    'updateRow',
    'updated-at',
    contract('Column'),
    'moves updated_at on and leaves created_at',
    async (table, context) => {
      const updated = table.columns.find(({ type }) => type === 'updated_at')
      const created = table.columns.find(({ type }) => type === 'created_at')
      if (!updated && !created) throw new Unreachable('the table has no column for its times')
      const row = await context.own.row()
      await context.wait(1500)
      const after = cellsOf(await change(context, table, row.id, { [table.text.id]: context.own.text() }))
      const before = cellsOf(row)
      if (created) expectSame('created_at', after[created.id], before[created.id])
      if (updated)
        expectThat(
          Number(after[updated.id]) > Number(before[updated.id]),
          `an updated_at after ${String(before[updated.id])}`,
          after[updated.id],
        )
    },
  ),
  rowRule(
    'deleteRow',
    'that-row-alone',
    datatables,
    'leaves the rows around it',
    async ({ table }, { api, own }) => {
      const rows = [await own.row(), await own.row(), await own.row()]
      await api.succeed('deleteRow', { params: { tableId: table.id, rowId: rows[1]?.id ?? '' } })
      for (const { id } of [rows[0], rows[2]].flatMap((row) => row ?? []))
        await api.expect('getRow', 200, { params: { tableId: table.id, rowId: id } })
    },
  ),
]

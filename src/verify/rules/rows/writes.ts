// The rules of changing and deleting single rows, and of wrong bodies.
import type { Row } from '../../../contract/rows.ts'
import type { Context } from '../../engine/context.ts'
import type { OwnTable } from '../../engine/own.ts'
import { refusals } from '../refusals.ts'
import { rowRule } from './creation.ts'
import { sampleValue } from './sample.ts'
import { cellsOf, type Cells } from './shapes.ts'
import { isEmpty } from './cells.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule } from '../../engine/rule.ts'

const datatables = contract('Datatables')

const change = ({ api }: Context, { table }: OwnTable, row: Row, data: Cells) =>
  api.succeed('updateRow', { params: { tableId: table.id, rowId: row.id }, json: { data } })

/** Values of columns that change by themselves are no part of a comparison. */
const settled = ({ columns }: OwnTable, row: Row) =>
  Object.fromEntries(
    Object.entries(cellsOf(row)).filter(
      ([id]) => columns.find((column) => column.id === id)?.type !== 'updated_at',
    ),
  )

const changing: readonly Rule[] = [
  rowRule(
    'updateRow',
    'partial',
    datatables,
    'changes what is sent and leaves the rest',
    async (table, context) => {
      const { own } = context
      const before = await own.row()
      const text = own.text()
      const after = await change(context, table, before, { [table.text.id]: text })
      expectSame('values', settled(table, after), { ...settled(table, before), [table.text.id]: text })
      expectSame('the row as read', await own.readRow(table.table.id, before.id), after)
    },
  ),
  rowRule(
    'updateRow',
    'version',
    assumed('rowVersion'),
    'adds 1 to the version, even where nothing changes',
    async (table, context) => {
      const row = await context.own.row()
      const changed = await change(context, table, row, { [table.text.id]: context.own.text() })
      expectSame('version after a change', changed.version, row.version + 1)
      expectSame(
        'version after an empty change',
        (await change(context, table, row, {})).version,
        row.version + 2,
      )
    },
  ),
  rowRule(
    'updateRow',
    'null-clears',
    assumed('typeChecks'),
    'null clears a column',
    async (table, context) => {
      const column = await context.own.column('number', 'currency', 'slider', 'checkbox', 'date')
      const row = await context.own.row({ [column.id]: await sampleValue(context, column) })
      const changed = await change(context, table, row, { [column.id]: null })
      expectThat(isEmpty(cellsOf(changed)[column.id]), `an empty ${column.name}`, cellsOf(changed)[column.id])
    },
  ),
  rowRule(
    'updateRow',
    'read-only',
    contract('Column'),
    'ignores values for read-only columns',
    async (table, context) => {
      const readOnly = table.columns.filter(({ readonly, type }) => readonly && type !== 'updated_at')
      needed(readOnly[0], 'the table has no read-only column')
      const row = await context.own.row()
      const data = Object.fromEntries(readOnly.map(({ id }) => [id, 'verify was here']))
      const changed = await change(context, table, row, data)
      expectSame('values', settled(table, changed), settled(table, row))
    },
  ),
]

const deleting: readonly Rule[] = [
  rowRule(
    'deleteRow',
    'gone',
    datatables,
    'the row is gone at once and for good',
    async ({ table }, { api, own }) => {
      const row = await own.row()
      const params = { tableId: table.id, rowId: row.id }
      await api.succeed('deleteRow', { params })
      await api.expect('getRow', 404, { params })
      await api.expect('deleteRow', 404, { params })
      const { rows } = await api.succeed('listRows', { params: { tableId: table.id }, query: { limit: 500 } })
      expectThat(!rows.some(({ id }) => id === row.id), 'a listing without the row', row.id)
    },
  ),
]

const inTable = async ({ own }: Context) => ({ tableId: (await own.table()).table.id })
const ofRow = async (context: Context) => ({
  ...(await inTable(context)),
  rowId: (await context.own.row()).id,
})

const refused = refusals([
  {
    id: 'without-data',
    operation: 'createRow',
    source: datatables,
    says: 'refuses a body without data',
    ask: async (c) => ({ params: await inTable(c), json: {} }),
  },
  {
    id: 'data-no-object',
    operation: 'createRow',
    source: datatables,
    says: 'refuses data that is not an object',
    ask: async (c) => ({ params: await inTable(c), json: { data: [] } }),
  },
  {
    id: 'no-json',
    operation: 'createRow',
    source: datatables,
    says: 'refuses a body that is not JSON',
    ask: async (c) => ({
      params: await inTable(c),
      body: '{',
      headers: { 'content-type': 'application/json' },
    }),
  },
  {
    id: 'without-data',
    operation: 'updateRow',
    source: assumed('generalStatuses'),
    says: 'refuses a body without data',
    ask: async (c) => ({ params: await ofRow(c), json: {} }),
  },
  {
    id: 'wrong-text',
    operation: 'updateRow',
    source: assumed('typeChecks'),
    says: 'refuses a text that is an array',
    ask: async (c) => ({
      params: await ofRow(c),
      json: { data: { [(await c.own.table()).text.id]: ['verify'] } },
    }),
  },
])

export const rowWriteRules: readonly Rule[] = [...changing, ...deleting, ...refused]

// The rules of creating single rows, of whatever types of columns.
import type { Column } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import { cellsOf } from './shapes.ts'
import { fullCells } from './sample.ts'
import { fitsFormat, isEmpty } from './cells.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule, rulesOn } from '../../engine/rule.ts'

const datatables = contract('Datatables')

export const rowRule = rulesOn('write', ({ own }) => own.table())

/** Values of another type than that of the column. */
const wrongValues: readonly (readonly [type: Column['type'], value: unknown])[] = [
  ['number', 'seven'],
  ['currency', '7.50 EUR'],
  ['checkbox', 'yes'],
  ['date', '2026-01-01'],
  ['dropdown', 'verify_no_such_option'],
  ['tags', 'verify_no_such_option'],
  ['people', ['verify_no_such_member']],
]

export const rowCreationRules: readonly Rule[] = [
  rowRule(
    'createRow',
    'stores',
    datatables,
    'stores the values, which are read as they were sent',
    async ({ table }, context) => {
      const { own } = context
      const row = await own.row()
      const read = await own.readRow(table.id, row.id)
      expectSame('the row as read', read, row)
    },
  ),
  rowRule(
    'createRow',
    'values-of-types',
    contract('Column'),
    'takes values of every type that is not read-only',
    async (_, context) => {
      const cells = await fullCells(context)
      const row = await context.own.row(cells)
      for (const [id, value] of Object.entries(cells)) expectSame(`value of ${id}`, cellsOf(row)[id], value)
    },
  ),
  rowRule('createRow', 'first-version', assumed('rowVersion'), 'starts with version 1', async (_, { own }) =>
    expectSame('version', (await own.row()).version, 1),
  ),
  rowRule(
    'createRow',
    'read-only',
    contract('Column'),
    'ignores values for read-only columns',
    async ({ columns }, { own }) => {
      const readOnly = columns.filter(({ readonly }) => readonly)
      needed(readOnly[0], 'the table has no read-only column')
      const row = await own.row(Object.fromEntries(readOnly.map(({ id }) => [id, 'verify was here'])))
      for (const { id, name } of readOnly)
        expectThat(cellsOf(row)[id] !== 'verify was here', `${name} as the service sets it`, cellsOf(row)[id])
    },
  ),
  rowRule(
    'createRow',
    'autonumber',
    contract('Column'),
    'gives each row an autonumber of its own in the format of the column',
    async (_, { own }) => {
      const { id, format = '' } = await own.column('autonumber')
      const [first, second] = [cellsOf(await own.row())[id], cellsOf(await own.row())[id]]
      expectThat(fitsFormat(format, first), `an autonumber like ${format}`, first)
      expectThat(first !== second, 'another autonumber for another row', second)
    },
  ),
  rowRule(
    'createRow',
    'timestamps',
    contract('Column'),
    'gives the row its created_at',
    async (_, { own }) => {
      const { id } = await own.column('created_at')
      const row = await own.row()
      expectThat(Number.isInteger(cellsOf(row)[id]), 'whole Unix seconds', cellsOf(row)[id])
    },
  ),
  rowRule(
    'createRow',
    'counted',
    datatables,
    'adds one row to the table',
    async ({ table }, { api, own }) => {
      const ask = { params: { tableId: table.id }, query: { limit: 1 } }
      const before = (await api.succeed('listRows', ask)).total
      await own.row()
      expectSame('total', (await api.succeed('listRows', ask)).total, before + 1)
    },
  ),
  rowRule(
    'createRow',
    'unknown-key',
    assumed('unknownRowKeys'),
    'takes a key that is not a column as question unknownRowKeys says',
    async ({ table, text }, { api, own, answers }) => {
      const status = answers.unknownRowKeys === 'reject' ? 400 : 200
      const json = { data: { [text.id]: own.text(), verify_no_such_column: 1 } }
      await api.expect('createRow', status, { params: { tableId: table.id }, json })
    },
  ),
  rowRule(
    'createRow',
    'name-as-key',
    contract('Row'),
    'takes no column name for a key',
    async ({ table, text }, { api, own, answers }) => {
      if (text.name === text.id) return
      const reply = await api.call('createRow', {
        params: { tableId: table.id },
        json: { data: { [text.name]: own.text() } },
      })
      if (answers.unknownRowKeys === 'reject')
        expectSame('status', reply.status, 400, assumed('unknownRowKeys'))
      else expectThat(isEmpty(cellsOf(reply.json as Row)[text.id]), 'no value under the column', reply.text)
    },
  ),
  rowRule(
    'createRow',
    'option-label',
    assumed('typeChecks'),
    'takes the label of an option as question typeChecks says',
    async ({ table, text }, { api, own, answers }) => {
      const { id, options = [] } = await own.column('dropdown')
      const option = needed(
        options.find(({ label }) => !options.some((other) => other.id === label)),
        'the dropdown has no option',
      )
      const ask = {
        params: { tableId: table.id },
        json: { data: { [text.id]: own.text(), [id]: option.label } },
      }
      if (answers.typeChecks === 'strict') await api.expect('createRow', 400, ask)
      else expectSame('stored option', cellsOf(await api.succeed('createRow', ask))[id], option.id)
    },
  ),
  rowRule(
    'createRow',
    'attachment-value',
    assumed('attachmentWrites'),
    'takes a value for an attachment column as question attachmentWrites says',
    async ({ table, text }, { api, own, answers }) => {
      const { id } = await own.column('attachment')
      const status = answers.attachmentWrites === 'reject' ? 400 : 200
      const json = { data: { [text.id]: own.text(), [id]: 'verify' } }
      const reply = await api.expect('createRow', status, { params: { tableId: table.id }, json })
      if (status === 200)
        expectThat(isEmpty(cellsOf(reply.json as Row)[id]), 'an empty attachment column', reply.text)
    },
  ),
  ...wrongValues.map(([type, value]) =>
    rowRule(
      'createRow',
      `wrong-${type}`,
      assumed('typeChecks'),
      `refuses ${JSON.stringify(value)} in a ${type} column`,
      async ({ table, text }, { api, own }) => {
        const { id } = await own.column(type)
        await api.expect('createRow', 400, {
          params: { tableId: table.id },
          json: { data: { [text.id]: own.text(), [id]: value } },
        })
      },
    ),
  ),
]

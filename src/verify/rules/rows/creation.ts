// The rules of creating single rows, of whatever types of columns.
import type { Column } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import { expectSame, expectThat, found, needed } from '../../engine/expect.ts'
import type { OwnTable } from '../../engine/own.ts'
import { rulesOn, type Context } from '../../engine/rule.ts'
import { asAnswered, refused } from '../refusals.ts'
import { fitsFormat, isEmpty } from './cells.ts'
import { fullCells } from './sample.ts'
import { cellsOf, type Cells } from './shapes.ts'

/** The table that the run writes to. */
export interface OfTable extends Context, OwnTable {}

export async function ofTable(context: Context): Promise<OfTable> {
  return { ...context, ...(await context.own.table()) }
}

export const tableRules = rulesOn('write', ofTable)

/** @throws {Drift} unless the row holds these values */
export function expectCells(row: Row, cells: Cells): void {
  for (const [id, value] of Object.entries(cells)) expectSame(`value of ${id}`, cellsOf(row)[id], value)
}

/** The body of a creation with further values. */
const withCells = ({ own, text }: OfTable, cells: Cells) => ({ data: { [text.id]: own.text(), ...cells } })

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

const creating = tableRules('contract, Column', {
  'createRow/stores: stores the values, which are read as they were sent (contract, Datatables)': async (
    c,
  ) => {
    const row = await c.own.row()
    expectSame('the row as read', await c.own.readRow(row.id), row)
  },
  'createRow/values-of-types: takes values of every type that is not read-only': async (c) => {
    const cells = await fullCells(c)
    expectCells(await c.own.row(cells), cells)
  },
  'createRow/first-version: starts with version 1 (assumption rowVersion)': async ({ own }) =>
    expectSame('version', (await own.row()).version, 1),
  'createRow/read-only: ignores values for read-only columns': async ({ columns, own }) => {
    const readOnly = columns.filter(({ readonly }) => readonly)
    needed(readOnly[0], 'the table has no read-only column')
    const row = await own.row(Object.fromEntries(readOnly.map(({ id }) => [id, 'verify was here'])))
    for (const { id, name } of readOnly)
      expectThat(cellsOf(row)[id] !== 'verify was here', `${name} as the service sets it`, cellsOf(row)[id])
  },
  'createRow/autonumber: gives each row an autonumber of its own in the format of the column': async ({
    own,
  }) => {
    const { id, format = '' } = await own.column('autonumber')
    const [first, second] = [cellsOf(await own.row())[id], cellsOf(await own.row())[id]]
    expectThat(fitsFormat(format, first), `an autonumber like ${format}`, first)
    expectThat(first !== second, 'another autonumber for another row', second)
  },
  'createRow/timestamps: gives the row its created_at': async ({ own }) => {
    const { id } = await own.column('created_at')
    const value = cellsOf(await own.row())[id]
    expectThat(Number.isInteger(value), 'whole Unix seconds', value)
  },
  'createRow/counted: adds one row to the table (contract, Datatables)': async ({ api, own }) => {
    const ask = { query: { limit: 1 } }
    const before = (await api.succeed('listRows', ask)).total
    await own.row()
    expectSame('total', (await api.succeed('listRows', ask)).total, before + 1)
  },
  'createRow/unknown-key: takes a key that is not a column as question unknownRowKeys says': asAnswered(
    (c: OfTable) => ({ json: withCells(c, { verify_no_such_column: 1 }) }),
  ),
  'createRow/name-as-key: takes no column name for a key (contract, Row)': async (c) => {
    const { api, own, text, answers } = c
    if (text.name === text.id) return
    const reply = await api.call('createRow', { json: { data: { [text.name]: own.text() } } })
    if (answers.unknownRowKeys === 'reject')
      expectSame('status', reply.status, 400, 'assumption unknownRowKeys')
    else expectThat(isEmpty(cellsOf(reply.json as Row)[text.id]), 'no value under the column', reply.text)
  },
  'createRow/option-label: takes the label of an option as question typeChecks says': async (c) => {
    const { id, options = [] } = await c.own.column('dropdown')
    const isMeant = ({ label }: { readonly label: string }) => !options.some((other) => other.id === label)
    const option = found(options, isMeant, 'the dropdown has no option')
    const ask = { json: withCells(c, { [id]: option.label }) }
    if (c.answers.typeChecks === 'strict') await c.api.expect('createRow', 400, ask)
    else expectSame('stored option', cellsOf(await c.api.succeed('createRow', ask))[id], option.id)
  },
  'createRow/attachment-value: takes a value for an attachment column as question attachmentWrites says':
    async (c) => {
      const { id } = await c.own.column('attachment')
      const status = c.answers.attachmentWrites === 'reject' ? 400 : 200
      const ask = { json: withCells(c, { [id]: 'verify' }) }
      const reply = await c.api.expect('createRow', status, ask)
      if (status === 200)
        expectThat(isEmpty(cellsOf(reply.json as Row)[id]), 'an empty attachment column', reply.text)
    },
})

const wrong = wrongValues.flatMap(([type, value]) =>
  tableRules('assumption typeChecks', {
    [`createRow/wrong-${type}: refuses ${JSON.stringify(value)} in a ${type} column`]: refused(
      async (c: OfTable) => withCells(c, { [(await c.own.column(type)).id]: value }),
    ),
  }),
)

export const rowCreationRules = [...creating, ...wrong]

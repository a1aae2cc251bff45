// The rules of changing and deleting single rows, and of wrong bodies.
import { expectSame, expectThat, found, idsOf, needed } from '../../engine/expect.ts'
import type { OwnTable } from '../../engine/own.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import { writeRules, type Context } from '../../engine/rule.ts'
import { refused } from '../refusals.ts'
import { isEmpty } from './cells.ts'
import { tableRules, type OfTable } from './creation.ts'
import { sampleValue } from './sample.ts'
import { cellsOf, type Cells } from './shapes.ts'

export const change = ({ api }: OfTable, rowId: string, data: Cells) =>
  api.succeed('updateRow', { params: { rowId }, json: { data } })

/** Values of columns that change by themselves are no part of a comparison. */
export function settled({ columns }: OwnTable, row: Row): Cells {
  const moving = idsOf(columns.filter(({ type }) => type === 'updated_at'))
  return Object.fromEntries(Object.entries(cellsOf(row)).filter(([id]) => !moving.includes(id)))
}

const changing = tableRules('contract, Datatables', {
  'updateRow/partial: changes what is sent and leaves the rest': async (c) => {
    const before = await c.own.row()
    const text = c.own.text()
    const after = await change(c, before.id, { [c.text.id]: text })
    expectSame('values', settled(c, after), { ...settled(c, before), [c.text.id]: text })
    expectSame('the row as read', await c.own.readRow(before.id), after)
  },
  'updateRow/version: adds 1 to the version, even where nothing changes (assumption rowVersion)': async (
    c,
  ) => {
    const { id, version } = await c.own.row()
    const changed = await change(c, id, { [c.text.id]: c.own.text() })
    expectSame('version after a change', changed.version, version + 1)
    expectSame('version after an empty change', (await change(c, id, {})).version, version + 2)
  },
  'updateRow/null-clears: null clears a column (assumption typeChecks)': async (c) => {
    const column = await c.own.column('number', 'currency', 'slider', 'checkbox', 'date')
    const row = await c.own.row({ [column.id]: await sampleValue(c, column) })
    const value = cellsOf(await change(c, row.id, { [column.id]: null }))[column.id]
    expectThat(isEmpty(value), `an empty ${column.name}`, value)
  },
  'updateRow/lists: replaces several options or members': async (c) => {
    const { members } = await c.seen.identity()
    const idsFor = ({ type, options = [] }: Column) => idsOf(type === 'tags' ? options : members).slice(0, 2)
    const column = found(
      c.columns,
      (one) => (one.type === 'tags' || one.type === 'people') && idsFor(one).length === 2,
      'the table has no column of several options or members',
    )
    const [first, second] = idsFor(column)
    const { id } = await c.own.row({ [column.id]: [first] })
    const got = cellsOf(await change(c, id, { [column.id]: [second] }))[column.id]
    expectSame(column.name, got, [second])
  },
  'getRow/follows: shows what was changed since it was last read': async (c) => {
    const { id } = await c.own.row()
    const shown = async () => cellsOf(await c.own.readRow(id))[c.text.id]
    const [before, text] = [await shown(), c.own.text()]
    await change(c, id, { [c.text.id]: text })
    expectSame('text', await shown(), text)
    expectThat(before !== text, 'another text before', before)
  },
  'updateRow/read-only: ignores values for read-only columns (contract, Column)': async (c) => {
    const readOnly = c.columns.filter(({ readonly, type }) => readonly && type !== 'updated_at')
    needed(readOnly[0], 'the table has no read-only column')
    const row = await c.own.row()
    const data = Object.fromEntries(readOnly.map(({ id }) => [id, 'verify was here']))
    expectSame('values', settled(c, await change(c, row.id, data)), settled(c, row))
  },
  'deleteRow/gone: the row is gone at once and for good': async ({ api, own }) => {
    const { id: rowId } = await own.row()
    const params = { rowId }
    await api.succeed('deleteRow', { params })
    await api.expect('getRow', 404, { params })
    await api.expect('deleteRow', 404, { params })
    const { rows } = await api.succeed('listRows', { query: { limit: 500 } })
    expectThat(!idsOf(rows).includes(rowId), 'a listing without the row', rowId)
  },
})

const refusals = writeRules('contract, Datatables', {
  'createRow/without-data: refuses a body without data': refused({}),
  'createRow/data-no-object: refuses data that is not an object': refused({ data: [] }),
  'createRow/no-json: refuses a body that is not JSON': async (c) => {
    const headers = { 'content-type': 'application/json' }
    await c.api.expect('createRow', 400, { body: '{', headers })
  },
  'updateRow/without-data: refuses a body without data (assumption generalStatuses)': refused({}),
  'updateRow/wrong-text: refuses a text that is an array (assumption typeChecks)': refused(
    async ({ own }: Context) => ({ data: { [(await own.table()).text.id]: ['verify'] } }),
  ),
})

export const rowWriteRules = [...changing, ...refusals]

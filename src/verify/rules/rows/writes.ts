// The rules of creating, changing and deleting single rows, and of wrong bodies.
import type { Column, Option } from '../../../contract/datatables.ts'
import type { Row } from '../../../contract/rows.ts'
import { expectSame, expectThat, found, needed } from '../../engine/expect.ts'
import type { OwnTable } from '../../engine/own.ts'
import { Unreachable } from '../../engine/drift.ts'
import { rulesOn, writeRules, type Context } from '../../engine/rule.ts'
import { asAnswered, asObserved, refused, type ObservedAnswer } from '../checks.ts'
import { valueIdsOf, fitsFormat, valuesOfTypes, writtenCells, writtenValue } from './cells.ts'
import { cellsOf, type Cells } from '../../engine/shapes.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { idsOf } from '../../../contract/data/maps.ts'

/** The table that the run writes to. */
export const ofTable = async (context: Context) => ({ ...context, ...(await context.own.table()) })
export type OfTable = Awaited<ReturnType<typeof ofTable>>
export const tableRules = rulesOn('write', ofTable)

/** @throws {Drift} unless the row holds these values */
export function expectCells(row: Row, cells: Cells): void {
  for (const [id, value] of Object.entries(cells)) expectSame(`value of ${id}`, cellsOf(row)[id], value)
}

/** The body of a creation with further values. */
const withCells = ({ own, text }: OfTable, cells: Cells) => ({ data: { [text.id]: own.text(), ...cells } })

export const totalOf = async ({ api }: OfTable) =>
  (await api.succeed('listRows', { query: { limit: 1 } })).total

export const change = ({ api }: OfTable, rowId: string, data: Cells) =>
  api.succeed('updateRow', { params: { rowId }, json: { data } })

/** Values of columns that change by themselves are no part of a comparison. */
export function settled({ columns }: OwnTable, row: Row): Cells {
  const moving = idsOf(columns.filter(({ type }) => type === 'updated_at'))
  return Object.fromEntries(Object.entries(cellsOf(row)).filter(([id]) => !moving.includes(id)))
}

type RowWrite = 'createRow' | 'updateRow'

/** Sends a row with a value in a column. @returns the status, and what was stored */
async function sent({ api, own, text }: OfTable, operation: RowWrite, { id, type }: Column, value: unknown) {
  const json = { data: { [text.id]: own.text(), [id]: value } }
  const reply = await api.call(operation, { json })
  const stored = reply.isSuccess ? cellsOf(reply.json as Row)[id] : undefined
  const how = `${operation} with ${JSON.stringify(value)} in a column of type ${type}: status ${String(reply.status)}, stored ${JSON.stringify(stored) ?? 'nothing'}`
  return { status: reply.status, stored, how }
}

/** Observes question typeChecks. */
export const seeLabel =
  (operation: RowWrite) =>
  async (context: Context): Promise<ObservedAnswer> => {
    const column = await context.own.column('dropdown')
    const { options = [] } = column
    const hasOwnLabel = ({ label }: Option) => !options.some(({ id }) => id === label)
    const option = found(options, hasOwnLabel, 'the dropdown has no option whose label is not an id')
    const { status, stored, how } = await sent(await ofTable(context), operation, column, option.label)
    return { answer: status === 400 ? 'strict' : stored === option.id ? 'dropdownLabels' : undefined, how }
  }

/** Observes question attachmentWrites. */
export const seeAttachmentWrite =
  (operation: RowWrite) =>
  async (context: Context): Promise<ObservedAnswer> => {
    const column = await context.own.column('attachment')
    const { status, stored, how } = await sent(await ofTable(context), operation, column, 'verify')
    return {
      answer: status === 400 ? 'reject' : status === 200 && isEmpty(stored) ? 'ignore' : undefined,
      how,
    }
  }

const creating = tableRules('contract, Column', {
  'createRow/stores: stores the values, which are read as they were sent (contract, Datatables)': async (
    c,
  ) => {
    const row = await c.own.row()
    expectSame('the row as read', await c.own.readRow(row.id), row)
  },
  'createRow/values-of-types: takes values of every type that is not read-only': async (c) => {
    const cells = await writtenCells(c, 'sample')
    expectCells(await c.own.row(cells), cells)
  },
  'createRow/first-version: starts with version 1 (assumption rowVersion)': async (c) =>
    expectSame('version', (await c.own.row()).version, 1),
  'createRow/read-only: ignores values for read-only columns': async ({ columns, own }) => {
    const readOnly = columns.filter(({ readonly }) => readonly)
    needed(readOnly[0], 'the table has no read-only column')
    const row = await own.row(Object.fromEntries(readOnly.map(({ id }) => [id, 'verify was here'])))
    for (const { id, name } of readOnly)
      expectThat(cellsOf(row)[id] !== 'verify was here', `${name} as the service sets it`, cellsOf(row)[id])
  },
  'createRow/autonumber: gives each row an autonumber of its own in the format of the column': async (c) => {
    const { id, format = '' } = await c.own.column('autonumber')
    const [first, second] = [cellsOf(await c.own.row())[id], cellsOf(await c.own.row())[id]]
    expectThat(fitsFormat(format, first), `an autonumber like ${format}`, first)
    expectThat(first !== second, 'another autonumber for another row', second)
  },
  'createRow/timestamps: gives the row its created_at': async ({ own }) => {
    const { id } = await own.column('created_at')
    const value = cellsOf(await own.row())[id]
    expectThat(Number.isInteger(value), 'whole Unix seconds', value)
  },
  'createRow/counted: adds one row to the table (contract, Datatables)': async (c) => {
    const before = await totalOf(c)
    await c.own.row()
    expectSame('total', await totalOf(c), before + 1)
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
  'createRow/option-label: takes the label of an option as question typeChecks says': asObserved(
    seeLabel('createRow'),
  ),
  'createRow/attachment-value: takes a value for an attachment column as question attachmentWrites says':
    asObserved(seeAttachmentWrite('createRow')),
})

const ofWrongType = Object.entries(valuesOfTypes).flatMap(([type, { wrong }]) =>
  wrong === undefined
    ? []
    : tableRules('assumption typeChecks', {
        [`createRow/wrong-${type}: refuses ${JSON.stringify(wrong)} in a ${type} column`]: refused(
          async (c: OfTable) => withCells(c, { [(await c.own.column(type as Column['type'])).id]: wrong }),
        ),
      }),
)

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
    const row = await c.own.row({ [column.id]: await writtenValue(c, column, 'sample') })
    const value = cellsOf(await change(c, row.id, { [column.id]: null }))[column.id]
    expectThat(isEmpty(value), `an empty ${column.name}`, value)
  },
  'updateRow/lists: replaces several options or members': async (c) => {
    for (const column of c.columns.filter(({ type }) => type === 'tags' || type === 'people')) {
      const [first, second] = await valueIdsOf(c, column)
      if (first === undefined || second === undefined) continue
      const { id } = await c.own.row({ [column.id]: [first] })
      const got = cellsOf(await change(c, id, { [column.id]: [second] }))[column.id]
      expectSame(column.name, got, [second])
      return
    }
    throw new Unreachable('the table has no column of several options or members')
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

const wrong = writeRules('contract, Datatables', {
  'createRow/no-json: refuses a body that is not JSON': async ({ api }) =>
    api.expect('createRow', 400, { body: '{', headers: { 'content-type': 'application/json' } }),
  'createRow/without-data: refuses a body without data': refused({}),
  'createRow/data-no-object: refuses data that is not an object': refused({ data: [] }),
  'updateRow/without-data: refuses a body without data (assumption generalStatuses)': refused({}),
  'updateRow/wrong-text: refuses a text that is an array (assumption typeChecks)': refused(
    async ({ own }) => ({
      data: { [(await own.table()).text.id]: ['verify'] },
    }),
  ),
})

export const rowWriteRules = [...creating, ...ofWrongType, ...changing, ...wrong]

// Scenarios of single rows: values of every type, changes of one column, consequences.
import type { Column } from '../../contract/datatables.ts'
import { valueTypes } from '../../contract/column-types.ts'
import { requireValue } from '../engine/expect.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { columnValues, fullCells, listOwnRows, makeRow, markedRow, ownTable, writableColumns } from './own.ts'

/** A column of a type and its values. */
function columnOf(play: Play, type: string) {
  const column = writableColumns(play).find((one) => one.type === type)
  const { id } = requireValue(column, `the table has no column of type ${type} to write`)
  return { id, ...(column ? columnValues(play, column) : { good: [], odd: [] }) }
}

const valuesOfType = (type: string): Scenario[] => [
  ...writing('contract, Column', {
    [`createRow getRow updateRow/values-${type}: a ${type} column reads what was written, and refuses the rest`]:
      async (play) => {
        const { id, good, odd } = columnOf(play, type)
        const params = await makeRow(play, { [id]: good[0] })
        await play.get('getRow', params)
        for (const value of [...good.slice(1), null, good[0]]) {
          await play.sendEach('updateRow', params, { data: { [id]: value } })
          await play.get('getRow', params)
        }
        play.says(
          `values that do not fit a ${type} column are refused by a creation`,
          'assumption typeChecks',
        )
        for (const value of odd.slice(0, 2))
          await play.sendEach('createRow', params, { data: markedRow(play, { [id]: value }) })
      },
  }),
  ...writing('assumption typeChecks', {
    [`updateRow bulkInsertRows listRows/odd-values-${type}: other values than those of a ${type} column are refused`]:
      async (play) => {
        const { id, good, odd } = columnOf(play, type)
        const params = await makeRow(play, { [id]: good[0] })
        await play.sendEach(
          'updateRow',
          params,
          ...odd.slice(0, 6).map((value) => ({ data: { [id]: value } })),
        )
        play.says(
          `values that do not fit a ${type} column are refused each for itself`,
          'assumption typeChecks',
        )
        const rows = [good[0], ...odd].map((value) => markedRow(play, { [id]: value }))
        await play.sendEach('bulkInsertRows', params, { rows })
        await listOwnRows(play)
      },
  }),
]

/** Bodies that are not a row. */
const oddBodies = [{}, { data: null }, { data: [] }, { data: 'x' }, [], 'x', null, { rows: [] }]

/** The table of the run in a listing and a query, and its number of rows. */
async function showRows(play: Play): Promise<void> {
  await listOwnRows(play)
  await play.get('listDatatables')
  await play.sendEach('queryRows', { tableId: ownTable(play).id }, { limit: 500 })
}

const columns = writing('contract, Column', {
  'createRow getRow/read-only: read-only columns are dropped silently, by a creation and a change': async (
    play,
  ) => {
    const params = await makeRow(play)
    const { columns: all } = ownTable(play)
    const drop = async (dropped: readonly Column[]) => {
      for (const { id } of dropped.slice(0, 6))
        await play.sendEach('updateRow', params, { data: { [id]: 'x' } }, { data: { [id]: 5 } })
      const cells = Object.fromEntries(dropped.map(({ id }) => [id, 'x']))
      await play.sendEach('createRow', params, { data: markedRow(play, cells) })
    }
    await drop(all.filter(({ readonly, type }) => readonly && type !== 'attachment'))
    play.says('files are not set by a row body', 'assumption attachmentWrites')
    await drop(all.filter(({ type }) => type === 'attachment'))
    await play.get('getRow', params)
  },
  'updateRow getRow/updated: a change moves updated_at, and leaves created_at': async (play) => {
    const params = await makeRow(play)
    await play.wait(6000)
    await play.sendEach('updateRow', params, { data: markedRow(play) })
    await play.get('getRow', params)
    await listOwnRows(play)
  },
})

const writes = writing('contract, Datatables', {
  'createRow/bodies: a creation takes an object of values by column id': async (play) => {
    const { id: tableId, text } = ownTable(play)
    // Marked, so that a row whose id the response lacks is found and removed.
    await play.sendEach('createRow', { tableId }, ...oddBodies, { data: markedRow(play), more: 1 })
    play.says('keys that are no column id are refused', 'assumption unknownRowKeys')
    await play.sendEach('createRow', { tableId }, { data: { ...markedRow(play), nope: 1 } })
    await play.sendEach('createRow', { tableId }, { data: { [text.name]: play.text() } })
  },
  'updateRow getRow/bodies: a change takes values by column id, or none, which counts as a change': async (
    play,
  ) => {
    const params = await makeRow(play)
    await play.sendEach('updateRow', params, { data: {} }, ...oddBodies, { data: {}, more: 1 })
    play.says('keys that are no column id are refused', 'assumption unknownRowKeys')
    const byName = { [ownTable(play).text.name]: 'by name' }
    await play.sendEach('updateRow', params, { data: { nope: 1 } }, { data: byName })
    await play.get('getRow', params)
  },
  'updateRow getRow listRows/one-column: a change of one column keeps the others, and adds 1 to the version':
    async (play) => {
      const params = await makeRow(play, fullCells(play))
      for (const column of writableColumns(play).slice(0, 14)) {
        const value = columnValues(play, column).good[1] ?? null
        await play.sendEach('updateRow', params, { data: { [column.id]: value } })
      }
      await play.get('getRow', params)
      await play.sendEach('updateRow', params, { data: markedRow(play, fullCells(play)) })
      await listOwnRows(play)
    },
  'deleteRow getRow updateRow listRows queryRows listDatatables/gone: a deleted row is gone, the others stay':
    async (play) => {
      play.says('a new row is listed last and counted', 'contract, Datatables')
      await makeRow(play)
      const params = await makeRow(play, fullCells(play))
      await makeRow(play)
      await showRows(play)
      play.says('a deleted row is gone for good, the others stay', 'contract, Datatables')
      await play.call('deleteRow', { params })
      await showRows(play)
      for (const operation of ['getRow', 'deleteRow'] as const) await play.call(operation, { params })
      await play.sendEach('updateRow', params, { data: {} })
    },
  'createRow listRows/same-twice: the same creation twice makes two rows; the same change twice is one':
    async (play) => {
      const json = { data: markedRow(play, fullCells(play)) }
      const params = { tableId: ownTable(play).id }
      const { id: rowId } = await play.make('createRow', { params, json })
      await play.make('createRow', { params, json })
      await play.sendEach('updateRow', { ...params, rowId }, json, json)
      await listOwnRows(play)
    },
})

const otherTables: readonly Scenario[] = [
  ...writing('contract, Endpoints', {
    'updateRow deleteRow getRow/own-table: a row is changed and deleted in its own table alone': async (
      play,
    ) => {
      const params = await makeRow(play)
      const other = play.known.tables.find(({ id }) => id !== params.tableId)
      const elsewhere = { ...params, tableId: requireValue(other, 'the workspace has one table only').id }
      await play.sendEach('updateRow', elsewhere, { data: {} })
      await play.call('deleteRow', { params: elsewhere })
      await play.get('getRow', params)
    },
  }),
  ...writing('assumption lockedTable', {
    'createRow updateRow bulkInsertRows submitInsertJob/locked-table: a locked table refuses what its lock covers':
      async (play) => {
        const tableId = requireValue(play.twin.lockedTables[0], 'no table with a text column is locked')
        const [row] = play.known.tables.find(({ id }) => id === tableId)?.rows ?? []
        // No column has this key, so that nothing goes in where the lock does not hold.
        const unknown = { verify_no_such_column: 1 }
        await play.sendEach('createRow', { tableId }, { data: unknown })
        if (row) await play.sendEach('updateRow', { tableId, rowId: row.id }, { data: unknown })
        for (const operation of ['bulkInsertRows', 'submitInsertJob'] as const)
          await play.sendEach(operation, { tableId }, { rows: [unknown] })
      },
  }),
]

export const rowScenarios: readonly Scenario[] = [
  ...columns,
  ...writes,
  ...otherTables,
  ...[...valueTypes, 'datatable'].flatMap(valuesOfType),
]

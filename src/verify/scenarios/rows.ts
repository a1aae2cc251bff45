// Scenarios of single rows: values of every type, changes of one column, consequences.

import { valueTypes } from '../../contract/column-types.ts'
import { needed } from '../engine/expect.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { firstValues, listOwnRows, makeRow, markedRow, ownTable, writableColumns } from './own.ts'
import { valuesOf } from './values.ts'

/** A column of a type and its values. */
function columnOf(play: Play, type: string) {
  const table = ownTable(play)
  const column = needed(
    writableColumns(table).find((one) => one.type === type),
    `the table has no column of type ${type} to write`,
  )
  return { table, column, ...valuesOf(column, play.known.members) }
}

const types = [...valueTypes, 'datatable'] as const

const storesValues = (type: string): Scenario =>
  writing(
    `createRow getRow updateRow/values-${type}`,
    'contract, Column',
    `a ${type} column reads what was written to it, and refuses other values`,
    async (play) => {
      const { column, good, odd } = columnOf(play, type)
      const { params, table } = await makeRow(play, { [column.id]: good[0] })
      await play.call('getRow', { params })
      for (const value of [...good.slice(1), null, good[0]]) {
        await play.call('updateRow', { params, json: { data: { [column.id]: value } } })
        await play.call('getRow', { params })
      }
      play.says(`values that do not fit a ${type} column are refused by a creation`, 'assumption typeChecks')
      const { id: tableId } = table
      for (const value of odd.slice(0, 2))
        await play.call('createRow', {
          params: { tableId },
          json: { data: markedRow(play, table, { [column.id]: value }) },
        })
    },
  )

const refusesValues = (type: string): Scenario =>
  writing(
    `updateRow bulkInsertRows listRows/odd-values-${type}`,
    'assumption typeChecks',
    `values that do not fit a ${type} column are refused by a change, and each for itself in bulk`,
    async (play) => {
      const { table, column, good, odd } = columnOf(play, type)
      const { params } = await makeRow(play, { [column.id]: good[0] })
      for (const value of odd.slice(0, 6))
        await play.call('updateRow', { params, json: { data: { [column.id]: value } } })
      const rows = [good[0], ...odd].map((value) => markedRow(play, table, { [column.id]: value }))
      await play.call('bulkInsertRows', { params: { tableId: table.id }, json: { rows } })
      await listOwnRows(play)
    },
  )

/** Bodies that are not a row. */
const oddBodies: readonly unknown[] = [
  {},
  { data: null },
  { data: [] },
  { data: 'x' },
  [],
  'x',
  null,
  { rows: [] },
]

const writes: readonly Scenario[] = [
  writing(
    'createRow getRow/read-only',
    'contract, Column',
    'read-only columns are dropped silently, by a creation and a change',
    async (play) => {
      const { table, params } = await makeRow(play)
      const dropped = table.columns.filter(({ readonly, type }) => readonly || type === 'attachment')
      for (const { id, type } of dropped.slice(0, 6)) {
        if (type === 'attachment') play.says('files are not set by a row body', 'assumption attachmentWrites')
        for (const value of ['x', 5])
          await play.call('updateRow', { params, json: { data: { [id]: value } } })
        await play.call('createRow', { params, json: { data: markedRow(play, table, { [id]: 'x' }) } })
      }
      await play.call('getRow', { params })
    },
  ),
  writing(
    'createRow/bodies',
    'contract, Datatables',
    'a creation takes an object of values by column id',
    async (play) => {
      const table = ownTable(play)
      const { id: tableId, text } = table
      // Marked, so that a row whose id the response lacks is found and removed.
      for (const json of [...oddBodies, { data: markedRow(play, table), more: 1 }])
        await play.call('createRow', { params: { tableId }, json })
      play.says('keys that are no column id are refused', 'assumption unknownRowKeys')
      for (const data of [{ ...markedRow(play, table), nope: 1 }, { [text.name]: play.text() }])
        await play.call('createRow', { params: { tableId }, json: { data } })
    },
  ),
  writing(
    'updateRow getRow/bodies',
    'contract, Datatables',
    'a change takes an object of values by column id; an empty one counts as a change',
    async (play) => {
      const { table, params } = await makeRow(play)
      for (const json of [{ data: {} }, ...oddBodies, { data: {}, more: 1 }])
        await play.call('updateRow', { params, json })
      play.says('keys that are no column id are refused', 'assumption unknownRowKeys')
      for (const data of [{ nope: 1 }, { [table.text.name]: 'by name' }])
        await play.call('updateRow', { params, json: { data } })
      await play.call('getRow', { params })
    },
  ),
  writing(
    'updateRow getRow listRows/one-column',
    'contract, Datatables',
    'a change of one column leaves the others as they are, and adds 1 to the version',
    async (play) => {
      const table = ownTable(play)
      const { params } = await makeRow(play, firstValues(play, table))
      for (const column of writableColumns(table).slice(0, 14)) {
        const { good } = valuesOf(column, play.known.members)
        await play.call('updateRow', { params, json: { data: { [column.id]: good[1] ?? null } } })
      }
      await play.call('getRow', { params })
      await play.call('updateRow', {
        params,
        json: { data: markedRow(play, table, firstValues(play, table)) },
      })
      await listOwnRows(play)
    },
  ),
  writing(
    'updateRow getRow/updated',
    'contract, Column',
    'a change moves updated_at, and leaves created_at',
    async (play) => {
      const { table, params } = await makeRow(play)
      await play.wait(6000)
      await play.call('updateRow', { params, json: { data: markedRow(play, table) } })
      await play.call('getRow', { params })
      await listOwnRows(play)
    },
  ),
  writing(
    'deleteRow getRow updateRow listRows queryRows listDatatables/gone',
    'contract, Datatables',
    'a new row is listed last and counted, a deleted one is gone for good, the others stay',
    async (play) => {
      const table = ownTable(play)
      const { id: tableId } = table
      await makeRow(play)
      const { params } = await makeRow(play, firstValues(play, table))
      await makeRow(play)
      await listOwnRows(play)
      await play.call('listDatatables')
      await play.call('queryRows', { params: { tableId }, json: { limit: 500 } })
      await play.call('deleteRow', { params })
      await listOwnRows(play)
      await play.call('listDatatables')
      await play.call('queryRows', { params: { tableId }, json: { limit: 500 } })
      for (const operation of ['getRow', 'deleteRow'] as const) await play.call(operation, { params })
      await play.call('updateRow', { params, json: { data: {} } })
    },
  ),
  writing(
    'updateRow deleteRow getRow/own-table',
    'contract, Endpoints',
    'a row is changed and deleted in its own table alone',
    async (play) => {
      const { table, params } = await makeRow(play)
      const other = needed(
        play.known.tables.find(({ id }) => id !== table.id),
        'the workspace has one table only',
      )
      const elsewhere = { ...params, tableId: other.id }
      await play.call('updateRow', { params: elsewhere, json: { data: {} } })
      await play.call('deleteRow', { params: elsewhere })
      await play.call('getRow', { params })
    },
  ),
  writing(
    'createRow listRows/same-twice',
    'contract, Datatables',
    'the same creation twice makes two rows; the same change twice changes nothing more',
    async (play) => {
      const table = ownTable(play)
      const json = { data: markedRow(play, table, firstValues(play, table)) }
      const params = { tableId: table.id }
      const { id: rowId } = await play.make('createRow', { params, json })
      await play.make('createRow', { params, json })
      for (let time = 0; time < 2; time += 1)
        await play.call('updateRow', { params: { ...params, rowId }, json })
      await listOwnRows(play)
    },
  ),
  writing(
    'createRow updateRow bulkInsertRows submitInsertJob/locked-table',
    'assumption lockedTable',
    'a locked table refuses what its lock covers',
    async (play) => {
      const tableId = needed(play.twin.lockedTables[0], 'no table with a text column is locked')
      const { rows = [] } = play.known.tables.find(({ id }) => id === tableId) ?? {}
      const params = { tableId }
      await play.call('createRow', { params, json: { data: { verify_no_such_column: 1 } } })
      for (const { id: rowId } of rows.slice(0, 1))
        await play.call('updateRow', {
          params: { ...params, rowId },
          json: { data: { verify_no_such_column: 1 } },
        })
      for (const operation of ['bulkInsertRows', 'submitInsertJob'] as const)
        await play.call(operation, { params, json: { rows: [{ verify_no_such_column: 1 }] } })
    },
  ),
]

export const rowScenarios: readonly Scenario[] = [
  ...writes,
  ...types.flatMap((type) => [storesValues(type), refusesValues(type)]),
]

// Scenarios of single rows: values of every type, changes of one column, deletions.
import type { Column } from '../../../contract/datatables.ts'
import { valueTypes } from '../../../contract/column-types.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { requireValue } from '../engine/drift.ts'
import { writing, type Scenario, type Play } from '../twin/play.ts'
import { valuesOfColumn, fillCells, makeMarkedRow, getOwnTable, findWritableColumns } from './own.ts'
import { bodiesOf, changeEach, playDeletion, makeRow, noObjects, sayNext, showLists } from './records.ts'

function columnOf(play: Play, type: string) {
  const column = findWritableColumns(play).find((one) => one.type === type)
  const { id } = requireValue(column, `the table has no column of type ${type} to write`)
  return { id, ...(column ? valuesOfColumn(play, column) : { good: [], odd: [] }) }
}

const toMarkedBody = (play: Play, cells?: JsonObject) => ({ data: makeMarkedRow(play, cells) })
const makeFullRow = (play: Play) => makeRow(play, fillCells(play))
const cellsOf = (id: string, values: readonly unknown[]) => values.map((value) => ({ data: { [id]: value } }))

const tryValues = (type: string): Scenario[] => [
  ...writing('contract, Column', {
    [`createRow getRow updateRow/values-${type}: a ${type} column reads what was written, and refuses the rest`]:
      async (play) => {
        const { id, good, odd } = columnOf(play, type)
        const params = await makeRow(play, { [id]: good[0] })
        await changeEach(play, 'Row', params, cellsOf(id, [...good.slice(1), null, good[0]]))
        play.says(`a creation refuses values that do not fit a ${type} column`, 'assumption typeChecks')
        const wrong = odd.slice(0, 2).map((value) => toMarkedBody(play, { [id]: value }))
        await play.sendEach('createRow', params, ...wrong)
      },
  }),
  ...writing('assumption typeChecks', {
    [`updateRow bulkInsertRows listRows/odd-values-${type}: other values than those of a ${type} column are refused`]:
      async (play) => {
        const { id, good, odd } = columnOf(play, type)
        const params = await makeRow(play, { [id]: good[0] })
        await play.sendEach('updateRow', params, ...cellsOf(id, odd.slice(0, 6)))
        play.says(`each value that does not fit a ${type} column is refused alone`, 'assumption typeChecks')
        const rows = [good[0], ...odd].map((value) => makeMarkedRow(play, { [id]: value }))
        await play.sendEach('bulkInsertRows', params, { rows })
        await showLists(play, 'Row', params)
      },
  }),
]

const oddBodies = [{}, ...bodiesOf({ data: noObjects, rows: [[]] }), ...noObjects]

const unknownKeys = sayNext('keys that are no column id are refused', 'assumption unknownRowKeys')

async function showRows(play: Play): Promise<void> {
  await play.get('listDatatables')
  await play.sendEach('queryRows', { tableId: getOwnTable(play).id }, { limit: 500 })
}

export const rowScenarios: readonly Scenario[] = [
  ...writing('contract, Column', {
    'createRow getRow/read-only: read-only columns are dropped silently': async (play) => {
      const params = await makeRow(play)
      const { columns: all } = getOwnTable(play)
      const drop = async (dropped: readonly Column[]) => {
        for (const { id } of dropped.slice(0, 6))
          await play.sendEach('updateRow', params, { data: { [id]: 'x' } }, { data: { [id]: 5 } })
        const cells = Object.fromEntries(dropped.map(({ id }) => [id, 'x']))
        await play.sendEach('createRow', params, { data: makeMarkedRow(play, cells) })
      }
      await drop(all.filter(({ readonly, type }) => readonly && type !== 'attachment'))
      play.says('files are not set by a row body', 'assumption attachmentWrites')
      await drop(all.filter(({ type }) => type === 'attachment'))
      await play.get('getRow', params)
    },
    'updateRow getRow/updated: a change moves updated_at, and leaves created_at': async (play) => {
      const params = await makeRow(play)
      await play.get('getRow', params)
      await play.wait(6000)
      await changeEach(play, 'Row', params, [toMarkedBody(play)])
    },
  }),
  ...writing('contract, Datatables', {
    'createRow/bodies: a creation takes an object of values by column id': (play) => {
      const { id: tableId, text } = getOwnTable(play)
      // Marked rows are found and removed even if the response lacks their id.
      const more = { ...toMarkedBody(play), more: 1 }
      const unknown = [{ data: { ...makeMarkedRow(play), nope: 1 } }, { data: { [text.name]: play.text() } }]
      return play.sendEach('createRow', { tableId }, ...oddBodies, more, unknownKeys, ...unknown)
    },
    'updateRow getRow/bodies: a change takes values by column id, or none at all': async (play) => {
      const params = await makeRow(play)
      const unknown = bodiesOf({ data: [{ nope: 1 }, { [getOwnTable(play).text.name]: 'by name' }] })
      const bodies = [{ data: {} }, ...oddBodies, { data: {}, more: 1 }, unknownKeys, ...unknown]
      await play.sendEach('updateRow', params, ...bodies)
      await play.get('getRow', params)
    },
    'updateRow getRow listRows/one-column: a change of one column keeps the others, and adds 1 to the version':
      async (play) => {
        const params = await makeFullRow(play)
        await play.get('getRow', params)
        for (const column of findWritableColumns(play).slice(0, 14)) {
          const [, value = null] = valuesOfColumn(play, column).good
          await play.sendEach('updateRow', params, ...cellsOf(column.id, [value]))
        }
        await play.get('getRow', params)
        await changeEach(play, 'Row', params, [toMarkedBody(play, fillCells(play))])
        await showLists(play, 'Row', params)
      },
    'deleteRow getRow updateRow listRows queryRows listDatatables/gone: a deleted row is gone, the others stay':
      async (play) => {
        const other = play.known.tables.find(({ id }) => id !== getOwnTable(play).id)
        await makeFullRow(play)
        await showRows(play)
        await playDeletion('Row', () => (other ? { tableId: other.id } : undefined))(play)
        await showRows(play)
      },
    'createRow listRows/same-twice: the same creation twice makes two rows; the same change twice is one':
      async (play) => {
        const json = toMarkedBody(play, fillCells(play))
        const params = { tableId: getOwnTable(play).id }
        const { id: rowId } = await play.make('createRow', { params, json })
        await play.make('createRow', { params, json })
        await play.sendEach('updateRow', { ...params, rowId }, json, json)
        await showLists(play, 'Row', params)
      },
  }),
  ...writing('assumption lockedTable', {
    'createRow updateRow bulkInsertRows submitInsertJob/locked-table: a locked table refuses what its lock covers':
      async (play) => {
        const tableId = requireValue(play.twin.lockedTables[0], 'no table with a text column is locked')
        const [row] = play.known.tables.find(({ id }) => id === tableId)?.rows ?? []
        // With an unknown key, nothing goes in even if the lock does not hold.
        const unknown = { verify_no_such_column: 1 }
        await play.sendEach('createRow', { tableId }, { data: unknown })
        if (row) await play.sendEach('updateRow', { tableId, rowId: row.id }, { data: unknown })
        for (const operation of ['bulkInsertRows', 'submitInsertJob'] as const)
          await play.sendEach(operation, { tableId }, { rows: [unknown] })
      },
  }),
  ...[...valueTypes, 'datatable'].flatMap(tryValues),
]

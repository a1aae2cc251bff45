// Scenarios for single rows: values of every type, single-column changes, deletions.
import type { Column } from '../../../contract/datatables.ts'
import { valueTypes } from '../../../contract/column-types.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { requireValue } from '../../deployment/stop.ts'
import { writing, type Scenario, type ScenarioContext } from '../twin/player.ts'
import { makeMarkedRow, getOwnTable, findWritableColumns, unknownKey } from './own.ts'
import { bodiesOf, changeEach, tryDeletion, makeRow, noObjects, sayNext, showLists } from './records.ts'
import { fillCells, valuesOfColumn } from './values.ts'

function columnOf(ctx: ScenarioContext, type: string) {
  const column = findWritableColumns(ctx).find((one) => one.type === type)
  const { id } = requireValue(column, `the table has no writable column of type ${type}`)
  return { id, ...(column ? valuesOfColumn(ctx, column) : { good: [], odd: [] }) }
}

const toMarkedBody = (ctx: ScenarioContext, cells?: JsonObject) => ({
  data: makeMarkedRow(ctx, cells),
})
const makeFullRow = (ctx: ScenarioContext) => makeRow(ctx, fillCells(ctx))
const cellsOf = (id: string, values: readonly unknown[]) => values.map((value) => ({ data: { [id]: value } }))

const tryValues = (type: string): Scenario[] => [
  ...writing('contract, Column', {
    [`createRow getRow updateRow/values-${type}: a ${type} column returns what was written, and refuses values that do not fit`]:
      async (ctx) => {
        const { id, good, odd } = columnOf(ctx, type)
        const params = await makeRow(ctx, { [id]: good[0] })
        await changeEach(ctx, 'Row', params, cellsOf(id, [...good.slice(1), null, good[0]]))
        ctx.says(`creating a row refuses values that do not fit a ${type} column`, 'assumption typeChecks')
        const wrong = odd.slice(0, 2).map((value) => toMarkedBody(ctx, { [id]: value }))
        await ctx.sendEach('createRow', params, ...wrong)
      },
  }),
  ...writing('assumption typeChecks', {
    [`updateRow bulkInsertRows listRows/odd-values-${type}!: values that do not fit a ${type} column are refused`]:
      async (ctx) => {
        const { id, good, odd } = columnOf(ctx, type)
        const params = await makeRow(ctx, { [id]: good[0] })
        await ctx.sendEach('updateRow', params, ...cellsOf(id, odd.slice(0, 6)))
        ctx.says(
          `each value that does not fit a ${type} column is refused on its own`,
          'assumption typeChecks',
        )
        const rows = [good[0], ...odd].map((value) => makeMarkedRow(ctx, { [id]: value }))
        await ctx.sendEach('bulkInsertRows', params, { rows })
        await showLists(ctx, 'Row', params)
      },
  }),
]

const oddBodies = [{}, ...bodiesOf({ data: noObjects, rows: [[]] }), ...noObjects]

const sayUnknown = sayNext('keys that are not column ids are refused', 'assumption unknownRowKeys')

async function showRows(ctx: ScenarioContext): Promise<void> {
  await ctx.get('listDatatables')
  await ctx.sendEach('queryRows', { tableId: getOwnTable(ctx).id }, { limit: 500 })
}

export const rowScenarios: readonly Scenario[] = [
  ...writing('contract, Column', {
    'createRow getRow/read-only: read-only columns are dropped silently': async (ctx) => {
      const params = await makeRow(ctx)
      const { columns: all } = getOwnTable(ctx)
      const drop = async (dropped: readonly Column[]) => {
        for (const { id } of dropped.slice(0, 6))
          await ctx.sendEach('updateRow', params, { data: { [id]: 'x' } }, { data: { [id]: 5 } })
        const cells = Object.fromEntries(dropped.map(({ id }) => [id, 'x']))
        await ctx.sendEach('createRow', params, { data: makeMarkedRow(ctx, cells) })
      }
      await drop(all.filter(({ readonly, type }) => readonly && type !== 'attachment'))
      ctx.says('a row body cannot set files', 'assumption attachmentWrites')
      await drop(all.filter(({ type }) => type === 'attachment'))
      await ctx.get('getRow', params)
    },
    'updateRow getRow/updated: a change sets updated_at, and keeps created_at': async (ctx) => {
      const params = await makeRow(ctx)
      await ctx.get('getRow', params)
      await ctx.wait(6000)
      await changeEach(ctx, 'Row', params, [toMarkedBody(ctx)])
    },
  }),
  ...writing('contract, Datatables', {
    'createRow/bodies!: creating a row takes an object of values keyed by column id': (ctx) => {
      const { id: tableId, text } = getOwnTable(ctx)
      // Marked rows can be found and removed even if the response lacks their id.
      const more = { ...toMarkedBody(ctx), more: 1 }
      const unknown = [{ data: { ...makeMarkedRow(ctx), nope: 1 } }, { data: { [text.name]: ctx.text() } }]
      return ctx.sendEach('createRow', { tableId }, ...oddBodies, more, sayUnknown, ...unknown)
    },
    'updateRow getRow/bodies: changing a row takes values keyed by column id, or none at all': async (
      ctx,
    ) => {
      const params = await makeRow(ctx)
      const unknown = bodiesOf({ data: [{ nope: 1 }, { [getOwnTable(ctx).text.name]: 'by name' }] })
      const bodies = [{ data: {} }, ...oddBodies, { data: {}, more: 1 }, sayUnknown, ...unknown]
      await ctx.sendEach('updateRow', params, ...bodies)
      await ctx.get('getRow', params)
    },
    'updateRow getRow listRows/one-column: a change to one column keeps the others, and adds 1 to version':
      async (ctx) => {
        const params = await makeFullRow(ctx)
        await ctx.get('getRow', params)
        for (const column of findWritableColumns(ctx).slice(0, 14)) {
          const [, value = null] = valuesOfColumn(ctx, column).good
          await ctx.sendEach('updateRow', params, ...cellsOf(column.id, [value]))
        }
        await ctx.get('getRow', params)
        await changeEach(ctx, 'Row', params, [toMarkedBody(ctx, fillCells(ctx))])
        await showLists(ctx, 'Row', params)
      },
    'deleteRow getRow updateRow listRows queryRows listDatatables/gone: a deleted row is gone; the others are kept':
      async (ctx) => {
        const other = ctx.known.tables.find(({ id }) => id !== getOwnTable(ctx).id)
        await makeFullRow(ctx)
        await showRows(ctx)
        await tryDeletion('Row', () => (other ? { tableId: other.id } : undefined))(ctx)
        await showRows(ctx)
      },
    'createRow listRows/same-twice: creating the same row twice makes two rows; repeating a change gives the same row':
      async (ctx) => {
        const json = toMarkedBody(ctx, fillCells(ctx))
        const params = { tableId: getOwnTable(ctx).id }
        const { id: rowId } = await ctx.make('createRow', { params, json })
        await ctx.make('createRow', { params, json })
        await ctx.sendEach('updateRow', { ...params, rowId }, json, json)
        await showLists(ctx, 'Row', params)
      },
  }),
  ...writing('assumption lockedTable', {
    'createRow updateRow bulkInsertRows submitInsertJob/locked-table!: a locked table refuses what its lock covers':
      async (ctx) => {
        const tableId = requireValue(ctx.twin.own.lockedTables[0], 'no table with a text column is locked')
        const [row] = ctx.known.tables.find(({ id }) => id === tableId)?.rows ?? []
        // The unknown key keeps the row out even if the lock fails.
        await ctx.sendEach('createRow', { tableId }, { data: unknownKey })
        if (row) await ctx.sendEach('updateRow', { tableId, rowId: row.id }, { data: unknownKey })
        for (const operation of ['bulkInsertRows', 'submitInsertJob'] as const)
          await ctx.sendEach(operation, { tableId }, { rows: [unknownKey] })
      },
  }),
  ...[...valueTypes, 'datatable'].flatMap(tryValues),
]

// Observes the answers to questions about tables: the richest one that was read whole, and the one that the run writes to.
import { isEmpty } from '../../contract/data/objects.ts'
import { textTypes } from '../../contract/column-types.ts'
import type { Column } from '../../contract/datatables.ts'
import { operations } from '../../contract/index.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { Row } from '../../contract/rows.ts'
import type { WholeTable } from '../engine/discovery.ts'
import { Unreachable, requireMatch, requireValue } from '../engine/drift.ts'
import type { Context } from '../engine/start.ts'
import { cellsOf } from '../engine/shapes.ts'
import { letterCase, reading, writing, type Observation, type Observe } from './observer.ts'

const { query: rowQuery } = operations.listRows
const reserved: readonly string[] = [...Object.keys(rowQuery), rowQuery.limit.alias]
const textual: readonly string[] = textTypes

/** The values in a column of text that can be named in sort, select and filters. @throws {Unreachable} */
function textColumn({ table, columns, rows }: WholeTable) {
  const isPlain = ({ name }: Column) => !/[,:]/.test(name) && name.trim() === name && !reserved.includes(name)
  const isAlone = ({ name }: Column) => columns.filter((other) => other.name === name).length === 1
  const filled = columns.map((column) => ({
    column,
    values: rows.map(({ cells }) => cells[column.id]).filter((value) => !isEmpty(value)),
  }))
  return requireMatch(
    filled,
    ({ column, values }) =>
      textual.includes(column.type) && isPlain(column) && isAlone(column) && values.length > 0,
    `table ${table.name} has no text column with a value`,
  )
}

/** Observes question queryText. */
export const observeContains: Observe = async ({ api, discovered }) => {
  const whole = await discovered.richTable()
  const { column, values } = textColumn(whole)
  const text = String(values[Math.floor(values.length / 2)])
  const value = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
  if (value === text) throw new Unreachable(`"${text}" has no letters`)
  const filters = [{ column: column.id, operator: 'contains', value }]
  const ask = { params: { tableId: whole.table.id }, json: { limit: mostPerPage.rows, filters } }
  const { rows } = await api.succeed('queryRows', ask)
  return letterCase(`queryRows with contains "${value}"`, text, rows.length > 0)
}

export const columnNames = reading('columnNames', async ({ api, discovered }) => {
  const whole = await discovered.richTable()
  const { id } = textColumn(whole).column
  if (whole.columns.length < 2 || whole.columns.some(({ name }) => name === id))
    throw new Unreachable('the table has only one column, or a column called like an id')
  const query = { select: id, limit: mostPerPage.rows }
  const reply = await api.call('listRows', { params: { tableId: whole.table.id }, query })
  const how = `listRows with select=${id}: status ${String(reply.status)}`
  if (reply.status === 400) return ['names', how]
  const rows = requireValue(reply.field('rows') as Row[] | undefined, reply.summary)
  const shown = new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))
  const isAccepted = shown.size === 1 && shown.has(id)
  return isAccepted ? ['namesAndIds', `${how}, that column alone`] : ['names', `${how}, all columns`]
})

export const lockedTable = writing('lockedTable', async ({ api, own, discovered }) => {
  const chosen = await own.table()
  for (const { table } of await discovered.tablesWithColumns()) {
    if (table.id === chosen.table.id) continue
    // Without rows, or with bad ones, nothing could go in; a lock is checked first.
    const ask = { params: { tableId: table.id }, json: { rows: [] } }
    const job = await api.call('submitInsertJob', ask)
    const refusesJobs = job.status === 403 && job.field('limitReached') !== true
    const bulk = await api.call('bulkInsertRows', ask)
    if (!refusesJobs && bulk.status !== 403) continue
    const row = await api.call('createRow', { params: ask.params, json: { data: own.marker } })
    const answer = row.status === 403 ? 'writes' : bulk.status === 403 ? 'bulk' : 'jobs'
    return [answer, `table ${table.id} refuses ${answer === 'writes' ? 'single rows too' : answer}`]
  }
  throw new Unreachable('no table is locked, as far as jobs and bulk requests without rows show')
})

/** Observes what a row with a value in a column gets: its status, and what was stored. */
const sendingValue =
  (
    type: Column['type'],
    valueIn: (column: Column) => string,
    answerOf: (status: number, stored: unknown, column: Column) => Observation[0],
  ) =>
  (operation: 'createRow' | 'updateRow'): Observe =>
  async ({ api, own }: Context) => {
    const column = await own.column(type)
    const value = valueIn(column)
    const { text } = await own.table()
    const reply = await api.call(operation, { json: { data: { [text.id]: own.text(), [column.id]: value } } })
    const stored = reply.isSuccess ? cellsOf(reply.json as Row)[column.id] : undefined
    const got = `status ${String(reply.status)}, stored ${JSON.stringify(stored) ?? 'nothing'}`
    const how = `${operation} with ${JSON.stringify(value)} in a column of type ${type}: ${got}`
    return [answerOf(reply.status, stored, column), how]
  }

/** An option of a dropdown whose label is not an id. @throws {Unreachable} */
const optionIn = ({ options = [] }: Column) =>
  requireMatch(
    options,
    ({ label }) => !options.some(({ id }) => id === label),
    'the dropdown has no option whose label is not an id',
  )

const sendingLabel = sendingValue(
  'dropdown',
  (column) => optionIn(column).label,
  (status, stored, column) =>
    status === 400 ? 'strict' : stored === optionIn(column).id ? 'dropdownLabels' : undefined,
)
const sendingFile = sendingValue(
  'attachment',
  () => 'verify',
  (status, stored) => (status === 400 ? 'reject' : status === 200 && isEmpty(stored) ? 'ignore' : undefined),
)

export const typeChecks = writing('typeChecks', sendingLabel('createRow'), sendingLabel('updateRow'))
export const attachmentWrites = writing(
  'attachmentWrites',
  sendingFile('createRow'),
  sendingFile('updateRow'),
)

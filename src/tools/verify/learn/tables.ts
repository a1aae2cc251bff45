// Observes the answers to questions about tables: the one with the most types of columns, and the one that the run writes to.
import { isEmpty } from '../../../contract/data/objects.ts'
import { textTypes } from '../../../contract/column-types.ts'
import type { Column } from '../../../contract/datatables.ts'
import { operations } from '../../../contract/index.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import type { Row } from '../../../contract/rows.ts'
import { Unreachable, requireMatch, requireValue } from '../engine/drift.ts'
import { cellsOf } from '../engine/shapes.ts'
import type { FilledTable } from './live-workspace.ts'
import { reading, writing, type Observation, type Observe } from './observer.ts'

const { query: rowQuery } = operations.listRows
const reserved: readonly string[] = [...Object.keys(rowQuery), rowQuery.limit.alias]
const textual: readonly string[] = textTypes

/** A text column that sort, select and filters can name, with its values. @throws {Unreachable} */
function findTextColumn({ name: tableName, columns, rows }: FilledTable) {
  const isPlain = ({ name }: Column) => !/[,:]/.test(name) && name.trim() === name && !reserved.includes(name)
  const isAlone = ({ name }: Column) => columns.filter((other) => other.name === name).length === 1
  const filled = columns
    .filter((column) => textual.includes(column.type) && isPlain(column) && isAlone(column))
    .map(({ id }) => ({ id, values: rows.map((row) => cellsOf(row)[id]).filter((value) => !isEmpty(value)) }))
  const why = `table ${tableName} has no text column with a value`
  return requireMatch(filled, ({ values }) => values.length > 0, why)
}

/** A text and the same in the other case, to search for. @throws {Unreachable} */
export function chooseOtherCase(texts: readonly string[], why: string) {
  // Upper case replaces some letters for good, such as ß.
  const isPlain = (text: string) => text.toUpperCase().toLowerCase() === text.toLowerCase()
  const text = requireMatch(texts, (one) => one.toUpperCase() !== one.toLowerCase() && isPlain(one), why)
  return { text, other: text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase() }
}

/** Assumption: queryText */
export const judgeLetterCase = (search: string, text: string, isFound: boolean): Observation =>
  isFound ? ['insensitive', `${search} finds "${text}"`] : ['sensitive', `${search} does not find "${text}"`]

export const observeContains: Observe = async (live) => {
  const table = await live.readRichTable()
  const { id, values } = findTextColumn(table)
  const { text, other } = chooseOtherCase(values.map(String), `column ${id} has no value with letters`)
  const filters = [{ column: id, operator: 'contains', value: other }]
  const ask = { params: { tableId: table.id }, json: { limit: mostPerPage.rows, filters } }
  const found = (await live.api.succeed('queryRows', ask)).rows.map((row) => String(cellsOf(row)[id]))
  const isIgnored = found.some((value) => !value.toLowerCase().includes(other.toLowerCase()))
  if (isIgnored) return [undefined, 'queryRows ignores filters']
  const isFound = found.some((value) => !value.includes(other))
  return judgeLetterCase(`queryRows with contains "${other}"`, text, isFound)
}

export const columnNames = reading('columnNames', async (live) => {
  const table = await live.readRichTable()
  const { id: select } = findTextColumn(table)
  if (table.columns.length < 2 || table.columns.some(({ name }) => name === select))
    throw new Unreachable('the table has only one column, or a column called like an id')
  const ask = { params: { tableId: table.id }, query: { select, limit: mostPerPage.rows } }
  const reply = await live.api.call('listRows', ask)
  const how = `listRows with select=${select}: status ${String(reply.status)}`
  if (reply.status === 400) return ['names', how]
  const rows = requireValue(reply.field('rows') as Row[] | undefined, reply.summary)
  const shown = new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))
  const isAccepted = shown.size === 1 && shown.has(select)
  return isAccepted ? ['namesAndIds', `${how}, that column alone`] : ['names', `${how}, all columns`]
})

export const lockedTable = writing('lockedTable', async (live) => {
  const { api, context } = live
  const chosen = await live.chooseTable()
  for (const { id: tableId } of await live.readTables()) {
    if (tableId === chosen.id) continue
    // Without rows nothing can go in; a lock is checked first.
    const ask = { params: { tableId }, json: { rows: [] } }
    const job = await api.call('submitInsertJob', ask)
    const refusesJobs = job.status === 403 && job.field('limitReached') !== true
    const bulk = await api.call('bulkInsertRows', ask)
    if (!refusesJobs && bulk.status !== 403) continue
    const row = await api.call('createRow', { params: ask.params, json: { data: context.marker } })
    const answer = row.status === 403 ? 'writes' : bulk.status === 403 ? 'bulk' : 'jobs'
    return [answer, `table ${tableId} refuses ${answer === 'writes' ? 'single rows too' : answer}`]
  }
  throw new Unreachable('no table is locked, as far as jobs and bulk requests without rows show')
})

/** Writes a value to a column of a row. */
const makeValueProbe =
  (
    type: Column['type'],
    valueIn: (column: Column) => string,
    answerOf: (status: number, stored: unknown, column: Column) => Observation[0],
  ) =>
  (operation: 'createRow' | 'updateRow'): Observe =>
  async (live) => {
    const table = await live.chooseTable()
    const isMeant = (one: Column) => one.type === type
    const column = requireMatch(table.columns, isMeant, `the table has no column of type ${type}`)
    const value = valueIn(column)
    const data = { ...live.makeGoodRow(table), [column.id]: value }
    const reply = await live.api.call(operation, { json: { data } })
    const stored = reply.isSuccess ? cellsOf(reply.json as Row)[column.id] : undefined
    const got = `status ${String(reply.status)}, stored ${JSON.stringify(stored) ?? 'nothing'}`
    const how = `${operation} with ${JSON.stringify(value)} in a column of type ${type}: ${got}`
    return [answerOf(reply.status, stored, column), how]
  }

/** An option of a dropdown whose label is not an id. @throws {Unreachable} */
const findOption = ({ options = [] }: Column) =>
  requireMatch(
    options,
    ({ label }) => !options.some(({ id }) => id === label),
    'the dropdown has no option whose label is not an id',
  )

const makeLabelProbe = makeValueProbe(
  'dropdown',
  (column) => findOption(column).label,
  (status, stored, column) =>
    status === 400 ? 'strict' : stored === findOption(column).id ? 'dropdownLabels' : undefined,
)
const makeFileProbe = makeValueProbe(
  'attachment',
  () => 'verify',
  (status, stored) => (status === 400 ? 'reject' : status === 200 && isEmpty(stored) ? 'ignore' : undefined),
)

export const typeChecks = writing('typeChecks', makeLabelProbe('createRow'), makeLabelProbe('updateRow'))
export const attachmentWrites = writing(
  'attachmentWrites',
  makeFileProbe('createRow'),
  makeFileProbe('updateRow'),
)

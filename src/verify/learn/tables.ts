// Probes of tables: the richest one that was read whole, and the one that the run writes to.
import { isEmpty } from '../../contract/data/objects.ts'
import { textTypes } from '../../contract/column-types.ts'
import type { Column, Option } from '../../contract/datatables.ts'
import { operations } from '../../contract/index.ts'
import type { Row } from '../../contract/rows.ts'
import type { WholeTable } from '../engine/discovery.ts'
import { Unreachable } from '../engine/drift.ts'
import { requireMatch, requireValue } from '../engine/expect.ts'
import type { Context } from '../engine/rule.ts'
import { cellsOf } from '../engine/shapes.ts'
import { letterCase, type ObservedAnswer } from './observed-answer.ts'

const { query: rowQuery } = operations.listRows
const reserved: readonly string[] = [...Object.keys(rowQuery), rowQuery.limit.alias]
const textual: readonly string[] = textTypes

/** The table with the most types of columns among those read whole; calls are about it. @throws {Unreachable} */
export async function richTable(context: Context) {
  const whole = await context.discovered.richTable()
  return { ...context, ...whole, api: context.api.at({ tableId: whole.table.id }) }
}
type RichTable = Awaited<ReturnType<typeof richTable>>

const filledValues = ({ rows }: WholeTable, { id }: Column) =>
  rows.map(({ cells }) => cells[id]).filter((value) => !isEmpty(value))

/** Whether a column can be named in sort, select and filters without being taken for something else. */
const isPlain = ({ name }: Column, { columns }: WholeTable) =>
  !/[,:]/.test(name) &&
  name.trim() === name &&
  !reserved.includes(name) &&
  columns.filter((other) => other.name === name).length === 1

/** A column of text with a value. @throws {Unreachable} if there is none */
const textColumn = (table: WholeTable) =>
  requireMatch(
    table.columns,
    (one) => textual.includes(one.type) && isPlain(one, table) && filledValues(table, one).length > 0,
    `table ${table.table.name} has no text column with a value`,
  )

/** Observes question queryText. */
export async function seeContains(on: RichTable): Promise<ObservedAnswer> {
  const column = textColumn(on)
  const values = filledValues(on, column)
  const text = String(values[Math.floor(values.length / 2)])
  const value = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
  if (value === text) throw new Unreachable(`"${text}" has no letters`)
  const filters = [{ column: column.id, operator: 'contains', value }]
  const { rows } = await on.api.succeed('queryRows', { json: { limit: 500, filters } })
  return letterCase(`queryRows with contains "${value}"`, text, rows.length > 0)
}

/** Observes question columnNames. */
export async function seeColumnNames(on: RichTable): Promise<ObservedAnswer> {
  const { id } = textColumn(on)
  if (on.columns.length < 2 || on.columns.some(({ name }) => name === id))
    throw new Unreachable('the table has only one column, or a column called like an id')
  const reply = await on.api.call('listRows', { query: { select: id, limit: 500 } })
  const how = `listRows with select=${id}: status ${String(reply.status)}`
  if (reply.status === 400) return { answer: 'names', how }
  const rows = requireValue(reply.field('rows') as Row[] | undefined, reply.summary)
  const shown = [...new Set(rows.flatMap((row) => Object.keys(cellsOf(row))))]
  const isTaken = shown.length === 1 && shown[0] === id
  return {
    answer: isTaken ? 'namesAndIds' : 'names',
    how: `${how}, ${isTaken ? 'that column alone' : 'all columns'}`,
  }
}

/** Observes question lockedTable. */
export async function seeLock({ api, own, discovered }: Context): Promise<ObservedAnswer> {
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
    return { answer, how: `table ${table.id} refuses ${answer === 'writes' ? 'single rows too' : answer}` }
  }
  throw new Unreachable('no table is locked, as far as jobs and bulk requests without rows show')
}

/** The table that the run writes to. */
const ofTable = async (context: Context) => ({ ...context, ...(await context.own.table()) })
type OfTable = Awaited<ReturnType<typeof ofTable>>

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
    const option = requireMatch(options, hasOwnLabel, 'the dropdown has no option whose label is not an id')
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

// Scenarios of many rows at once: bulk requests, upserts and jobs.
import { isEmpty } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { bulkRowsPerRequest } from '../../contract/limits.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { runJob, submitJob } from './job.ts'
import {
  badRow,
  firstValues,
  listOwnRows,
  listRowsOfJob,
  makeRow,
  markedRow,
  ownTable,
  writableColumns,
} from './own.ts'
import { valuesOf } from './values.ts'

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function sendRows(play: Play, rows: unknown, more: JsonObject = {}) {
  const params = { tableId: ownTable(play).id }
  return play.call('bulkInsertRows', { params, json: { rows, ...more } })
}

const bulk: readonly Scenario[] = [
  writing(
    'bulkInsertRows listRows listDatatables/inserts',
    'contract, Datatables',
    'rows go in in the order sent, with all their values',
    async (play) => {
      const table = ownTable(play)
      await sendRows(play, [
        markedRow(play, table),
        markedRow(play, table, firstValues(play, table)),
        markedRow(play, table),
      ])
      await listOwnRows(play)
      await play.call('listDatatables')
      await sendRows(play, [markedRow(play, table)], { mode: 'insert', more: 1 })
      await listOwnRows(play)
    },
  ),
  writing(
    'bulkInsertRows listRows/some-fail',
    'contract, Datatables',
    'a row that fails is reported and does not go in, the others do',
    async (play) => {
      const table = ownTable(play)
      const good = () => markedRow(play, table)
      // All have the mark of the run, so that what a deployment takes by mistake is found and removed.
      const unknown = { ...good(), verify_no_such_column: 1 }
      await sendRows(play, [good(), badRow(play, table), good(), unknown])
      await listOwnRows(play)
      play.says('a request of which no row goes in is refused', 'assumption bulkAllFailed')
      await sendRows(play, [badRow(play, table), badRow(play, table)])
      await sendRows(play, [])
      await listOwnRows(play)
    },
  ),
  writing(
    'bulkInsertRows listRows/bodies',
    'contract, Datatables',
    'rows are an array, and the mode is insert or upsert',
    async (play) => {
      const table = ownTable(play)
      for (const rows of ['x', {}, undefined, null]) await sendRows(play, rows)
      await sendRows(play, [markedRow(play, table)], { mode: 'verify' })
      for (const json of [[], null, 'x'])
        await play.call('bulkInsertRows', { params: { tableId: table.id }, json })
      await listOwnRows(play)
    },
  ),
  writing(
    'bulkInsertRows/limit',
    'contract, Limits',
    `${String(bulkRowsPerRequest)} rows are taken, one more is refused with 413`,
    async (play) => {
      const table = ownTable(play)
      await sendRows(play, [
        markedRow(play, table),
        ...times(bulkRowsPerRequest - 1, () => badRow(play, table)),
      ])
      await sendRows(
        play,
        times(bulkRowsPerRequest + 1, () => badRow(play, table)),
      )
      await sendRows(
        play,
        times(2 * bulkRowsPerRequest, () => badRow(play, table)),
      )
    },
  ),
]

/** Two columns by which rows are told apart: the text of the run, and one more. */
async function upserting(play: Play) {
  const table = ownTable(play)
  const { id: tableId, text } = table
  const other = writableColumns(table).find(({ type }) => ['longtext', 'text', 'email'].includes(type))
  const [a, b, c] = [play.text(), play.text(), play.text()]
  const { marker } = play.twin.context.own
  // Where a row of others lacks the key, a deployment that matches nothing with nothing would change it.
  const isFilled =
    table.row_count <= table.rows.length && table.rows.every(({ cells }) => !isEmpty(cells[text.id]))
  const full = firstValues(play, table)
  await sendRows(play, [{ ...full, [text.id]: a }, { ...full, [text.id]: b }, { [text.id]: b }])
  const upsert = async (rows: unknown, more: JsonObject = { key_column: text.id }) => {
    await play.call('bulkInsertRows', { params: { tableId }, json: { rows, mode: 'upsert', ...more } })
    await listOwnRows(play)
  }
  const row = (key: unknown, value: string): JsonObject => ({
    [text.id]: key,
    ...(other && { [other.id]: `${marker} ${value}` }),
  })
  return { table, text, a, b, c, upsert, row, mayLackKey: other !== undefined && isFilled }
}

const upserts: readonly Scenario[] = [
  writing(
    'bulkInsertRows listRows/upsert',
    'contract, Datatables',
    'a row that matches on key_column is changed in place, any other is inserted',
    async (play) => {
      const { a, c, text, upsert, row } = await upserting(play)
      await upsert([row(a, 'two'), row(c, 'one')])
      await upsert([row(a, 'two'), row(c, 'one')])
      play.says('a match that sends its key alone keeps all else', 'contract, Datatables')
      await upsert([{ [text.id]: a }])
    },
  ),
  writing(
    'bulkInsertRows listRows/upsert-matches',
    'assumption upsertMatch',
    'of several matches the first counts; two rows of one key are one; a missing key inserts; case counts',
    async (play) => {
      const { a, b, c, text, upsert, row, table, mayLackKey } = await upserting(play)
      await upsert([row(b, 'first of two')], { key_column: text.name })
      await upsert([row(`${c} new`, 'one'), row(`${c} new`, 'two')])
      await upsert([...(mayLackKey ? [row(null, 'no key')] : []), row(a.toUpperCase(), 'upper case')])
      await upsert([row(a, 'good'), { [text.id]: c, verify_no_such_column: 1 }, badRow(play, table)])
    },
  ),
  writing(
    'bulkInsertRows listRows/upsert-keys',
    'assumption upsertMatch',
    'a missing or unknown key_column is refused',
    async (play) => {
      const { a, upsert, row } = await upserting(play)
      for (const more of [{}, { key_column: 'verify no such column' }, { key_column: 5 }])
        await upsert([row(a, 'x')], more)
    },
  ),
  writing(
    'bulkInsertRows getRow/upsert-types',
    'assumption upsertMatch',
    'a column of another type can be the key',
    async (play) => {
      const table = ownTable(play)
      // Values that no row of others has: what matches is changed, and removed at the end.
      const keys = writableColumns(table).flatMap(({ id, type }): [string, unknown][] =>
        ['longtext', 'email', 'phone', 'link'].includes(type)
          ? [[id, play.text()]]
          : type === 'number'
            ? [[id, 8_675_309.125]]
            : [],
      )
      const { params } = await makeRow(play, Object.fromEntries(keys))
      for (const [id, value] of keys) {
        const rows = [{ [table.text.id]: play.text(), [id]: value }]
        const json = { rows, mode: 'upsert', key_column: id }
        await play.call('bulkInsertRows', { params: { tableId: table.id }, json })
      }
      await play.call('getRow', { params })
    },
  ),
]

const jobs: readonly Scenario[] = [
  writing(
    'submitInsertJob getJob listRows listDatatables/job-inserts',
    'contract, Jobs',
    'the rows are in the table once the job is done, all their values, in the order sent',
    async (play) => {
      const table = ownTable(play)
      await runJob(play, [
        markedRow(play, table),
        markedRow(play, table, firstValues(play, table)),
        markedRow(play, table),
      ])
      await listRowsOfJob(play)
      await play.call('listDatatables')
    },
  ),
  writing(
    'submitInsertJob getJob listRows/job-some-fail',
    'contract, Job',
    'a job with rows that fail counts errors and says why; one of which no row goes in fails',
    async (play) => {
      const table = ownTable(play)
      await runJob(play, [markedRow(play, table), badRow(play, table), markedRow(play, table)])
      await listRowsOfJob(play)
      play.says('a job of which no row goes in fails', 'assumption jobTransitions')
      await runJob(play, [badRow(play, table), badRow(play, table)])
      await listRowsOfJob(play)
    },
  ),
  writing(
    'submitInsertJob getJob/values',
    'contract, Jobs',
    'a job takes and refuses the same values as a single row',
    async (play) => {
      const table = ownTable(play)
      const cells = writableColumns(table).flatMap((column) =>
        valuesOf(column, play.known.members)
          .good.slice(1)
          .map((value) => ({ [column.id]: value })),
      )
      await runJob(
        play,
        cells.slice(0, 25).map((one) => markedRow(play, table, one)),
      )
      await listRowsOfJob(play)
    },
  ),
  writing('submitInsertJob/bodies', 'contract, Jobs', 'a job needs rows', async (play) => {
    for (const json of [{ rows: [] }, {}, { rows: 'x' }, { rows: {} }, [], null]) await submitJob(play, json)
  }),
  writing(
    'submitInsertJob/limit',
    'contract, Limits',
    'a job of more rows than the plan allows is refused',
    async (play) => {
      const table = ownTable(play)
      const most = play.twin.jobRows
      await submitJob(play, { rows: times(most + 1, () => badRow(play, table)) })
    },
  ),
]

export const bulkScenarios: readonly Scenario[] = [...bulk, ...upserts, ...jobs]

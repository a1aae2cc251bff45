// Scenarios of many rows at once: bulk requests, upserts and the rows of jobs.
import { isEmpty } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { bulkRowsPerRequest } from '../../../contract/limits.ts'
import { writing, type Scenario, type Play } from '../twin/play.ts'
import { runJob, submitJob, submitMostRows } from './jobs.ts'
import {
  fillCells,
  findWritableColumns,
  getOwnTable,
  listOwnRows,
  listRowsOfJob,
  makeBadRow,
  makeBadRows,
  makeMarkedRow,
  valuesOfColumn,
} from './own.ts'
import { bodiesOf, makeRow } from './records.ts'

const sendRows = (play: Play, rows: unknown, more: JsonObject = {}) =>
  play.sendEach('bulkInsertRows', { tableId: getOwnTable(play).id }, { rows, ...more })

async function prepareUpserts(play: Play) {
  const { text, row_count, rows } = getOwnTable(play)
  const other = findWritableColumns(play).find(({ type }) => ['longtext', 'text', 'email'].includes(type))
  const [a, b, c] = [play.text(), play.text(), play.text()]
  const { marker } = play.twin.context
  // A deployment that matches a missing key with a missing key would change rows of others.
  const isFilled = row_count <= rows.length && rows.every(({ cells }) => !isEmpty(cells[text.id]))
  const full = fillCells(play)
  await sendRows(play, [{ ...full, [text.id]: a }, { ...full, [text.id]: b }, { [text.id]: b }])
  const upsert = async (all: unknown, more: JsonObject = { key_column: text.id }) => {
    await sendRows(play, all, { mode: 'upsert', ...more })
    await listOwnRows(play)
  }
  const row = (key: unknown, value: string): JsonObject => ({
    [text.id]: key,
    ...(other && { [other.id]: `${marker} ${value}` }),
  })
  return { text, a, b, c, upsert, row, mayLackKey: other !== undefined && isFilled }
}

const textTypes: readonly string[] = ['longtext', 'email', 'phone', 'link']

export const bulkScenarios: readonly Scenario[] = [
  ...writing('contract, Datatables', {
    'bulkInsertRows listRows listDatatables/inserts: rows go in in the order sent, with all their values':
      async (play) => {
        await sendRows(play, [makeMarkedRow(play), makeMarkedRow(play, fillCells(play)), makeMarkedRow(play)])
        await listOwnRows(play)
        await play.get('listDatatables')
        await sendRows(play, [makeMarkedRow(play)], { mode: 'insert', more: 1 })
        await listOwnRows(play)
      },
    'bulkInsertRows listRows/some-fail: a row that fails is reported and does not go in, the others do':
      async (play) => {
        // All are marked, so that rows inserted by mistake are found and removed.
        const unknown = makeMarkedRow(play, { verify_no_such_column: 1 })
        await sendRows(play, [makeMarkedRow(play), makeBadRow(play), makeMarkedRow(play), unknown])
        await listOwnRows(play)
        play.says('a request of which no row goes in is refused', 'assumption bulkAllFailed')
        await sendRows(play, [makeBadRow(play), makeBadRow(play)])
        await sendRows(play, [])
        play.says('null among rows fails alone', 'assumption bulkErrors')
        await sendRows(play, [makeMarkedRow(play), null, makeMarkedRow(play)])
        await listOwnRows(play)
      },
    'bulkInsertRows listRows/bodies: rows are an array, and the mode is insert or upsert': async (play) => {
      for (const rows of ['x', {}, undefined, null]) await sendRows(play, rows)
      await sendRows(play, [makeMarkedRow(play)], { mode: 'verify' })
      await play.sendEach('bulkInsertRows', { tableId: getOwnTable(play).id }, [], null, 'x')
      await listOwnRows(play)
    },
    'bulkInsertRows listRows/upsert: a row that matches on key_column is changed in place, any other is inserted':
      async (play) => {
        const { a, c, text, upsert, row } = await prepareUpserts(play)
        await upsert([row(a, 'two'), row(c, 'one')])
        await upsert([row(a, 'two'), row(c, 'one')])
        play.says('a match that sends its key alone keeps all else', 'contract, Datatables')
        await upsert([{ [text.id]: a }])
      },
  }),
  ...writing('contract, Limits', {
    [`bulkInsertRows/limit: ${String(bulkRowsPerRequest)} rows are taken, one more is refused with 413`]:
      async (play) => {
        await sendRows(play, [makeMarkedRow(play), ...makeBadRows(play, bulkRowsPerRequest - 1)])
        await sendRows(play, makeBadRows(play, bulkRowsPerRequest + 1))
        await sendRows(play, makeBadRows(play, 2 * bulkRowsPerRequest))
      },
    'submitInsertJob/limit: a job takes as many rows as the plan allows, and not one more': submitMostRows,
  }),
  ...writing('assumption upsertMatch', {
    'bulkInsertRows listRows/upsert-matches: the first match counts; a missing key inserts; case counts':
      async (play) => {
        const { a, b, c, text, upsert, row, mayLackKey } = await prepareUpserts(play)
        await upsert([row(b, 'first of two')], { key_column: text.name })
        play.says('two rows of one key are one', 'assumption upsertMatch')
        await upsert([row(`${c} new`, 'one'), row(`${c} new`, 'two')])
        play.says('a missing key inserts; case counts', 'assumption upsertMatch')
        await upsert([...(mayLackKey ? [row(null, 'no key')] : []), row(a.toUpperCase(), 'upper case')])
        await upsert([row(a, 'good'), { [text.id]: c, verify_no_such_column: 1 }, makeBadRow(play)])
      },
    'bulkInsertRows listRows/upsert-keys: a missing or unknown key_column is refused': async (play) => {
      const { a, upsert, row } = await prepareUpserts(play)
      for (const more of [{}, { key_column: 'verify no such column' }, { key_column: 5 }])
        await upsert([row(a, 'x')], more)
    },
    'bulkInsertRows getRow/upsert-types: a column of another type can be the key': async (play) => {
      // A key that others use, too, would change their row.
      const { rows } = getOwnTable(play)
      const number = Math.floor(play.twin.clock.nowMs()) + 0.125
      const columns = findWritableColumns(play).filter(({ id, type }) =>
        type === 'number' ? rows.every(({ cells }) => cells[id] !== number) : textTypes.includes(type),
      )
      const keys = columns.map(({ id, type }) => [id, type === 'number' ? number : play.text()] as const)
      const params = await makeRow(play, Object.fromEntries(keys))
      for (const [id, value] of keys)
        await sendRows(play, [makeMarkedRow(play, { [id]: value })], { mode: 'upsert', key_column: id })
      await play.get('getRow', params)
    },
  }),
  ...writing('contract, Jobs', {
    'submitInsertJob getJob listRows listDatatables/job-inserts: the rows are there once the job is done':
      async (play) => {
        await runJob(play, [makeMarkedRow(play), makeMarkedRow(play, fillCells(play)), makeMarkedRow(play)])
        await listRowsOfJob(play)
        await play.get('listDatatables')
      },
    'submitInsertJob getJob/values: a job takes the same values as a single row': async (play) => {
      const valuesAt = (index: number) =>
        findWritableColumns(play).flatMap((column): [string, unknown][] => {
          const value = valuesOfColumn(play, column).good[index]
          return value === undefined ? [] : [[column.id, value]]
        })
      const rows = [1, 2, 3].map((index) => makeMarkedRow(play, Object.fromEntries(valuesAt(index))))
      await runJob(play, rows)
      await listRowsOfJob(play)
    },
    'submitInsertJob/bodies: a job needs rows': async (play) => {
      for (const json of [...bodiesOf({ rows: [[], 'x', {}] }), {}, [], null]) await submitJob(play, json)
    },
  }),
  ...writing('contract, Job', {
    'submitInsertJob getJob listRows/job-some-fail: a job with rows that fail counts errors and says why':
      async (play) => {
        const unknown = makeMarkedRow(play, { verify_no_such_column: 1 })
        await runJob(play, [makeMarkedRow(play), makeBadRow(play), unknown, null, makeMarkedRow(play)])
        await listRowsOfJob(play)
        play.says('a job of which no row goes in fails', 'assumption jobTransitions')
        await runJob(play, [makeBadRow(play), makeBadRow(play)])
        await listRowsOfJob(play)
      },
  }),
]

// Scenarios with many rows: bulk requests, upserts and jobs.
import { idsOf } from '../../../contract/data/maps.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { bulkRowsPerRequest } from '../../../contract/limits.ts'
import { writing, type Scenario, type ScenarioContext } from '../twin/player.ts'
import { Stop } from '../../deployment/stop.ts'
import { compareLimit, runJob, submitJob, submitMostRows } from './jobs.ts'
import {
  findWritableColumns,
  getOwnTable,
  listOwnRows,
  makeBadRow,
  makeBadRows,
  makeMarkedRow,
  unknownKey,
} from './own.ts'
import { bodiesOf, makeRow } from './records.ts'
import { fillCells, valuesOfColumn } from './values.ts'

/** After a job, row times differ because each side inserted its rows at a different moment. */
const listRowsOfJob = (ctx: ScenarioContext) => {
  const isMoment = ({ type }: Column) => type === 'created_at' || type === 'updated_at'
  return listOwnRows(ctx, { loose: idsOf(getOwnTable(ctx).columns.filter(isMoment)) })
}

const sendRows = (ctx: ScenarioContext, rows: unknown, more: JsonObject = {}) =>
  ctx.sendEach('bulkInsertRows', { tableId: getOwnTable(ctx).id }, { rows, ...more })

async function prepareUpserts(ctx: ScenarioContext) {
  const { text, row_count, rows } = getOwnTable(ctx)
  const other = findWritableColumns(ctx).find(({ type }) => ['longtext', 'text', 'email'].includes(type))
  const [a, b, c] = [ctx.text(), ctx.text(), ctx.text()]
  const { marker } = ctx
  // A deployment that matches missing keys with each other would change other people's rows.
  const isFilled = row_count <= rows.length && rows.every(({ cells }) => !isEmpty(cells[text.id]))
  const full = fillCells(ctx)
  await sendRows(ctx, [{ ...full, [text.id]: a }, { ...full, [text.id]: b }, { [text.id]: b }])
  const upsert = async (all: unknown, more: JsonObject = { key_column: text.id }) => {
    await sendRows(ctx, all, { mode: 'upsert', ...more })
    await listOwnRows(ctx)
  }
  const row = (key: unknown, value: string): JsonObject => ({
    [text.id]: key,
    ...(other && { [other.id]: `${marker} ${value}` }),
  })
  return { text, a, b, c, upsert, row, mayLackKey: other !== undefined && isFilled }
}

/**
 * Together with other scenarios' bulk requests, enough to reach the per-minute limit if requests are quick and the
 * plan is small.
 */
const mostInWindow = 28

/** Sends bulk requests without rows until the per-minute limit refuses one. */
async function exceedMinute(ctx: ScenarioContext): Promise<void> {
  const ask = { params: { tableId: getOwnTable(ctx).id }, json: { rows: [] }, keepLimit: true }
  let usual: number | undefined
  for (let count = 0; count < mostInWindow; count += 1) {
    const { theirs } = await ctx.sendToDeployment('bulkInsertRows', ask)
    usual ??= theirs.status
    if (theirs.status === usual && theirs.status !== 429 && theirs.field('limitReached') !== true) continue
    // The 429 may come from a gateway that limits all requests.
    const isOfBulk = theirs.field('resource') === 'bulkInsertPerMinute' || theirs.status !== 429
    if (!isOfBulk && (await ctx.sendToDeployment('getIdentity', { keepLimit: true })).theirs.status === 429)
      break
    compareLimit(ctx, 'bulkInsertRows', theirs, 'bulkInsertPerMinute')
    return
  }
  throw new Stop(`${String(mostInWindow)} bulk requests in a row did not reach the per-minute limit`, 'limit')
}

const textTypes: readonly string[] = ['longtext', 'email', 'phone', 'link']

export const bulkScenarios: readonly Scenario[] = [
  ...writing('contract, Datatables', {
    'bulkInsertRows listRows listDatatables/inserts: rows are inserted in the order sent, with all their values':
      async (ctx) => {
        await sendRows(ctx, [makeMarkedRow(ctx), makeMarkedRow(ctx, fillCells(ctx)), makeMarkedRow(ctx)])
        await listOwnRows(ctx)
        await ctx.get('listDatatables')
        await sendRows(ctx, [makeMarkedRow(ctx)], { mode: 'insert', more: 1 })
        await listOwnRows(ctx)
      },
    'bulkInsertRows listRows/some-fail: a row that fails is reported and not inserted; the others are inserted':
      async (ctx) => {
        // All rows are marked, so that any inserted by mistake can be found and removed.
        const unknown = makeMarkedRow(ctx, unknownKey)
        await sendRows(ctx, [makeMarkedRow(ctx), makeBadRow(ctx), makeMarkedRow(ctx), unknown])
        await listOwnRows(ctx)
        ctx.says('a request is refused if no row can be inserted', 'assumption bulkAllFailed')
        await sendRows(ctx, [makeBadRow(ctx), makeBadRow(ctx)])
        await sendRows(ctx, [])
        ctx.says('a null among the rows fails without affecting the others', 'assumption bulkErrors')
        await sendRows(ctx, [makeMarkedRow(ctx), null, makeMarkedRow(ctx)])
        await listOwnRows(ctx)
      },
    'bulkInsertRows listRows/bodies!: rows must be an array, and mode insert or upsert': async (ctx) => {
      for (const rows of ['x', {}, undefined, null]) await sendRows(ctx, rows)
      await sendRows(ctx, [makeMarkedRow(ctx)], { mode: 'verify' })
      await ctx.sendEach('bulkInsertRows', { tableId: getOwnTable(ctx).id }, [], null, 'x')
      await listOwnRows(ctx)
    },
    'bulkInsertRows listRows/upsert: a row that matches on key_column is changed in place; any other row is inserted':
      async (ctx) => {
        const { a, c, text, upsert, row } = await prepareUpserts(ctx)
        await upsert([row(a, 'two'), row(c, 'one')])
        await upsert([row(a, 'two'), row(c, 'one')])
        ctx.says('a matching row that sends only its key keeps all its other values', 'contract, Datatables')
        await upsert([{ [text.id]: a }])
      },
  }),
  ...writing('contract, Limits', {
    [`bulkInsertRows/limit: ${String(bulkRowsPerRequest)} rows are accepted, one more is refused with 413`]:
      async (ctx) => {
        await sendRows(ctx, [makeMarkedRow(ctx), ...makeBadRows(ctx, bulkRowsPerRequest - 1)])
        await sendRows(ctx, makeBadRows(ctx, bulkRowsPerRequest + 1))
        await sendRows(ctx, makeBadRows(ctx, 2 * bulkRowsPerRequest))
      },
    'submitInsertJob/limit: a job accepts as many rows as the plan allows, but not one more': submitMostRows,
  }),
  ...writing('assumption upsertMatch', {
    'bulkInsertRows listRows/upsert-matches: the first match is changed; a row without a key is inserted; case matters':
      async (ctx) => {
        const { a, b, c, text, upsert, row, mayLackKey } = await prepareUpserts(ctx)
        await upsert([row(b, 'first of two')], { key_column: text.name })
        ctx.says('two rows with the same key become one', 'assumption upsertMatch')
        await upsert([row(`${c} new`, 'one'), row(`${c} new`, 'two')])
        ctx.says('a row without a key is inserted; case matters', 'assumption upsertMatch')
        await upsert([...(mayLackKey ? [row(null, 'no key')] : []), row(a.toUpperCase(), 'upper case')])
        await upsert([row(a, 'good'), { [text.id]: c, ...unknownKey }, makeBadRow(ctx)])
      },
    'bulkInsertRows listRows/upsert-keys: a missing or unknown key_column is refused': async (ctx) => {
      const { a, upsert, row } = await prepareUpserts(ctx)
      for (const more of [{}, { key_column: 'verify no such column' }, { key_column: 5 }])
        await upsert([row(a, 'x')], more)
    },
    'bulkInsertRows getRow/upsert-types: columns that are not of type text can be the key': async (ctx) => {
      // A key that occurs in other people's rows would change them.
      const { rows } = getOwnTable(ctx)
      const number = Math.floor(ctx.twin.clock.nowMs()) + 0.125
      const columns = findWritableColumns(ctx).filter(({ id, type }) =>
        type === 'number' ? rows.every(({ cells }) => cells[id] !== number) : textTypes.includes(type),
      )
      const keys = columns.map(({ id, type }) => [id, type === 'number' ? number : ctx.text()] as const)
      const params = await makeRow(ctx, Object.fromEntries(keys))
      for (const [id, value] of keys)
        await sendRows(ctx, [makeMarkedRow(ctx, { [id]: value })], { mode: 'upsert', key_column: id })
      await ctx.get('getRow', params)
    },
  }),
  ...writing('contract, Jobs', {
    'submitInsertJob getJob listRows listDatatables/job-inserts: the rows are there once the job is done':
      async (ctx) => {
        await runJob(ctx, [makeMarkedRow(ctx), makeMarkedRow(ctx, fillCells(ctx)), makeMarkedRow(ctx)])
        await listRowsOfJob(ctx)
        await ctx.get('listDatatables')
      },
    'submitInsertJob getJob/values: a job accepts the same values as a single row': async (ctx) => {
      const valuesAt = (index: number) =>
        findWritableColumns(ctx).flatMap((column): [string, unknown][] => {
          const value = valuesOfColumn(ctx, column).good[index]
          return value === undefined ? [] : [[column.id, value]]
        })
      const rows = [1, 2, 3].map((index) => makeMarkedRow(ctx, Object.fromEntries(valuesAt(index))))
      await runJob(ctx, rows)
      await listRowsOfJob(ctx)
    },
    'submitInsertJob/bodies!: a job needs rows': async (ctx) => {
      for (const json of [...bodiesOf({ rows: [[], 'x', {}] }), {}, [], null]) await submitJob(ctx, json)
    },
  }),
  ...writing('contract, Job', {
    'submitInsertJob getJob listRows/job-some-fail: a job with rows that fail counts errors and says why':
      async (ctx) => {
        const unknown = makeMarkedRow(ctx, unknownKey)
        await runJob(ctx, [makeMarkedRow(ctx), makeBadRow(ctx), unknown, null, makeMarkedRow(ctx)])
        await listRowsOfJob(ctx)
        ctx.says('a job fails if no row can be inserted', 'assumption jobTransitions')
        await runJob(ctx, [makeBadRow(ctx), makeBadRow(ctx)])
        await listRowsOfJob(ctx)
      },
  }),
  // Last, because it uses up the per-minute limit for bulk requests.
  ...writing('contract, Limits', {
    'bulkInsertRows/minute!: bulk requests beyond the per-minute limit are refused with 429': exceedMinute,
  }),
]

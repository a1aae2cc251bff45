// The rules of synchronous bulk requests: insert and upsert.
import { bulkRowsPerRequest } from '../../../contract/limits.ts'
import type { Ask } from '../../engine/client.ts'
import type { Context } from '../../engine/context.ts'
import type { OwnTable } from '../../engine/own.ts'
import type { Row } from '../../../contract/rows.ts'
import { lastRows } from './consequences.ts'
import { fullCells } from './sample.ts'
import { cellsOf, type Cells } from './shapes.ts'
import { isObject } from '../../../contract/values/objects.ts'
import { assumed, contract, expectSame, needed, type Rule, rulesOf, Unreachable } from '../../engine/rule.ts'

const datatables = contract('Datatables, rows/bulk')
const limits = contract('Limits')

interface Bulk {
  readonly table: OwnTable
  readonly context: Context
  /** Sends a bulk request to the table. */
  readonly ask: (json: unknown) => Ask
}

const bulkRule = rulesOf('bulkInsertRows', 'write', async (context): Promise<Bulk> => {
  const table = await context.own.table()
  return { table, context, ask: (json) => ({ params: { tableId: table.table.id }, json }) }
})

/** The body of a success, whichever of its two shapes it has. */
async function counted({ context, ask }: Bulk, json: unknown): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await context.api.succeed('bulkInsertRows', ask(json))
  return needed(isObject(body) ? body : undefined, 'the bulk request was answered with no object')
}

const totalOf = async ({ context, table }: Bulk) =>
  (await context.api.succeed('listRows', { params: { tableId: table.table.id }, query: { limit: 1 } })).total

async function expectTotal(
  bulk: Bulk,
  body: Readonly<Record<string, unknown>>,
  submitted: number,
): Promise<void> {
  const wanted = bulk.context.answers.bulkTotal === 'submitted' ? submitted : await totalOf(bulk)
  expectSame('total', body.total, wanted, assumed('bulkTotal'))
}

/** What stands in `errors` where one row, by its index from 0, failed. */
function expectErrors({ context: { answers } }: Bulk, errors: unknown, index: number): void {
  const source = assumed('bulkErrors')
  const places = Array.isArray(errors)
    ? errors.map((entry: unknown) => (isObject(entry) ? (entry.index ?? entry.row) : undefined))
    : errors
  if (answers.bulkErrors === 'omit') expectSame('errors', errors, undefined, source)
  else
    expectSame(
      'places of failed rows',
      places,
      [answers.bulkErrors === 'numbered' ? index + 1 : index],
      source,
    )
}

const rowsOf = ({ table }: Bulk, texts: readonly string[]) => texts.map((text) => ({ [table.text.id]: text }))

async function expectAllFailed({ context, ask }: Bulk, rows: readonly unknown[]): Promise<void> {
  const { answers, api } = context
  const reply = await api.expect('bulkInsertRows', answers.bulkAllFailed, ask({ rows }))
  if (answers.bulkAllFailed === 200) expectSame('count', reply.field('count'), 0)
}

/** Rows with a text and, where the table has such a column, a number. */
export async function wholeRows({ own }: Context, count: number): Promise<Cells[]> {
  const { columns, text } = await own.table()
  const number = columns.find(({ type, readonly }) => ['number', 'currency'].includes(type) && !readonly)
  return Array.from({ length: count }, (_, index) => ({
    [text.id]: `${own.text()} é日😀`,
    ...(number && { [number.id]: index + 1 }),
  }))
}

/** @throws {Drift} unless the stored rows hold what was sent, in that order */
export function expectStored(stored: readonly Row[], sent: readonly Cells[]): void {
  const columns = Object.keys(sent[0] ?? {})
  const shown = stored.map((row) => Object.fromEntries(columns.map((id) => [id, cellsOf(row)[id]])))
  expectSame('rows stored', shown, sent)
}

const inserting: readonly Rule[] = [
  bulkRule('insert', datatables, 'inserts valid rows, counts them, and reports the others', async (bulk) => {
    const { context, table } = bulk
    const texts = [context.own.text(), context.own.text()]
    const [first, second] = rowsOf(bulk, texts)
    const body = await counted(bulk, { rows: [first, ...context.own.badRows(table, 1), second] })
    expectSame('success', body.success, true)
    expectSame('count', body.count, 2)
    await expectTotal(bulk, body, 3)
    expectErrors(bulk, body.errors, 1)
    expectSame('rows found afterwards', (await context.own.rowsWith(texts)).length, 2)
  }),
  bulkRule('no-errors', assumed('bulkErrors'), 'lists no errors where no row failed', async (bulk) => {
    const body = await counted(bulk, { rows: rowsOf(bulk, [bulk.context.own.text()]) })
    expectSame('errors', body.errors, undefined)
  }),
  bulkRule('wrong-option', datatables, 'an unknown dropdown value fails its row alone', async (bulk) => {
    const { id } = await bulk.context.own.column('dropdown')
    const [good = {}, bad = {}] = rowsOf(bulk, [bulk.context.own.text(), bulk.context.own.text()])
    const body = await counted(bulk, { rows: [good, { ...bad, [id]: 'verify_no_such_option' }] })
    expectSame('count', body.count, 1)
  }),
  bulkRule('read-only', contract('Column'), 'ignores values for read-only columns', async (bulk) => {
    const readOnly = needed(
      bulk.table.columns.find(({ readonly }) => readonly),
      'the table has no read-only column',
    )
    const [row = {}] = rowsOf(bulk, [bulk.context.own.text()])
    expectSame('count', (await counted(bulk, { rows: [{ ...row, [readOnly.id]: 'verify' }] })).count, 1)
  }),
  bulkRule(
    'all-failed',
    assumed('bulkAllFailed'),
    'answers as question bulkAllFailed says where no row goes in',
    async (bulk) => expectAllFailed(bulk, bulk.context.own.badRows(bulk.table, 2)),
  ),
  bulkRule(
    'no-rows',
    assumed('bulkAllFailed'),
    'answers an empty rows as question bulkAllFailed says',
    async (bulk) => expectAllFailed(bulk, []),
  ),
  bulkRule('at-the-limit', limits, 'inserts 250 rows, all their values, in the order sent', async (bulk) => {
    const { context, table } = bulk
    const rows = await wholeRows(context, bulkRowsPerRequest)
    const before = await totalOf(bulk)
    expectSame('count', (await counted(bulk, { rows })).count, bulkRowsPerRequest)
    expectSame('rows added', (await totalOf(bulk)) - before, bulkRowsPerRequest)
    expectStored(await lastRows(context, table.table.id, bulkRowsPerRequest), rows)
  }),
  bulkRule('over-the-limit', limits, 'refuses 251 rows with 413', async ({ context, table, ask }) => {
    const rows = context.own.badRows(table, bulkRowsPerRequest + 1)
    const { json } = await context.api.expect('bulkInsertRows', 413, ask({ rows }))
    const { limitReached, resource, limit, current } = json as Record<string, unknown>
    const facts = {
      limitReached: true,
      resource: 'bulkRowsPerRequest',
      limit: bulkRowsPerRequest,
      current: bulkRowsPerRequest + 1,
    }
    expectSame('limit facts', { limitReached, resource, limit, current }, facts, assumed('limitFacts'))
  }),
  bulkRule('without-rows', datatables, 'refuses a body without rows', async ({ context, ask }) =>
    context.api.expect('bulkInsertRows', 400, ask({})),
  ),
  bulkRule('unknown-mode', assumed('upsertMatch'), 'refuses an unknown mode', async (bulk) => {
    const rows = rowsOf(bulk, [bulk.context.own.text()])
    await bulk.context.api.expect('bulkInsertRows', 400, bulk.ask({ rows, mode: 'replace' }))
  }),
]

async function upserted(bulk: Bulk, texts: readonly string[], keyColumn: string) {
  return counted(bulk, { rows: rowsOf(bulk, texts), mode: 'upsert', key_column: keyColumn })
}

function expectUpsert(body: Readonly<Record<string, unknown>>, inserted: number, updated: number): void {
  const { success, errorCount } = body
  const wanted = { success: true, inserted, updated, errorCount: 0 }
  expectSame('counts', { success, inserted: body.inserted, updated: body.updated, errorCount }, wanted)
}

/** What an upsert has for a key where it has none. */
const withoutKey: readonly (readonly [id: string, key: object])[] = [
  ['upsert-without-key', {}],
  ['upsert-unknown-key', { key_column: 'verify_no_such_column' }],
]

const upserting: readonly Rule[] = [
  bulkRule(
    'upsert',
    datatables,
    'updates matching rows in place, inserts the rest, and makes no duplicates',
    async (bulk) => {
      const { own } = bulk.context
      const [first, second, third] = [own.text(), own.text(), own.text()]
      const key = bulk.table.text.id
      const body = await upserted(bulk, [first, second], key)
      expectUpsert(body, 2, 0)
      await expectTotal(bulk, body, 2)
      const before = await own.rowsWith([first, second])
      expectUpsert(await upserted(bulk, [first, second, third], key), 1, 2)
      const after = await own.rowsWith([first, second, third])
      expectSame('number of rows', after.length, 3)
      expectSame(
        'ids of matched rows',
        after.slice(0, 2).map(({ id }) => id),
        before.map(({ id }) => id),
      )
      const versions = before.map(({ version }) => version + 1)
      expectSame(
        'versions of matched rows',
        after.slice(0, 2).map(({ version }) => version),
        versions,
        assumed('rowVersion'),
      )
    },
  ),
  bulkRule(
    'upsert-leaves-rest',
    datatables,
    'leaves the columns of a match that are not sent',
    async (bulk) => {
      const { own } = bulk.context
      const { table, text } = bulk.table
      const { id } = await own.row(await fullCells(bulk.context))
      const before = cellsOf(await own.readRow(table.id, id))
      await upserted(bulk, [String(before[text.id])], text.id)
      const moving = bulk.table.columns.filter(({ type }) => type === 'updated_at')
      const after = { ...cellsOf(await own.readRow(table.id, id)) }
      expectSame('values', after, {
        ...before,
        ...Object.fromEntries(moving.map((column) => [column.id, after[column.id]])),
      })
    },
  ),
  bulkRule('upsert-by-name', datatables, 'key_column can be a name', async (bulk) => {
    const text = bulk.context.own.text()
    expectUpsert(await upserted(bulk, [text], bulk.table.text.name), 1, 0)
    expectUpsert(await upserted(bulk, [text], bulk.table.text.name), 0, 1)
  }),
  bulkRule(
    'upsert-same-key',
    assumed('upsertMatch'),
    'of two rows with one key the second updates the first',
    async (bulk) => {
      const text = bulk.context.own.text()
      expectUpsert(await upserted(bulk, [text, text], bulk.table.text.id), 1, 1)
    },
  ),
  bulkRule('upsert-failure', datatables, 'counts failed rows in errorCount', async (bulk) => {
    const { context, table } = bulk
    const rows = [...rowsOf(bulk, [context.own.text()]), ...context.own.badRows(table, 1)]
    const body = await counted(bulk, { rows, mode: 'upsert', key_column: table.text.id })
    expectSame('counts', [body.inserted, body.updated, body.errorCount], [1, 0, 1])
    expectErrors(bulk, body.errors, 1)
  }),
  ...withoutKey.map(([id, key]) =>
    bulkRule(id, assumed('upsertMatch'), 'refuses mode upsert without a known key_column', async (bulk) => {
      const rows = rowsOf(bulk, [bulk.context.own.text()])
      await bulk.context.api.expect('bulkInsertRows', 400, bulk.ask({ rows, mode: 'upsert', ...key }))
    }),
  ),
]

const locked: Rule = {
  id: 'locked-table',
  operation: 'bulkInsertRows',
  source: assumed('lockedTable'),
  needs: 'write',
  says: 'refuses a locked table as question lockedTable says',
  check: async ({ api, seen, own, answers }) => {
    const chosen = await own.table()
    for (const { table } of await seen.seenTables()) {
      if (table.id === chosen.table.id) continue
      // Without rows nothing could go in; a lock is checked first.
      const params = { tableId: table.id }
      const job = await api.call('submitInsertJob', { params, json: { rows: [] } })
      if (job.status !== 403 || job.field('limitReached') === true) continue
      const bulk = await api.call('bulkInsertRows', { params, json: { rows: [] } })
      expectSame('a bulk request refused with 403', bulk.status === 403, answers.lockedTable !== 'jobs')
      return
    }
    throw new Unreachable('no table is locked, or the plan has no jobs to tell by')
  },
}

export const bulkRowRules: readonly Rule[] = [...inserting, ...upserting, locked]

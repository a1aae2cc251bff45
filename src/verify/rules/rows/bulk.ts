// The rules of synchronous bulk requests: insert and upsert.
import { bulkRowsPerRequest } from '../../../contract/limits.ts'
import type { Row } from '../../../contract/rows.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { expectFields, expectSame, found, needed } from '../../engine/expect.ts'
import { Unreachable } from '../../engine/drift.ts'
import type { Context } from '../../engine/rule.ts'
import { asObserved, expectLimit, refused, type ObservedAnswer } from '../checks.ts'
import { lastRows } from './consequences.ts'
import { writtenCells } from './cells.ts'
import { cellsOf, type Cells } from '../../engine/shapes.ts'
import { settled, tableRules, totalOf, type OfTable } from './writes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

type Body = Readonly<Record<string, unknown>>

/** The body of a success, whichever of its two shapes it has. */
async function counted(c: OfTable, json: Body): Promise<Body> {
  const body: unknown = await c.api.succeed('bulkInsertRows', { json })
  return needed(isObject(body) ? body : undefined, 'the response to the bulk request is not an object')
}

async function expectTotal(c: OfTable, body: Body, submitted: number): Promise<void> {
  const wanted = c.answers.bulkTotal === 'submitted' ? submitted : await totalOf(c)
  expectSame('total', body.total, wanted, 'assumption bulkTotal')
}

/** What stands in `errors` where one row, by its index from 0, failed. */
function expectErrors({ answers }: OfTable, errors: unknown, index: number): void {
  const source = 'assumption bulkErrors'
  const places = Array.isArray(errors)
    ? errors.map((entry: unknown) => (isObject(entry) ? (entry.index ?? entry.row) : undefined))
    : errors
  const place = answers.bulkErrors === 'numbered' ? index + 1 : index
  if (answers.bulkErrors === 'omit') expectSame('errors', errors, undefined, source)
  else expectSame('places of failed rows', places, [place], source)
}

const rowsOf = ({ text }: OfTable, texts: readonly string[]) => texts.map((value) => ({ [text.id]: value }))

const newRow = (c: OfTable, cells: Cells = {}) => ({ [c.text.id]: c.own.text(), ...cells })

async function expectAllFailed({ answers, api }: OfTable, rows: readonly unknown[]): Promise<void> {
  const reply = await api.expect('bulkInsertRows', answers.bulkAllFailed, { json: { rows } })
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

const inserting = tableRules('contract, Datatables, rows/bulk', {
  'bulkInsertRows/insert: inserts valid rows, counts them, and reports the others': async (c) => {
    const texts = [c.own.text(), c.own.text()]
    const [first, second] = rowsOf(c, texts)
    const body = await counted(c, { rows: [first, ...c.own.badRows(c, 1), second] })
    expectSame('success', body.success, true)
    expectSame('count', body.count, 2)
    await expectTotal(c, body, 3)
    expectErrors(c, body.errors, 1)
    expectSame('rows found afterwards', (await c.own.rowsWith(texts)).length, 2)
  },
  'bulkInsertRows/no-errors: lists no errors where no row failed (assumption bulkErrors)': async (c) =>
    expectSame('errors', (await counted(c, { rows: [newRow(c)] })).errors, undefined),
  'bulkInsertRows/wrong-option: an unknown dropdown value fails its row alone': async (c) => {
    const { id } = await c.own.column('dropdown')
    const rows = [newRow(c), newRow(c, { [id]: 'verify_no_such_option' })]
    expectSame('count', (await counted(c, { rows })).count, 1)
  },
  'bulkInsertRows/read-only: ignores values for read-only columns (contract, Column)': async (c) => {
    const { id } = found(c.columns, ({ readonly }) => readonly, 'the table has no read-only column')
    expectSame('count', (await counted(c, { rows: [newRow(c, { [id]: 'verify' })] })).count, 1)
  },
  'bulkInsertRows/all-failed: responds as question bulkAllFailed says where no row goes in': async (c) =>
    expectAllFailed(c, c.own.badRows(c, 2)),
  'bulkInsertRows/no-rows: responds to empty rows as question bulkAllFailed says': async (c) =>
    expectAllFailed(c, []),
  'bulkInsertRows/at-the-limit: inserts 250 rows, all their values, in the order sent (contract, Limits)':
    async (c) => {
      const rows = await wholeRows(c, bulkRowsPerRequest)
      const before = await totalOf(c)
      expectSame('count', (await counted(c, { rows })).count, bulkRowsPerRequest)
      expectSame('rows added', (await totalOf(c)) - before, bulkRowsPerRequest)
      expectStored(await lastRows(c, c.table.id, bulkRowsPerRequest), rows)
    },
  'bulkInsertRows/over-the-limit: refuses 251 rows with 413 (contract, Limits)': async (c) => {
    const json = { rows: c.own.badRows(c, bulkRowsPerRequest + 1) }
    const reply = await c.api.expect('bulkInsertRows', 413, { json })
    expectLimit(reply, 'bulkRowsPerRequest', bulkRowsPerRequest)
  },
})

const upserted = (c: OfTable, texts: readonly string[], keyColumn = c.text.id) =>
  counted(c, { rows: rowsOf(c, texts), mode: 'upsert', key_column: keyColumn })

const expectUpsert = (body: Body, inserted: number, updated: number): void =>
  expectFields('counts', body, { success: true, inserted, updated, errorCount: 0 })

/** Observes question lockedTable. */
export async function seeLock({ api, own, seen }: Context): Promise<ObservedAnswer> {
  const chosen = await own.table()
  for (const { table } of await seen.seenTables()) {
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

const upserting = tableRules('contract, Datatables, rows/bulk', {
  'bulkInsertRows/upsert: updates matching rows in place, inserts the rest, and makes no duplicates': async (
    c,
  ) => {
    const { own } = c
    const [first, second, third] = [own.text(), own.text(), own.text()]
    const body = await upserted(c, [first, second])
    expectUpsert(body, 2, 0)
    await expectTotal(c, body, 2)
    const before = await own.rowsWith([first, second])
    expectUpsert(await upserted(c, [first, second, third]), 1, 2)
    const after = await own.rowsWith([first, second, third])
    expectSame('number of rows', after.length, 3)
    const matched = after.slice(0, 2)
    expectSame('ids of matched rows', idsOf(matched), idsOf(before))
    const versions = matched.map(({ version }, index) => version - Number(before[index]?.version))
    expectSame('changes of their versions', versions, [1, 1], 'assumption rowVersion')
  },
  'bulkInsertRows/upsert-leaves-rest: leaves the columns of a match that are not sent': async (c) => {
    const { id } = await c.own.row(await writtenCells(c, 'sample'))
    const before = await c.own.readRow(id)
    await upserted(c, [String(cellsOf(before)[c.text.id])])
    expectSame('values', settled(c, await c.own.readRow(id)), settled(c, before))
  },
  'bulkInsertRows/upsert-by-name: key_column can be a name': async (c) => {
    const text = c.own.text()
    expectUpsert(await upserted(c, [text], c.text.name), 1, 0)
    expectUpsert(await upserted(c, [text], c.text.name), 0, 1)
  },
  'bulkInsertRows/upsert-same-key: of two rows with one key the second updates the first (assumption upsertMatch)':
    async (c) => {
      const text = c.own.text()
      expectUpsert(await upserted(c, [text, text]), 1, 1)
    },
  'bulkInsertRows/upsert-failure: counts failed rows in errorCount': async (c) => {
    const rows = [newRow(c), ...c.own.badRows(c, 1)]
    const body = await counted(c, { rows, mode: 'upsert', key_column: c.text.id })
    expectFields('counts', body, { inserted: 1, updated: 0, errorCount: 1 })
    expectErrors(c, body.errors, 1)
  },
  'bulkInsertRows/locked-table: refuses a locked table as question lockedTable says': asObserved(seeLock),
})

const wrong = tableRules('assumption upsertMatch', {
  'bulkInsertRows/without-rows: refuses a body without rows (contract, Datatables, rows/bulk)': refused({}),
  'bulkInsertRows/unknown-mode: refuses an unknown mode': refused((c) => ({
    rows: [newRow(c)],
    mode: 'replace',
  })),
  'bulkInsertRows/upsert-without-key: refuses mode upsert without a known key_column': refused((c) => ({
    rows: [newRow(c)],
    mode: 'upsert',
  })),
  'bulkInsertRows/upsert-unknown-key: refuses mode upsert without a known key_column': refused((c) => ({
    rows: [newRow(c)],
    mode: 'upsert',
    key_column: 'verify_no_such_column',
  })),
})

export const bulkRowRules = [...inserting, ...upserting, ...wrong]

// Bulk inserts and upserts, in which each row succeeds or fails on its own.
import { ApiError } from '../../contract/errors.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { BulkRows, RowErrors } from '../../contract/rows.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import type { CompiledTable, TableColumn } from './columns.ts'
import { keyIndex, keyOf } from './key-index.ts'
import { changeRow, prepareRow, storeRow, type RowData, type RowError } from './rows.ts'
import { listChoices } from './values.ts'
import type { ReportBreach } from '../store/store.ts'

/** The number of items in a field of an unchecked body. */
export function countItems(json: unknown, field: string): number {
  const items: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, field) : undefined
  return Array.isArray(items) ? items.length : 0
}

interface RowFailure extends RowError {
  /** The row's index in the submission, from 0. */
  readonly index: number
}

/**
 * Writes the valid rows.
 * @param write gets a row's checked data, and the row as sent
 * @returns the invalid rows
 */
function writeRows(
  table: CompiledTable,
  rows: readonly unknown[],
  reportBreach: ReportBreach,
  write: (data: RowData, input: unknown) => void,
): RowFailure[] {
  const failures: RowFailure[] = []
  for (const [index, input] of rows.entries()) {
    const prepared = prepareRow(table, input, reportBreach)
    if ('error' in prepared) failures.push({ index, ...prepared })
    else write(prepared.data, input)
  }
  return failures
}

/** Assumption: bulkErrors */
function toRowErrors(answers: Answers, failures: readonly RowFailure[]): { errors?: RowErrors } {
  if (failures.length === 0 || answers.bulkErrors === 'omit') return {}
  if (answers.bulkErrors === 'indexed')
    return { errors: failures.map(({ index, error }) => ({ index, error })) }
  return { errors: failures.map(({ index, error }) => ({ row: index + 1, message: error })) }
}

/** Updates rows whose key exists and inserts the others. Assumption: upsertMatch */
function upsert(
  table: CompiledTable,
  column: TableColumn,
  rows: readonly unknown[],
  reportBreach: ReportBreach,
) {
  let inserted = 0
  let updated = 0
  const index = keyIndex(table.rows, column)
  const { answers } = table
  // A key column that the API never writes still decides the match. Sending its value is reported only if it makes the
  // row fail.
  const isMatched = column.isReadOnly || answers.attachmentWrites === 'ignore'
  const reportOther: ReportBreach = (rule, subject, received) => {
    if (!isMatched || rule !== 'read-only-write' || subject !== column.id)
      reportBreach(rule, subject, received)
  }
  const failures = writeRows(table, rows, reportOther, (data, input) => {
    // A value the API never writes is not in `data` but can still match.
    const values = column.isWritable ? data : (input as RowData)
    const key = Object.hasOwn(values, column.id) ? keyOf(column, values[column.id]) : undefined
    const match = key === undefined ? undefined : index.first(key)
    if (match) {
      changeRow(table, match, data)
      updated += 1
    } else {
      storeRow(table, data)
      inserted += 1
    }
  })
  return { inserted, updated, failures }
}

/**
 * Inserts or upserts rows. Only inserted rows emit events. Source: contract, Datatables (rows/bulk).
 * @throws {ApiError} validation
 */
export function insertRows(
  table: CompiledTable,
  { rows, mode, key_column }: BulkRows,
  reportBreach: ReportBreach,
): SuccessFor<'bulkInsertRows'> {
  const { answers, byId, byName, columns } = table
  const responseOf = <Counts, More>(counts: Counts, failures: readonly RowFailure[], more: More) => {
    const errors = toRowErrors(answers, failures)
    // Assumption: bulkAllFailed
    if (failures.length === rows.length && answers.bulkAllFailed !== 200) {
      const [first] = failures
      if (!first) throw toValueError('rows', 'an array of at least one row', [])
      const none =
        failures.length === 1
          ? 'the row is not valid'
          : `none of the ${String(failures.length)} rows is valid`
      const message = `${none}; rows[${String(first.index)}]: ${first.error}`
      const reported = failures.every((failure) => failure.reported === true)
      throw new ApiError('validation', message, { body: errors, reported })
    }
    // Assumption: bulkTotal
    const total = answers.bulkTotal === 'table' ? table.rows.count : rows.length
    return { success: true as const, ...counts, total, ...more, ...errors }
  }
  if (mode === 'upsert') {
    // Assumption: upsertMatch
    const column = byId.get(key_column ?? '') ?? byName.get(key_column ?? '')
    if (key_column === undefined || !column) {
      const allowed = `the id or name of a column in mode upsert: one of ${listChoices(columns, 'columns')}`
      throw toValueError('key_column', allowed, key_column)
    }
    const { failures, ...counts } = upsert(table, column, rows, reportBreach)
    return responseOf(counts, failures, { errorCount: failures.length })
  }
  const failures = writeRows(table, rows, reportBreach, (data) => void storeRow(table, data))
  return responseOf({ count: rows.length - failures.length }, failures, {})
}

/** Maximum number of distinct keys to collect, because a row can have any keys. */
const mostKeys = 1000

/** Reports each wrong key in a job's rows once. The rows themselves are checked later, outside any request. */
export function reportKeys(
  { byId, byName }: CompiledTable,
  rows: readonly unknown[],
  reportBreach: ReportBreach,
): void {
  const keys = new Set<string>()
  // Most rows have the same keys as the previous row, in the same order.
  const former: string[] = []
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) continue
    let index = 0
    for (const key in row) {
      if (former[index] !== key) keys.add((former[index] = key))
      index += 1
    }
    if (keys.size > mostKeys) break
  }
  for (const key of keys) {
    const column = byId.get(key)
    if (!column) reportBreach(byName.has(key) ? 'row-key-name' : 'unknown-key', key)
    else if (!column.isWritable) reportBreach('read-only-write', key)
  }
}

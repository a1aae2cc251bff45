// The rules for writing rows: validation, read-only columns, autonumbers, versions and events.
import { checkAgainst, listChoices, type CheckedValue } from './values.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { takeAutonumber } from './autonumbers.ts'
import { removeUnset, type CompiledTable, type TableColumn } from './columns.ts'
import { toRow } from './row-text.ts'
import type { ColumnRecord, TableRecord } from '../../contract/datatables.ts'
import type { RowAttachment } from '../../contract/row-attachments.ts'
import { refusedByLock, type WriteKind } from '../../contract/rows.ts'
import type { StoredRow } from '../store/table.ts'
import type { ReportBreach, Store } from '../store/store.ts'

/** Values by column id. */
export type RowData = Readonly<Record<string, unknown>>
export interface RowError {
  readonly error: string
  /** The column whose value is wrong. */
  readonly column?: string
  /** Whether a client rule other than client-error reports it. */
  readonly reported?: boolean
}

const droppedValue = { dropped: true } as const

const describeTable = ({ id, name }: TableRecord): string => `${quote(name)} (${id})`

/** Assumption: unknownRowKeys */
function checkUnknownKey(
  { answers, byName, columns, record }: CompiledTable,
  key: string,
  reportBreach: ReportBreach,
) {
  const namesake = byName.get(key)
  reportBreach(namesake ? 'row-key-name' : 'unknown-key', key)
  if (answers.unknownRowKeys === 'ignore') return droppedValue
  const cause = namesake
    ? `is the name of a column, not its id; its key is ${quote(namesake.id)}`
    : `is not a column id of datatable ${describeTable(record)}; allowed: ${listChoices(columns, 'columns')}`
  return { error: `row key ${quote(key)} ${cause}`, reported: true }
}

/** Source: contract, Column (readonly). Assumption: attachmentWrites, typeChecks */
function checkColumn(
  answers: Answers,
  column: TableColumn,
  value: unknown,
  reportBreach: ReportBreach,
  held?: StoredRow,
) {
  if (!column.isWritable) {
    reportBreach('read-only-write', column.id, value)
    if (column.isReadOnly || answers.attachmentWrites === 'ignore') return droppedValue
    return {
      error: `${nameOf(column)} must be left out: files are uploaded to the row; received ${quote(value)}`,
      reported: true,
    }
  }
  const checked = held ? checkAgainst(column.check, value, column.read(held)) : column.check(value)
  return 'error' in checked ? { error: `${nameOf(column)} ${checked.error}`, column: column.id } : checked
}

const nameOf = ({ id, name }: TableColumn) => `${name} (${id})`

/**
 * Checks what a client sent for a row. Returns the data to write, where null clears a column. The result can be `input`
 * itself, which must not change once stored.
 * @param held the row being changed
 */
export function prepareRow(
  table: CompiledTable,
  input: unknown,
  reportBreach: ReportBreach,
  held?: StoredRow,
): { readonly data: RowData } | RowError {
  if (!isObject(input)) return { error: `row must be an object keyed by column id; received ${quote(input)}` }
  const { answers, byId } = table
  let changes: Map<string, CheckedValue | typeof droppedValue> | undefined
  for (const key in input) {
    const value = input[key]
    const column = byId.get(key)
    if (column?.takes(value)) continue
    const outcome = column
      ? checkColumn(answers, column, value, reportBreach, held)
      : checkUnknownKey(table, key, reportBreach)
    if ('error' in outcome) return outcome
    if (!('value' in outcome) || outcome.value !== value) (changes ??= new Map()).set(key, outcome)
  }
  if (!changes) return { data: input }
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    const change = changes.get(key) ?? { value }
    return 'value' in change ? [[key, change.value]] : []
  })
  return { data: Object.fromEntries(entries) }
}

/** Writes prepared data as a new row and emits its event. Assumption: rowVersion */
export function storeRow(
  table: CompiledTable,
  data: RowData,
  atSeconds = table.store.clock.now(),
): StoredRow {
  const { store, rows, record, autonumbers } = table
  const values = removeUnset(data)
  const takeNumber = (column: ColumnRecord) => [column.id, takeAutonumber(store, record.id, column)] as const
  const row: StoredRow = {
    id: store.counters.nextId('row', rows.has),
    version: 1,
    created_at: atSeconds,
    updated_at: atSeconds,
    data: autonumbers.length > 0 ? { ...values, ...Object.fromEntries(autonumbers.map(takeNumber)) } : values,
  }
  // `emit` checks this too, but creating a function per row would slow down writes that nobody listens to.
  const { id: table_id, workspace_id } = record
  if (store.events.hasListeners('row.inserted'))
    store.emit('row.inserted', () => ({ at: atSeconds, workspace_id, table_id, row: toRow(table, row) }))
  return rows.add(row)
}

/** Writes prepared data over a row. Absent columns stay; null clears. Assumption: rowVersion */
export function changeRow({ store, rows }: CompiledTable, row: StoredRow, data: RowData): StoredRow {
  const merged = { ...row.data, ...data }
  return rows.put({
    id: row.id,
    version: row.version + 1,
    created_at: row.created_at,
    updated_at: store.clock.now(),
    // Stored data has no unset values. Checking it again would take longer than the rest of the write.
    data: removeUnset(data) === data ? merged : removeUnset(merged),
  })
}

/**
 * Writes what a client sent for a new row, or for row `held`.
 * @throws {ApiError} validation, naming the column
 */
export function writeRow(
  table: CompiledTable,
  sent: JsonObject,
  reportBreach: ReportBreach,
  held?: StoredRow,
): StoredRow {
  const prepared = prepareRow(table, sent, reportBreach, held)
  if ('error' in prepared) {
    const { error, column, reported = false } = prepared
    throw new ApiError('validation', error, {
      reported,
      ...(column !== undefined && { field: `data.${column}` }),
    })
  }
  return held ? changeRow(table, held, prepared.data) : storeRow(table, prepared.data)
}

export function filesOf(column: TableColumn, row: StoredRow): readonly RowAttachment[] {
  const stored = column.read(row)
  return Array.isArray(stored) ? (stored as readonly RowAttachment[]) : []
}

/** Permanently removes a row and the files in its attachment columns. Source: contract, Datatables (DELETE row). */
export function removeRow({ store, rows, attachments }: CompiledTable, row: StoredRow): void {
  for (const column of attachments)
    for (const { key } of filesOf(column, row)) if (store.files.has(key)) store.files.delete(key)
  rows.remove(row.id)
}

/** @throws {ApiError} lockedTable */
export function assertUnlocked(store: Store, table: TableRecord, write: WriteKind): void {
  const answer = store.answers.lockedTable
  const { writes, says } = refusedByLock[answer]
  if (!table.locked || !writes.includes(write)) return
  throw new ApiError('lockedTable', `datatable ${describeTable(table)} is locked and refuses ${says}`, {
    hint: `the answer to question lockedTable, now ${quote(answer)}, decides what a locked table refuses`,
  })
}

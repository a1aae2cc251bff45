// Owns the writing of a fixture's rows: tens of thousands are read in a moment.
import * as z from 'zod/mini'
import type { RowAttachment } from '../contract/row-attachments.ts'
import { quote } from '../contract/quote.ts'
import { formatAutonumber, parseAutonumber } from './autonumbers.ts'
import { isUnset } from './columns.ts'
import type { ColumnRecord, TableRecord } from './datatables.ts'
import { RowAttachmentInput, RowInput, madeOf } from './fixture-schema.ts'
import type { FixtureWriter } from './fixture-writer.ts'
import type { StoredRow } from './row-table.ts'
import { valueCheck } from './values.ts'
import type { WorkspaceRecord } from './workspaces.ts'

type Values = Record<string, unknown>
/** A row as it is being read: its values can still be added to. */
type OpenRow = StoredRow & { readonly data: Values }

/** The value to store. One that does not fit is told with the path, which costs something to make. */
type ValueReader = (value: unknown, path: () => string, row: OpenRow) => unknown

interface Scene {
  readonly writer: FixtureWriter
  readonly workspace: WorkspaceRecord
  readonly table: TableRecord
}

export function writeRows(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  table: TableRecord,
  inputs: readonly unknown[],
  path: string,
): void {
  const scene = { writer, workspace, table }
  const readers = new Map(table.columns.map((column) => [column.id, readerOf(scene, column)]))
  const rows: OpenRow[] = []
  const taken = new Set<string>()
  for (let index = 0; index < inputs.length; index++) {
    const row = readRow(scene, readers, inputs[index], taken, () => `${path}[${String(index)}]`)
    if (row) rows.push(row)
  }
  for (const column of table.columns) if (column.type === 'autonumber') number(scene, column, rows)
  const stored = writer.world.rows(table.id)
  for (const row of rows) {
    stored.put(row)
    writer.made.rows.push(row.id)
  }
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMoment = (value: unknown) => value === undefined || Number.isSafeInteger(value)
let rowFields: ReadonlySet<string> | undefined

/** The same as the schema says, which takes ten times as long and is asked only for what is wrong. */
function isRowInput(input: unknown): input is RowInput {
  if (!isObject(input)) return false
  rowFields ??= new Set(Object.keys(madeOf(RowInput).shape))
  for (const field in input) if (!rowFields.has(field)) return false
  const { id, version, data, created_at, updated_at } = input
  return (
    (id === undefined || (typeof id === 'string' && id !== '')) &&
    (version === undefined || (Number.isSafeInteger(version) && Number(version) >= 1)) &&
    (data === undefined || isObject(data)) &&
    isMoment(created_at) &&
    isMoment(updated_at)
  )
}

function readRow(
  { writer, table }: Scene,
  readers: ReadonlyMap<string, ValueReader>,
  input: unknown,
  taken: Set<string>,
  path: () => string,
): OpenRow | undefined {
  if (!isRowInput(input)) {
    const checked = RowInput.safeParse(input)
    if (!checked.success) writer.problems.addIssues(checked.error, input, path())
    return undefined
  }
  const { world } = writer
  const isTaken = (id: string) => taken.has(id) || world.rows(table.id).get(id) !== undefined
  const id = input.id ?? world.runtime.nextId('row', isTaken)
  if (input.id !== undefined && isTaken(id))
    writer.problems.add(`${path()}.id`, `must be one of a kind in its table; ${quote(id)} is taken`)
  taken.add(id)
  const { version = 1, data = {}, created_at = writer.now, updated_at = created_at } = input
  const row: OpenRow = { id, version, created_at, updated_at, data: {} }
  for (const key of Object.keys(data)) {
    const value = data[key]
    const reader = readers.get(key)
    if (!reader) writer.problems.add(`${path()}.data.${key}`, unknownColumn(table, key))
    else if (!isUnset(value)) row.data[key] = reader(value, () => `${path()}.data.${key}`, row)
  }
  return row
}

function unknownColumn({ columns }: TableRecord, key: string): string {
  const named = columns.find(({ name }) => name === key)
  const allowed = named
    ? `that of ${quote(key)} is ${named.id}`
    : `allowed are ${columns.map(({ id }) => id).join(', ')}`
  return `is no column: values are keyed by column id, ${allowed}`
}

function readerOf(scene: Scene, column: ColumnRecord): ValueReader {
  const { problems } = scene.writer
  switch (column.type) {
    case 'formula':
    case 'created_at':
    case 'updated_at':
      return (value, path) => {
        problems.add(
          path(),
          `must be left out: columns of type ${column.type} are computed; received ${quote(value)}`,
        )
      }
    case 'autonumber':
      return (value, path) => {
        if (typeof value !== 'string') problems.add(path(), `must be a string; received ${quote(value)}`)
        return value
      }
    case 'attachment':
      return attachmentReader(scene, column)
    case 'datatable':
      return relationReader(scene, column)
    default:
      return checkedReader(scene, column)
  }
}

function checkedReader({ writer, workspace }: Scene, column: ColumnRecord): ValueReader {
  const check = valueCheck(column, writer.world, workspace)
  return (value, path) => {
    const checked = check(value)
    if ('error' in checked) {
      writer.problems.add(path(), checked.error)
      return null
    }
    return Array.isArray(checked.value) ? [...(checked.value as unknown[])] : checked.value
  }
}

const Ids = z.array(z.string())

/** The rows it names may come later in the fixture. Assumption: relationValues */
function relationReader({ writer, workspace }: Scene, column: ColumnRecord): ValueReader {
  const isChecked = column.table_id !== undefined && !writer.allowsLostLinks
  return (value, path) => {
    const ids = Ids.safeParse(value)
    if (!ids.success) {
      writer.problems.add(path(), `must be an array of row ids; received ${quote(value)}`)
      return null
    }
    if (isChecked)
      writer.later(() => {
        const checked = valueCheck(column, writer.world, workspace)(value)
        if ('error' in checked) writer.problems.add(path(), checked.error)
      })
    return ids.data
  }
}

function attachmentReader({ writer, table }: Scene, column: ColumnRecord): ValueReader {
  const schema = z.array(RowAttachmentInput)
  return (value, path, row) => {
    const checked = schema.safeParse(value)
    if (!checked.success) {
      writer.problems.addIssues(checked.error, value, path())
      return null
    }
    const prefix = `dt/${table.id}/row/${row.id}/${column.id}/`
    const keys = new Set<string>()
    return checked.data.map(({ filename, ...input }, index): RowAttachment => {
      const at = `${path()}[${String(index)}]`
      const { key = prefix + filename, contentType = 'application/octet-stream' } = input
      if (!key.startsWith(prefix))
        writer.problems.add(`${at}.key`, `must begin with ${prefix}; received ${quote(key)}`)
      if (keys.has(key)) writer.problems.add(`${at}.key`, `must be one of a kind; ${quote(key)} is taken`)
      keys.add(key)
      const size = writer.file(key, input.size, `${at}.size`)
      return { key, filename, size, contentType, uploadedAt: input.uploadedAt ?? row.updated_at }
    })
  }
}

/** Counts on from the highest number there is, for rows that have none in order. */
function number({ writer, table }: Scene, { id, format }: ColumnRecord, rows: readonly OpenRow[]): void {
  const { runtime } = writer.world
  const key = `${table.id}/${id}`
  let last = runtime.autonumber(key)
  for (const { data } of rows) last = Math.max(last, parseAutonumber(format, data[id]) ?? 0)
  for (const { data } of rows) {
    if (data[id] !== undefined) continue
    last += 1
    data[id] = formatAutonumber(format, last)
  }
  if (last > runtime.autonumber(key)) runtime.setAutonumber(key, last)
}

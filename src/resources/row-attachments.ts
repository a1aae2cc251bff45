// Files in attachment columns: their metadata is in the row, their bytes are in the store's files.
import { ApiError } from '../contract/errors.ts'
import type { UploadedFile } from '../contract/operation.ts'
import { quote } from '../contract/values/quote.ts'
import type { RowAttachment } from '../contract/row-attachments.ts'
import { mustBe } from '../contract/schema/checks.ts'
import { compileTable, type TableColumn } from '../rows/columns.ts'
import type { TableRecord } from '../contract/datatables.ts'
import type { StoredRow } from '../store/row-table.ts'
import { changeRow } from '../rows/rows.ts'
import { choices } from '../rows/values.ts'
import type { Store } from '../store/store.ts'

/** A row of a table. */
export interface RowPlace {
  readonly store: Store
  readonly table: TableRecord
  readonly row: StoredRow
}

/** The beginning of every storage key of a row. Source: contract, RowAttachment. */
const keyPrefix = ({ table, row }: RowPlace) => `dt/${table.id}/row/${row.id}/`

/** @throws {ApiError} validation, if there is no such column. Source: contract, Row attachments (col). */
function attachmentColumn({ store, table }: RowPlace, columnId: string | undefined): TableColumn {
  const { attachments } = compileTable(store, table)
  const [first] = attachments
  if (!first)
    throw new ApiError('validation', `datatable ${quote(table.name)} has no attachment column to upload to`)
  const column = columnId === undefined ? first : attachments.find(({ id }) => id === columnId)
  if (!column) throw mustBe('col', `the id of an attachment column, out of ${choices(attachments)}`, columnId)
  return column
}

function filesIn(column: TableColumn, row: StoredRow): readonly RowAttachment[] {
  const stored = column.read(row)
  return Array.isArray(stored) ? (stored as readonly RowAttachment[]) : []
}

/** Assumption: rowAttachmentName */
function storedName(filename: string): string {
  return filename.replace(/[/\\\u0000-\u001f\u007f-\u009f]/g, '_') || 'file'
}

/**
 * Stores a file in an attachment column, by default the first one; one of the same name is replaced.
 * Assumption: rowVersion, rowAttachmentName
 * @throws {ApiError} validation
 */
export function uploadToRow(
  place: RowPlace,
  columnId: string | undefined,
  file: UploadedFile,
): { readonly attachment: RowAttachment; readonly row: StoredRow } {
  const { store, table, row } = place
  const column = attachmentColumn(place, columnId)
  const filename = storedName(file.filename)
  const attachment: RowAttachment = {
    key: `${keyPrefix(place)}${column.id}/${filename}`,
    filename,
    size: file.bytes.length,
    contentType: file.contentType,
    uploadedAt: store.clock.now(),
  }
  const files = filesIn(column, row)
  const replaced = files.findIndex(({ key }) => key === attachment.key)
  const now = replaced === -1 ? [...files, attachment] : files.with(replaced, attachment)
  store.files.set(attachment.key, file.bytes)
  return { attachment, row: changeRow(store, table, row, { [column.id]: now }) }
}

/**
 * Deletes a file of a row by its decoded storage key.
 * Source: contract, Row attachments. Assumption: rowVersion, checkOrder (a wrong prefix takes precedence over an absent key)
 * @throws {ApiError} storageKeyPrefix or notFound
 */
export function deleteFromRow(place: RowPlace, storageKey: string): StoredRow {
  const { store, table, row } = place
  const prefix = keyPrefix(place)
  if (!storageKey.startsWith(prefix))
    throw new ApiError(
      'storageKeyPrefix',
      `key must begin with ${quote(prefix)}; received ${quote(storageKey)}`,
    )
  for (const column of compileTable(store, table).attachments) {
    const files = filesIn(column, row)
    const left = files.filter(({ key }) => key !== storageKey)
    if (left.length === files.length) continue
    store.files.delete(storageKey)
    return changeRow(store, table, row, { [column.id]: left })
  }
  throw new ApiError('notFound', `attachment ${quote(storageKey)} does not exist`)
}

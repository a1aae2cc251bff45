// Files in attachment columns: their metadata is in the row, their bytes are in the store's files.
import { ApiError } from '../contract/errors.ts'
import { quote } from '../contract/text/quote.ts'
import { storageKeyPrefix, type RowAttachment } from '../contract/row-attachments.ts'
import { invalidValue } from '../contract/schema/checks.ts'
import { compileTable, toRow, type CompiledTable, type TableColumn } from '../rows/columns.ts'
import { changeRow, filesIn } from '../rows/rows.ts'
import { choices } from '../rows/values.ts'
import { toDeleteResponse, type Handlers } from './request.ts'
import { assertWritable } from './rows.ts'
import { assertFileSizes, requireFile } from './task-attachments.ts'

/**
 * The attachment column of an id, by default the first. Source: contract, Row attachments (col).
 * @throws {ApiError} validation
 */
function attachmentColumn({ attachments, record }: CompiledTable, columnId: string | undefined): TableColumn {
  const [first] = attachments
  if (!first)
    throw new ApiError('validation', `datatable ${quote(record.name)} has no attachment column to upload to`)
  const column = columnId === undefined ? first : attachments.find(({ id }) => id === columnId)
  if (!column)
    throw invalidValue('col', `the id of an attachment column, out of ${choices(attachments)}`, columnId)
  return column
}

/** Assumption: rowAttachmentName */
function storedName(filename: string): string {
  return filename.replace(/[/\\\u0000-\u001f\u007f-\u009f]/g, '_') || 'file'
}

export const rowAttachmentHandlers = {
  uploadRowAttachment: {
    permit: assertWritable,
    measure: assertFileSizes,
    /** A file of the same name is replaced. Assumption: rowVersion, rowAttachmentName */
    run({ store, at, query, files }) {
      const { row } = at
      const table = compileTable(store, at.table)
      const { bytes, contentType, filename: sentName } = requireFile(files)
      const column = attachmentColumn(table, query.col)
      const filename = storedName(sentName)
      const attachment: RowAttachment = {
        key: `${storageKeyPrefix(table.record.id, row.id)}${column.id}/${filename}`,
        filename,
        size: bytes.length,
        contentType,
        uploadedAt: store.clock.now(),
      }
      const held = filesIn(column, row)
      const replaced = held.findIndex(({ key }) => key === attachment.key)
      const now = replaced === -1 ? [...held, attachment] : held.with(replaced, attachment)
      store.files.set(attachment.key, bytes)
      return { attachment, row: toRow(table, changeRow(table, row, { [column.id]: now })) }
    },
  },

  deleteRowAttachment: {
    permit: assertWritable,
    /**
     * By its decoded storage key. Source: contract, Row attachments. Assumption: rowVersion, checkOrder (a wrong
     * prefix takes precedence over an absent key)
     */
    run({ store, answers, at }) {
      const { row, key: storageKey } = at
      const table = compileTable(store, at.table)
      const prefix = storageKeyPrefix(at.table.id, row.id)
      if (!storageKey.startsWith(prefix))
        throw new ApiError(
          'storageKeyPrefix',
          `key must begin with ${quote(prefix)}; received ${quote(storageKey)}`,
        )
      for (const column of table.attachments) {
        const files = filesIn(column, row)
        const left = files.filter(({ key }) => key !== storageKey)
        if (left.length === files.length) continue
        store.files.delete(storageKey)
        changeRow(table, row, { [column.id]: left })
        return toDeleteResponse(answers)
      }
      throw new ApiError('notFound', `attachment ${quote(storageKey)} does not exist`)
    },
  },
} satisfies Partial<Handlers>

// Files in attachment columns: their metadata is in the row, their bytes are in the store's files.
import { ApiError } from '../../contract/errors.ts'
import { quote } from '../../contract/text/quote.ts'
import { storageKeyPrefixOf, type RowAttachment } from '../../contract/row-attachments.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import { compileTable, toRow, type CompiledTable, type TableColumn } from '../rows/columns.ts'
import { changeRow, filesOf } from '../rows/rows.ts'
import { listChoices } from '../rows/values.ts'
import { toDeleteResponse, type Handlers } from './request.ts'
import { assertWritable } from './rows.ts'
import { assertFileSizes, requireFile } from './task-attachments.ts'

/**
 * The column of an upload, by default the first for files. Source: contract, Row attachments (col).
 * @throws {ApiError} validation
 */
function findColumn({ attachments, record }: CompiledTable, columnId: string | undefined): TableColumn {
  const [first] = attachments
  if (!first)
    throw new ApiError('validation', `datatable ${quote(record.name)} has no attachment column to upload to`)
  const column = columnId === undefined ? first : attachments.find(({ id }) => id === columnId)
  if (!column)
    throw toValueError(
      'col',
      `the id of an attachment column, out of ${listChoices(attachments, 'attachment columns')}`,
      columnId,
    )
  return column
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
      const column = findColumn(table, query.col)
      const filename = sentName.replace(/[/\\\u0000-\u001f\u007f-\u009f]/g, '_') || 'file'
      const attachment: RowAttachment = {
        key: `${storageKeyPrefixOf(table.record.id, row.id)}${column.id}/${filename}`,
        filename,
        size: bytes.length,
        contentType,
        uploadedAt: store.clock.now(),
      }
      const held = filesOf(column, row)
      const replaced = held.findIndex(({ key }) => key === attachment.key)
      const now = replaced === -1 ? [...held, attachment] : held.with(replaced, attachment)
      store.files.set(attachment.key, bytes)
      return { attachment, row: toRow(table, changeRow(table, row, { [column.id]: now })) }
    },
  },

  deleteRowAttachment: {
    permit: assertWritable,
    /** Source: contract, Row attachments. Assumption: rowVersion, checkOrder (a wrong prefix before an absent key) */
    run({ store, answers, at: { table: record, row, key } }) {
      const table = compileTable(store, record)
      const prefix = storageKeyPrefixOf(record.id, row.id)
      if (!key.startsWith(prefix))
        throw new ApiError('storageKeyPrefix', `key must begin with ${quote(prefix)}; received ${quote(key)}`)
      const column = table.attachments.find((each) => filesOf(each, row).some((file) => file.key === key))
      if (!column) throw new ApiError('notFound', `attachment ${quote(key)} does not exist`)
      store.files.delete(key)
      changeRow(table, row, { [column.id]: filesOf(column, row).filter((file) => file.key !== key) })
      return toDeleteResponse(answers)
    },
  },
} satisfies Partial<Handlers>

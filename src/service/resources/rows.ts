// Rows of datatables: listing, query, single and bulk writes, and files in attachment columns. A file's metadata is in its
// row, its bytes in the store's files.
import { ApiError } from '../../contract/errors.ts'
import { assertWithin } from '../../contract/plan-limits.ts'
import { storageKeyPrefixOf, type RowAttachment } from '../../contract/row-attachments.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import { quote } from '../../contract/text/quote.ts'
import { insertRows, countItems } from '../rows/bulk.ts'
import { compileTable, type CompiledTable, type TableColumn } from '../rows/columns.ts'
import { countBulkRequest } from './rate-limits.ts'
import { measureQuery, runListing, runQuery } from '../rows/query.ts'
import { toRow, toRowText } from '../rows/row-text.ts'
import { assertUnlocked, changeRow, filesOf, removeRow, writeRow } from '../rows/rows.ts'
import { listChoices } from '../rows/values.ts'
import { toDeleteResponse, type AdmittedRequest, type Handlers } from './request.ts'
import { assertFileSizes, requireFile } from './task-attachments.ts'

/** @throws {ApiError} lockedTable */
function assertWritable({ store, at }: AdmittedRequest<'createRow'>): void {
  assertUnlocked(store, at.table, 'row')
}

/**
 * The column for an upload, by default the first for files. Source: contract, Row attachments (col).
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
      `the id of an attachment column: one of ${listChoices(attachments, 'attachment columns')}`,
      columnId,
    )
  return column
}

export const rowHandlers = {
  listRows: ({ store, at, query, otherQuery, reportBreach }) =>
    runListing(compileTable(store, at.table), query, otherQuery, reportBreach),

  queryRows: {
    measure: ({ json }) => measureQuery(json),
    run: ({ store, at, body, reportBreach }) => runQuery(compileTable(store, at.table), body, reportBreach),
  },

  createRow: {
    permit: assertWritable,
    run({ store, at, body, reportBreach }) {
      const table = compileTable(store, at.table)
      return toRow(table, writeRow(table, body.data, reportBreach))
    },
  },

  bulkInsertRows: {
    permit({ store, workspace, at }) {
      assertUnlocked(store, at.table, 'bulk')
      countBulkRequest(store, workspace)
    },
    /** Source: contract, Limits. */
    measure({ answers, workspace, json }) {
      const current = countItems(json, 'rows')
      const message = (limit: string) =>
        `rows must have at most ${limit} rows in a bulk request; received ${String(current)}`
      assertWithin(answers, workspace, 'rowsPerRequest', current, message)
    },
    run: ({ store, at, body, reportBreach }) => insertRows(compileTable(store, at.table), body, reportBreach),
  },

  getRow: ({ store, at }) => toRowText(store, at.table, at.row),

  updateRow: {
    permit: assertWritable,
    run({ store, at, body, reportBreach }) {
      const table = compileTable(store, at.table)
      return toRow(table, writeRow(table, body.data, reportBreach, at.row))
    },
  },

  deleteRow: {
    permit: assertWritable,
    run({ store, answers, at }) {
      removeRow(compileTable(store, at.table), at.row)
      return toDeleteResponse(answers)
    },
  },

  uploadRowAttachment: {
    permit: assertWritable,
    measure: assertFileSizes,
    /** Replaces a file with the same name. Assumption: rowVersion, rowAttachmentName */
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

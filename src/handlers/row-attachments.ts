// Handlers for files in attachment columns of rows.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse } from '../core/mutation.ts'
import { toRow } from '../rows/columns.ts'
import { deleteFromRow, uploadToRow } from '../resources/row-attachments.ts'
import { assertUnlocked } from '../rows/rows.ts'
import { assertFileSizes } from '../resources/task-attachments.ts'

export const uploadRowAttachment: OperationHandler<'uploadRowAttachment'> = {
  permit({ store, at }) {
    assertUnlocked(store, at.tableId, 'row')
  },
  measure({ store, workspace }, _json, files) {
    assertFileSizes(store, workspace, files)
  },
  run({ store, at, query, files }) {
    const [file] = files
    // The reader of the body has refused an upload without a file.
    if (!file) throw new TypeError('an upload came through without a file')
    const { attachment, row } = uploadToRow({ store, table: at.tableId, row: at.rowId }, query.col, file)
    return { attachment, row: toRow(store, at.tableId, row) }
  },
}

export const deleteRowAttachment: OperationHandler<'deleteRowAttachment'> = {
  permit({ store, at }) {
    assertUnlocked(store, at.tableId, 'row')
  },
  run({ store, answers, at }) {
    deleteFromRow({ store, table: at.tableId, row: at.rowId }, at.key)
    return deletedResponse(answers)
  },
}

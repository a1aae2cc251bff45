// Answers for files in attachment columns of rows.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer } from '../core/mutation.ts'
import { presentRow } from '../rows/columns.ts'
import { deleteFromRow, uploadToRow } from '../resources/row-attachments.ts'
import { assertUnlocked } from '../rows/rows.ts'
import { assertFileSizes } from '../resources/task-attachments.ts'

export const uploadRowAttachment: OperationHandler<'uploadRowAttachment'> = {
  permit({ world, at }) {
    assertUnlocked(world, at.tableId, 'row')
  },
  measure({ world, workspace }, _json, files) {
    assertFileSizes(world, workspace, files)
  },
  run({ world, at, query, files }) {
    const [file] = files
    // The reader of the body has refused an upload without a file.
    if (!file) throw new TypeError('an upload came through without a file')
    const { attachment, row } = uploadToRow({ world, table: at.tableId, row: at.rowId }, query.col, file)
    return { attachment, row: presentRow(world, at.tableId, row) }
  },
}

export const deleteRowAttachment: OperationHandler<'deleteRowAttachment'> = {
  permit({ world, at }) {
    assertUnlocked(world, at.tableId, 'row')
  },
  run({ world, answers, at }) {
    deleteFromRow({ world, table: at.tableId, row: at.rowId }, at.key)
    return deletedAnswer(answers)
  },
}

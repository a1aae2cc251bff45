// Handlers for files attached to tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse } from '../core/mutation.ts'
import {
  attachFile,
  attachmentsOf,
  contentOf,
  toAttachment,
  removeAttachment,
} from '../resources/task-attachments.ts'

export const listTaskAttachments: OperationHandler<'listTaskAttachments'> = ({ store, at, baseUrl }) => ({
  attachments: attachmentsOf(store, at.taskId).map((record) => toAttachment(record, baseUrl)),
})

export const uploadTaskAttachment: OperationHandler<'uploadTaskAttachment'> = (request) => {
  const { store, workspace, at, files, baseUrl } = request
  const [file] = files
  // The reader of the body has refused an upload without a file.
  if (!file) throw new TypeError('an upload came through without a file')
  return { attachment: toAttachment(attachFile(store, workspace, at.taskId, file), baseUrl) }
}

export const downloadTaskAttachment: OperationHandler<'downloadTaskAttachment'> = ({ store, at }) =>
  contentOf(store, at.attachmentId)

export const deleteTaskAttachment: OperationHandler<'deleteTaskAttachment'> = ({ store, answers, at }) => {
  removeAttachment(store, at.attachmentId)
  return deletedResponse(answers)
}

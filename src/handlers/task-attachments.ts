// Answers for files attached to tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer } from '../core/mutation.ts'
import {
  attachFile,
  attachmentsOf,
  contentOf,
  presentAttachment,
  removeAttachment,
} from '../resources/task-attachments.ts'

export const listTaskAttachments: OperationHandler<'listTaskAttachments'> = async ({
  world,
  at,
  baseUrl,
}) => {
  const attachments = await attachmentsOf(world, at.taskId)
  return { attachments: attachments.map((record) => presentAttachment(record, baseUrl)) }
}

export const uploadTaskAttachment: OperationHandler<'uploadTaskAttachment'> = (request) => {
  const { world, workspace, at, files, baseUrl } = request
  const [file] = files
  // The reader of the body has refused an upload without a file.
  if (!file) throw new TypeError('an upload came through without a file')
  return { attachment: presentAttachment(attachFile(world, workspace, at.taskId, file), baseUrl) }
}

export const downloadTaskAttachment: OperationHandler<'downloadTaskAttachment'> = ({ world, at }) =>
  contentOf(world, at.attachmentId)

export const deleteTaskAttachment: OperationHandler<'deleteTaskAttachment'> = ({ world, answers, at }) => {
  removeAttachment(world, at.attachmentId)
  return deletedAnswer(answers)
}

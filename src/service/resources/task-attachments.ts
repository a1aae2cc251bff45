// Files attached to tasks; the store holds their bytes by id.
import { quote } from '../../contract/text/quote.ts'
import { countText } from '../../contract/text/format.ts'
import { newRecord, toShown } from '../../contract/schema/field-values.ts'
import { attachmentFields, type AttachmentRecord, Attachment } from '../../contract/task-attachments.ts'
import { ApiError } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import type { UploadedFile } from '../../contract/operation.ts'
import { assertWithin } from '../../contract/plan-limits.ts'
import type { TaskRecord } from '../../contract/tasks.ts'
import type { Store } from '../store/store.ts'
import { toDeleteResponse, type Handlers, type ReceivedRequest } from './request.ts'

type FileRequest = Pick<ReceivedRequest<OperationId>, 'store' | 'workspace' | 'files'>

/** Source: contract, Limits. Assumption: maxFileBytes. @throws {ApiError} fileSize */
export function assertFileSizes({ store, workspace, files }: FileRequest): void {
  for (const { filename, bytes } of files) {
    const message = (limit: string) =>
      `file ${quote(filename)} is ${countText(bytes.length, 'byte')}; maxFileBytes allows ${limit} on plan ${workspace.plan}`
    assertWithin(store.answers, workspace, 'fileSize', bytes.length, message)
  }
}

/** The uploaded file. The body parser refuses uploads without one. */
export function requireFile([file]: readonly UploadedFile[]): UploadedFile {
  if (!file) throw new TypeError('the body parser accepted an upload without a file')
  return file
}

export function attachFile(store: Store, { id: task_id, workspace_id }: TaskRecord, file: UploadedFile) {
  const id = store.newId('attachments')
  store.files.set(id, file.bytes)
  return store.attachments.put(
    newRecord(attachmentFields, file, {
      id,
      workspace_id,
      task_id,
      filename: file.filename,
      mime_type: file.contentType,
      size_bytes: file.bytes.length,
    }),
  )
}

export function removeAttachment(store: Store, record: AttachmentRecord): void {
  store.attachments.remove(record.id)
  store.files.delete(record.id)
}

export function toAttachment(record: AttachmentRecord, baseUrl: string): Attachment {
  const { id, task_id } = record
  const url = `${baseUrl}/tasks/${encodeURIComponent(task_id)}/attachments/${encodeURIComponent(id)}`
  return toShown(attachmentFields, record, { url })
}

export const taskAttachmentHandlers = {
  listTaskAttachments: ({ store, at, baseUrl }) => ({
    attachments: store.attachments.ownedBy(at.task.id).map((record) => toAttachment(record, baseUrl)),
  }),

  uploadTaskAttachment: {
    measure: assertFileSizes,
    run: ({ store, at, files, baseUrl }) => ({
      attachment: toAttachment(attachFile(store, at.task, requireFile(files)), baseUrl),
    }),
  },

  downloadTaskAttachment({ store, at: { attachment: record } }) {
    const bytes = store.files.get(record.id)
    if (!bytes) throw new ApiError('notFound', `attachment ${JSON.stringify(record.id)} has no stored bytes`)
    return { bytes, filename: record.filename }
  },

  deleteTaskAttachment({ store, answers, at }) {
    removeAttachment(store, at.attachment)
    return toDeleteResponse(answers)
  },
} satisfies Partial<Handlers>

// Files attached to tasks; their bytes are in the store's files by id.
import { made, toShown } from '../contract/schema/field-values.ts'
import { attachmentFields, type AttachmentRecord, Attachment } from '../contract/task-attachments.ts'
import { ApiError } from '../contract/errors.ts'
import type { BinaryContent, UploadedFile } from '../contract/operation.ts'
import { assertWithin } from '../contract/plan-limits.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

/**
 * Refuses files beyond what the plan allows for each. Source: contract, Limits. Assumption: maxFileBytes
 * @throws {ApiError} fileSize, for the first that is too large
 */
export function assertFileSizes(
  store: Store,
  workspace: WorkspaceRecord,
  files: readonly UploadedFile[],
): void {
  for (const { filename, bytes } of files) {
    const message = (limit: string) =>
      `file ${JSON.stringify(filename)} has ${String(bytes.length)} bytes; maxFileBytes allows ${limit} on plan ${workspace.plan}`
    assertWithin(store.answers, workspace, 'fileSize', bytes.length, message)
  }
}

/**
 * Stores a file with a task.
 * @throws {ApiError} fileSize
 */
export function attachFile(
  store: Store,
  workspace: WorkspaceRecord,
  task: TaskRecord,
  file: UploadedFile,
): AttachmentRecord {
  assertFileSizes(store, workspace, [file])
  const id = store.newId('attachments')
  store.files.set(id, file.bytes)
  return store.attachments.put(
    made(attachmentFields, file, {
      id,
      workspace_id: workspace.id,
      task_id: task.id,
      filename: file.filename,
      mime_type: file.contentType,
      size_bytes: file.bytes.length,
    }),
  )
}

/** Files of a task in order of upload. */
export function attachmentsOf(store: Store, task: TaskRecord): readonly AttachmentRecord[] {
  return store.attachments.ownedBy(task.id)
}

/**
 * The bytes of a file.
 * @throws {ApiError} notFound, if a fixture has the attachment without its bytes
 */
export function contentOf(store: Store, record: AttachmentRecord): BinaryContent {
  const bytes = store.files.get(record.id)
  if (!bytes) throw new ApiError('notFound', `attachment ${JSON.stringify(record.id)} has no stored bytes`)
  return { bytes, filename: record.filename }
}

/** Removes a file, its bytes too. */
export function removeAttachment(store: Store, record: AttachmentRecord): void {
  store.attachments.remove(record.id)
  store.files.delete(record.id)
}

/** `baseUrl` ends with /v1. */
export function toAttachment(record: AttachmentRecord, baseUrl: string): Attachment {
  const { id, task_id } = record
  const url = `${baseUrl}/tasks/${encodeURIComponent(task_id)}/attachments/${encodeURIComponent(id)}`
  return toShown(attachmentFields, record, { url })
}

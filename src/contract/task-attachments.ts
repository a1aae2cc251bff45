// Owns the contract of files attached to tasks.
import * as z from 'zod/mini'
import { Id, deleted } from './common.ts'
import { defineOperation } from './operation.ts'

export const Attachment = z.object({
  id: Id,
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  /** Download address; the same Bearer key works. */
  url: z.string(),
})
export type Attachment = z.infer<typeof Attachment>

export const AttachmentRecord = z.object({
  id: Id,
  workspace_id: Id,
  task_id: Id,
  filename: Attachment.shape.filename,
  mime_type: Attachment.shape.mime_type,
  size_bytes: Attachment.shape.size_bytes,
})
export type AttachmentRecord = z.infer<typeof AttachmentRecord>

export const listTaskAttachments = defineOperation({
  id: 'listTaskAttachments',
  method: 'GET',
  path: '/tasks/{taskId}/attachments',
  tag: 'Task attachments',
  summary: 'List the files of a task',
  success: { status: 200, schema: z.object({ attachments: z.array(Attachment) }), description: 'The files.' },
  documentedErrors: [],
})

export const uploadTaskAttachment = defineOperation({
  id: 'uploadTaskAttachment',
  method: 'POST',
  path: '/tasks/{taskId}/attachments',
  tag: 'Task attachments',
  summary: 'Upload a file to a task',
  body: { multipart: { maxFiles: 1, fileRequired: true } },
  success: { status: 201, schema: z.object({ attachment: Attachment }), description: 'The stored file.' },
  documentedErrors: [413],
  errors: ['fileSize'],
})

export const downloadTaskAttachment = defineOperation({
  id: 'downloadTaskAttachment',
  method: 'GET',
  path: '/tasks/{taskId}/attachments/{attachmentId}',
  tag: 'Task attachments',
  summary: 'Download a file of a task',
  success: { status: 200, binary: 'application/octet-stream', description: 'The bytes of the file.' },
  documentedErrors: [404],
})

export const deleteTaskAttachment = defineOperation({
  id: 'deleteTaskAttachment',
  method: 'DELETE',
  path: '/tasks/{taskId}/attachments/{attachmentId}',
  tag: 'Task attachments',
  summary: 'Delete a file of a task',
  success: { status: 200, schema: deleted, description: 'The file is gone.' },
  documentedErrors: [404],
})

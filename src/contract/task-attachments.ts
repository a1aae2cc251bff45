// Contract of files attached to tasks.
import * as z from 'zod/mini'
import { Count, Id, Text, Whole, deleteResponse } from './schema/common.ts'
import { field, shownOf } from './schema/fields.ts'
import { operationsOf } from './operation.ts'
import type * as types from './types.d.ts'

export const attachmentFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  task_id: field(Id, { shown: false, fixture: false }),
  filename: field(Text, { fixture: 'required' }),
  mime_type: field(Text, { initial: 'application/octet-stream' }),
  size_bytes: field(Whole, {
    fixture: Count,
    note: 'In bytes.',
    byDefault: 'the size of its contents in `files`',
  }),
  url: field(Text, { kept: false, fixture: false, note: 'Where to download it, with the same key.' }),
}
export type AttachmentRecord = types.AttachmentRecord
export const Attachment = shownOf(attachmentFields)
export type Attachment = types.Attachment

export const taskAttachmentOperations = operationsOf('Task attachments', {
  listTaskAttachments: {
    route: 'GET /tasks/{taskId}/attachments',
    summary: 'List the files attached to a task',
    success: { schema: () => z.object({ attachments: z.array(Attachment) }), description: 'The files.' },
  },
  uploadTaskAttachment: {
    route: 'POST /tasks/{taskId}/attachments',
    summary: 'Upload a file to a task',
    body: { multipart: { maxFiles: 1, fileRequired: true } },
    success: {
      status: 201,
      schema: () => z.object({ attachment: Attachment }),
      description: 'The stored file.',
    },
    documentedErrors: [413],
    errors: ['fileSize'],
  },
  downloadTaskAttachment: {
    route: 'GET /tasks/{taskId}/attachments/{attachmentId}',
    summary: 'Download a file attached to a task',
    success: { binary: 'application/octet-stream', description: 'The bytes of the file.' },
    documentedErrors: [404],
  },
  deleteTaskAttachment: {
    route: 'DELETE /tasks/{taskId}/attachments/{attachmentId}',
    summary: 'Delete a file attached to a task',
    success: { schema: deleteResponse, description: 'The file was deleted.' },
    documentedErrors: [404],
  },
})

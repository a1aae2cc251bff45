// Contract of files in attachment columns of rows.
import * as z from 'zod/mini'
import { UnixSeconds, deleteResponse, objectOf } from './schema/common.ts'
import { operationsOf } from './operation.ts'
import { Row } from './rows.ts'
import type { Answers } from './questions/register.ts'
import type * as types from './types.d.ts'

/** The prefix of a row's storage keys. Source: contract, RowAttachment. */
export const storageKeyPrefixOf = (tableId: string, rowId: string) => `dt/${tableId}/row/${rowId}/`

export const RowAttachment = objectOf(() => ({
  /** `dt/<tableId>/row/<rowId>/<colId>/<filename>` */
  key: z.string(),
  filename: z.string(),
  size: z.int(),
  contentType: z.string(),
  uploadedAt: UnixSeconds,
}))
export type RowAttachment = types.RowAttachment

export const RowAttachmentUpload = (answers: Answers) =>
  z.object({ attachment: RowAttachment, row: Row(answers) })

export const rowAttachmentOperations = operationsOf('Row attachments', {
  uploadRowAttachment: {
    route: 'POST /datatables/{tableId}/rows/{rowId}/attachments',
    summary: 'Upload a file into an attachment column of a row',
    query: {
      col: {
        kind: 'string',
        description: 'Id of the attachment column; by default the first one of the table.',
      },
    },
    body: { multipart: { maxFiles: 1, fileRequired: true } },
    success: { schema: RowAttachmentUpload, description: 'The stored file and the row.' },
    documentedErrors: [413],
    errors: ['lockedTable', 'fileSize'],
  },
  deleteRowAttachment: {
    route: 'DELETE /datatables/{tableId}/rows/{rowId}/attachments/{key}',
    summary: "Delete a row's file by the file's URL-encoded storage key",
    success: { schema: deleteResponse, description: 'The file was deleted.' },
    documentedErrors: [400, 404],
    errors: ['lockedTable', 'storageKeyPrefix'],
  },
})

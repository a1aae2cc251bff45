// Contract of comments on tasks.
import * as z from 'zod/mini'
import {
  FixtureId,
  Id,
  NullableSeconds,
  NullableText,
  OptionalId,
  Text,
  TextOrDocument,
  deleteResponse,
  objectOf,
  patchResponse,
} from './schema/common.ts'
import { createOf, createShape, createdAt, field, shownOf } from './schema/fields.ts'
import { operationsOf } from './operation.ts'
import type * as types from './types.d.ts'

export const commentFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  task_id: field(Id, { fixture: false }),
  author_id: field(Id, { byDefault: 'the first member' }),
  author_name: field(Text, { kept: false, fixture: false }),
  content: field(TextOrDocument, { sent: 'required' }),
  content_type: field(z.enum(['text', 'tiptap']), { fixtureNote: 'Follows from `content`: text or tiptap.' }),
  created_at: createdAt,
  updated_at: field(NullableSeconds, { initial: null }),
  /** Assumption: ownComment */
  key: field(NullableText, {
    shown: false,
    fixture: z.nullable(FixtureId),
    initial: null,
    note: 'The API key that created it, if any: a scoped key can edit only its own comments.',
  }),
}
export type CommentRecord = types.CommentRecord
export const Comment = shownOf(commentFields)
export type Comment = types.Comment

export const CommentCreate = objectOf(() => ({ ...createShape(commentFields), comment_as: OptionalId }))
export const CommentPatch = createOf(commentFields)

export const commentOperations = operationsOf('Comments', {
  listComments: {
    route: 'GET /tasks/{taskId}/comments',
    summary: 'List the comments of a task',
    success: { schema: () => z.object({ comments: z.array(Comment) }), description: 'The comments.' },
  },
  createComment: {
    route: 'POST /tasks/{taskId}/comments',
    summary: 'Comment on a task, on behalf of a member if requested',
    body: { json: CommentCreate },
    success: { schema: () => z.object({ id: Id }), description: 'Id of the comment.' },
  },
  updateComment: {
    route: 'PATCH /tasks/{taskId}/comments/{commentId}',
    summary: 'Change the content of a comment',
    body: { json: CommentPatch },
    success: { schema: patchResponse(Comment), description: 'The comment was changed.' },
    documentedErrors: [403, 404],
    errors: ['foreignComment'],
  },
  deleteComment: {
    route: 'DELETE /tasks/{taskId}/comments/{commentId}',
    summary: 'Delete a comment',
    success: { schema: deleteResponse, description: 'The comment was deleted.' },
    documentedErrors: [403, 404],
    errors: ['foreignComment'],
  },
})

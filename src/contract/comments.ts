// Owns the contract of comments on tasks.
import * as z from 'zod/mini'
import { Id, TextOrDocument, UnixSeconds, deleted, patched } from './common.ts'
import { defineOperation } from './operation.ts'

export const Comment = z.object({
  id: Id,
  task_id: Id,
  author_id: Id,
  author_name: z.string(),
  content: TextOrDocument,
  content_type: z.enum(['text', 'tiptap']),
  created_at: UnixSeconds,
  updated_at: z.nullable(UnixSeconds),
})
export type Comment = z.infer<typeof Comment>

export const CommentRecord = z.object({
  id: Id,
  workspace_id: Id,
  task_id: Id,
  author_id: Id,
  content: TextOrDocument,
  content_type: z.enum(['text', 'tiptap']),
  created_at: UnixSeconds,
  updated_at: z.nullable(UnixSeconds),
  /** The key it was made with, where it was made through the API. Assumption: ownComment */
  key: z.nullable(z.string()),
})
export type CommentRecord = z.infer<typeof CommentRecord>

export const CommentCreate = z.object({ content: TextOrDocument, comment_as: z.optional(Id) })
export const CommentPatch = z.object({ content: TextOrDocument })

export const listComments = defineOperation({
  id: 'listComments',
  method: 'GET',
  path: '/tasks/{taskId}/comments',
  tag: 'Comments',
  summary: 'List the comments of a task',
  success: { status: 200, schema: z.object({ comments: z.array(Comment) }), description: 'The comments.' },
  documentedErrors: [],
})

export const createComment = defineOperation({
  id: 'createComment',
  method: 'POST',
  path: '/tasks/{taskId}/comments',
  tag: 'Comments',
  summary: 'Comment on a task, on behalf of a member where asked',
  body: { json: CommentCreate },
  success: { status: 200, schema: z.object({ id: Id }), description: 'Id of the comment.' },
  documentedErrors: [],
})

export const updateComment = defineOperation({
  id: 'updateComment',
  method: 'PATCH',
  path: '/tasks/{taskId}/comments/{commentId}',
  tag: 'Comments',
  summary: 'Change the content of a comment',
  body: { json: CommentPatch },
  success: { status: 200, schema: patched(Comment), description: 'The comment is changed.' },
  documentedErrors: [403, 404],
  errors: ['foreignComment'],
})

export const deleteComment = defineOperation({
  id: 'deleteComment',
  method: 'DELETE',
  path: '/tasks/{taskId}/comments/{commentId}',
  tag: 'Comments',
  summary: 'Delete a comment',
  success: { status: 200, schema: deleted, description: 'The comment is gone.' },
  documentedErrors: [403, 404],
  errors: ['foreignComment'],
})

// Comments, and who may change them.
import { commentFields, type CommentRecord, type Comment } from '../contract/comments.ts'
import type { BodyFor } from '../contract/index.ts'
import { made, patchedRecord, toShown } from '../contract/schema/field-values.ts'
import { ApiError } from '../contract/errors.ts'
import { assertNotBlank, mustBe } from '../contract/schema/checks.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import { memberOf } from './workspaces.ts'
import type { KeyRecord, WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

type Content = CommentRecord['content']

/** Comments of a task in order of creation. */
export function commentsOf(store: Store, task: TaskRecord): readonly CommentRecord[] {
  return store.comments.ownedBy(task.id)
}

/** @throws {ApiError} validation */
function checkedContent(store: Store, content: Content): Pick<CommentRecord, 'content' | 'content_type'> {
  if (typeof content !== 'string') return { content, content_type: 'tiptap' }
  assertNotBlank(store.answers, 'content', content)
  return { content, content_type: 'text' }
}

/**
 * Adds a comment to a task, by the member named or else by that of the key. Assumption: actingMember, unknownReferences
 * @throws {ApiError} validation
 */
export function addComment(
  store: Store,
  workspace: WorkspaceRecord,
  key: KeyRecord,
  task: TaskRecord,
  fields: BodyFor<'createComment'>,
): CommentRecord {
  const { comment_as: author = key.member_id } = fields
  const content = checkedContent(store, fields.content)
  if (fields.comment_as !== undefined && !memberOf(workspace, author))
    throw mustBe('comment_as', 'the id of a workspace member', author)
  return store.comments.put(
    made(commentFields, fields, {
      id: store.newId('comments'),
      workspace_id: workspace.id,
      task_id: task.id,
      author_id: author,
      ...content,
      created_at: store.clock.now(),
      key: key.id,
    }),
  )
}

/**
 * Master keys change any comment, scoped keys only their own. Source: contract, Comments. Assumption: ownComment
 * @throws {ApiError} foreignComment
 */
export function assertMayChange(store: Store, key: KeyRecord, comment: CommentRecord): void {
  if (key.kind === 'master') return
  const byMember = store.answers.ownComment === 'member'
  if (byMember ? comment.author_id === key.member_id : comment.key === key.id) return
  throw new ApiError(
    'foreignComment',
    `comment ${comment.id} was not made ${byMember ? 'by the member of this key' : 'with this key'}; a scoped key may change only its own comments`,
  )
}

/** @throws {ApiError} validation */
export function updateComment(
  store: Store,
  comment: CommentRecord,
  patch: BodyFor<'updateComment'>,
): CommentRecord {
  const content = checkedContent(store, patch.content)
  const updated_at = store.clock.now()
  return store.comments.put(patchedRecord(commentFields, comment, patch, { ...content, updated_at }))
}

/** The author has their current name; a former member is named by id. */
export function toComment(workspace: WorkspaceRecord, comment: CommentRecord): Comment {
  const { author_id } = comment
  return toShown(commentFields, comment, { author_name: memberOf(workspace, author_id)?.name ?? author_id })
}

// Owns comments as the model keeps them and who may change them.
import * as z from 'zod/mini'
import type { Comment } from '../contract/comments.ts'
import { Id, TextOrDocument, UnixSeconds } from '../contract/common.ts'
import { Refusal } from '../contract/errors.ts'
import { assertNotBlank, mustBe } from '../contract/checks.ts'
import type { TaskRecord } from './tasks.ts'
import { memberOf, type KeyRecord, type WorkspaceRecord } from './workspaces.ts'
import type { World } from '../store/store.ts'

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

type Content = CommentRecord['content']

/** Comments of a task in order of creation. */
export function commentsOf(world: World, task: TaskRecord): Promise<CommentRecord[]> {
  return world.comments.findMany((comment) => comment.task_id === task.id)
}

/** @throws {Refusal} validation */
function checkedContent(world: World, content: Content): Pick<CommentRecord, 'content' | 'content_type'> {
  if (typeof content !== 'string') return { content, content_type: 'tiptap' }
  assertNotBlank(world.answers, 'content', content)
  return { content, content_type: 'text' }
}

/**
 * Comments on a task, as the member named or else the one of the key. Assumption: actingMember, unknownReferences
 * @throws {Refusal} validation
 */
export function addComment(
  world: World,
  workspace: WorkspaceRecord,
  key: KeyRecord,
  task: TaskRecord,
  fields: { readonly content: Content; readonly comment_as?: string | undefined },
): CommentRecord {
  const { comment_as: author = key.member_id } = fields
  const content = checkedContent(world, fields.content)
  if (fields.comment_as !== undefined && !memberOf(workspace, author))
    throw mustBe('comment_as', 'the id of a workspace member', author)
  return world.comments.put({
    id: world.runtime.nextId('comment', (id) => world.comments.has(id)),
    workspace_id: workspace.id,
    task_id: task.id,
    author_id: author,
    ...content,
    created_at: world.clock.now(),
    updated_at: null,
    key: key.id,
  })
}

/**
 * Master keys change any comment, scoped keys only their own. Source: contract, Comments. Assumption: ownComment
 * @throws {Refusal} foreignComment
 */
export function assertMayChange(world: World, key: KeyRecord, comment: CommentRecord): void {
  if (key.kind === 'master') return
  const byMember = world.answers.ownComment === 'member'
  if (byMember ? comment.author_id === key.member_id : comment.key === key.id) return
  throw new Refusal(
    'foreignComment',
    `comment ${comment.id} was not made ${byMember ? 'by the member of this key' : 'with this key'}; a scoped key may change only its own comments`,
  )
}

/** @throws {Refusal} validation */
export function updateComment(world: World, comment: CommentRecord, content: Content): CommentRecord {
  return world.comments.put({ ...comment, ...checkedContent(world, content), updated_at: world.clock.now() })
}

/** The author's name is that of now; a member who has left is named by id. */
export function presentComment(workspace: WorkspaceRecord, comment: CommentRecord): Comment {
  const { id, task_id, author_id, content, content_type, created_at, updated_at } = comment
  const author_name = memberOf(workspace, author_id)?.name ?? author_id
  return { id, task_id, author_id, author_name, content, content_type, created_at, updated_at }
}

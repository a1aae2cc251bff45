// Comments, and who may change them.
import { commentFields, type CommentRecord, type Comment } from '../../contract/comments.ts'
import { newRecord, patchRecord, toShown } from '../../contract/schema/field-values.ts'
import { ApiError } from '../../contract/errors.ts'
import { assertNotBlank, toValueError } from '../../contract/schema/checks.ts'
import { memberOf, nameOfMember } from './workspaces.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../store/store.ts'
import { toDeleteResponse, toPatchResponse, type AdmittedRequest, type Handlers } from './request.ts'

/** @throws {ApiError} validation */
function parseContent(store: Store, content: CommentRecord['content']) {
  if (typeof content !== 'string') return { content, content_type: 'tiptap' as const }
  assertNotBlank(store.answers, 'content', content)
  return { content, content_type: 'text' as const }
}

/**
 * Lets master keys change any comment, scoped keys only their own. Source: contract, Comments. Assumption: ownComment
 * @throws {ApiError} foreignComment
 */
function assertMayChange({ answers, key, at }: AdmittedRequest<'updateComment' | 'deleteComment'>): void {
  const { comment } = at
  if (key.kind === 'master') return
  const byMember = answers.ownComment === 'member'
  if (byMember ? comment.author_id === key.member_id : comment.key === key.id) return
  throw new ApiError(
    'foreignComment',
    `comment ${comment.id} was not created ${byMember ? "by this key's member" : 'with this key'}; a scoped key may change only its own comments`,
  )
}

function toComment(workspace: WorkspaceRecord, comment: CommentRecord): Comment {
  return toShown(commentFields, comment, { author_name: nameOfMember(workspace, comment.author_id) })
}

export const commentHandlers = {
  listComments: ({ store, workspace, at }) => ({
    comments: store.comments.ownedBy(at.task.id).map((comment) => toComment(workspace, comment)),
  }),

  /** The author is the member named, or else the key's member. Assumption: actingMember, unknownReferences */
  createComment({ store, workspace, key, at, body }) {
    const { comment_as: author_id = key.member_id } = body
    const content = parseContent(store, body.content)
    if (body.comment_as !== undefined && !memberOf(workspace, author_id))
      throw toValueError('comment_as', 'the id of a workspace member', author_id)
    const { id } = store.comments.put(
      newRecord(commentFields, body, {
        id: store.newId('comments'),
        workspace_id: workspace.id,
        task_id: at.task.id,
        author_id,
        ...content,
        created_at: store.clock.now(),
        key: key.id,
      }),
    )
    return { id }
  },

  updateComment: {
    permit: assertMayChange,
    run({ store, answers, workspace, at, body }) {
      const changes = { ...parseContent(store, body.content), updated_at: store.clock.now() }
      const comment = store.comments.put(patchRecord(commentFields, at.comment, body, changes))
      return toPatchResponse(answers, () => toComment(workspace, comment))
    },
  },

  deleteComment: {
    permit: assertMayChange,
    run({ store, answers, at }) {
      store.comments.remove(at.comment.id)
      return toDeleteResponse(answers)
    },
  },
} satisfies Partial<Handlers>

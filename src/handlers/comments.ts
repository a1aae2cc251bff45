// Handlers for comments on tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedResponse, patchedResponse } from '../core/mutation.ts'
import * as comments from '../resources/comments.ts'

export const listComments: OperationHandler<'listComments'> = ({ store, workspace, at }) => ({
  comments: comments.commentsOf(store, at.taskId).map((comment) => comments.toComment(workspace, comment)),
})

export const createComment: OperationHandler<'createComment'> = ({ store, workspace, key, at, body }) => ({
  id: comments.addComment(store, workspace, key, at.taskId, body).id,
})

export const updateComment: OperationHandler<'updateComment'> = {
  permit: ({ store, key, at }) => {
    comments.assertMayChange(store, key, at.commentId)
  },
  run: ({ store, answers, workspace, at, body }) => {
    const comment = comments.updateComment(store, at.commentId, body)
    return patchedResponse(answers, () => comments.toComment(workspace, comment))
  },
}

export const deleteComment: OperationHandler<'deleteComment'> = {
  permit: ({ store, key, at }) => {
    comments.assertMayChange(store, key, at.commentId)
  },
  run: ({ store, answers, at }) => {
    store.comments.remove(at.commentId.id)
    return deletedResponse(answers)
  },
}

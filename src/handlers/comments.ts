// Answers for comments on tasks.
import type { OperationHandler } from '../core/context.ts'
import { deletedAnswer, patchedAnswer } from '../core/mutation.ts'
import * as comments from '../resources/comments.ts'

export const listComments: OperationHandler<'listComments'> = async ({ world, workspace, at }) => {
  const found = await comments.commentsOf(world, at.taskId)
  return { comments: found.map((comment) => comments.presentComment(workspace, comment)) }
}

export const createComment: OperationHandler<'createComment'> = ({ world, workspace, key, at, body }) => ({
  id: comments.addComment(world, workspace, key, at.taskId, body).id,
})

export const updateComment: OperationHandler<'updateComment'> = {
  permit: ({ world, key, at }) => {
    comments.assertMayChange(world, key, at.commentId)
  },
  run: ({ world, answers, workspace, at, body }) => {
    const comment = comments.updateComment(world, at.commentId, body.content)
    return patchedAnswer(answers, () => comments.presentComment(workspace, comment))
  },
}

export const deleteComment: OperationHandler<'deleteComment'> = {
  permit: ({ world, key, at }) => {
    comments.assertMayChange(world, key, at.commentId)
  },
  run: ({ world, answers, at }) => {
    world.comments.remove(at.commentId.id)
    return deletedAnswer(answers)
  },
}

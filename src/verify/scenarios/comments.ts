// Scenarios of comments.
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { makeTask } from './own.ts'
import { document, hardText } from './values.ts'

const comments = (play: Play, taskId: string) => play.call('listComments', { params: { taskId } })
async function comment(play: Play, taskId: string, json: unknown = { content: play.text() }) {
  return play.make('createComment', { params: { taskId }, json })
}

export const commentScenarios: readonly Scenario[] = [
  writing(
    'createComment listComments/contents',
    'contract, Comment',
    'a comment is a text or a document, oldest first',
    async (play) => {
      const taskId = await makeTask(play)
      for (const content of [`${play.text()} ${hardText}\nnext line`, document, 'x'.repeat(3000), 'last']) {
        await comment(play, taskId, { content })
        await comments(play, taskId)
      }
    },
  ),
  writing(
    'createComment listComments/authors',
    'contract, Comment',
    'a comment is made by the key or on behalf of a member',
    async (play) => {
      const taskId = await makeTask(play)
      for (const { id } of play.known.members.slice(0, 4))
        await play.call('createComment', { params: { taskId }, json: { content: 'as', comment_as: id } })
      await comments(play, taskId)
      for (const comment_as of ['verify_none_such', 5])
        await play.call('createComment', { params: { taskId }, json: { content: 'x', comment_as } })
    },
  ),
  writing(
    'createComment listComments/bodies',
    'contract, Comment',
    'a comment needs content',
    async (play) => {
      const taskId = await makeTask(play)
      for (const json of [
        {},
        { content: 5 },
        { content: null },
        { content: [] },
        { content: true },
        [],
        null,
        { content: 'x', verify_no_such_field: 1 },
      ])
        await play.call('createComment', { params: { taskId }, json })
      play.says('an empty or blank text is refused', 'assumption emptyNames')
      for (const content of ['', ' '])
        await play.call('createComment', { params: { taskId }, json: { content } })
      await comments(play, taskId)
    },
  ),
  writing(
    'updateComment listComments/edited',
    'contract, Comment',
    'an edit changes the content and sets updated_at, and nothing else',
    async (play) => {
      const taskId = await makeTask(play)
      const [{ id: commentId }] = [
        await comment(play, taskId),
        await comment(play, taskId, { content: document }),
      ]
      await play.wait(6000)
      for (const content of [`edited ${hardText}`, document, 'again']) {
        await play.call('updateComment', { params: { taskId, commentId }, json: { content } })
        await comments(play, taskId)
      }
      for (const json of [{}, { content: 5 }, { content: null }, { content: '' }, [], null])
        await play.call('updateComment', { params: { taskId, commentId }, json })
      await comments(play, taskId)
    },
  ),
  writing(
    'updateComment deleteComment listComments/others',
    'assumption ownComment',
    "a member's comment is edited and deleted by another key",
    async (play) => {
      const taskId = await makeTask(play)
      for (const { id } of play.known.members.slice(0, 3)) {
        const params = {
          taskId,
          commentId: (await comment(play, taskId, { content: 'as', comment_as: id })).id,
        }
        await play.call('updateComment', { params, json: { content: 'edited' } })
        await comments(play, taskId)
        await play.call('deleteComment', { params })
      }
      await comments(play, taskId)
    },
  ),
  writing(
    'deleteComment updateComment listComments/comment-gone',
    'contract, Endpoints',
    'a deleted comment is gone, the others stay; a comment belongs to its task',
    async (play) => {
      const [taskId, other] = [await makeTask(play), await makeTask(play)]
      const made = [await comment(play, taskId), await comment(play, taskId), await comment(play, taskId)]
      const commentId = made[1]?.id ?? ''
      await play.call('updateComment', { params: { taskId: other, commentId }, json: { content: 'x' } })
      await play.call('deleteComment', { params: { taskId: other, commentId } })
      await play.call('deleteComment', { params: { taskId, commentId } })
      await comments(play, taskId)
      await play.call('deleteComment', { params: { taskId, commentId } })
      await play.call('updateComment', { params: { taskId, commentId }, json: { content: 'x' } })
    },
  ),
]

// Scenarios of comments.
import type { JsonObject } from '../../contract/schema/maps.ts'
import type { Play } from '../twin/play.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import { bodiesOf, makeTask } from './own.ts'
import { document, hardText } from './values.ts'

async function commenting(play: Play) {
  const params = { taskId: await makeTask(play) }
  const list = () => play.get('listComments', params)
  const make = async (json: JsonObject = { content: play.text() }) => ({
    ...params,
    commentId: (await play.make('createComment', { params, json })).id,
  })
  return { params, list, make }
}

export const commentScenarios: readonly Scenario[] = [
  ...writing('contract, Comment', {
    'createComment listComments/contents: a comment is a text or a document, oldest first': async (play) => {
      const { list, make } = await commenting(play)
      for (const content of [`${play.text()} ${hardText}\nnext line`, document, 'x'.repeat(3000), 'last']) {
        await make({ content })
        await list()
      }
    },
    'createComment listComments/authors: a comment is by the key or on behalf of a member': async (play) => {
      const { params, list } = await commenting(play)
      for (const { id } of play.known.members.slice(0, 4))
        await play.sendEach('createComment', params, { content: 'as', comment_as: id })
      await list()
      const wrong = bodiesOf({ comment_as: ['verify_none_such', 5] }, { content: 'x' })
      await play.sendEach('createComment', params, ...wrong)
    },
    'createComment listComments/bodies: a comment needs content': async (play) => {
      const { params, list } = await commenting(play)
      const wrong = bodiesOf({ content: [5, null, [], true] })
      await play.sendEach('createComment', params, {}, ...wrong, [], null, {
        content: 'x',
        verify_no_such_field: 1,
      })
      play.says('an empty or blank text is refused', 'assumption emptyNames')
      await play.sendEach('createComment', params, ...bodiesOf({ content: ['', ' '] }))
      await list()
    },
    'updateComment listComments/edited: an edit changes the content, sets updated_at, and keeps the rest':
      async (play) => {
        const { list, make } = await commenting(play)
        const params = await make()
        await make({ content: document })
        await play.wait(6000)
        for (const content of [`edited ${hardText}`, document, 'again']) {
          await play.sendEach('updateComment', params, { content })
          await list()
        }
        await play.sendEach('updateComment', params, {}, ...bodiesOf({ content: [5, null, ''] }), [], null)
        await list()
      },
  }),
  ...writing('assumption ownComment', {
    "updateComment deleteComment listComments/others: another key edits a member's comment": async (play) => {
      const { list, make } = await commenting(play)
      for (const { id } of play.known.members.slice(0, 3)) {
        const params = await make({ content: 'as', comment_as: id })
        await play.sendEach('updateComment', params, { content: 'edited' })
        await list()
        await play.call('deleteComment', { params })
      }
      await list()
    },
  }),
  ...writing('contract, Endpoints', {
    'deleteComment updateComment listComments/comment-gone: a deleted comment is gone, the others stay':
      async (play) => {
        const { list, make } = await commenting(play)
        const taskId = await makeTask(play)
        await make()
        const params = await make()
        await make()
        play.says('a comment belongs to its task', 'contract, Endpoints')
        await play.sendEach('updateComment', { ...params, taskId }, { content: 'x' })
        await play.call('deleteComment', { params: { ...params, taskId } })
        play.says('a deleted comment is gone, the others stay', 'contract, Endpoints')
        await play.call('deleteComment', { params })
        await list()
        await play.call('deleteComment', { params })
        await play.sendEach('updateComment', params, { content: 'x' })
      },
  }),
]

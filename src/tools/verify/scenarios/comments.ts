// Scenarios of comments.
import { writing, type Play, type Scenario } from '../twin/play.ts'
import { bodiesOf, playDeletion, tryFields, makeRecord, resolveParams, sayNext } from './records.ts'

const source = 'contract, Comment'
const blank = () => [
  sayNext('an empty or blank text is refused', 'assumption emptyNames'),
  ...bodiesOf({ content: ['', ' '] }),
]

export const commentScenarios: readonly Scenario[] = [
  ...tryFields('create', 'Comment', { source, also: blank }),
  ...tryFields('update', 'Comment', {
    source,
    also: () => [(play: Play) => play.wait(6000), { content: 'some seconds later' }, ...blank()],
  }),
  ...writing('assumption ownComment', {
    "updateComment deleteComment listComments/others: another key edits a member's comment": async (play) => {
      const container = await resolveParams(play, 'createComment')
      for (const { id } of play.known.members.slice(0, 3)) {
        const json = { content: 'as', comment_as: id }
        const params = await makeRecord(play, 'Comment', json, container)
        await play.sendEach('updateComment', params, { content: 'edited' })
        await play.get('listComments', params)
        await play.call('deleteComment', { params })
      }
      await play.get('listComments', container)
    },
  }),
  ...writing(source, {
    'updateComment listComments/place: an edited comment keeps its place and created_at': async (play) => {
      const params = await makeRecord(play, 'Comment', undefined, await resolveParams(play, 'createComment'))
      await makeRecord(play, 'Comment', undefined, await resolveParams(play, 'createComment', params))
      await play.wait(6000)
      await play.sendEach('updateComment', params, { content: play.text() })
      await play.get('listComments', params)
    },
  }),
  ...writing('contract, Endpoints', {
    'deleteComment updateComment listComments/comment-gone: a deleted comment is gone, the others stay':
      playDeletion('Comment'),
  }),
]

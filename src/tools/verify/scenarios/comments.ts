// Scenarios for comments.
import { writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { bodiesOf, tryDeletion, tryFields, makeRecord, resolveParams, sayNext } from './records.ts'

const blank = () => [
  sayNext('an empty or blank text is refused', 'assumption emptyNames'),
  ...bodiesOf({ content: ['', ' '] }),
]

export const commentScenarios: readonly Scenario[] = [
  ...tryFields('create', 'Comment', { source: 'contract, Comment', extraBodies: blank }),
  ...tryFields('update', 'Comment', {
    source: 'contract, Comment',
    extraBodies: () => [
      (ctx: ScenarioContext) => ctx.wait(6000),
      { content: 'some seconds later' },
      ...blank(),
    ],
  }),
  ...writing('assumption ownComment', {
    "updateComment deleteComment listComments/others: another key edits a member's comment": async (ctx) => {
      const container = await resolveParams(ctx, 'createComment')
      for (const { id } of ctx.known.members.slice(0, 3)) {
        const json = { content: 'as', comment_as: id }
        const params = await makeRecord(ctx, 'Comment', json, container)
        await ctx.sendEach('updateComment', params, { content: 'edited' })
        await ctx.get('listComments', params)
        await ctx.call('deleteComment', { params })
      }
      await ctx.get('listComments', container)
    },
  }),
  ...writing('contract, Comment', {
    'updateComment listComments/place: an edited comment keeps its place and created_at': async (ctx) => {
      const params = await makeRecord(ctx, 'Comment', undefined, await resolveParams(ctx, 'createComment'))
      await makeRecord(ctx, 'Comment', undefined, await resolveParams(ctx, 'createComment', params))
      await ctx.wait(6000)
      await ctx.sendEach('updateComment', params, { content: ctx.text() })
      await ctx.get('listComments', params)
    },
  }),
  ...writing('contract, Endpoints', {
    'deleteComment updateComment listComments/comment-gone: a deleted comment is gone; the others are kept':
      tryDeletion('Comment'),
  }),
]

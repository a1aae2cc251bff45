// Scenarios for the workspace, and for spaces and lists, which remain because no operation deletes them.
import { reading, writing, type Scenario } from '../twin/player.ts'
import { getOwnList, getOwnSpace, makeOrAdoptSpace } from './own.ts'
import { bodiesOf, changeEach, tryFields, show, showLists } from './records.ts'
import { hardText } from './values.ts'

const source = 'contract, Space, List'

/** Makes the run's space. */
export const [makesSpace] = writing(source, {
  'createSpace listSpaces listLists getListSchema getList/own-space: a new space has its name, colour, icon and list':
    async (ctx) => {
      const { spaceId, listId } = await makeOrAdoptSpace(ctx)
      ctx.twin.own.space = { spaceId, listId }
      await show(ctx, 'Space', { spaceId })
      for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
        await ctx.get(operation, { listId })
    },
}) as [Scenario]

export const spaceScenarios: readonly Scenario[] = [
  ...(['Space', 'List'] as const).flatMap((kind) => [
    ...tryFields('create', kind, { source }),
    ...tryFields('update', kind, {
      source,
      // Each round needs a new name: a second round pulls the name the first one set.
      extraBodies: (ctx) => [{ name: `${ctx.text()} in part`, color: 'red' }],
      record: (ctx) => ({ spaceId: getOwnSpace(ctx), listId: getOwnList(ctx) }),
    }),
  ]),
  ...writing(source, {
    'createList getList getListSchema listTasks listSpaces listLists/lists: a new list has the default statuses':
      async (ctx) => {
        const params = { spaceId: getOwnSpace(ctx) }
        const marker = ctx.text()
        const look = { color: '#123456', icon: 'bolt' }
        const bodies = [{ name: `${marker} ${hardText}`, ...look }, { name: `${marker} A` }]
        // A reused space already has these lists. A space of this run gets new lists in each round, so rounds can be
        // compared.
        const isReused = ctx.twin.own.adoptedSpace !== undefined
        const lists = ctx.mock.db.lists.findMany((q) => q.where({ space_id: params.spaceId }))
        const hasLists = isReused && lists.length > 2
        for (const json of hasLists ? [] : bodies) {
          const list = await ctx.sendEach('createList', params, json)
          if (!list) break
          for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
            await ctx.get(operation, { listId: list.id })
        }
        await showLists(ctx, 'List', params)
        const last = ctx.mock.db.lists.findMany().at(-1)
        if (!last || last.space_id !== params.spaceId) return
        ctx.says('a change to one field of a list keeps the others', source)
        const fields = bodiesOf({ color: ['#fff'], icon: ['x'], name: [`${marker} renamed`] })
        await changeEach(ctx, 'List', { listId: last.id }, fields)
        await showLists(ctx, 'List', params)
      },
  }),
  ...reading('contract, Identity', {
    "getIdentity/identity: the identity names the workspace's plan and members": (ctx) =>
      ctx.get('getIdentity'),
  }),
]

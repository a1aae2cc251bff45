// The rules of spaces.
import { compareText } from '../../contract/values/text.ts'
import type { Context } from '../engine/context.ts'
import { refusals } from './refusals.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule } from '../engine/rule.ts'

const part = contract('Spaces and lists')

/** The run's space as the listing shows it now. */
async function listedSpace({ api, own }: Context) {
  const { id } = await own.space()
  const { spaces } = await api.succeed('listSpaces')
  return needed(
    spaces.find((space) => space.id === id),
    'the space of the run is not listed',
  )
}

const reading: readonly Rule[] = [
  {
    id: 'spaces-once',
    operation: 'listSpaces',
    source: part,
    needs: 'read',
    says: 'lists every space once, with the lists of that space',
    check: async ({ seen }) => {
      const spaces = await seen.spaces()
      const ids = spaces.map(({ id }) => id)
      expectSame('space ids', ids, [...new Set(ids)])
      for (const { id, name, lists } of spaces)
        for (const list of lists)
          expectSame(`space of list ${list.id}`, [list.space_id, list.space_name], [id, name])
    },
  },
  {
    id: 'same-lists',
    operation: 'listSpaces',
    source: part,
    needs: 'read',
    says: 'its lists are those of the list listing',
    check: async ({ seen }) => {
      const inSpaces = (await seen.spaces()).flatMap(({ lists }) => lists)
      const byId = <T extends { id: string }>(lists: readonly T[]) =>
        lists.toSorted((a, b) => compareText(a.id, b.id))
      expectSame('lists', byId(inSpaces), byId(await seen.lists()))
    },
  },
]

const writing: readonly Rule[] = [
  {
    id: 'answered',
    operation: 'createSpace',
    source: part,
    needs: 'write',
    says: 'answers the space as it was asked for',
    check: async ({ own }) => {
      const { name, color, icon } = await own.space()
      expectSame('space', { name, color, icon }, { name: own.marker, color: '#336699', icon: 'flask' })
    },
  },
  {
    id: 'first-list',
    operation: 'createSpace',
    source: part,
    needs: 'write',
    says: 'makes a list named Tasks with it, its default list',
    check: async ({ own }) => {
      const { id, lists, default_list_id: defaultId } = await own.space()
      expectSame(
        'names of lists',
        lists.map(({ name }) => name),
        ['Tasks'],
      )
      expectSame(
        'default list',
        lists.map((list) => list.id),
        [defaultId],
      )
      expectSame(
        'space of the list',
        lists.map((list) => list.space_id),
        [id],
      )
    },
  },
  {
    id: 'default-statuses',
    operation: 'createSpace',
    source: part,
    needs: 'write',
    says: 'makes default statuses with it',
    check: async ({ own }) => {
      const statuses = await own.statuses()
      expectThat(
        statuses.some(({ type }) => type === 'active'),
        'an active status',
        statuses,
      )
      const wanted = ['To do', 'In progress', 'Done', 'Archived']
      expectSame(
        'statuses',
        statuses.map(({ name }) => name),
        wanted,
        assumed('defaultStatuses'),
      )
      const types = ['active', 'active', 'done', 'archived']
      expectSame(
        'types',
        statuses.map(({ type }) => type),
        types,
        assumed('defaultStatuses'),
      )
    },
  },
  {
    id: 'listed',
    operation: 'listSpaces',
    source: part,
    needs: 'write',
    says: 'shows a new space',
    check: async (context) => {
      const { name, lists } = await listedSpace(context)
      expectThat(name.startsWith(context.own.marker), 'the name it was given', name)
      expectThat(
        lists.some(({ name: listName }) => listName === 'Tasks'),
        'its list',
        lists,
      )
    },
  },
  {
    id: 'changes',
    operation: 'updateSpace',
    source: part,
    needs: 'write',
    says: 'changes what is sent and leaves the rest, in the lists of the space too',
    check: async (context) => {
      const { api, own } = context
      const { id } = await own.space()
      const name = `${own.text()} renamed`
      await api.succeed('updateSpace', { params: { spaceId: id }, json: { name } })
      const after = await listedSpace(context)
      expectSame('space', [after.name, after.color, after.icon], [name, '#336699', 'flask'])
      expectSame('space_name of its lists', [...new Set(after.lists.map((list) => list.space_name))], [name])
      await api.succeed('updateSpace', { params: { spaceId: id }, json: { color: '#123456', icon: 'star' } })
      const again = await listedSpace(context)
      expectSame('space', [again.name, again.color, again.icon], [name, '#123456', 'star'])
    },
  },
]

const refusedWhole: Rule = {
  id: 'refused-whole',
  operation: 'updateSpace',
  source: part,
  needs: 'write',
  says: 'a refused change changes nothing',
  check: async (context) => {
    const { api, own } = context
    const { id } = await own.space()
    const before = await listedSpace(context)
    await api.expect('updateSpace', 400, { params: { spaceId: id }, json: { name: own.text(), color: 7 } })
    expectSame('space', await listedSpace(context), before)
  },
}

const spaceId = async ({ own }: Context) => ({ spaceId: (await own.space()).id })

const refused = refusals([
  {
    id: 'without-name',
    operation: 'createSpace',
    source: part,
    says: 'refuses a space without a name',
    ask: () => ({ json: { color: '#336699' } }),
  },
  {
    id: 'name-no-string',
    operation: 'createSpace',
    source: part,
    says: 'refuses a name that is not a string',
    ask: () => ({ json: { name: 7 } }),
  },
  {
    id: 'bad-color',
    operation: 'createSpace',
    source: assumed('colors'),
    says: 'refuses an invalid colour',
    ask: ({ own }) => ({ json: { name: own.text(), color: 'bluish' } }),
  },
  {
    id: 'bad-color',
    operation: 'updateSpace',
    source: assumed('colors'),
    says: 'refuses an invalid colour',
    ask: async (c) => ({ params: await spaceId(c), json: { color: 'bluish' } }),
  },
  {
    id: 'name-no-string',
    operation: 'updateSpace',
    source: assumed('generalStatuses'),
    says: 'refuses a name that is not a string',
    ask: async (c) => ({ params: await spaceId(c), json: { name: null } }),
  },
])

export const spaceRules: readonly Rule[] = [...reading, ...writing, refusedWhole, ...refused]

// The rules of lists, their statuses and custom fields.
import type { OperationId } from '../../contract/index.ts'
import type { List } from '../../contract/lists.ts'
import type { Context } from '../engine/context.ts'
import { refusals } from './refusals.ts'
import { assumed, contract, expectSame, expectThat, needed, type Rule, Unreachable } from '../engine/rule.ts'

const part = contract('Spaces and lists')
const comparedLists = 10

const schemas = async ({ seen }: Context) => {
  const all = []
  for (const { id } of (await seen.lists()).slice(0, comparedLists)) all.push(await seen.listSchema(id))
  return all
}

const reading: readonly Rule[] = [
  {
    id: 'lists-once',
    operation: 'listLists',
    source: part,
    needs: 'read',
    says: 'lists every list once',
    check: async ({ seen }) => {
      const ids = (await seen.lists()).map(({ id }) => id)
      expectSame('list ids', ids, [...new Set(ids)])
    },
  },
  {
    id: 'as-listed',
    operation: 'getList',
    source: contract('List'),
    needs: 'read',
    says: 'answers a list as it is listed',
    check: async ({ api, seen }) => {
      await seen.someList()
      for (const list of (await seen.lists()).slice(0, 3))
        expectSame('list', await api.succeed('getList', { params: { listId: list.id } }), list)
    },
  },
  {
    id: 'statuses',
    operation: 'getListSchema',
    source: contract('Status'),
    needs: 'read',
    says: 'a list has an active status, and every status once',
    check: async (context) => {
      for (const { statuses } of await schemas(context)) {
        const ids = statuses.map(({ id }) => id)
        expectSame('status ids', ids, [...new Set(ids)])
        expectThat(
          statuses.some(({ type }) => type === 'active'),
          'an active status',
          statuses,
        )
      }
    },
  },
  {
    id: 'field-types',
    operation: 'getListSchema',
    source: assumed('customFieldTypes'),
    needs: 'read',
    says: 'custom fields have the types of question customFieldTypes',
    check: async (context) => {
      for (const { fields } of await schemas(context))
        for (const { type } of fields)
          expectThat(
            context.answers.customFieldTypes.includes(type),
            `one of ${context.answers.customFieldTypes.join(', ')}`,
            type,
          )
    },
  },
  {
    id: 'link-fields',
    operation: 'getListSchema',
    source: contract('CustomField'),
    needs: 'read',
    says: 'a datatable link has its mode and table',
    check: async (context) => {
      const links = (await schemas(context)).flatMap(({ fields }) =>
        fields.filter(({ type }) => type === 'datatable'),
      )
      if (links.length === 0) throw new Unreachable('no list has a datatable link')
      for (const { name, mode, table_id } of links)
        expectThat(mode !== undefined && table_id !== undefined, `mode and table_id of ${name}`, {
          mode,
          table_id,
        })
    },
  },
]

/** A list of the run's space, made once: lists cannot be deleted. */
function madeList({ api, own }: Context, look: 'plain' | 'coloured'): Promise<List> {
  const fields = look === 'plain' ? {} : { color: '#abcdef', icon: 'leaf' }
  return own.once(`${look} list`, async () => {
    const { id } = await own.space()
    return api.succeed('createList', { params: { spaceId: id }, json: { name: own.text(), ...fields } })
  })
}

/** The list with a hard name, made once. */
export function listWithName({ api, own }: Context, name: string): Promise<List> {
  return own.once('named list', async () => {
    const { id } = await own.space()
    return api.succeed('createList', { params: { spaceId: id }, json: { name } })
  })
}

const listedAs = async ({ api }: Context, listId: string) =>
  (await api.succeed('listLists')).lists.find(({ id }) => id === listId)

const inSpace = async ({ api }: Context, listId: string) =>
  (await api.succeed('listSpaces')).spaces.flatMap(({ lists }) => lists).find(({ id }) => id === listId)

/** Where a list is shown, by the operation that shows it. */
const views: readonly (readonly [
  OperationId,
  (context: Context, listId: string) => Promise<List | undefined>,
])[] = [
  ['getList', async ({ api }, listId) => api.succeed('getList', { params: { listId } })],
  ['listLists', listedAs],
  ['listSpaces', inSpace],
]

/** A new name of a list, and of its space, is shown wherever the list is. */
const shown: readonly Rule[] = views.map(([operation, view]) => ({
  id: 'renamed',
  operation,
  source: part,
  needs: 'write',
  says: 'shows the new names of a list and of its space',
  check: async (context) => {
    const { api, own } = context
    const { id } = await madeList(context, 'plain')
    const before = await view(context, id)
    const [name, spaceName] = [own.text(), own.text()]
    await api.succeed('updateList', { params: { listId: id }, json: { name } })
    await api.succeed('updateSpace', {
      params: { spaceId: (await own.space()).id },
      json: { name: spaceName },
    })
    expectSame('list', await view(context, id), { ...before, name, space_name: spaceName })
  },
}))

/** A change that is refused for its colour leaves the name too. */
const refusedWhole: Rule = {
  id: 'refused-whole',
  operation: 'updateList',
  source: part,
  needs: 'write',
  says: 'a refused change changes nothing',
  check: async (context) => {
    const { api, own } = context
    const params = { listId: (await madeList(context, 'plain')).id }
    const before = await api.succeed('getList', { params })
    await api.expect('updateList', 400, { params, json: { name: own.text(), color: 7 } })
    expectSame('list', await api.succeed('getList', { params }), before)
  },
}

const writing: readonly Rule[] = [
  {
    id: 'answered',
    operation: 'createList',
    source: part,
    needs: 'write',
    says: 'answers the list as it was asked for, in the space',
    check: async (context) => {
      const { id, default_list_id } = await context.own.space()
      const list = await madeList(context, 'coloured')
      expectSame('list', [list.color, list.icon, list.space_id], ['#abcdef', 'leaf', id])
      expectThat(list.id !== default_list_id, 'another list than the first', list.id)
      expectSame(
        'the list as read',
        await context.api.succeed('getList', { params: { listId: list.id } }),
        list,
      )
    },
  },
  {
    id: 'defaults',
    operation: 'createList',
    source: assumed('colors'),
    needs: 'write',
    says: 'has neither colour nor icon unless asked for, and no folder',
    check: async (context) => {
      const { color, icon, folder_id } = await madeList(context, 'plain')
      expectSame('colour, icon, folder', [color, icon, folder_id], [null, null, null])
    },
  },
  {
    id: 'own-statuses',
    operation: 'createList',
    source: assumed('defaultStatuses'),
    needs: 'write',
    says: 'gives the list default statuses of its own',
    check: async (context) => {
      const { id } = await madeList(context, 'plain')
      const { statuses } = await context.seen.listSchema(id)
      const first = await context.own.statuses()
      expectSame(
        'names',
        statuses.map(({ name }) => name),
        first.map(({ name }) => name),
      )
      expectThat(
        !statuses.some((status) => first.some((other) => other.id === status.id)),
        'statuses of its own',
        statuses,
      )
    },
  },
  {
    id: 'listed',
    operation: 'listLists',
    source: part,
    needs: 'write',
    says: 'shows a new list',
    check: async (context) => {
      const list = await madeList(context, 'plain')
      const { lists } = await context.api.succeed('listLists')
      expectSame(
        'the list',
        needed(
          lists.find(({ id }) => id === list.id),
          'the new list is not listed',
        ),
        list,
      )
    },
  },
  {
    id: 'changes',
    operation: 'updateList',
    source: part,
    needs: 'write',
    says: 'changes what is sent and leaves the rest',
    check: async (context) => {
      const { api, own, answers } = context
      const list = await madeList(context, 'coloured')
      const name = own.text()
      const params = { listId: list.id }
      const body = await api.succeed('updateList', { params, json: { name } })
      expectSame('list', await api.succeed('getList', { params }), { ...list, name })
      if (answers.mutationBody === 'resource')
        expectSame('body', body, { ...list, name }, assumed('mutationBody'))
      await api.succeed('updateList', { params, json: { color: '#123456', icon: 'star' } })
      const wanted = { ...list, name, color: '#123456', icon: 'star' }
      expectSame('list', await api.succeed('getList', { params }), wanted)
    },
  },
]

const ownSpace = async ({ own }: Context) => ({ spaceId: (await own.space()).id })
const ownList = async ({ own }: Context) => ({ listId: await own.listId() })

const refused = refusals([
  {
    id: 'without-name',
    operation: 'createList',
    source: part,
    says: 'refuses a list without a name',
    ask: async (c) => ({ params: await ownSpace(c), json: {} }),
  },
  {
    id: 'bad-color',
    operation: 'createList',
    source: assumed('colors'),
    says: 'refuses an invalid colour',
    ask: async (c) => ({ params: await ownSpace(c), json: { name: c.own.text(), color: '#12' } }),
  },
  {
    id: 'bad-color',
    operation: 'updateList',
    source: assumed('colors'),
    says: 'refuses an invalid colour',
    ask: async (c) => ({ params: await ownList(c), json: { color: 'bluish' } }),
  },
  {
    id: 'name-no-string',
    operation: 'updateList',
    source: assumed('generalStatuses'),
    says: 'refuses a name that is not a string',
    ask: async (c) => ({ params: await ownList(c), json: { name: 7 } }),
  },
])

export const listRules: readonly Rule[] = [...reading, ...writing, ...shown, refusedWhole, ...refused]

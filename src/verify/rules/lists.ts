// The rules of lists, their statuses and custom fields.
import type { OperationId } from '../../contract/index.ts'
import type { List } from '../../contract/lists.ts'
import {
  expectFields,
  expectOnce,
  expectSame,
  expectSome,
  expectThat,
  found,
  idsOf,
} from '../engine/expect.ts'
import { readRules, Unreachable, writeRules, type Context } from '../engine/rule.ts'
import { refused } from './refusals.ts'

const part = 'contract, Spaces and lists'
const comparedLists = 10

const schemas = async ({ seen }: Context) => {
  const all = []
  for (const { id } of (await seen.lists()).slice(0, comparedLists)) all.push(await seen.listSchema(id))
  return all
}

const readList = async ({ api }: Context, listId: string) => api.succeed('getList', { params: { listId } })

const reading = readRules(part, {
  'listLists/lists-once: lists every list once': async ({ seen }) =>
    expectOnce('list ids', idsOf(await seen.lists())),
  'getList/as-listed: returns a list as it is listed (contract, List)': async (context) => {
    await context.seen.someList()
    for (const list of (await context.seen.lists()).slice(0, 3))
      expectSame('list', await readList(context, list.id), list)
  },
  'getListSchema/statuses: a list has an active status, and every status once (contract, Status)': async (
    context,
  ) => {
    for (const { statuses } of await schemas(context)) {
      expectOnce('status ids', idsOf(statuses))
      expectSome(statuses, ({ type }) => type === 'active', 'an active status')
    }
  },
  'getListSchema/field-types: custom fields have the types of question customFieldTypes': async (context) => {
    const known = context.answers.customFieldTypes
    for (const { fields } of await schemas(context))
      for (const { type } of fields) expectThat(known.includes(type), `one of ${known.join(', ')}`, type)
  },
  'getListSchema/link-fields: a datatable link has its mode and table (contract, CustomField)': async (
    context,
  ) => {
    const fields = (await schemas(context)).flatMap((schema) => schema.fields)
    const links = fields.filter(({ type }) => type === 'datatable')
    if (links.length === 0) throw new Unreachable('no list has a datatable link')
    for (const { name, mode, table_id } of links) {
      const isWhole = mode !== undefined && table_id !== undefined
      expectThat(isWhole, `mode and table_id of ${name}`, { mode, table_id })
    }
  },
})

/** A list of the run's space, made once: lists cannot be deleted. */
export const madeList = (context: Context, what: string, fields: object = {}) =>
  context.own.once(`${what} list`, async () => {
    const json = { name: context.own.text(), ...fields }
    return context.api.succeed('createList', { json })
  })

const plainList = (context: Context) => madeList(context, 'plain')
const colouredList = (context: Context) => madeList(context, 'coloured', { color: '#abcdef', icon: 'leaf' })

/** Where a list is shown, by the operation that shows it. */
const views: readonly (readonly [
  OperationId,
  (context: Context, listId: string) => Promise<List | undefined>,
])[] = [
  ['getList', readList],
  [
    'listLists',
    async ({ api }, listId) => (await api.succeed('listLists')).lists.find(({ id }) => id === listId),
  ],
  [
    'listSpaces',
    async ({ api }, listId) =>
      (await api.succeed('listSpaces')).spaces.flatMap(({ lists }) => lists).find(({ id }) => id === listId),
  ],
]

/** A new name of a list, and of its space, is shown wherever the list is. */
const renamed = views.flatMap(([operation, view]) =>
  writeRules(part, {
    [`${operation}/renamed: shows the new names of a list and of its space`]: async (context: Context) => {
      const { api, own } = context
      const { id } = await plainList(context)
      const before = await view(context, id)
      const [name, spaceName] = [own.text(), own.text()]
      await api.succeed('updateList', { params: { listId: id }, json: { name } })
      await api.succeed('updateSpace', { json: { name: spaceName } })
      expectSame('list', await view(context, id), { ...before, name, space_name: spaceName })
    },
  }),
)

const writing = writeRules(part, {
  'createList/answered: returns the list as it was asked for, in the space': async (context) => {
    const { id, default_list_id } = await context.own.space()
    const list = await colouredList(context)
    expectFields('list', list, { color: '#abcdef', icon: 'leaf', space_id: id })
    expectThat(list.id !== default_list_id, 'another list than the first', list.id)
    expectSame('the list as read', await readList(context, list.id), list)
  },
  'createList/defaults: has neither colour nor icon unless asked for, and no folder (assumption colors)':
    async (context) => {
      expectFields('list', await plainList(context), { color: null, icon: null, folder_id: null })
    },
  'createList/own-statuses: gives the list default statuses of its own (assumption defaultStatuses)': async (
    context,
  ) => {
    const { statuses } = await context.seen.listSchema((await plainList(context)).id)
    const first = await context.own.statuses()
    const [names, firstNames] = [statuses, first].map((all) => all.map(({ name }) => name))
    expectSame('names', names, firstNames)
    const isShared = idsOf(statuses).some((id) => idsOf(first).includes(id))
    expectThat(!isShared, 'statuses of its own', statuses)
  },
  'listLists/listed: shows a new list, and the first of a new space': async (context) => {
    const list = await plainList(context)
    const { lists } = await context.api.succeed('listLists')
    const first = await context.own.listId()
    expectSome(lists, ({ id }) => id === first, `list ${first}`)
    expectSame(
      'the list',
      found(lists, ({ id }) => id === list.id, 'the new list is not listed'),
      list,
    )
  },
  'updateList/changes: changes what is sent and leaves the rest': async (context) => {
    const { api, own, answers } = context
    const list = await colouredList(context)
    const name = own.text()
    const params = { listId: list.id }
    const body = await api.succeed('updateList', { params, json: { name } })
    expectSame('list', await readList(context, list.id), { ...list, name })
    if (answers.mutationBody === 'resource')
      expectSame('body', body, { ...list, name }, 'assumption mutationBody')
    await api.succeed('updateList', { params, json: { color: '#123456', icon: 'star' } })
    expectSame('list', await readList(context, list.id), { ...list, name, color: '#123456', icon: 'star' })
  },
})

const refusals = writeRules(part, {
  'updateList/refused-whole: a refused change changes nothing': async (context) => {
    const { id } = await plainList(context)
    const before = await readList(context, id)
    const json = { name: context.own.text(), color: 7 }
    await context.api.expect('updateList', 400, { params: { listId: id }, json })
    expectSame('list', await readList(context, id), before)
  },
  'createList/without-name: refuses a list without a name': refused({}),
  'createList/bad-color: refuses an invalid colour (assumption colors)': refused(({ own }) => ({
    name: own.text(),
    color: '#12',
  })),
  'updateList/bad-color: refuses an invalid colour (assumption colors)': refused({ color: 'bluish' }),
  'updateList/name-no-string: refuses a name that is not a string (assumption generalStatuses)': refused({
    name: 7,
  }),
})

export const listRules = [...reading, ...writing, ...renamed, ...refusals]

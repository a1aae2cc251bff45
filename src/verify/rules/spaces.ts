// The rules of spaces, lists, their statuses and custom fields.
import type { List } from '../../contract/lists.ts'
import { compareText } from '../../contract/text/format.ts'
import { expectFields, expectOnce, expectSame, expectSome, expectThat, found } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import { readRules, writeRules, type Context } from '../engine/rule.ts'
import { refused } from './checks.ts'
import { idsOf } from '../../contract/data/maps.ts'

const part = 'contract, Spaces and lists'

/** The run's space as the listing shows it now. */
export async function listedSpace({ api, own }: Context) {
  const { id } = await own.space()
  const { spaces } = await api.succeed('listSpaces')
  return found(spaces, (space) => space.id === id, 'the space of the run is not listed')
}

const namesOf = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name)
const byId = (lists: readonly List[]) => lists.toSorted((a, b) => compareText(a.id, b.id))

const spacesRead = readRules(part, {
  'listSpaces/spaces-once: lists every space once, with the lists of that space': async ({ seen }) => {
    const spaces = await seen.spaces()
    expectOnce('space ids', idsOf(spaces))
    for (const { id, name, lists } of spaces)
      for (const list of lists) expectFields(`list ${list.id}`, list, { space_id: id, space_name: name })
  },
  'listSpaces/default-list: the default list of a space is not one of another space': async ({ seen }) => {
    const spaces = await seen.spaces()
    for (const { id, default_list_id: defaultId } of spaces) {
      const owner = spaces.find(({ lists }) => idsOf(lists).includes(defaultId))
      expectSame(`space of list ${defaultId}`, owner?.id ?? id, id)
    }
  },
  'listSpaces/same-lists: its lists are those of the list listing': async ({ seen }) => {
    const inSpaces = (await seen.spaces()).flatMap(({ lists }) => lists)
    expectSame('lists', byId(inSpaces), byId(await seen.lists()))
  },
})

const spacesWritten = writeRules(part, {
  'createSpace/answered: returns the space as it was asked for': async ({ own }) => {
    expectFields('space', await own.space(), { name: own.spaceName, color: '#336699', icon: 'flask' })
  },
  'createSpace/first-list: makes a list named Tasks with it, its default list': async ({ own }) => {
    const { id, lists, default_list_id } = await own.space()
    const shown = lists.map((list) => ({ id: list.id, name: list.name, space_id: list.space_id }))
    expectSame('lists', shown, [{ id: default_list_id, name: 'Tasks', space_id: id }])
  },
  'createSpace/default-statuses: makes default statuses with it': async ({ own }) => {
    const statuses = await own.statuses()
    const types = statuses.map(({ type }) => type)
    const names = ['To do', 'In progress', 'Done', 'Archived']
    expectSome(statuses, ({ type }) => type === 'active', 'an active status')
    expectSame('statuses', namesOf(statuses), names, 'assumption defaultStatuses')
    expectSame('types', types, ['active', 'active', 'done', 'archived'], 'assumption defaultStatuses')
  },
  'listSpaces/listed: shows a new space': async (context) => {
    const { name, lists } = await listedSpace(context)
    expectThat(name.startsWith(context.own.marker), 'the name it was given', name)
    expectSome(lists, (list) => list.name === 'Tasks', 'its list')
  },
  'updateSpace/changes: changes what is sent and leaves the rest, in the lists of the space too': async (
    c,
  ) => {
    const name = `${c.own.text()} renamed`
    await c.api.succeed('updateSpace', { json: { name } })
    const after = await listedSpace(c)
    expectFields('space', after, { name, color: '#336699', icon: 'flask' })
    expectSame('space_name of its lists', [...new Set(after.lists.map((list) => list.space_name))], [name])
    await c.api.succeed('updateSpace', { json: { color: '#123456', icon: 'star' } })
    expectFields('space', await listedSpace(c), { name, color: '#123456', icon: 'star' })
  },
  'updateSpace/refused-whole: a refused change changes nothing': async (context) => {
    const before = await listedSpace(context)
    await context.api.expect('updateSpace', 400, { json: { name: context.own.text(), color: 7 } })
    expectSame('space', await listedSpace(context), before)
  },
  'createSpace/without-name: refuses a space without a name': refused({ color: '#336699' }),
  'createSpace/name-no-string: refuses a name that is not a string': refused({ name: 7 }),
  'createSpace/bad-color: refuses an invalid colour (assumption colors)': refused({
    name: 'verify',
    color: 'bluish',
  }),
  'updateSpace/bad-color: refuses an invalid colour (assumption colors)': refused({ color: 'bluish' }),
  'updateSpace/name-no-string: refuses a name that is not a string (assumption generalStatuses)': refused({
    name: null,
  }),
})

const comparedLists = 10

const schemas = async ({ seen }: Context) => {
  const all = []
  for (const { id } of (await seen.lists()).slice(0, comparedLists)) all.push(await seen.listSchema(id))
  return all
}

const readList = async ({ api }: Context, listId: string) => api.succeed('getList', { params: { listId } })

const listsRead = readRules(part, {
  'listLists/lists-once: lists every list once': async (c) =>
    expectOnce('list ids', idsOf(await c.seen.lists())),
  'getList/as-listed: returns a list as it is listed (contract, List)': async (context) => {
    await context.seen.someList()
    for (const list of (await context.seen.lists()).slice(0, 3))
      expectSame('list', await readList(context, list.id), list)
  },
  'getListSchema/statuses: a list has an active status, and every status once (contract, Status)': async (
    c,
  ) => {
    for (const { statuses } of await schemas(c)) {
      expectOnce('status ids', idsOf(statuses))
      expectSome(statuses, ({ type }) => type === 'active', 'an active status')
    }
  },
  'getListSchema/field-types: custom fields have the types of question customFieldTypes': async (context) => {
    const known = context.answers.customFieldTypes
    for (const { fields } of await schemas(context))
      for (const { type } of fields) expectThat(known.includes(type), `one of ${known.join(', ')}`, type)
  },
  'getListSchema/link-fields: a datatable link has its mode and table (contract, CustomField)': async (c) => {
    const fields = (await schemas(c)).flatMap((schema) => schema.fields)
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

/** The lists that an operation shows, that of the id among them. */
const views = {
  getList: async (c: Context, listId: string) => [await readList(c, listId)],
  listLists: async ({ api }: Context) => (await api.succeed('listLists')).lists,
  listSpaces: async ({ api }: Context) =>
    (await api.succeed('listSpaces')).spaces.flatMap(({ lists }) => lists),
}

/** A new name of a list, and of its space, is shown wherever the list is. */
const renamed = Object.entries(views).flatMap(([operation, lists]) =>
  writeRules(part, {
    [`${operation}/renamed: shows the new names of a list and of its space`]: async (context: Context) => {
      const { api, own } = context
      const { id } = await plainList(context)
      const shown = async () => (await lists(context, id)).find((list) => list.id === id)
      const before = await shown()
      const [name, spaceName] = [own.text(), own.text()]
      await api.succeed('updateList', { params: { listId: id }, json: { name } })
      await api.succeed('updateSpace', { json: { name: spaceName } })
      expectSame('list', await shown(), { ...before, name, space_name: spaceName })
    },
  }),
)

const listsWritten = writeRules(part, {
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
    c,
  ) => {
    const { statuses } = await c.seen.listSchema((await plainList(c)).id)
    const first = await c.own.statuses()
    expectSame('names', namesOf(statuses), namesOf(first))
    const isShared = idsOf(statuses).some((id) => idsOf(first).includes(id))
    expectThat(!isShared, 'statuses of its own', statuses)
  },
  'listLists/listed: shows a new list, and the first of a new space': async (context) => {
    const list = await plainList(context)
    const { lists } = await context.api.succeed('listLists')
    const first = await context.own.listId()
    expectSome(lists, ({ id }) => id === first, `list ${first}`)
    const shown = found(lists, ({ id }) => id === list.id, 'the new list is not listed')
    expectSame('the list', shown, list)
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
  'updateList/refused-whole: a refused change changes nothing': async (context) => {
    const { id } = await plainList(context)
    const before = await readList(context, id)
    const json = { name: context.own.text(), color: 7 }
    await context.api.expect('updateList', 400, { params: { listId: id }, json })
    expectSame('list', await readList(context, id), before)
  },
  'createList/without-name: refuses a list without a name': refused({}),
  'createList/bad-color: refuses an invalid colour (assumption colors)': refused({
    name: 'verify',
    color: '#12',
  }),
  'updateList/bad-color: refuses an invalid colour (assumption colors)': refused({ color: 'bluish' }),
  'updateList/name-no-string: refuses a name that is not a string (assumption generalStatuses)': refused({
    name: 7,
  }),
})

export const spaceRules = [...spacesRead, ...listsRead, ...spacesWritten, ...listsWritten, ...renamed]

// The rules of spaces.
import { compareText } from '../../contract/values/text.ts'
import {
  expectFields,
  expectOnce,
  expectSame,
  expectSome,
  expectThat,
  found,
  idsOf,
} from '../engine/expect.ts'
import { readRules, writeRules, type Context } from '../engine/rule.ts'
import { refused } from './refusals.ts'

const part = 'contract, Spaces and lists'

/** The run's space as the listing shows it now. */
export async function listedSpace({ api, own }: Context) {
  const { id } = await own.space()
  const { spaces } = await api.succeed('listSpaces')
  return found(spaces, (space) => space.id === id, 'the space of the run is not listed')
}

const namesOf = (things: readonly { readonly name: string }[]) => things.map(({ name }) => name)
const byId = <T extends { id: string }>(lists: readonly T[]) =>
  lists.toSorted((a, b) => compareText(a.id, b.id))

const reading = readRules(part, {
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

const writing = writeRules(part, {
  'createSpace/answered: returns the space as it was asked for': async ({ own }) => {
    const wanted = { name: own.spaceName, color: '#336699', icon: 'flask' }
    expectFields('space', await own.space(), wanted)
  },
  'createSpace/first-list: makes a list named Tasks with it, its default list': async ({ own }) => {
    const { id, lists, default_list_id: defaultId } = await own.space()
    const spaceIds = lists.map((list) => list.space_id)
    expectSame('names of lists', namesOf(lists), ['Tasks'])
    expectSame('default list', idsOf(lists), [defaultId])
    expectSame('space of the list', spaceIds, [id])
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
  'createSpace/bad-color: refuses an invalid colour (assumption colors)': refused(({ own }) => ({
    name: own.text(),
    color: 'bluish',
  })),
  'updateSpace/bad-color: refuses an invalid colour (assumption colors)': refused({
    color: 'bluish',
  }),
  'updateSpace/name-no-string: refuses a name that is not a string (assumption generalStatuses)': refused({
    name: null,
  }),
})

export const spaceRules = [...reading, ...writing]

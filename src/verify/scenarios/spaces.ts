// Scenarios of spaces and lists, which stay behind since no operation deletes them, of forms, and of the workspace itself.
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { needed } from '../engine/expect.ts'
import { ownList } from './own.ts'
import { hardText } from './values.ts'

const ownSpace = ({ twin }: Play): string =>
  needed(twin.space?.spaceId, 'the run could not make a space', 'permission')

async function everywhere(play: Play): Promise<void> {
  await play.call('listSpaces')
  await play.call('listLists')
}

/** Bodies that neither a space nor a list takes, a name aside. */
const oddLooks = [{ color: 'red' }, { color: 5 }, { color: '#12' }, { icon: 7 }, { icon: [] }]
const oddNames = [{ name: '' }, { name: '  ' }, { name: 5 }, { name: null }]

/** The space of the run; it is made once. */
export const makesSpace: Scenario = writing(
  'createSpace listSpaces listLists getListSchema getList/own-space',
  'contract, Space, List',
  'a new space has its name, colour and icon, and a list with the default statuses',
  async (play) => {
    const { own } = play.twin.context
    const json = { name: own.spaceName, color: '#336699', icon: 'flask' }
    const space = await play.make('createSpace', { json })
    play.twin.space = { spaceId: space.id, listId: space.default_list_id }
    await everywhere(play)
    await play.call('getList', { params: { listId: space.default_list_id } })
    await play.call('getListSchema', { params: { listId: space.default_list_id } })
    await play.call('listTasks', { params: { listId: space.default_list_id } })
  },
)

const spaces: readonly Scenario[] = [
  writing(
    'createSpace/bodies',
    'contract, Space, List',
    'a space needs a name, and a colour is a hex text',
    async (play) => {
      for (const json of [
        {},
        [],
        null,
        ...oddNames,
        ...oddLooks.map((look) => ({ name: 'verify', ...look })),
      ])
        await play.call('createSpace', { json })
    },
  ),
  writing(
    'updateSpace listSpaces/space-fields',
    'contract, Space, List',
    'a change of one field of a space leaves the others as they are',
    async (play) => {
      const params = { spaceId: ownSpace(play) }
      const { spaceName: name } = play.twin.context.own
      for (const json of [
        { name: `${name} ${hardText}` },
        { color: '#abc' },
        { icon: 'star' },
        { name, icon: 'flask' },
        {},
        { color: null },
        { verify_no_such_field: 1 },
      ]) {
        await play.call('updateSpace', { params, json })
        await play.call('listSpaces')
      }
    },
  ),
  writing(
    'updateSpace listSpaces/odd-fields',
    'contract, Space, List',
    'a change to a value that a space cannot have is refused',
    async (play) => {
      const params = { spaceId: ownSpace(play) }
      for (const json of [...oddNames, ...oddLooks, [], null])
        await play.call('updateSpace', { params, json })
      await play.call('listSpaces')
    },
  ),
  writing(
    'createList getList getListSchema listTasks listSpaces listLists/lists',
    'contract, Space, List',
    'a new list has its name, colour and icon, the default statuses and no task',
    async (play) => {
      const params = { spaceId: ownSpace(play) }
      const marker = play.text()
      for (const json of [
        { name: `${marker} ${hardText}`, color: '#123456', icon: 'bolt' },
        { name: `${marker} plain` },
      ]) {
        const list = await play.call('createList', { params, json })
        if (!list) break
        for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
          await play.call(operation, { params: { listId: list.id } })
      }
      await everywhere(play)
      const [last] = (await play.twin.oracle.read('listLists')).lists.slice(-1)
      if (!last || last.space_id !== params.spaceId) return
      play.says('a change of one field of a list leaves the others as they are', 'contract, Space, List')
      for (const json of [{ color: '#fff' }, { icon: 'x' }, { name: `${marker} renamed` }]) {
        await play.call('updateList', { params: { listId: last.id }, json })
        await play.call('getList', { params: { listId: last.id } })
      }
      await everywhere(play)
    },
  ),
  writing(
    'createList/bodies',
    'contract, Space, List',
    'a list needs a name, and a colour is a hex text',
    async (play) => {
      const params = { spaceId: ownSpace(play) }
      for (const json of [
        {},
        [],
        null,
        ...oddNames,
        ...oddLooks.map((look) => ({ name: 'verify', ...look })),
      ])
        await play.call('createList', { params, json })
    },
  ),
  writing(
    'updateList getList listLists listSpaces/list-fields',
    'contract, Space, List',
    'a change of one field of a list leaves the others as they are',
    async (play) => {
      const params = { listId: ownList(play) }
      for (const json of [
        { name: `${play.text()} ${hardText}` },
        { color: '#fff' },
        { icon: 'x' },
        { color: null },
        { icon: null },
        {},
        { verify_no_such_field: 1 },
        { name: 'Tasks' },
      ]) {
        await play.call('updateList', { params, json })
        await play.call('getList', { params })
      }
      await everywhere(play)
    },
  ),
  writing(
    'updateList getList/odd-fields',
    'contract, Space, List',
    'a change to a value that a list cannot have is refused',
    async (play) => {
      const params = { listId: ownList(play) }
      for (const json of [...oddNames, ...oddLooks, [], null]) await play.call('updateList', { params, json })
      await play.call('getList', { params })
    },
  ),
]

const forms: readonly Scenario[] = [
  reading('listForms getForm/forms', 'contract, Form', 'a form alone is as it is listed', async (play) => {
    await play.call('listForms')
    for (const { id: formId } of play.known.forms.slice(0, 10))
      await play.call('getForm', { params: { formId } })
  }),
  reading(
    'listFormSubmissions/pages',
    'contract, Limits',
    'pages have 50 submissions unless limit says otherwise, 200 at most',
    async (play) => {
      for (const { id: formId } of play.known.forms.slice(0, 2))
        for (const query of [
          {},
          { limit: 1 },
          { limit: 2, offset: 1 },
          { offset: 1 },
          { offset: 9999 },
          { limit: 101 },
          { limit: 200 },
        ])
          await play.call('listFormSubmissions', { params: { formId }, query })
      play.says('page sizes beyond the maximum, and numbers out of range', 'assumption limitAboveMax')
      for (const { id: formId } of play.known.forms.slice(0, 1))
        for (const query of [
          { limit: 201 },
          { limit: 1000 },
          { limit: 0 },
          { limit: 'x' },
          { offset: -1 },
          { since: 'x' },
        ])
          await play.call('listFormSubmissions', { params: { formId }, query })
    },
  ),
  reading(
    'listFormSubmissions/since',
    'contract, FormSubmission',
    'since finds the submissions after a moment, and not at it',
    async (play) => {
      const times = play.known.forms.flatMap(({ id: formId, submissions }) =>
        submissions.slice(0, 2).map(({ created_at }) => ({ formId, created_at })),
      )
      needed(times[0], 'no form has submissions')
      for (const { formId, created_at } of times.slice(0, 4))
        for (const query of [
          { since: created_at },
          { since: created_at - 1 },
          { since: created_at + 1, limit: 1 },
          { since: created_at - 1, limit: 1, offset: 1 },
        ])
          await play.call('listFormSubmissions', { params: { formId }, query })
      await play.call('listFormSubmissions', {
        params: { formId: times[0]?.formId ?? '' },
        query: { since: 0 },
      })
    },
  ),
  reading(
    'getIdentity/identity',
    'contract, Identity',
    'the workspace has its plan and its members',
    async (play) => {
      await play.call('getIdentity')
    },
  ),
]

export const spaceScenarios: readonly Scenario[] = [...spaces, ...forms]

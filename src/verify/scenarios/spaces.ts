// Scenarios of spaces and lists, which stay behind since no operation deletes them, and of the workspace itself.
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Params } from '../engine/ledger.ts'
import type { Play } from '../twin/play.ts'
import { bodiesOf, ownList, ownSpace } from './own.ts'
import { hardText } from './values.ts'

async function everywhere(play: Play): Promise<void> {
  await play.get('listSpaces')
  await play.get('listLists')
}

/** Bodies that neither a space nor a list takes, a name aside. */
const looks = { color: ['red', 5, '#12'], icon: [7, []] }
const oddNames = bodiesOf({ name: ['', '  ', 5, null] })
const oddCreations = [{}, [], null, ...oddNames, ...bodiesOf(looks, { name: 'verify' })]
const oddChanges = [...oddNames, ...bodiesOf(looks), [], null]

/** Changes a space or list with each of these bodies, and shows it after each. */
async function change(
  play: Play,
  operation: OperationId,
  params: Params,
  shown: OperationId,
  all: unknown[],
) {
  for (const json of all) {
    await play.sendEach(operation, params, json)
    await play.get(shown, shown === 'getList' ? params : {})
  }
}

const space = 'contract, Space, List'

/** The space of the run; it is made once. */
export const [makesSpace] = writing(space, {
  'createSpace listSpaces listLists getListSchema getList/own-space: a new space has its name, colour, icon and list':
    async (play) => {
      const { own } = play.twin.context
      const json = { name: own.spaceName, color: '#336699', icon: 'flask' }
      const { id: spaceId, default_list_id: listId } = await play.make('createSpace', { json })
      play.twin.space = { spaceId, listId }
      await everywhere(play)
      for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
        await play.get(operation, { listId })
    },
}) as [Scenario]

const spaces = writing(space, {
  'createSpace/bodies: a space needs a name, and a colour is a hex text': (play) =>
    play.sendEach('createSpace', {}, ...oddCreations),
  'updateSpace listSpaces listLists getList/space-fields: a change of one field of a space keeps the others':
    async (play) => {
      const { spaceName: name } = play.twin.context.own
      const params = { spaceId: ownSpace(play) }
      await change(play, 'updateSpace', params, 'listSpaces', [{ name: `${name} ${hardText}` }])
      await play.get('listLists')
      await play.get('getList', { listId: ownList(play) })
      const fields = [...bodiesOf({ color: ['#abc'], icon: ['star'] }), { name, icon: 'flask' }, {}]
      const more = [{ color: null }, { verify_no_such_field: 1 }]
      await change(play, 'updateSpace', params, 'listSpaces', [...fields, ...more])
    },
  'updateSpace listSpaces/odd-fields: a change to a value that a space cannot have is refused': async (
    play,
  ) => {
    // Another name in each round: one that was taken in the first would be pulled before the second.
    const inPart = { name: `${play.text()} in part`, color: 'red' }
    await play.sendEach('updateSpace', { spaceId: ownSpace(play) }, ...oddChanges, inPart)
    await play.get('listSpaces')
  },
  'createList getList getListSchema listTasks listSpaces listLists/lists: a new list has the default statuses':
    async (play) => {
      const params = { spaceId: ownSpace(play) }
      const marker = play.text()
      const look = { color: '#123456', icon: 'bolt' }
      for (const json of [{ name: `${marker} ${hardText}`, ...look }, { name: `${marker} plain` }]) {
        const list = await play.sendEach('createList', params, json)
        if (!list) break
        for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
          await play.get(operation, { listId: list.id })
      }
      await everywhere(play)
      const [last] = (await play.twin.oracle.read('listLists')).lists.slice(-1)
      if (!last || last.space_id !== params.spaceId) return
      play.says('a change of one field of a list leaves the others as they are', space)
      const fields = bodiesOf({ color: ['#fff'], icon: ['x'], name: [`${marker} renamed`] })
      await change(play, 'updateList', { listId: last.id }, 'getList', fields)
      await everywhere(play)
    },
  'createList/bodies: a list needs a name, and a colour is a hex text': (play) =>
    play.sendEach('createList', { spaceId: ownSpace(play) }, ...oddCreations),
  'updateList getList listLists listSpaces/list-fields: a change of one field of a list keeps the others':
    async (play) => {
      const name = `${play.text()} ${hardText}`
      const fields = bodiesOf({ name: [name], color: ['#fff', null], icon: ['x', null] })
      const more = [{}, { verify_no_such_field: 1 }, { name: 'Tasks' }]
      await change(play, 'updateList', { listId: ownList(play) }, 'getList', [...fields, ...more])
      await everywhere(play)
    },
  'updateList getList/odd-fields: a change to a value that a list cannot have is refused': async (play) => {
    const params = { listId: ownList(play) }
    await play.sendEach('updateList', params, ...oddChanges, { name: play.text(), color: 'red' })
    await play.get('getList', params)
  },
})

export const spaceScenarios: readonly Scenario[] = [
  ...spaces,
  ...reading('contract, Identity', {
    'getIdentity/identity: the workspace has its plan and its members': (play) => play.get('getIdentity'),
  }),
]

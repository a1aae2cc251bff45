// Scenarios of spaces and lists, which stay behind since no operation deletes them, and of the workspace itself.
import { spaceNameOf } from '../engine/start.ts'
import { reading, writing, type Scenario, type Play } from '../twin/play.ts'
import { getOwnList, getOwnSpace } from './own.ts'
import { bodiesOf, changeEach, tryFields, show, showLists } from './records.ts'
import { hardText } from './values.ts'

const source = 'contract, Space, List'

/** Makes the space of the run. */
export const [makesSpace] = writing(source, {
  'createSpace listSpaces listLists getListSchema getList/own-space: a new space has its name, colour, icon and list':
    async (play) => {
      const json = { name: spaceNameOf(play.twin.context.marker), color: '#336699', icon: 'flask' }
      const { id: spaceId, default_list_id: listId } = await play.make('createSpace', { json })
      play.twin.space = { spaceId, listId }
      await show(play, 'Space', { spaceId })
      for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
        await play.get(operation, { listId })
    },
}) as [Scenario]

const record = (play: Play) => ({ spaceId: getOwnSpace(play), listId: getOwnList(play) })
/** Each round needs another name: the second would pull that of the first. */
const also = (play: Play) => [{ name: `${play.text()} in part`, color: 'red' }]

export const spaceScenarios: readonly Scenario[] = [
  ...(['Space', 'List'] as const).flatMap((kind) => [
    ...tryFields('create', kind, { source }),
    ...tryFields('update', kind, { source, also, record }),
  ]),
  ...writing(source, {
    'createList getList getListSchema listTasks listSpaces listLists/lists: a new list has the default statuses':
      async (play) => {
        const params = { spaceId: getOwnSpace(play) }
        const marker = play.text()
        const look = { color: '#123456', icon: 'bolt' }
        for (const json of [{ name: `${marker} ${hardText}`, ...look }, { name: `${marker} plain` }]) {
          const list = await play.sendEach('createList', params, json)
          if (!list) break
          for (const operation of ['getList', 'getListSchema', 'listTasks'] as const)
            await play.get(operation, { listId: list.id })
        }
        await showLists(play, 'List', params)
        const [last] = (await play.twin.oracle.read('listLists')).lists.slice(-1)
        if (!last || last.space_id !== params.spaceId) return
        play.says('a change of one field of a list leaves the others as they are', source)
        const fields = bodiesOf({ color: ['#fff'], icon: ['x'], name: [`${marker} renamed`] })
        await changeEach(play, 'List', { listId: last.id }, fields)
        await showLists(play, 'List', params)
      },
  }),
  ...reading('contract, Identity', {
    'getIdentity/identity: the workspace has its plan and its members': (play) => play.get('getIdentity'),
  }),
]

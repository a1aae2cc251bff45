// Scenarios of spaces, lists and tasks that are there.
import type { SuccessFor } from '../../contract/index.ts'
import { idsOf } from '../../contract/data/maps.ts'
import { needed } from '../engine/expect.ts'
import type { Play } from '../twin/play.ts'
import { reading, type Scenario } from '../twin/scenario.ts'

const filledLists = ({ known }: Play) =>
  [...known.lists].filter(({ tasks }) => tasks.length > 0).sort((a, b) => b.tasks.length - a.tasks.length)

const fullestList = (play: Play) => needed(filledLists(play)[0], 'no list that is not private has tasks')

export async function listTasks(
  play: Play,
  listId: string,
  ...queries: readonly Readonly<Record<string, string | number>>[]
) {
  for (const query of queries) await play.call('listTasks', { params: { listId }, query })
}

/** The lists of the spaces are those of the listing: what one of the two lacks was not pulled. */
async function compareListings(play: Play): Promise<void> {
  const read = async (operation: 'listSpaces' | 'listLists') => {
    await play.call(operation)
    return play.exchanges.at(-1)?.theirs.json
  }
  const spaces = Object(await read('listSpaces')) as Partial<SuccessFor<'listSpaces'>>
  const inSpaces = new Set(
    (spaces.spaces ?? []).flatMap(({ id, lists = [] }) => lists.map((list) => `${id} ${list.id}`)),
  )
  const { lists = [] } = Object(await read('listLists')) as Partial<SuccessFor<'listLists'>>
  const missing = lists.filter(({ id, space_id }) => !inSpaces.has(`${space_id} ${id}`))
  for (const { id } of missing)
    play.report('listSpaces', { path: 'spaces[].lists', kind: 'records', expected: id, got: undefined })
}

/** Values of tasks that belong to no custom field of their list: a pull leaves them out. */
function reportUnknownFields(play: Play, fields: readonly string[]): void {
  const { tasks = [] } = Object(play.exchanges.at(-1)?.theirs.json) as Partial<SuccessFor<'listTasks'>>
  const unknown = tasks
    .flatMap(({ custom_data }) => Object.keys(custom_data))
    .find((id) => !fields.includes(id))
  if (unknown !== undefined)
    play.report('getListSchema', { path: 'fields', kind: 'records', expected: unknown, got: fields })
}

export const taskListingScenarios: readonly Scenario[] = [
  reading(
    'listTasks/pages',
    'contract, Limits',
    'pages have 50 tasks unless limit says otherwise, 200 at most',
    async (play) => {
      const { id, tasks } = fullestList(play)
      await listTasks(
        play,
        id,
        {},
        { limit: 1 },
        { limit: 2, offset: 1 },
        { limit: 3, offset: 2 },
        { offset: tasks.length - 1 },
        { offset: 99_999 },
        { limit: 200 },
        { limit: 101 },
        { limit: 200, offset: 200 },
      )
      for (const list of filledLists(play).slice(1, 3))
        await listTasks(play, list.id, {}, { limit: 2, offset: 1 })
      play.says('page sizes beyond the maximum, and numbers out of range', 'assumption limitAboveMax')
      await listTasks(play, id, { limit: 201 }, { limit: 0 }, { limit: 'x' }, { offset: -1 }, { offset: 'x' })
    },
  ),
  reading(
    'listTasks/status',
    'assumption taskStatusFilter',
    'status finds the tasks of that status',
    async (play) => {
      for (const { id, statuses } of filledLists(play).slice(0, 2)) {
        for (const status of statuses.slice(0, 3))
          await listTasks(
            play,
            id,
            { status: status.id, limit: 5 },
            { status: status.name, limit: 5 },
            { status: status.type, limit: 5 },
          )
        await listTasks(play, id, { status: 'verify none such' })
      }
    },
  ),
  reading(
    'listTasks/search',
    'assumption queryText',
    'q finds the tasks whose title holds it',
    async (play) => {
      for (const { id, tasks } of filledLists(play).slice(0, 2)) {
        for (const { title } of tasks.slice(0, 2))
          await listTasks(
            play,
            id,
            ...[title, title.slice(2, 7), title.slice(0, 4).toUpperCase(), title.slice(-4)].map((q) => ({
              q,
              limit: 9,
            })),
          )
        const [one] = tasks
        if (one)
          await listTasks(
            play,
            id,
            { q: '' },
            { q: 'verify none such' },
            { q: '%' },
            { q: '_' },
            { status: one.status_id, q: one.title.slice(0, 2), limit: 2, offset: 1 },
          )
      }
    },
  ),
  reading(
    'getTask listTasks getListSchema/tasks',
    'contract, Task',
    'a task alone is as it is listed',
    async (play) => {
      for (const { id, tasks } of filledLists(play).slice(0, 10)) {
        await play.call('getListSchema', { params: { listId: id } })
        const { fields = [] } = Object(play.exchanges.at(-1)?.theirs.json) as Partial<
          SuccessFor<'getListSchema'>
        >
        await listTasks(play, id, { limit: 200 })
        reportUnknownFields(play, idsOf(fields))
        for (const { id: taskId } of tasks.slice(0, 4)) await play.call('getTask', { params: { taskId } })
      }
    },
  ),
  reading(
    'listComments listTimeEntries listTaskAttachments/parts',
    'contract, Endpoints',
    'a task has comments, time entries with their sum, and files',
    async (play) => {
      for (const { tasks } of filledLists(play).slice(0, 5))
        for (const { id: taskId } of tasks.slice(0, 2)) {
          await play.call('listComments', { params: { taskId } })
          await play.call('listTimeEntries', { params: { taskId } }, { near: ['duration', 'total_seconds'] })
          await play.call('listTaskAttachments', { params: { taskId } })
        }
    },
  ),
  reading(
    'downloadTaskAttachment listTaskAttachments/download',
    'contract, Attachment',
    'a file that is listed can be downloaded, with its bytes',
    async (play) => {
      const found: { taskId: string; attachmentId: string }[] = []
      for (const { id: taskId } of filledLists(play).flatMap(({ tasks }) => tasks.slice(0, 8)))
        for (const { id } of (await play.twin.oracle.read('listTaskAttachments', { taskId })).attachments)
          found.push({ taskId, attachmentId: id })
      needed(found[0], 'no task has a file')
      for (const params of found.slice(0, 3)) {
        await play.call('listTaskAttachments', { params: { taskId: params.taskId } })
        await play.call('downloadTaskAttachment', { params })
      }
    },
  ),
  reading(
    'listLists getList getListSchema listSpaces/structure',
    'contract, Space, List',
    'spaces have their lists, lists their statuses and custom fields',
    async (play) => {
      await compareListings(play)
      for (const { id: listId } of play.known.lists.slice(0, 10)) {
        await play.call('getList', { params: { listId } })
        await play.call('getListSchema', { params: { listId } })
      }
    },
  ),
]

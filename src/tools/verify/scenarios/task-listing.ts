// Scenarios of existing spaces, lists and tasks.
import { idsOf } from '../../../contract/data/maps.ts'
import { requireValue } from '../engine/drift.ts'
import type { KnownList } from '../twin/oracle.ts'
import { reading, type Play, type Scenario } from '../twin/play.ts'

const filledListsOf = ({ known }: Play) =>
  [...known.lists].filter(({ tasks }) => tasks.length > 0).sort((a, b) => b.tasks.length - a.tasks.length)

/** Compares the lists in spaces with the listing: the pull leaves out a list that either lacks. */
async function compareListings(play: Play): Promise<void> {
  const { spaces = [] } = await play.readTheirs('listSpaces')
  const inSpaces = spaces.flatMap(({ id, lists = [] }) => lists.map((list) => `${id} ${list.id}`))
  const { lists: listed = [] } = await play.readTheirs('listLists')
  for (const { id, space_id } of listed)
    if (!inSpaces.includes(`${space_id} ${id}`))
      play.differ('listSpaces', 'spaces[].lists', id, undefined, 'records')
}

/** A pull leaves out values of no custom field. What all objects have is not a value. */
async function reportUnknownFields(play: Play, { id, fields }: KnownList): Promise<void> {
  const { tasks = [] } = await play.readTheirs('listTasks', { listId: id }, '?limit=200')
  const used = tasks.flatMap((task) =>
    Object.keys(task.custom_data).filter((key) => !Object.hasOwn(task, key)),
  )
  const known = idsOf(fields)
  const unknown = used.find((key) => !known.includes(key))
  if (unknown !== undefined) play.differ('getListSchema', 'fields', unknown, known, 'records')
}

export const taskListingScenarios: readonly Scenario[] = [
  ...reading('contract, Limits', {
    'listTasks/pages: pages have 50 tasks unless limit says otherwise, 200 at most': async (play) => {
      const [fullest, ...others] = filledListsOf(play)
      const { id: listId, tasks } = requireValue(fullest, 'no list that is not private has tasks')
      const pages = `? ?limit=1 ?limit=2&offset=1 ?limit=3&offset=2 ?offset=${String(tasks.length - 1)} ?offset=99999`
      await play.get('listTasks', { listId }, pages, '?limit=200 ?limit=101 ?limit=200&offset=200')
      for (const { id } of others.slice(0, 2))
        await play.get('listTasks', { listId: id }, '? ?limit=2&offset=1')
      play.says('page sizes beyond the maximum, and numbers out of range', 'assumption limitAboveMax')
      await play.get('listTasks', { listId }, '?limit=201 ?limit=0 ?limit=x ?offset=-1 ?offset=x')
    },
  }),
  ...reading('assumption taskStatusFilter', {
    'listTasks/status: status finds the tasks of that status': async (play) => {
      for (const { id: listId, statuses } of filledListsOf(play).slice(0, 2)) {
        const values = statuses.slice(0, 3).flatMap(({ id, name, type }) => [id, name, type])
        await play.get('listTasks', { listId }, ...values.map((status) => ({ status, limit: 5 })))
        await play.get('listTasks', { listId }, { status: 'verify none such' })
      }
    },
  }),
  ...reading('assumption queryText', {
    'listTasks/search: q finds the tasks whose title holds it': async (play) => {
      for (const { id: listId, tasks } of filledListsOf(play).slice(0, 2)) {
        const [one] = tasks
        if (!one) continue
        const { title, status_id: status } = one
        const parts = [title, title.slice(2, 7), title.slice(0, 4).toUpperCase(), title.slice(-4)]
        await play.get('listTasks', { listId }, ...parts.map((q) => ({ q, limit: 9 })))
        const none = ['', ' ', ` ${title.slice(0, 5)} `, 'verify none such', '%', '_'].map((q) => ({ q }))
        const both = { status, q: title.slice(0, 2), limit: 2, offset: 1 }
        await play.get('listTasks', { listId }, ...none, both)
      }
    },
  }),
  ...reading('contract, Task', {
    'getTask listTasks getListSchema/tasks: a task alone is as it is listed': async (play) => {
      for (const list of filledListsOf(play).slice(0, 10)) {
        await reportUnknownFields(play, list)
        for (const { id: taskId } of list.tasks.slice(0, 3)) await play.get('getTask', { taskId })
      }
    },
  }),
  ...reading('contract, Endpoints', {
    'listComments listTimeEntries listTaskAttachments/parts: a task has comments, entries and files': async (
      play,
    ) => {
      for (const { tasks } of filledListsOf(play).slice(0, 4))
        for (const { id: taskId } of tasks.slice(0, 2)) {
          await play.get('listComments', { taskId })
          await play.get('listTimeEntries', { taskId })
          await play.get('listTaskAttachments', { taskId })
        }
    },
  }),
  ...reading('contract, Attachment', {
    'downloadTaskAttachment listTaskAttachments/download: a listed file can be downloaded': async (play) => {
      const found: { taskId: string; attachmentId: string }[] = []
      for (const { id: taskId } of filledListsOf(play).flatMap(({ tasks }) => tasks.slice(0, 8)))
        for (const { id } of (await play.twin.oracle.read('listTaskAttachments', { taskId })).attachments)
          found.push({ taskId, attachmentId: id })
      requireValue(found[0], 'no task has a file')
      for (const params of found.slice(0, 3)) {
        await play.get('listTaskAttachments', { taskId: params.taskId })
        await play.call('downloadTaskAttachment', { params })
      }
    },
  }),
  ...reading('contract, Space, List', {
    'listLists getList getListSchema listSpaces/structure: spaces have their lists, lists statuses and fields':
      async (play) => {
        await compareListings(play)
        for (const { id: listId } of play.known.lists.slice(0, 10)) {
          await play.get('getList', { listId })
          await play.get('getListSchema', { listId })
        }
      },
  }),
]

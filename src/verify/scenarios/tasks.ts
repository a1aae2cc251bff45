// Scenarios of tasks: listing, every field alone, consequences, recurrence.
import type { JsonObject } from '../../contract/data/objects.ts'
import type { SuccessFor } from '../../contract/index.ts'
import { priorities } from '../../contract/tasks.ts'
import { needed } from '../engine/expect.ts'
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { fullTask, makeTask, ownList, ownStatuses, showTask, statusOf } from './own.ts'
import { document, farDay, hardText } from './values.ts'

const filledLists = ({ known }: Play) =>
  [...known.lists].filter(({ tasks }) => tasks.length > 0).sort((a, b) => b.tasks.length - a.tasks.length)

const fullestList = (play: Play) => needed(filledLists(play)[0], 'no list that is not private has tasks')

async function listTasks(play: Play, listId: string, ...queries: readonly Readonly<Record<string, string | number>>[]) {
  for (const query of queries) await play.call('listTasks', { params: { listId }, query })
}

/** The lists of the spaces are those of the listing: what one of the two lacks was not pulled. */
async function compareListings(play: Play): Promise<void> {
  const read = async (operation: 'listSpaces' | 'listLists') => {
    await play.call(operation)
    return play.exchanges.at(-1)?.theirs.json
  }
  const spaces = Object(await read('listSpaces')) as Partial<SuccessFor<'listSpaces'>>
  const inSpaces = new Set((spaces.spaces ?? []).flatMap(({ id, lists = [] }) => lists.map((list) => `${id} ${list.id}`)))
  const { lists = [] } = Object(await read('listLists')) as Partial<SuccessFor<'listLists'>>
  const missing = lists.filter(({ id, space_id }) => !inSpaces.has(`${space_id} ${id}`))
  for (const { id } of missing) play.report('listSpaces', { path: 'spaces[].lists', kind: 'records', expected: id, got: undefined })
}

const listing: readonly Scenario[] = [
  reading('listTasks/pages', 'contract, Limits', 'pages have 50 tasks unless limit says otherwise, 200 at most', async (play) => {
    const { id, tasks } = fullestList(play)
    await listTasks(play, id, {}, { limit: 1 }, { limit: 2, offset: 1 }, { limit: 3, offset: 2 }, { offset: tasks.length - 1 }, { offset: 99_999 }, { limit: 200 }, { limit: 101 }, { limit: 200, offset: 200 })
    for (const list of filledLists(play).slice(1, 3)) await listTasks(play, list.id, {}, { limit: 2, offset: 1 })
    play.says('page sizes beyond the maximum, and numbers out of range', 'assumption limitAboveMax')
    await listTasks(play, id, { limit: 201 }, { limit: 0 }, { limit: 'x' }, { offset: -1 }, { offset: 'x' })
  }),
  reading('listTasks/status', 'assumption taskStatusFilter', 'status finds the tasks of that status', async (play) => {
    for (const { id, statuses } of filledLists(play).slice(0, 2)) {
      for (const status of statuses.slice(0, 3)) await listTasks(play, id, { status: status.id, limit: 5 }, { status: status.name, limit: 5 }, { status: status.type, limit: 5 })
      await listTasks(play, id, { status: 'verify none such' })
    }
  }),
  reading('listTasks/search', 'assumption queryText', 'q finds the tasks whose title holds it', async (play) => {
    for (const { id, tasks } of filledLists(play).slice(0, 2)) {
      for (const { title } of tasks.slice(0, 2)) await listTasks(play, id, ...[title, title.slice(2, 7), title.slice(0, 4).toUpperCase(), title.slice(-4)].map((q) => ({ q, limit: 9 })))
      const [one] = tasks
      if (one) await listTasks(play, id, { q: '' }, { q: 'verify none such' }, { status: one.status_id, q: one.title.slice(0, 2), limit: 2, offset: 1 })
    }
  }),
  reading('getTask listTasks/tasks', 'contract, Task', 'a task alone is as it is listed', async (play) => {
    for (const { id, tasks } of filledLists(play).slice(0, 10)) {
      await listTasks(play, id, { limit: 200 })
      for (const { id: taskId } of tasks.slice(0, 4)) await play.call('getTask', { params: { taskId } })
    }
  }),
  reading('listComments listTimeEntries listTaskAttachments/parts', 'contract, Endpoints', 'a task has comments, time entries with their sum, and files', async (play) => {
    for (const { tasks } of filledLists(play).slice(0, 5))
      for (const { id: taskId } of tasks.slice(0, 2)) {
        await play.call('listComments', { params: { taskId } })
        await play.call('listTimeEntries', { params: { taskId } }, { near: ['duration', 'total_seconds'] })
        await play.call('listTaskAttachments', { params: { taskId } })
      }
  }),
  reading('downloadTaskAttachment listTaskAttachments/download', 'contract, Attachment', 'a file that is listed can be downloaded, with its bytes', async (play) => {
    const found: { taskId: string; attachmentId: string }[] = []
    for (const { id: taskId } of filledLists(play).flatMap(({ tasks }) => tasks.slice(0, 8)))
      for (const { id } of (await play.twin.oracle.read('listTaskAttachments', { taskId })).attachments) found.push({ taskId, attachmentId: id })
    needed(found[0], 'no task has a file')
    for (const params of found.slice(0, 3)) {
      await play.call('listTaskAttachments', { params: { taskId: params.taskId } })
      await play.call('downloadTaskAttachment', { params })
    }
  }),
  reading('listLists getList getListSchema listSpaces/lists', 'contract, Space, List', 'spaces have their lists, lists their statuses and custom fields', async (play) => {
    await compareListings(play)
    for (const { id: listId } of play.known.lists.slice(0, 10)) {
      await play.call('getList', { params: { listId } })
      await play.call('getListSchema', { params: { listId } })
    }
  }),
]

/** Values of a field, depending on what the workspace has. */
type FieldValues = (play: Play) => readonly unknown[] | Promise<readonly unknown[]>
const members = ({ known }: Play) => known.members.map(({ id }) => id)

/** For each field of a task values that it takes and values that it refuses; null clears where it can. */
const fields: Readonly<Record<string, FieldValues>> = {
  title: (play) => [`${play.text()} ${hardText}`, '', '  ', null, 5, 'x'.repeat(2000)],
  status_id: async (play) => [...(await ownStatuses(play)).map(({ id }) => id), 'verify_none_such', null, 5],
  priority: () => [...priorities, null, 'URGENT', 'verify', 3],
  due_date: () => [farDay + 5, 0, null, String(farDay), 1.5],
  date_start: () => [farDay - 7, null, 'x', 1.5],
  assignees: (play) => {
    const [a, b = a] = members(play)
    return [[b], [b, a], [], [a, a], ['verify_none_such'], a, null]
  },
  custom_data: () => [{}, { verify_no_such_field: 1 }, null, []],
  time_estimate: () => [15, 0, null, -1, 1.5, '5'],
  project_id: () => ['project 2', null, 5],
  parent_task_id: () => ['verify_none_such', null, 5],
  verify_no_such_field: () => [1],
}
const patchedFields: typeof fields = {
  description: () => [`text ${hardText}`, document, null, 5, []],
  type_id: () => ['type 1', null, 5],
  repeat_config: () => [
    { trigger: 'on_complete' },
    { trigger: 'on_schedule', frequency: 'daily', time: '08:30' },
    { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 1 },
    { trigger: 'on_schedule', frequency: 'monthly', day_of_month: 31, end_date: farDay },
    { trigger: 'on_schedule', frequency: 'weekdays' },
    null,
  ],
}
const oddRecurrences: readonly unknown[] = [
  {},
  { trigger: 'verify' },
  { trigger: 'on_schedule' },
  { trigger: 'on_schedule', frequency: 'yearly' },
  { trigger: 'on_schedule', frequency: 'weekly' },
  { trigger: 'on_schedule', frequency: 'monthly' },
  ...[7, -1, '1'].map((day_of_week) => ({ trigger: 'on_schedule', frequency: 'weekly', day_of_week })),
  ...[0, 32, '1'].map((day_of_month) => ({ trigger: 'on_schedule', frequency: 'monthly', day_of_month })),
  { trigger: 'on_schedule', frequency: 'daily', time: '25:00' },
]

const created = (name: string): Scenario =>
  writing(`createTask getTask listTasks/field-${name}`, 'contract, TaskCreate', `a creation stores ${name}, and refuses values that it cannot have`, async (play) => {
    for (const value of (await fields[name]?.(play)) ?? []) {
      const json = { title: play.text(), [name]: value }
      const made = await play.call('createTask', { params: { listId: ownList(play) }, json })
      if (made) await play.call('getTask', { params: { taskId: made.id } })
    }
    await listTasks(play, ownList(play), { limit: 200 })
  })

const changed = (name: string): Scenario =>
  writing(`updateTask getTask listTasks/field-${name}`, 'contract, TaskPatch', `a change of ${name} leaves the other fields as they are; null clears it where it can`, async (play) => {
    const taskId = await makeTask(play, await fullTask(play))
    const json = { description: 'kept', type_id: 'kept' }
    await play.call('updateTask', { params: { taskId }, json })
    for (const value of (await { ...fields, ...patchedFields }[name]?.(play)) ?? []) {
      const isTaken = await play.call('updateTask', { params: { taskId }, json: { [name]: value } })
      if (isTaken) await play.call('getTask', { params: { taskId } })
    }
    await showTask(play, taskId)
  })

const writes: readonly Scenario[] = [
  writing('createTask getTask listTasks/title-alone', 'contract, TaskCreate', 'a task of a title alone has the first active status, and is listed last', async (play) => {
    const listId = ownList(play)
    await makeTask(play, await fullTask(play))
    await showTask(play, await makeTask(play))
    const json = { title: play.text(), priority: 'low' }
    for (let time = 0; time < 2; time += 1) await play.call('createTask', { params: { listId }, json })
    const [status] = await ownStatuses(play)
    await listTasks(play, listId, {}, { limit: 2, offset: 1 }, { q: json.title }, { q: json.title.toUpperCase() }, { status: status?.id ?? '' }, { status: status?.name ?? '' })
  }),
  writing('createTask/bodies', 'contract, TaskCreate', 'a creation needs a title', async (play) => {
    for (const json of [{}, [], null, 'x', { priority: 'low' }]) await play.call('createTask', { params: { listId: ownList(play) }, json })
  }),
  writing('updateTask getTask/bodies', 'contract, TaskPatch', 'a change is an object; an empty one changes nothing', async (play) => {
    const taskId = await makeTask(play, await fullTask(play))
    for (const json of [{}, [], null, 'x']) await play.call('updateTask', { params: { taskId }, json })
    await play.call('getTask', { params: { taskId } })
  }),
  writing('updateTask getTask listTasks/updated', 'contract, Task', 'a change moves updated_at, and leaves created_at and the order', async (play) => {
    const taskId = await makeTask(play)
    await makeTask(play)
    await play.wait(6000)
    await play.call('updateTask', { params: { taskId }, json: { priority: 'normal' } })
    await showTask(play, taskId)
  }),
  writing('updateTask getTask/parent', 'assumption unknownReferences', 'a task can be the parent of others, not of itself', async (play) => {
    const parent_task_id = await makeTask(play)
    const taskId = await makeTask(play, { parent_task_id })
    for (const value of [null, parent_task_id, taskId]) {
      await play.call('updateTask', { params: { taskId }, json: { parent_task_id: value } })
      await play.call('getTask', { params: { taskId } })
    }
  }),
  writing('updateTask/odd-recurrence', 'contract, RepeatConfig', 'a recurrence needs what its trigger and frequency need', async (play) => {
    const taskId = await makeTask(play)
    for (const repeat_config of oddRecurrences) await play.call('updateTask', { params: { taskId }, json: { repeat_config } })
  }),
  writing('deleteTask getTask listTasks listComments listTimeEntries listTaskAttachments/gone', 'contract, Task deletion and completion', 'a deleted task is gone with what belongs to it, the others stay', async (play) => {
    const [first, taskId, last] = [await makeTask(play), await makeTask(play), await makeTask(play)]
    const params = { taskId }
    await play.call('createComment', { params, json: { content: play.text() } })
    await play.call('deleteTask', { params })
    await showTask(play, taskId)
    for (const operation of ['deleteTask', 'listComments', 'listTimeEntries', 'listTaskAttachments'] as const) await play.call(operation, { params })
    await play.call('updateTask', { params, json: { title: 'verify' } })
    await play.call('createComment', { params, json: { content: 'verify' } })
    await play.call('createTimeEntry', { params, json: { action: 'manual', duration: 5 } })
    for (const other of [first, last]) await play.call('getTask', { params: { taskId: other } })
  }),
]

/** A task with a recurrence goes through statuses, and is read after each. */
const recurring = (id: string, says: string, repeat: JsonObject | null): Scenario =>
  writing(`updateTask getTask listTasks deleteTask/${id}`, 'contract, RepeatConfig', says, async (play) => {
    const active = await statusOf(play, 'active')
    const taskId = await makeTask(play, { ...(await fullTask(play)), status_id: active })
    const set = (json: JsonObject) => play.call('updateTask', { params: { taskId }, json })
    if (repeat === null) await set({ repeat_config: { trigger: 'on_complete' } })
    await set({ repeat_config: repeat, description: 'kept' })
    const done = await statusOf(play, 'done')
    for (const status_id of [await statusOf(play, 'archived'), done, active, done, done]) {
      await set({ status_id })
      await showTask(play, taskId)
    }
    // No response names the clones.
    const { tasks } = await play.twin.oracle.read('listTasks', { listId: ownList(play) }, '?limit=200')
    for (const { id } of tasks) await play.call('deleteTask', { params: { taskId: id } })
  })

export const taskScenarios: readonly Scenario[] = [
  ...listing,
  ...writes,
  ...Object.keys(fields).map(created),
  ...Object.keys({ ...fields, ...patchedFields }).map(changed),
  recurring('clones', 'a task that repeats on completion is cloned when its status becomes done', { trigger: 'on_complete' }),
  recurring('no-clone-on-schedule', 'a task that repeats on a schedule is not cloned when its status becomes done', { trigger: 'on_schedule', frequency: 'daily' }),
  recurring('cleared-recurrence', 'a task whose recurrence was cleared is not cloned', null),
]

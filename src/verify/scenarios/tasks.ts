// Scenarios of tasks of the run: every field alone, consequences, recurrence.
import type { JsonObject } from '../../contract/schema/maps.ts'
import { priorities } from '../../contract/limits.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { fullTask, makeTask, ownList, ownStatuses, showTask, statusOf } from './own.ts'
import { listTasks } from './task-listing.ts'
import { document, farDay, hardText } from './values.ts'

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
    // Sunday and Saturday: the ends of the week.
    { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 0 },
    { trigger: 'on_schedule', frequency: 'weekly', day_of_week: 6 },
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
  writing(
    `createTask getTask listTasks/create-${name}`,
    'contract, TaskCreate',
    `a creation stores ${name}, and refuses values that it cannot have`,
    async (play) => {
      for (const value of (await fields[name]?.(play)) ?? []) {
        const json = { title: play.text(), [name]: value }
        const made = await play.call('createTask', { params: { listId: ownList(play) }, json })
        if (made) await play.call('getTask', { params: { taskId: made.id } })
      }
      await listTasks(play, ownList(play), { limit: 200 })
    },
  )

const changed = (name: string): Scenario =>
  writing(
    `updateTask getTask listTasks/change-${name}`,
    'contract, TaskPatch',
    `a change of ${name} leaves the other fields as they are; null clears it where it can`,
    async (play) => {
      const taskId = await makeTask(play, await fullTask(play))
      const json = { description: 'kept', type_id: 'kept' }
      await play.call('updateTask', { params: { taskId }, json })
      for (const value of (await { ...fields, ...patchedFields }[name]?.(play)) ?? []) {
        const isTaken = await play.call('updateTask', { params: { taskId }, json: { [name]: value } })
        if (isTaken) await play.call('getTask', { params: { taskId } })
      }
      await showTask(play, taskId)
    },
  )

const writes: readonly Scenario[] = [
  writing(
    'createTask getTask listTasks/title-alone',
    'contract, TaskCreate',
    'a task of a title alone has the first active status, and is listed last',
    async (play) => {
      const listId = ownList(play)
      await makeTask(play, await fullTask(play))
      await showTask(play, await makeTask(play))
      const json = { title: play.text(), priority: 'low' }
      for (let time = 0; time < 2; time += 1) await play.call('createTask', { params: { listId }, json })
      const [status] = await ownStatuses(play)
      await listTasks(
        play,
        listId,
        {},
        { limit: 2, offset: 1 },
        { q: json.title },
        { q: json.title.toUpperCase() },
        { status: status?.id ?? '' },
        { status: status?.name ?? '' },
      )
    },
  ),
  writing('createTask/bodies', 'contract, TaskCreate', 'a creation needs a title', async (play) => {
    for (const json of [{}, [], null, 'x', { priority: 'low' }])
      await play.call('createTask', { params: { listId: ownList(play) }, json })
  }),
  writing(
    'updateTask getTask/bodies',
    'contract, TaskPatch',
    'a change is an object; an empty one changes nothing',
    async (play) => {
      const taskId = await makeTask(play, await fullTask(play))
      for (const json of [{}, [], null, 'x']) await play.call('updateTask', { params: { taskId }, json })
      await play.call('getTask', { params: { taskId } })
    },
  ),
  writing(
    'updateTask getTask listTasks/updated',
    'contract, Task',
    'a change moves updated_at, and leaves created_at and the order',
    async (play) => {
      const taskId = await makeTask(play)
      await makeTask(play)
      await play.wait(6000)
      await play.call('updateTask', { params: { taskId }, json: { priority: 'normal' } })
      await showTask(play, taskId)
    },
  ),
  writing(
    'updateTask getTask/parent',
    'assumption unknownReferences',
    'a task can be the parent of others, not of itself',
    async (play) => {
      const parent_task_id = await makeTask(play)
      const taskId = await makeTask(play, { parent_task_id })
      for (const value of [null, parent_task_id, taskId]) {
        await play.call('updateTask', { params: { taskId }, json: { parent_task_id: value } })
        await play.call('getTask', { params: { taskId } })
      }
    },
  ),
  writing(
    'updateTask/odd-recurrence',
    'contract, RepeatConfig',
    'a recurrence needs what its trigger and frequency need',
    async (play) => {
      const taskId = await makeTask(play)
      for (const repeat_config of oddRecurrences)
        await play.call('updateTask', { params: { taskId }, json: { repeat_config } })
    },
  ),
  writing(
    'deleteTask getTask listTasks listComments listTimeEntries listTaskAttachments/gone',
    'contract, Task deletion and completion',
    'a deleted task is gone with what belongs to it, the others stay',
    async (play) => {
      const [first, taskId, last] = [await makeTask(play), await makeTask(play), await makeTask(play)]
      const params = { taskId }
      await play.call('createComment', { params, json: { content: play.text() } })
      await play.call('deleteTask', { params })
      await showTask(play, taskId)
      for (const operation of [
        'deleteTask',
        'listComments',
        'listTimeEntries',
        'listTaskAttachments',
      ] as const)
        await play.call(operation, { params })
      await play.call('updateTask', { params, json: { title: 'verify' } })
      await play.call('createComment', { params, json: { content: 'verify' } })
      await play.call('createTimeEntry', { params, json: { action: 'manual', duration: 5 } })
      for (const other of [first, last]) await play.call('getTask', { params: { taskId: other } })
    },
  ),
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
  ...writes,
  ...Object.keys(fields).map(created),
  ...Object.keys({ ...fields, ...patchedFields }).map(changed),
  recurring('clones', 'a task that repeats on completion is cloned when its status becomes done', {
    trigger: 'on_complete',
  }),
  recurring(
    'no-clone-on-schedule',
    'a task that repeats on a schedule is not cloned when its status becomes done',
    { trigger: 'on_schedule', frequency: 'daily' },
  ),
  recurring('cleared-recurrence', 'a task whose recurrence was cleared is not cloned', null),
]

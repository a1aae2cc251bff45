// Scenarios of tasks of the run: every field alone, consequences, recurrence.
import { idsOf } from '../../contract/data/maps.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { priorities } from '../../contract/limits.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import * as own from './own.ts'
import { document, farDay, hardText } from './values.ts'

const { bodiesOf, fullTask, listOwnTasks, makeTask, ownList, ownStatuses, showTask, statusOf } = own

/** Values of a field, depending on what the workspace has. */
type FieldValues = (play: Play) => readonly unknown[] | Promise<readonly unknown[]>

const monthly = { trigger: 'on_schedule', frequency: 'monthly' }
const weekly = { trigger: 'on_schedule', frequency: 'weekly' }
const daily = { trigger: 'on_schedule', frequency: 'daily' }

/** For each field of a task values that it takes and values that it refuses; null clears where it can. */
const fields: Readonly<Record<string, FieldValues>> = {
  title: (play) => [`${play.text()} ${hardText}`, '', '  ', null, 5, 'x'.repeat(2000)],
  status_id: async (play) => [...idsOf(await ownStatuses(play)), 'verify_none_such', null, 5],
  priority: () => [...priorities, null, 'URGENT', 'verify', 3],
  due_date: () => [farDay + 5, 0, null, String(farDay), 1.5],
  date_start: () => [farDay - 7, null, 'x', 1.5],
  assignees: ({ known }) => {
    const [a, b = a] = idsOf(known.members)
    return [[b], [b, a], [], [a, a], ['verify_none_such'], a, null]
  },
  custom_data: () => [{}, { verify_no_such_field: 1 }, null, []],
  time_estimate: () => [15, 0, null, -1, 1.5, '5'],
  project_id: () => ['project 2', null, 5],
  parent_task_id: () => ['verify_none_such', null, 5],
  verify_no_such_field: () => [1],
}
const patchedFields: typeof fields = {
  ...fields,
  description: () => [`text ${hardText}`, document, null, 5, []],
  type_id: () => ['type 1', null, 5],
  repeat_config: () => [
    { trigger: 'on_complete' },
    { ...daily, time: '08:30' },
    // Sunday and Saturday: the ends of the week.
    ...bodiesOf({ day_of_week: [0, 6] }, weekly),
    { ...monthly, day_of_month: 31, end_date: farDay },
    { trigger: 'on_schedule', frequency: 'weekdays' },
    null,
  ],
}
const oddRecurrences: readonly unknown[] = [
  {},
  { trigger: 'verify' },
  { trigger: 'on_schedule' },
  { trigger: 'on_schedule', frequency: 'yearly' },
  weekly,
  monthly,
  ...bodiesOf({ day_of_week: [7, -1, '1'] }, weekly),
  ...bodiesOf({ day_of_month: [0, 32, '1'] }, monthly),
  { ...daily, time: '25:00' },
]

const created = ([name, valuesOf]: readonly [string, FieldValues]) =>
  writing('contract, TaskCreate', {
    [`createTask getTask listTasks/create-${name}: a creation stores ${name}, and refuses values that it cannot have`]:
      async (play) => {
        const params = { listId: ownList(play) }
        let latest: string | undefined
        for (const value of await valuesOf(play))
          latest =
            (await play.sendEach('createTask', params, { title: play.text(), [name]: value }))?.id ?? latest
        if (latest !== undefined) await showTask(play, latest)
        else await listOwnTasks(play)
      },
  })

const changed = ([name, valuesOf]: readonly [string, FieldValues]) =>
  writing('contract, TaskPatch', {
    [`updateTask getTask listTasks/change-${name}: a change of ${name} keeps the other fields; null clears it`]:
      async (play) => {
        const params = { taskId: await makeTask(play, await fullTask(play)) }
        await play.sendEach('updateTask', params, { description: 'kept', type_id: 'kept' })
        for (const value of await valuesOf(play))
          if (await play.sendEach('updateTask', params, { [name]: value })) await play.get('getTask', params)
        await listOwnTasks(play)
      },
  })

const creations = writing('contract, TaskCreate', {
  'createTask getTask listTasks/title-alone: a task of a title alone has the first active status, and is last':
    async (play) => {
      const listId = ownList(play)
      await makeTask(play, await fullTask(play))
      await showTask(play, await makeTask(play))
      const json = { title: play.text(), priority: 'low' }
      await play.sendEach('createTask', { listId }, json, json)
      const [status] = await ownStatuses(play)
      const searches = [{ q: json.title }, { q: json.title.toUpperCase() }]
      const statuses = [{ status: status?.id ?? '' }, { status: status?.name ?? '' }]
      await play.get('listTasks', { listId }, '? ?limit=2&offset=1', ...searches, ...statuses)
    },
  'createTask/bodies: a creation needs a title': (play) =>
    play.sendEach('createTask', { listId: ownList(play) }, {}, [], null, 'x', { priority: 'low' }),
})

const changes: readonly Scenario[] = [
  ...writing('contract, TaskPatch', {
    'updateTask getTask/bodies: a change is an object; an empty one changes nothing': async (play) => {
      const params = { taskId: await makeTask(play, await fullTask(play)) }
      const inPart = { title: play.text(), priority: 'verify' }
      await play.sendEach('updateTask', params, {}, [], null, 'x', inPart)
      await play.get('getTask', params)
    },
  }),
  ...writing('contract, Task', {
    'updateTask getTask listTasks/updated: a change moves updated_at, and leaves created_at and the order':
      async (play) => {
        const taskId = await makeTask(play)
        await makeTask(play)
        await play.wait(6000)
        await play.sendEach('updateTask', { taskId }, { priority: 'normal' })
        await showTask(play, taskId)
      },
  }),
  ...writing('assumption unknownReferences', {
    'updateTask getTask/parent: a task can be the parent of others, not of itself': async (play) => {
      const parent_task_id = await makeTask(play)
      const taskId = await makeTask(play, { parent_task_id })
      for (const json of bodiesOf({ parent_task_id: [null, parent_task_id, taskId] })) {
        await play.sendEach('updateTask', { taskId }, json)
        await play.get('getTask', { taskId })
      }
    },
  }),
  ...writing('contract, RepeatConfig', {
    'updateTask/odd-recurrence: a recurrence needs what its trigger and frequency need': async (play) =>
      play.sendEach(
        'updateTask',
        { taskId: await makeTask(play) },
        ...bodiesOf({ repeat_config: oddRecurrences }),
      ),
  }),
  ...writing('contract, Task deletion and completion', {
    'deleteTask getTask listTasks listComments listTimeEntries listTaskAttachments/gone: a deleted task is gone':
      async (play) => {
        const [first, taskId, last] = [await makeTask(play), await makeTask(play), await makeTask(play)]
        const params = { taskId }
        await play.sendEach('createComment', params, { content: play.text() })
        await play.call('deleteTask', { params })
        await showTask(play, taskId)
        play.says('a deleted task is gone with what belongs to it', 'contract, Task deletion and completion')
        await play.call('deleteTask', { params })
        for (const operation of ['listComments', 'listTimeEntries', 'listTaskAttachments'] as const)
          await play.get(operation, params)
        await play.sendEach('updateTask', params, { title: 'verify' })
        await play.sendEach('createComment', params, { content: 'verify' })
        await play.sendEach('createTimeEntry', params, { action: 'manual', duration: 5 })
        play.says('the other tasks stay', 'contract, Task deletion and completion')
        for (const other of [first, last]) await play.get('getTask', { taskId: other })
      },
  }),
]

/** A task with a recurrence goes through statuses, and is read after each. */
const recurring = (repeat: JsonObject | null) => async (play: Play) => {
  const active = await statusOf(play, 'active')
  const taskId = await makeTask(play, { ...(await fullTask(play)), status_id: active })
  const set = (json: JsonObject) => play.sendEach('updateTask', { taskId }, json)
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
}

const recurrences = writing('contract, RepeatConfig', {
  'updateTask getTask listTasks deleteTask/clones: a task that repeats on completion is cloned when done':
    recurring({
      trigger: 'on_complete',
    }),
  'updateTask getTask listTasks deleteTask/no-clone-on-schedule: a task on a schedule is not cloned when done':
    recurring(daily),
  'updateTask getTask listTasks deleteTask/cleared-recurrence: a task whose recurrence was cleared is not cloned':
    recurring(null),
})

export const taskScenarios: readonly Scenario[] = [
  ...creations,
  ...changes,
  ...Object.entries(fields).flatMap(created),
  ...Object.entries(patchedFields).flatMap(changed),
  ...recurrences,
]

// Scenarios of tasks of the run: every field, deletion, recurrence.
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { writing, type Scenario, type Play } from '../twin/play.ts'
import { makePlausibleBody } from '../engine/bodies.ts'
import { getOwnStatuses, statusOf } from './own.ts'
import { bodiesOf, changeEach, tryFields, makeFull, makeTask, show, showLists } from './records.ts'
import { daily, monthly, weekly } from './values.ts'

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

const playRecurrence = (repeat: JsonObject | null) => async (play: Play) => {
  const active = statusOf(play, 'active')
  const params = await makeFull(play, 'Task')
  const set = (json: JsonObject) => play.sendEach('updateTask', params, json)
  if (repeat === null) await set({ repeat_config: { trigger: 'on_complete' } })
  await set({ repeat_config: repeat, status_id: active })
  const done = statusOf(play, 'done')
  for (const status_id of [statusOf(play, 'archived'), done, active, done, done]) {
    await set({ status_id })
    await showLists(play, 'Task', params)
  }
  await play.get('getTask', params)
  // No response names the clones.
  const { tasks } = await play.twin.oracle.read('listTasks', params, '?limit=200')
  for (const { id } of tasks) await play.call('deleteTask', { params: { taskId: id } })
}

export const taskScenarios: readonly Scenario[] = [
  ...writing('contract, TaskCreate', {
    'createTask getTask listTasks/title-alone: a task of a title alone has the first active status, and is last':
      async (play) => {
        await makeFull(play, 'Task')
        const params = await makeTask(play)
        await show(play, 'Task', params)
        const json = { title: play.text(), priority: 'low' }
        await play.sendEach('createTask', params, json, json)
        const [status] = getOwnStatuses(play)
        const searches = [{ q: json.title }, { q: json.title.toUpperCase() }]
        const statuses = [{ status: status?.id ?? '' }, { status: status?.name ?? '' }]
        await play.get('listTasks', params, '? ?limit=2&offset=1', ...searches, ...statuses)
      },
  }),
  ...writing('contract, Task', {
    'updateTask getTask listTasks/updated: a change moves updated_at, and leaves created_at and the order':
      async (play) => {
        const params = await makeTask(play)
        await makeTask(play)
        await play.wait(6000)
        await changeEach(play, 'Task', params, [{ priority: 'normal' }])
        await showLists(play, 'Task', params)
      },
  }),
  ...writing('contract, Task', {
    'getTask createComment createTimeEntry uploadTaskAttachment/touch: what is added to a task, changed or removed leaves the task as it is':
      async (play) => {
        const params = await makeTask(play)
        const upload = { params, ...makePlausibleBody('uploadTaskAttachment') }
        await play.wait(4000)
        const comment = await play.sendEach('createComment', params, { content: play.text() })
        const entry = await play.sendEach('createTimeEntry', params, { action: 'manual', duration: 60 })
        const made = await play.call('uploadTaskAttachment', upload)
        await play.get('getTask', params)
        const commentParams = { ...params, commentId: comment?.id ?? '' }
        const entryParams = { ...params, entryId: entry?.id ?? '' }
        const fileParams = { ...params, attachmentId: made?.attachment.id ?? '' }
        await play.wait(4000)
        await play.sendEach('updateComment', commentParams, { content: play.text() })
        await play.sendEach('updateTimeEntry', entryParams, { duration: 90 })
        await play.get('getTask', params)
        await play.wait(4000)
        await play.call('deleteComment', { params: commentParams })
        await play.call('deleteTimeEntry', { params: entryParams })
        await play.call('deleteTaskAttachment', { params: fileParams })
        await play.get('getTask', params)
        play.says('a change that is refused leaves the task as it is', 'contract, Task')
        await play.wait(4000)
        await changeEach(play, 'Task', params, [{ title: play.text(), priority: 'verify' }])
      },
  }),
  ...writing('assumption unknownReferences', {
    'updateTask getTask/parent: a task can be the parent of others, not of itself': async (play) => {
      const { taskId: parent = '' } = await makeTask(play)
      const params = await makeTask(play, { parent_task_id: parent })
      await changeEach(play, 'Task', params, bodiesOf({ parent_task_id: [null, parent, params.taskId] }))
      play.says('a task stays when its parent is deleted', 'assumption unknownReferences')
      await play.call('deleteTask', { params: { taskId: parent } })
      await show(play, 'Task', params)
    },
  }),
  ...writing('contract, RepeatConfig', {
    'updateTask/odd-recurrence: a recurrence needs what its trigger and frequency need': async (play) =>
      play.sendEach('updateTask', await makeTask(play), ...bodiesOf({ repeat_config: oddRecurrences })),
    'updateTask getTask listTasks deleteTask/clones: a task that repeats on completion is cloned when done':
      playRecurrence({
        trigger: 'on_complete',
      }),
    'updateTask getTask listTasks deleteTask/no-clone-on-schedule: a task on a schedule is not cloned when done':
      playRecurrence(daily),
    'updateTask getTask listTasks deleteTask/cleared-recurrence: a task whose recurrence was cleared is not cloned':
      playRecurrence(null),
  }),
  ...writing('contract, Task deletion and completion', {
    'deleteTask getTask listTasks listComments listTimeEntries listTaskAttachments/gone: a deleted task is gone':
      async (play) => {
        const title = play.text()
        const [first, params, last] = [
          await makeTask(play),
          await makeTask(play, { title }),
          await makeTask(play),
        ]
        await play.sendEach('createComment', params, { content: play.text() })
        await play.call('deleteTask', { params })
        await show(play, 'Task', params)
        await play.get('listTasks', params, { q: title })
        play.says('a deleted task is gone with what belongs to it', 'contract, Task deletion and completion')
        await play.call('deleteTask', { params })
        for (const operation of ['listComments', 'listTimeEntries', 'listTaskAttachments'] as const)
          await play.get(operation, params)
        for (const operation of ['updateTask', 'createComment', 'createTimeEntry'] as const)
          await play.call(operation, { params, ...makePlausibleBody(operation) })
        play.says('the other tasks stay', 'contract, Task deletion and completion')
        for (const other of [first, last]) await play.get('getTask', other)
      },
  }),
  ...tryFields('create', 'Task', {
    source: 'contract, TaskCreate',
    also: () => [{ priority: 'low' }],
  }),
  ...tryFields('update', 'Task', {
    source: 'contract, TaskPatch',
    also: (play) => [{ title: play.text(), priority: 'verify' }],
  }),
]

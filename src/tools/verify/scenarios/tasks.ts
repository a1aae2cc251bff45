// Scenarios for the run's tasks: every field, deletion, recurrence.
import type { StatusType } from '../../../contract/lists.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { requireValue } from '../../deployment/stop.ts'
import { writing, type Scenario, type ScenarioContext } from '../twin/player.ts'
import { getOwnList, getOwnStatuses } from './own.ts'
import { bodiesOf, changeEach, tryFields, makeFull, makeTask, show, showLists } from './records.ts'
import { daily, makePlausibleBody, monthly, weekly } from './values.ts'

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

function statusOf(ctx: ScenarioContext, type: StatusType): string {
  const found = getOwnStatuses(ctx).find((status) => status.type === type)
  return requireValue(found, `the run's list has no status of type ${type}`).id
}

const tryRecurrence = (repeat: JsonObject | null) => async (ctx: ScenarioContext) => {
  const active = statusOf(ctx, 'active')
  const params = await makeFull(ctx, 'Task')
  const set = (json: JsonObject) => ctx.sendEach('updateTask', params, json)
  if (repeat === null) await set({ repeat_config: { trigger: 'on_complete' } })
  await set({ repeat_config: repeat, status_id: active })
  const done = statusOf(ctx, 'done')
  for (const status_id of [statusOf(ctx, 'archived'), done, active, done, done]) {
    await set({ status_id })
    await showLists(ctx, 'Task', params)
  }
  await ctx.get('getTask', params)
  // Deletes all tasks of the list, because no response names the clones.
  const listId = getOwnList(ctx)
  const tasks = ctx.mock.db.tasks.findMany((q) => q.where({ list_id: listId, deleted_at: null }))
  for (const { id } of tasks) await ctx.call('deleteTask', { params: { taskId: id } })
}

export const taskScenarios: readonly Scenario[] = [
  ...writing('contract, TaskCreate', {
    'createTask getTask listTasks/title-alone: a task created with only a title has the first active status, and is last':
      async (ctx) => {
        await makeFull(ctx, 'Task')
        const params = await makeTask(ctx)
        await show(ctx, 'Task', params)
        const json = { title: ctx.text(), priority: 'low' }
        await ctx.sendEach('createTask', params, json, json)
        const [status] = getOwnStatuses(ctx)
        const searches = [{ q: json.title }, { q: json.title.toUpperCase() }]
        const statuses = [{ status: status?.id ?? '' }, { status: status?.name ?? '' }]
        await ctx.get('listTasks', params, '? ?limit=2&offset=1', ...searches, ...statuses)
      },
  }),
  ...writing('contract, Task', {
    'updateTask getTask listTasks/updated: a change sets updated_at, and keeps created_at and the order':
      async (ctx) => {
        // Creation order differs from both title order and, after the change, update order.
        const title = ctx.text()
        await makeTask(ctx, { title: `${title} c` })
        const params = await makeTask(ctx, { title: `${title} a` })
        await makeTask(ctx, { title: `${title} b` })
        await ctx.wait(6000)
        await changeEach(ctx, 'Task', params, [{ priority: 'normal' }])
        await showLists(ctx, 'Task', params)
      },
  }),
  ...writing('contract, Task', {
    'getTask createComment createTimeEntry uploadTaskAttachment/touch: adding, changing or removing parts of a task leaves the task itself unchanged':
      async (ctx) => {
        const params = await makeTask(ctx)
        const upload = { params, ...makePlausibleBody('uploadTaskAttachment') }
        await ctx.wait(4000)
        const comment = await ctx.sendEach('createComment', params, { content: ctx.text() })
        const entry = await ctx.sendEach('createTimeEntry', params, { action: 'manual', duration: 60 })
        const made = await ctx.call('uploadTaskAttachment', upload)
        await ctx.get('getTask', params)
        const commentParams = { ...params, commentId: comment?.id ?? '' }
        const entryParams = { ...params, entryId: entry?.id ?? '' }
        const fileParams = { ...params, attachmentId: made?.attachment.id ?? '' }
        await ctx.wait(4000)
        await ctx.sendEach('updateComment', commentParams, { content: ctx.text() })
        await ctx.sendEach('updateTimeEntry', entryParams, { duration: 90 })
        await ctx.get('getTask', params)
        await ctx.wait(4000)
        await ctx.call('deleteComment', { params: commentParams })
        await ctx.call('deleteTimeEntry', { params: entryParams })
        await ctx.call('deleteTaskAttachment', { params: fileParams })
        await ctx.get('getTask', params)
        ctx.says('a refused change leaves the task unchanged', 'contract, Task')
        await ctx.wait(4000)
        await changeEach(ctx, 'Task', params, [{ title: ctx.text(), priority: 'verify' }])
      },
  }),
  ...writing('assumption unknownReferences', {
    'updateTask getTask/parent: a task can be the parent of others, but not of itself': async (ctx) => {
      const { taskId: parent = '' } = await makeTask(ctx)
      const params = await makeTask(ctx, { parent_task_id: parent })
      await changeEach(ctx, 'Task', params, bodiesOf({ parent_task_id: [null, parent, params.taskId] }))
      ctx.says('a task stays when its parent is deleted', 'assumption unknownReferences')
      await ctx.call('deleteTask', { params: { taskId: parent } })
      await show(ctx, 'Task', params)
    },
  }),
  ...writing('contract, RepeatConfig', {
    'updateTask/odd-recurrence!: a recurrence needs the fields that its trigger and frequency require':
      async (ctx) =>
        ctx.sendEach('updateTask', await makeTask(ctx), ...bodiesOf({ repeat_config: oddRecurrences })),
    'updateTask getTask listTasks deleteTask/clones: a task that repeats on completion is cloned when done':
      tryRecurrence({
        trigger: 'on_complete',
      }),
    'updateTask getTask listTasks deleteTask/no-clone-on-schedule: a task on a schedule is not cloned when done':
      tryRecurrence(daily),
    'updateTask getTask listTasks deleteTask/cleared-recurrence: a task whose recurrence was cleared is not cloned':
      tryRecurrence(null),
  }),
  ...writing('contract, Task deletion and completion', {
    'deleteTask getTask listTasks listComments listTimeEntries listTaskAttachments downloadTaskAttachment/gone: a deleted task is gone':
      async (ctx) => {
        const title = ctx.text()
        const [first, params, last] = [
          await makeTask(ctx),
          await makeTask(ctx, { title }),
          await makeTask(ctx),
        ]
        await ctx.sendEach('createComment', params, { content: ctx.text() })
        const made = await ctx.call('uploadTaskAttachment', {
          params,
          ...makePlausibleBody('uploadTaskAttachment'),
        })
        const file = { ...params, attachmentId: made?.attachment.id ?? '' }
        await ctx.call('deleteTask', { params })
        await show(ctx, 'Task', params)
        await ctx.get('listTasks', params, { q: title })
        ctx.says(
          'a deleted task is gone, with everything that belongs to it',
          'contract, Task deletion and completion',
        )
        await ctx.call('deleteTask', { params })
        for (const operation of ['listComments', 'listTimeEntries', 'listTaskAttachments'] as const)
          await ctx.get(operation, params)
        await ctx.call('downloadTaskAttachment', { params: file })
        for (const operation of ['updateTask', 'createComment', 'createTimeEntry'] as const)
          await ctx.call(operation, { params, ...makePlausibleBody(operation) })
        ctx.says('the other tasks stay', 'contract, Task deletion and completion')
        for (const other of [first, last]) await ctx.get('getTask', other)
      },
  }),
  ...tryFields('create', 'Task', {
    source: 'contract, TaskCreate',
    extraBodies: () => [{ priority: 'low' }],
  }),
  ...tryFields('update', 'Task', {
    source: 'contract, TaskPatch',
    extraBodies: (ctx) => [{ title: ctx.text(), priority: 'verify' }],
  }),
]

// The rules of what a write to a task changes elsewhere and leaves alone, read again afterwards.
import type { OperationId } from '../../../contract/index.ts'
import { expectSame } from '../../engine/expect.ts'
import type { SourceText } from '../../engine/drift.ts'
import { ownTask, rulesOn, writeRules, type Context, type OwnTask } from '../../engine/rule.ts'
import { plausibleBody, taskForm } from '../../engine/bodies.ts'
import { fileLimit } from '../checks.ts'
import { changed, due, tasksListed, twoMembers } from './writes.ts'
import { idsOf } from '../../../contract/data/maps.ts'

/** Makes a task that repeats on completion, and marks it done. @returns it and its clones */
export async function completed(context: Context, fields: Readonly<Record<string, unknown>>, ends = false) {
  const { own } = context
  const title = own.text()
  const id = await own.task({ title, ...fields })
  await changed(context, id, { repeat_config: { trigger: 'on_complete' } })
  if (ends) await changed(context, id, { repeat_config: null })
  const { task } = await changed(context, id, { status_id: (await own.statusOf('done')).id })
  return { task, clones: (await tasksListed(context, title)).filter((one) => one.id !== id) }
}

/** Each field by itself: what it is changed from and to, and what of the task shows it. */
async function fieldChanges(context: Context) {
  const [first, second] = await twoMembers(context)
  return [
    ['due_date', due, due + 86_399, due + 86_399],
    ['date_start', due, due - 1, due - 1],
    ['priority', 'low', 'urgent', context.answers.taskPriority.urgent],
    ...(first && second ? [['assignees', [first.id], [second.id], [second]] as const] : []),
  ] as const
}

const writing = writeRules('contract, Tasks', {
  'listTasks/follows: a listing shows what was made, changed, done and deleted since it was last read':
    async (context) => {
      const { api, own } = context
      const title = own.text()
      const ask = { query: { q: title, limit: 200 } }
      const shown = async () => (await api.succeed('listTasks', ask)).tasks.map((task) => task.title)
      expectSame('titles', await shown(), [])
      const taskId = await own.task({ title })
      expectSame('titles after a creation', await shown(), [title])
      const { task } = await changed(context, taskId, { title: `${title} changed` })
      expectSame('the title as read', task.title, `${title} changed`)
      expectSame('titles after a change', await shown(), [task.title])
      await api.succeed('deleteTask', { params: { taskId } })
      expectSame('titles after a deletion', await shown(), [])
    },
  'updateTask/clone-keeps: the clone has the priority and assignees of the task (assumption recurrence)':
    async (context) => {
      const assignees = idsOf(await twoMembers(context))
      const { task, clones } = await completed(context, { priority: 'high', assignees })
      const shown = [task, ...clones].map((one) => ({ priority: one.priority, assignees: one.assignees }))
      expectSame('clones', shown.slice(1), shown.slice(0, 1))
    },
  'updateTask/cleared-does-not-repeat: repeat_config null ends the repetition (contract, TaskPatch)': async (
    c,
  ) => expectSame('clones', (await completed(c, {}, true)).clones, []),
  'updateTask/each-field: changes each field by itself and leaves the others (contract, TaskPatch)': async (
    c,
  ) => {
    const changes = await fieldChanges(c)
    const id = await c.own.task(Object.fromEntries(changes.map(([name, from]) => [name, from])))
    let before = await c.own.readTask(id)
    for (const [name, , to, shown] of changes) {
      const { task: after } = await changed(c, id, { [name]: to })
      const wanted = { ...before, [name]: shown, updated_at: 0 }
      expectSame(`task after a change of ${name}`, { ...after, updated_at: 0 }, wanted)
      before = after
    }
  },
  'updateTask/refused-whole: a refused change changes nothing': async ({ api, own }) => {
    const taskId = await own.task({ priority: 'low', due_date: due })
    const before = await own.readTask(taskId)
    const json = { title: own.text(), due_date: due + 60, priority: 'verify_no_such_priority' }
    await api.expect('updateTask', 400, { params: { taskId }, json })
    expectSame('task', await own.readTask(taskId), before)
  },
  'deleteTask/that-task-alone: leaves the tasks around it': async ({ api, own }) => {
    const [first, second, third] = [await own.task(), await own.task(), await own.task()]
    await api.succeed('deleteTask', { params: { taskId: second } })
    for (const taskId of [first, third]) await api.expect('getTask', 200, { params: { taskId } })
  },
  'createTask/refused-file: a file that is too large leaves no task (contract, Tasks, all-or-nothing)':
    async (context) => {
      const title = context.own.text()
      const large = 'x'.repeat((await fileLimit(context)) + 1)
      const files = [['small.txt', 'x'] as const, ['large.txt', large] as const]
      const ask = { body: taskForm({ title }, files) }
      await context.api.expect('createTask', 413, ask, 'assumption maxFileBytes')
      expectSame('tasks of that title', await tasksListed(context, title), [])
    },
})

/** A task that was deleted. */
const deletedTask = (c: Context) =>
  c.own.once('deleted task', async () => {
    const params = { taskId: await c.own.task() }
    await c.api.succeed('deleteTask', { params })
    return params
  })

const below = [
  'listComments',
  'listTimeEntries',
  'listTaskAttachments',
  'createComment',
  'createTimeEntry',
] as const

const belowDeleted = below.flatMap((operation) =>
  writeRules('contract, Task, DELETE', {
    [`${operation}/below-deleted: responds with 404 once the task is deleted`]: async (c: Context) => {
      await c.api.expect(operation, 404, { params: await deletedTask(c), ...plausibleBody(operation) })
    },
  }),
)

const partsOfTasks: readonly (readonly [operation: OperationId, name: string, source: SourceText])[] = [
  ['updateComment', 'commentId', 'contract, Comments'],
  ['deleteComment', 'commentId', 'contract, Comments'],
  ['updateTimeEntry', 'entryId', 'assumption generalStatuses'],
  ['deleteTimeEntry', 'entryId', 'assumption generalStatuses'],
  ['downloadTaskAttachment', 'attachmentId', 'contract, Task attachments'],
]

const underOtherTask = partsOfTasks.flatMap(([operation, name, source]) =>
  rulesOn('write', ownTask)(source, {
    [`${operation}/other-task: responds with 404 under another task`]: async ({
      api,
      own,
      taskId,
    }: OwnTask) => {
      const params = { taskId: await own.sharedTask(), [name]: await own.idOf(name, { taskId }) }
      await api.expect(operation, 404, { params, ...plausibleBody(operation) })
    },
  }),
)

export const taskConsequenceRules = [...writing, ...belowDeleted, ...underOtherTask]

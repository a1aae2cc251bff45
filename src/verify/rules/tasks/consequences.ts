// The rules of what a write to a task changes elsewhere and leaves alone, read again afterwards.
import type { OperationId } from '../../../contract/index.ts'
import type { Task } from '../../../contract/tasks.ts'
import type { Context } from '../../engine/context.ts'
import { assumed, contract, expectSame, expectThat, type Rule, Unreachable } from '../../engine/rule.ts'
import { due, taskRule } from './creation.ts'
import { wholeForm } from './files.ts'

const part = contract('Tasks')

const changed = async ({ api, own }: Context, taskId: string, json: unknown) => {
  await api.succeed('updateTask', { params: { taskId }, json })
  return own.readTask(taskId)
}

const titled = async ({ api, own }: Context, title: string): Promise<Task[]> => {
  const ask = { params: { listId: await own.listId() }, query: { q: title, limit: 200 } }
  return (await api.succeed('listTasks', ask)).tasks.filter((task) => task.title === title)
}

/** Makes a task that repeats on completion, and marks it done. @returns it and its clones */
async function completed(context: Context, fields: Readonly<Record<string, unknown>>, ends: boolean) {
  const { own } = context
  const title = own.text()
  const id = await own.task({ title, ...fields })
  await changed(context, id, { repeat_config: { trigger: 'on_complete' } })
  if (ends) await changed(context, id, { repeat_config: null })
  await changed(context, id, { status_id: (await own.statusOf('done')).id })
  return { id, clones: (await titled(context, title)).filter((task) => task.id !== id) }
}

const repeating: readonly Rule[] = [
  taskRule(
    'updateTask',
    'clone-keeps',
    assumed('recurrence'),
    'the clone has the priority and assignees of the task',
    async (context) => {
      const { members } = await context.seen.identity()
      const assignees = members.slice(0, 2).map(({ id }) => id)
      const { id, clones } = await completed(context, { priority: 'high', assignees }, false)
      const { priority, assignees: wanted } = await context.own.readTask(id)
      expectSame(
        'clones',
        clones.map((clone) => ({ priority: clone.priority, assignees: clone.assignees })),
        [{ priority, assignees: wanted }],
      )
    },
  ),
  taskRule(
    'updateTask',
    'cleared-does-not-repeat',
    contract('TaskPatch'),
    'repeat_config null ends the repetition',
    async (context) => {
      const { clones } = await completed(context, {}, true)
      expectSame('clones', clones, [])
    },
  ),
]

/** Each field by itself: what it is changed from and to, and what of the task shows it. */
const fields = async ({ seen, answers }: Context) => {
  const { members } = await seen.identity()
  const [first, second] = members
  return [
    ['due_date', due, due + 86_399, due + 86_399],
    ['date_start', due, due - 1, due - 1],
    ['priority', 'low', 'urgent', answers.taskPriority.urgent],
    ...(first && second
      ? [['assignees', [first.id], [second.id], [{ id: second.id, name: second.name }]] as const]
      : []),
  ] as const
}

const writing: readonly Rule[] = [
  taskRule(
    'updateTask',
    'each-field',
    contract('TaskPatch'),
    'changes each field by itself and leaves the others',
    async (context) => {
      const id = await context.own.task(
        Object.fromEntries((await fields(context)).map(([name, from]) => [name, from])),
      )
      let before = await context.own.readTask(id)
      for (const [name, , to, shown] of await fields(context)) {
        const after = await changed(context, id, { [name]: to })
        expectSame(
          `task after a change of ${name}`,
          { ...after, updated_at: 0 },
          { ...before, [name]: shown, updated_at: 0 },
        )
        before = after
      }
    },
  ),
  taskRule('updateTask', 'refused-whole', part, 'a refused change changes nothing', async (context) => {
    const { api, own } = context
    const taskId = await own.task({ priority: 'low', due_date: due })
    const before = await own.readTask(taskId)
    const json = { title: own.text(), due_date: due + 60, priority: 'verify_no_such_priority' }
    await api.expect('updateTask', 400, { params: { taskId }, json })
    expectSame('task', await own.readTask(taskId), before)
  }),
  taskRule('deleteTask', 'that-task-alone', part, 'leaves the tasks around it', async ({ api, own }) => {
    const ids = [await own.task(), await own.task(), await own.task()]
    await api.succeed('deleteTask', { params: { taskId: ids[1] ?? '' } })
    for (const taskId of [ids[0] ?? '', ids[2] ?? ''])
      await api.expect('getTask', 200, { params: { taskId } })
  }),
  taskRule(
    'createTask',
    'refused-file',
    contract('Tasks, all-or-nothing'),
    'a file that is too large leaves no task',
    async (context) => {
      const { api, own, seen, answers } = context
      const limit = answers.maxFileBytes[(await seen.identity()).workspace.plan]
      if (limit === null || limit === undefined || limit > 32 * 1024 * 1024)
        throw new Unreachable('no file of a decent size is too large')
      const title = own.text()
      const body = wholeForm({ title }, ['x', 'x'.repeat(limit + 1)])
      await api.expect(
        'createTask',
        413,
        { params: { listId: await own.listId() }, body },
        assumed('maxFileBytes'),
      )
      expectSame('tasks of that title', await titled(context, title), [])
    },
  ),
]

/** A task that was deleted. */
const deletedTask = ({ api, own }: Context) =>
  own.once('deleted task', async () => {
    const taskId = await own.task()
    await api.succeed('deleteTask', { params: { taskId } })
    return taskId
  })

const belowTask: readonly (readonly [operation: OperationId, ask: object])[] = [
  ['listComments', {}],
  ['listTimeEntries', {}],
  ['listTaskAttachments', {}],
  ['createComment', { json: { content: 'verify' } }],
  ['createTimeEntry', { json: { action: 'manual', duration: 60 } }],
]

const belowDeleted: readonly Rule[] = belowTask.map(([operation, ask]) => ({
  id: 'below-deleted',
  operation,
  source: contract('Task, DELETE'),
  needs: 'write',
  says: 'answers 404 once the task is deleted',
  check: async (context) => {
    const params = { taskId: await deletedTask(context) }
    const reply = await context.api.call(operation, { params, ...ask })
    expectThat(reply.status === 404, 'status 404', reply.summary)
  },
}))

export const taskConsequenceRules: readonly Rule[] = [...repeating, ...writing, ...belowDeleted]

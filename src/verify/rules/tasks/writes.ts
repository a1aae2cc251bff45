// The rules of changing and deleting tasks, and of wrong bodies.
import { type Task } from '../../../contract/tasks.ts'
import type { Context } from '../../engine/context.ts'
import { unknownId } from '../../engine/context.ts'
import { refusals } from '../refusals.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  needed,
  type Rule,
  type Source,
  Unreachable,
} from '../../engine/rule.ts'

import { due, tasksListed, taskRule } from './creation.ts'

/** Changes a task. @returns it as read afterwards, and what the change answered */
async function changed(
  { api, own }: Context,
  taskId: string,
  json: unknown,
): Promise<{ task: Task; body: unknown }> {
  const body = await api.succeed('updateTask', { params: { taskId }, json })
  return { body, task: await own.readTask(taskId) }
}

/** Moves a task of one status to another, as question statusTransitions says. */
async function tryTransition(context: Context, from: string, to: string, isAllowed: boolean): Promise<void> {
  const { api, own } = context
  const taskId = await own.task({ status_id: from })
  const reply = await api.call('updateTask', { params: { taskId }, json: { status_id: to } })
  if (reply.status === 403) throw new Unreachable(reply.summary)
  expectSame('the change allowed', reply.isSuccess, isAllowed)
  expectSame('status afterwards', (await own.readTask(taskId)).status_id, isAllowed ? to : from)
}

const changing: readonly Rule[] = [
  taskRule(
    'updateTask',
    'partial',
    contract('TaskPatch'),
    'changes what is sent and leaves the rest',
    async (context) => {
      const { own } = context
      const assignees = (await context.seen.identity()).members.slice(0, 2).map((member) => member.id)
      const id = await own.task({ due_date: due, date_start: due - 60, priority: 'high', assignees })
      const before = await own.readTask(id)
      const title = own.text()
      const { task, body } = await changed(context, id, { title })
      expectSame('task', { ...task, updated_at: 0 }, { ...before, title, updated_at: 0 })
      if (context.answers.mutationBody === 'resource') expectSame('body', body, task, assumed('mutationBody'))
    },
  ),
  taskRule('updateTask', 'updated-at', contract('Task (as read)'), 'moves updated_at on', async (context) => {
    const id = await context.own.task()
    const before = await context.own.readTask(id)
    await context.wait(1500)
    const { task } = await changed(context, id, { due_date: due })
    expectThat(
      task.updated_at > before.updated_at,
      `an updated_at after ${String(before.updated_at)}`,
      task.updated_at,
    )
    expectSame('created_at', task.created_at, before.created_at)
  }),
  taskRule(
    'updateTask',
    'null-clears',
    assumed('clearing'),
    'null clears priority and dates',
    async (context) => {
      const id = await context.own.task({ priority: 'high', due_date: due, date_start: due - 60 })
      const { task } = await changed(context, id, { priority: null, due_date: null, date_start: null })
      const wanted = [context.answers.taskPriority.none, null, null]
      expectSame('priority and dates', [task.priority, task.due_date, task.date_start], wanted)
    },
  ),
  taskRule(
    'updateTask',
    'description',
    contract('TaskPatch'),
    'takes a description in text and as a document',
    async (context) => {
      const id = await context.own.task()
      await changed(context, id, { description: 'verify' })
      await changed(context, id, { description: { type: 'doc', content: [] } })
    },
  ),
  taskRule(
    'updateTask',
    'assignees',
    contract('TaskPatch'),
    'takes the place of the assignees',
    async (context) => {
      const { members } = await context.seen.identity()
      const [first] = members
      const id = await context.own.task({ assignees: members.slice(0, 1).map((member) => member.id) })
      expectSame('assignees', (await changed(context, id, { assignees: [] })).task.assignees, [])
      const again = await changed(context, id, { assignees: [first?.id] })
      expectSame(
        'assignees',
        again.task.assignees.map((member) => member.id),
        [first?.id],
      )
    },
  ),
  taskRule(
    'updateTask',
    'transitions',
    assumed('statusTransitions'),
    'changes statuses as question statusTransitions says',
    async (context) => {
      const { own, answers } = context
      const allowed = answers.statusTransitions
      for (const from of await own.statuses())
        for (const to of await own.statuses()) {
          if (from.id === to.id) continue
          const isAllowed = allowed === 'any' || allowed[from.type]?.includes(to.type) === true
          await tryTransition(context, from.id, to.id, isAllowed)
        }
    },
  ),
  taskRule(
    'updateTask',
    'unknown-field',
    assumed('unknownBodyFields'),
    'takes a field that there is not as question unknownBodyFields says',
    async ({ api, own, answers }) => {
      const status = answers.unknownBodyFields === 'reject' ? 400 : 200
      const params = { taskId: await own.sharedTask() }
      await api.expect('updateTask', status, { params, json: { verify_no_such_field: 1 } })
    },
  ),
]

const deleting: readonly Rule[] = [
  taskRule(
    'deleteTask',
    'gone',
    contract('Task'),
    'the task is neither read nor listed any more',
    async (context) => {
      const { api, own } = context
      const taskId = await own.task()
      await api.succeed('deleteTask', { params: { taskId } })
      await api.expect('getTask', 404, { params: { taskId } })
      await api.expect('updateTask', 404, { params: { taskId }, json: { title: 'verify' } })
      await api.expect('deleteTask', 404, { params: { taskId } })
      expectThat(
        !(await tasksListed(context)).some(({ id }) => id === taskId),
        'a list without the task',
        taskId,
      )
    },
  ),
  taskRule(
    'deleteTask',
    'what-belongs',
    contract('Task'),
    'what belongs to the task is not reached any more',
    async ({ api, own }) => {
      const taskId = await own.task()
      await api.succeed('deleteTask', { params: { taskId } })
      await api.expect('listComments', 404, { params: { taskId } })
    },
  ),
]

const inList = async ({ own }: Context) => ({ listId: await own.listId() })
const ofTask = async ({ own }: Context) => ({ taskId: await own.sharedTask() })

const wrongFields: readonly (readonly [id: string, fields: Record<string, unknown>, source: Source])[] = [
  ['bad-priority', { priority: 'critical' }, contract('TaskCreate')],
  ['bad-due-date', { due_date: '2026-01-01' }, contract('TaskCreate')],
  ['bad-assignees', { assignees: 'nobody' }, contract('TaskCreate')],
  ['unknown-assignee', { assignees: [unknownId] }, assumed('unknownReferences')],
  ['unknown-status', { status_id: unknownId }, assumed('unknownReferences')],
  ['unknown-parent', { parent_task_id: unknownId }, assumed('unknownReferences')],
  ['bad-estimate', { time_estimate: 'long' }, contract('TaskCreate')],
]

const refused = refusals([
  {
    id: 'without-title',
    operation: 'createTask',
    source: contract('TaskCreate'),
    says: 'refuses a task without a title',
    ask: async (c) => ({ params: await inList(c), json: { priority: 'low' } }),
  },
  ...wrongFields.flatMap(([id, fields, source]) => [
    {
      id,
      operation: 'createTask' as const,
      source,
      says: `refuses ${JSON.stringify(fields)}`,
      ask: async (c: Context) => ({ params: await inList(c), json: { title: c.own.text(), ...fields } }),
    },
    {
      id,
      operation: 'updateTask' as const,
      source,
      says: `refuses ${JSON.stringify(fields)}`,
      ask: async (c: Context) => ({ params: await ofTask(c), json: fields }),
    },
  ]),
  {
    id: 'null-title',
    operation: 'updateTask',
    source: assumed('clearing'),
    says: 'refuses a title of null',
    ask: async (c) => ({ params: await ofTask(c), json: { title: null } }),
  },
])

const foreignStatus: Rule = taskRule(
  'updateTask',
  'foreign-status',
  assumed('unknownReferences'),
  'refuses a status of another list',
  async ({ api, own, seen }) => {
    const { list } = await seen.someTask()
    const { statuses } = await seen.listSchema(list.id)
    const mine = await own.statuses()
    const status = needed(
      statuses.find(({ id }) => !mine.some((other) => other.id === id)),
      'no other list has statuses of its own',
    )
    await api.expect('updateTask', 400, {
      params: { taskId: await own.sharedTask() },
      json: { status_id: status.id },
    })
  },
)

export const taskWriteRules: readonly Rule[] = [...changing, ...deleting, ...refused, foreignStatus]

// The rules of creating, changing and deleting tasks, and of wrong bodies.
import { priorities } from '../../../contract/tasks.ts'
import { expectFields, expectSame, expectThat, found } from '../../engine/expect.ts'
import { Unreachable, type SourceText } from '../../engine/drift.ts'
import { unknownId } from '../../engine/ledger.ts'
import { ownTask, rulesOn, writeRules, type Context } from '../../engine/rule.ts'
import { asAnswered, refused } from '../checks.ts'
import { idsOf } from '../../../contract/data/maps.ts'

export const due = 1_800_000_000

/** Tasks of the run's list, or those whose title holds a text. */
export async function tasksListed(context: Context, title?: string) {
  const query = { limit: 200, ...(title !== undefined && { q: title }) }
  const { tasks } = await context.api.succeed('listTasks', { query })
  return tasks.filter((task) => title === undefined || task.title === title)
}

const madeTask = async ({ own }: Context, fields: object = {}) => own.readTask(await own.task({ ...fields }))

/** Up to two members, as a task shows its assignees. */
export const twoMembers = async (c: Context) =>
  (await c.seen.identity()).members.slice(0, 2).map(({ id, name }) => ({ id, name }))

const creating = writeRules('contract, Tasks', {
  'createTask/answered: returns the id and no attachments': async (c) => {
    const json = { title: c.own.text() }
    const { id, attachments } = await c.api.succeed('createTask', { json })
    expectSame('attachments', attachments, [])
    expectSame('title as read', (await c.own.readTask(id)).title, json.title)
  },
  'createTask/first-status: takes the first active status of the list by default (contract, TaskCreate)':
    async (c) => expectSame('status_id', (await madeTask(c)).status_id, (await c.own.statusOf('active')).id),
  'createTask/defaults: has no dates, assignees or custom data by default (contract, Task (as read))': async (
    c,
  ) => {
    const wanted = { due_date: null, date_start: null, assignees: [], custom_data: {} }
    expectFields('task', await madeTask(c), wanted)
  },
  'createTask/no-priority: a task without priority shows the integer of none (assumption taskPriority)':
    async (c) => expectSame('priority', (await madeTask(c)).priority, c.answers.taskPriority.none),
})

const withPriority = priorities.flatMap((priority) =>
  writeRules('assumption taskPriority', {
    [`createTask/priority-${priority}: priority ${priority} is read as its integer`]: async (c: Context) =>
      expectSame('priority', (await madeTask(c, { priority })).priority, c.answers.taskPriority[priority]),
  }),
)

const fields = writeRules('contract, TaskCreate', {
  'createTask/fields: stores dates and status': async (c) => {
    const wanted = { due_date: due, date_start: due - 60, status_id: (await c.own.statusOf('done')).id }
    const task = await madeTask(c, { ...wanted, time_estimate: 30, project_id: 'verify' })
    expectFields('task', task, wanted)
  },
  'createTask/assignees: shows assignees with id and name (contract, Task (as read))': async (c) => {
    const wanted = await twoMembers(c)
    expectSame('assignees', (await madeTask(c, { assignees: wanted.map(({ id }) => id) })).assignees, wanted)
  },
  'createTask/parent: takes a parent task': async (c) =>
    c.own.task({ parent_task_id: await c.own.sharedTask() }),
  'createTask/timestamps: a new task was created and updated at one moment (contract, Task (as read))':
    async (c) => {
      const { created_at, updated_at } = await madeTask(c)
      expectSame('updated_at', updated_at, created_at)
    },
  'createTask/listed: the list shows it last (contract, Tasks)': async (c) => {
    const id = await c.own.task()
    expectSame('last task of the list', (await tasksListed(c)).at(-1)?.id, id, 'assumption listOrder')
  },
  'createTask/blank-title: takes a blank title as question emptyNames says': asAnswered({
    json: { title: ' ' },
  }),
  'createTask/unknown-custom-field: takes an unknown custom field as question unknownCustomFields says':
    asAnswered((c) => ({
      json: { title: c.own.text(), custom_data: { verify_no_such_field: 1 } },
    })),
  'createTask/without-title: refuses a task without a title': refused({ priority: 'low' }),
  'updateTask/null-title: refuses a title of null (assumption clearing)': refused({ title: null }),
  'updateTask/foreign-status: refuses a status of another list (assumption unknownReferences)': refused(
    async (c) => {
      const { statuses } = await c.seen.listSchema((await c.seen.someTask()).list.id)
      const mine = idsOf(await c.own.statuses())
      const foreign = found(statuses, ({ id }) => !mine.includes(id), 'no other list has statuses of its own')
      return { status_id: foreign.id }
    },
  ),
})

/** Changes a task. @returns it as read afterwards, and the response of the change */
export async function changed({ api, own }: Context, taskId: string, json: unknown) {
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

const changing = writeRules('contract, TaskPatch', {
  'updateTask/partial: changes what is sent and leaves the rest': async (c) => {
    const assignees = idsOf(await twoMembers(c))
    const id = await c.own.task({ due_date: due, date_start: due - 60, priority: 'high', assignees })
    const before = await c.own.readTask(id)
    const title = c.own.text()
    const { task, body } = await changed(c, id, { title })
    expectSame('task', { ...task, updated_at: 0 }, { ...before, title, updated_at: 0 })
    if (c.answers.mutationBody === 'resource') expectSame('body', body, task, 'assumption mutationBody')
  },
  'updateTask/updated-at: advances updated_at (contract, Task (as read))': async (c) => {
    const id = await c.own.task()
    const { created_at, updated_at: before } = await c.own.readTask(id)
    await c.wait(1500)
    const { task } = await changed(c, id, { due_date: due })
    expectThat(task.updated_at > before, `an updated_at after ${String(before)}`, task.updated_at)
    expectSame('created_at', task.created_at, created_at)
  },
  'updateTask/null-clears: null clears priority and dates (assumption clearing)': async (c) => {
    const id = await c.own.task({ priority: 'high', due_date: due, date_start: due - 60 })
    const { task } = await changed(c, id, { priority: null, due_date: null, date_start: null })
    const wanted = { priority: c.answers.taskPriority.none, due_date: null, date_start: null }
    expectFields('task', task, wanted)
  },
  'updateTask/description: takes a description in text and as a document': async (c) => {
    const id = await c.own.task()
    await changed(c, id, { description: 'verify' })
    await changed(c, id, { description: { type: 'doc', content: [] } })
  },
  'updateTask/assignees: replaces the assignees': async (c) => {
    const [first] = idsOf(await twoMembers(c))
    const id = await c.own.task({ assignees: first === undefined ? [] : [first] })
    expectSame('assignees', (await changed(c, id, { assignees: [] })).task.assignees, [])
    const { task } = await changed(c, id, { assignees: [first] })
    expectSame('assignees', idsOf(task.assignees), [first])
  },
  'updateTask/transitions: changes statuses as question statusTransitions says': async (c) => {
    const allowed = c.answers.statusTransitions
    for (const from of await c.own.statuses())
      for (const to of await c.own.statuses()) {
        if (from.id === to.id) continue
        const isAllowed = allowed === 'any' || allowed[from.type]?.includes(to.type) === true
        await tryTransition(c, from.id, to.id, isAllowed)
      }
  },
  'updateTask/unknown-field: takes an unknown field as question unknownBodyFields says': asAnswered({
    json: { verify_no_such_field: 1 },
  }),
})

const deleting = rulesOn('write', ownTask)('contract, Task', {
  'deleteTask/gone: the task is neither read nor listed any more': async (task) => {
    const { api } = task
    await api.succeed('deleteTask')
    await api.expect('getTask', 404)
    await api.expect('updateTask', 404, { json: { title: 'verify' } })
    await api.expect('deleteTask', 404)
    const ids = idsOf(await tasksListed(task))
    expectThat(!ids.includes(task.taskId), 'a list without the task', task.taskId)
  },
  'deleteTask/what-belongs: what belongs to the task can no longer be read': async ({ api }) => {
    await api.succeed('deleteTask')
    await api.expect('listComments', 404)
  },
})

const wrongFields: readonly (readonly [id: string, fields: Record<string, unknown>, source: SourceText])[] = [
  ['bad-priority', { priority: 'critical' }, 'contract, TaskCreate'],
  ['bad-due-date', { due_date: '2026-01-01' }, 'contract, TaskCreate'],
  ['bad-assignees', { assignees: 'nobody' }, 'contract, TaskCreate'],
  ['unknown-assignee', { assignees: [unknownId] }, 'assumption unknownReferences'],
  ['unknown-status', { status_id: unknownId }, 'assumption unknownReferences'],
  ['unknown-parent', { parent_task_id: unknownId }, 'assumption unknownReferences'],
  ['bad-estimate', { time_estimate: 'long' }, 'contract, TaskCreate'],
]

const wrong = wrongFields.flatMap(([id, fields, source]) =>
  writeRules(source, {
    [`createTask/${id}: refuses ${JSON.stringify(fields)}`]: refused({ title: 'verify', ...fields }),
    [`updateTask/${id}: refuses ${JSON.stringify(fields)}`]: refused(fields),
  }),
)

export const taskWriteRules = [...creating, ...withPriority, ...fields, ...changing, ...deleting, ...wrong]

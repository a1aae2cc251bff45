// The rules of creating tasks.
import { priorities } from '../../../contract/tasks.ts'
import { expectFields, expectSame } from '../../engine/expect.ts'
import { writeRules, type Context } from '../../engine/rule.ts'
import { asAnswered } from '../refusals.ts'

const part = 'contract, Tasks'
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

const creating = writeRules(part, {
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
})

export const taskCreationRules = [...creating, ...withPriority, ...fields]

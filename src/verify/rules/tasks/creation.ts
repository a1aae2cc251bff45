// The rules of creating tasks.
import { priorities } from '../../../contract/tasks.ts'
import type { Context } from '../../engine/context.ts'
import { assumed, contract, expectSame, type Rule, type Source } from '../../engine/rule.ts'

const part = contract('Tasks')
export const due = 1_800_000_000

export function taskRule(
  operation: 'createTask' | 'updateTask' | 'deleteTask',
  id: string,
  source: Source,
  says: string,
  check: (context: Context) => Promise<unknown>,
): Rule {
  return { id, operation, source, needs: 'write', says, check }
}

export const tasksListed = async ({ api, own }: Context) =>
  (await api.succeed('listTasks', { params: { listId: await own.listId() }, query: { limit: 200 } })).tasks

export const taskCreationRules: readonly Rule[] = [
  taskRule('createTask', 'answered', part, 'answers the id and no attachments', async ({ api, own }) => {
    const json = { title: own.text() }
    const { id, attachments } = await api.succeed('createTask', {
      params: { listId: await own.listId() },
      json,
    })
    expectSame('attachments', attachments, [])
    expectSame('title as read', (await own.readTask(id)).title, json.title)
  }),
  taskRule(
    'createTask',
    'first-status',
    contract('TaskCreate'),
    'takes the first active status of the list unless asked otherwise',
    async ({ own }) => {
      const task = await own.readTask(await own.task())
      expectSame('status_id', task.status_id, (await own.statusOf('active')).id)
    },
  ),
  taskRule(
    'createTask',
    'defaults',
    contract('Task (as read)'),
    'has no dates, assignees or custom data unless asked otherwise',
    async ({ own }) => {
      const { due_date, date_start, assignees, custom_data } = await own.readTask(await own.task())
      const wanted = { due_date: null, date_start: null, assignees: [], custom_data: {} }
      expectSame('task', { due_date, date_start, assignees, custom_data }, wanted)
    },
  ),
  taskRule(
    'createTask',
    'no-priority',
    assumed('taskPriority'),
    'a task without priority shows the integer of none',
    async ({ own, answers }) =>
      expectSame('priority', (await own.readTask(await own.task())).priority, answers.taskPriority.none),
  ),
  ...priorities.map((priority) =>
    taskRule(
      'createTask',
      `priority-${priority}`,
      assumed('taskPriority'),
      `priority ${priority} is read as its integer`,
      async ({ own, answers }) =>
        expectSame(
          'priority',
          (await own.readTask(await own.task({ priority }))).priority,
          answers.taskPriority[priority],
        ),
    ),
  ),
  taskRule('createTask', 'fields', contract('TaskCreate'), 'stores dates and status', async ({ own }) => {
    const status = await own.statusOf('done')
    const id = await own.task({
      due_date: due,
      date_start: due - 60,
      status_id: status.id,
      time_estimate: 30,
      project_id: 'verify',
    })
    const { due_date, date_start, status_id } = await own.readTask(id)
    expectSame(
      'task',
      { due_date, date_start, status_id },
      { due_date: due, date_start: due - 60, status_id: status.id },
    )
  }),
  taskRule(
    'createTask',
    'assignees',
    contract('Task (as read)'),
    'shows assignees with id and name',
    async ({ own, seen }) => {
      const { members } = await seen.identity()
      const wanted = members.slice(0, 2).map(({ id, name }) => ({ id, name }))
      const id = await own.task({ assignees: wanted.map((member) => member.id) })
      expectSame('assignees', (await own.readTask(id)).assignees, wanted)
    },
  ),
  taskRule('createTask', 'parent', contract('TaskCreate'), 'takes a parent task', async ({ own }) =>
    own.task({ parent_task_id: await own.sharedTask() }),
  ),
  taskRule(
    'createTask',
    'timestamps',
    contract('Task (as read)'),
    'a new task was created and updated at one moment',
    async ({ own }) => {
      const { created_at, updated_at } = await own.readTask(await own.task())
      expectSame('updated_at', updated_at, created_at)
    },
  ),
  taskRule('createTask', 'listed', part, 'the list shows it last', async (context) => {
    const id = await context.own.task()
    expectSame('last task of the list', (await tasksListed(context)).at(-1)?.id, id, assumed('listOrder'))
  }),
  taskRule(
    'createTask',
    'blank-title',
    assumed('emptyNames'),
    'takes a blank title as question emptyNames says',
    async ({ api, own, answers }) => {
      const status = answers.emptyNames === 'reject' ? 400 : 201
      await api.expect('createTask', status, { params: { listId: await own.listId() }, json: { title: ' ' } })
    },
  ),
  taskRule(
    'createTask',
    'unknown-custom-field',
    assumed('unknownCustomFields'),
    'takes a custom field that there is not as question unknownCustomFields says',
    async ({ api, own, answers }) => {
      const status = answers.unknownCustomFields === 'reject' ? 400 : 201
      const json = { title: own.text(), custom_data: { verify_no_such_field: 1 } }
      await api.expect('createTask', status, { params: { listId: await own.listId() }, json })
    },
  ),
]

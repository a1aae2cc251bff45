// The rules of listing and reading tasks.
import type { List } from '../../../contract/lists.ts'
import type { SuccessFor } from '../../../contract/index.ts'
import type { Ask } from '../../engine/client.ts'
import type { Context } from '../../engine/context.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  needed,
  type Rule,
  rulesOf,
  Unreachable,
} from '../../engine/rule.ts'

const part = contract('Tasks')
const limits = contract('Limits')

type Page = SuccessFor<'listTasks'>

const page = (context: Context, listId: string, query: NonNullable<Ask['query']> = ''): Promise<Page> =>
  context.api.succeed('listTasks', { params: { listId }, query })

const idsOf = ({ tasks }: Page) => tasks.map(({ id }) => id)

const taskRule = rulesOf('listTasks', 'read', ({ seen }) => seen.fullestList())

const sizeOf = async ({ seen }: Context, list: List) => (await seen.tasks(list.id)).length

/** A page size or offset that is out of range, or none. Assumption: limitAboveMax */
const outOfRange = (id: string, query: string, limit: number, offset: number): Rule =>
  taskRule(
    id,
    assumed('limitAboveMax'),
    `takes ${query} as question limitAboveMax says`,
    async (list, context) => {
      const { api, answers } = context
      if (answers.limitAboveMax === 'reject') {
        await api.expect('listTasks', 400, { params: { listId: list.id }, query })
        return
      }
      const got = await page(context, list.id, query)
      expectSame('limit and offset', [got.limit, got.offset], [limit, offset])
    },
  )

const paging: readonly Rule[] = [
  taskRule(
    'default-page',
    limits,
    'answers 50 tasks from the first on unless asked otherwise',
    async (list, context) => {
      const got = await page(context, list.id)
      expectSame('limit and offset', [got.limit, got.offset], [50, 0])
      expectSame('number of tasks', got.tasks.length, Math.min(50, await sizeOf(context, list)))
    },
  ),
  taskRule('limit', part, 'limit sets the page size', async (list, context) => {
    const got = await page(context, list.id, { limit: 1 })
    expectSame('limit and number of tasks', [got.limit, got.tasks.length], [1, 1])
  }),
  taskRule('largest-page', limits, 'a page can have 200 tasks', async (list, context) => {
    const got = await page(context, list.id, { limit: 200 })
    expectSame('limit', got.limit, 200)
    expectThat(got.tasks.length <= 200, '200 tasks at most', got.tasks.length)
  }),
  taskRule('offset', part, 'offset skips tasks', async (list, context) => {
    const whole = idsOf(await page(context, list.id, { limit: 4 }))
    if (whole.length < 2) throw new Unreachable('no list has two tasks')
    const rest = await page(context, list.id, { limit: 3, offset: 1 })
    expectSame('offset', rest.offset, 1)
    expectSame('ids', idsOf(rest), whole.slice(1))
  }),
  taskRule('pages-join', limits, 'a page of 200 holds what pages of 100 hold', async (list, context) => {
    const whole = idsOf(await page(context, list.id, { limit: 200 }))
    const [first, second] = [
      await page(context, list.id, { limit: 100 }),
      await page(context, list.id, { limit: 100, offset: 100 }),
    ]
    expectSame('ids', whole, [...idsOf(first), ...idsOf(second)])
  }),
  taskRule('past-the-end', part, 'an offset past the last task answers none', async (list, context) =>
    expectSame('tasks', (await page(context, list.id, { offset: 1_000_000 })).tasks, []),
  ),
  outOfRange('limit-above-maximum', 'limit=201', 200, 0),
  outOfRange('limit-zero', 'limit=0', 50, 0),
  outOfRange('offset-negative', 'offset=-1', 50, 0),
]

/** The status of the most tasks of a list, and these. */
async function frequentStatus(list: List, context: Context) {
  const tasks = await context.seen.tasks(list.id)
  const counts = new Map<string, number>()
  for (const { status_id } of tasks) counts.set(status_id, (counts.get(status_id) ?? 0) + 1)
  const [status = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
  const whole = idsOf(await page(context, list.id, { status, limit: 200 }))
  if (whole.length < 2) throw new Unreachable('no list has two tasks of one status')
  return { status, whole }
}

const searching: readonly Rule[] = [
  taskRule('status-filter', part, 'status keeps the tasks of that status, by id', async (list, context) => {
    const tasks = await context.seen.tasks(list.id)
    const { status_id: status } = needed(tasks[0], 'no list has tasks')
    const got = await page(context, list.id, { status, limit: 200 })
    if (tasks.length < 200) {
      const wanted = tasks.filter(({ status_id }) => status_id === status)
      expectSame(
        'ids',
        idsOf(got),
        wanted.map(({ id }) => id),
      )
    }
    for (const task of got.tasks) expectSame('status_id', task.status_id, status)
  }),
  taskRule('status-pages', part, 'limit and offset page what status keeps', async (list, context) => {
    const { status, whole } = await frequentStatus(list, context)
    const got = await page(context, list.id, { status, limit: 1, offset: 1 })
    expectSame('ids', idsOf(got), whole.slice(1, 2))
  }),
  taskRule('status-and-q', part, 'status and q must both hold', async (list, context) => {
    const tasks = await context.seen.tasks(list.id)
    const [first] = tasks
    const other = needed(
      tasks.find(({ status_id }) => status_id !== first?.status_id),
      'all tasks have one status',
    )
    const got = await page(context, list.id, { q: first?.title ?? '', status: other.status_id, limit: 200 })
    for (const { status_id } of got.tasks) expectSame('status_id', status_id, other.status_id)
    expectThat(!idsOf(got).includes(first?.id ?? ''), 'no task of another status', idsOf(got))
  }),
  ...['%', '_', '.*'].map((q) =>
    taskRule(`literal-${q}`, part, `q=${q} means these characters`, async (list, context) => {
      for (const { title } of (await page(context, list.id, { q, limit: 200 })).tasks)
        expectThat(title.includes(q), `titles with ${q}`, title)
    }),
  ),
  taskRule(
    'status-name',
    assumed('taskStatusFilter'),
    'status takes the name of a status too',
    async (list, context) => {
      const tasks = await context.seen.tasks(list.id)
      const { statuses } = await context.seen.listSchema(list.id)
      const status = needed(
        statuses.find(({ id }) => id === tasks[0]?.status_id),
        'the first task has no status of its list',
      )
      const [byName, byId] = [
        await page(context, list.id, { status: status.name }),
        await page(context, list.id, { status: status.id }),
      ]
      expectSame('ids', idsOf(byName), idsOf(byId))
    },
  ),
  taskRule(
    'status-type',
    assumed('taskStatusFilter'),
    'status takes a type of statuses as question taskStatusFilter says',
    async (list, context) => {
      const tasks = await context.seen.tasks(list.id)
      const { statuses } = await context.seen.listSchema(list.id)
      const { type } = needed(
        statuses.find(({ id }) => id === tasks[0]?.status_id),
        'the first task has no status of its list',
      )
      if (statuses.some(({ name }) => name === type)) throw new Unreachable('a status is named like its type')
      const got = await page(context, list.id, { status: type })
      expectSame(
        `tasks found by type ${type}`,
        got.tasks.length > 0,
        context.answers.taskStatusFilter === 'idNameOrType',
      )
    },
  ),
  taskRule(
    'status-unknown',
    assumed('taskStatusFilter'),
    'an unknown status finds no task',
    async (list, context) =>
      expectSame('tasks', (await page(context, list.id, { status: 'verify no such status' })).tasks, []),
  ),
  taskRule('title-search', part, 'q keeps the tasks whose title holds it', async (list, context) => {
    const tasks = await context.seen.tasks(list.id)
    const { title } = needed(
      tasks.find((task) => task.title.length > 6),
      'no task has a long title',
    )
    const q = title.slice(1, 7)
    const fold = (text: string) => (context.answers.queryText === 'insensitive' ? text.toLowerCase() : text)
    const got = await page(context, list.id, { q, limit: 200 })
    for (const task of got.tasks)
      expectThat(fold(task.title).includes(fold(q)), `titles with ${q}`, task.title)
    if (tasks.length < 200) {
      const wanted = tasks.filter((task) => fold(task.title).includes(fold(q)))
      expectSame(
        'ids',
        idsOf(got),
        wanted.map(({ id }) => id),
      )
    }
    expectThat(got.tasks.length > 0, 'a task', got.tasks)
  }),
  taskRule(
    'letter-case',
    assumed('queryText'),
    'q minds letter case as question queryText says',
    async (list, context) => {
      const tasks = await context.seen.tasks(list.id)
      const { id, title } = needed(
        tasks.find((task) => task.title.toUpperCase() !== task.title),
        'no task has letters',
      )
      const got = await page(context, list.id, { q: title.toUpperCase(), limit: 200 })
      expectSame('the task found', idsOf(got).includes(id), context.answers.queryText === 'insensitive')
    },
  ),
]

const reads: readonly Rule[] = [
  {
    id: 'as-listed',
    operation: 'getTask',
    source: contract('Task (as read)'),
    needs: 'read',
    says: 'answers a task as it is listed',
    check: async ({ api, seen }) => {
      const { list } = await seen.someTask()
      for (const task of (await seen.tasks(list.id)).slice(0, 3))
        expectSame('task', await api.succeed('getTask', { params: { taskId: task.id } }), task)
    },
  },
  {
    id: 'priorities',
    operation: 'listTasks',
    source: assumed('taskPriority'),
    needs: 'read',
    says: 'shows priorities as the integers of question taskPriority',
    check: async ({ seen, answers }) => {
      const { list } = await seen.someTask()
      const known: readonly number[] = Object.values(answers.taskPriority)
      for (const { priority } of await seen.tasks(list.id))
        expectThat(known.includes(priority), `one of ${known.join(', ')}`, priority)
    },
  },
  {
    id: 'references',
    operation: 'listTasks',
    source: contract('Task (as read)'),
    needs: 'read',
    says: 'statuses are those of the list, custom_data is keyed by its fields',
    check: async ({ seen }) => {
      for (const { id } of (await seen.fullLists()).slice(0, 5)) {
        const { statuses, fields } = await seen.listSchema(id)
        for (const task of await seen.tasks(id)) {
          expectThat(
            statuses.some((status) => status.id === task.status_id),
            `a status of list ${id}`,
            task.status_id,
          )
          for (const key of Object.keys(task.custom_data))
            expectThat(
              fields.some((field) => field.id === key),
              `ids of the fields of list ${id}`,
              key,
            )
        }
      }
    },
  },
]

export const taskRules: readonly Rule[] = [...paging, ...searching, ...reads]

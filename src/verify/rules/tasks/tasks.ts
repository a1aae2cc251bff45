// The rules of listing and reading tasks.
import { foldFor } from '../../../contract/text/format.ts'
import { mostPerPage, perPage } from '../../../contract/limits.ts'
import type { Task } from '../../../contract/tasks.ts'
import type { Ask } from '../../engine/client.ts'
import { expectSame, expectThat, found, needed } from '../../engine/expect.ts'
import { Unreachable } from '../../engine/drift.ts'
import { rulesOn, type Context } from '../../engine/rule.ts'
import { asObserved, letterCase, type ObservedAnswer } from '../checks.ts'
import { clamped, pagingRules } from '../paging.ts'
import { idsOf } from '../../../contract/data/maps.ts'

const part = 'contract, Tasks'

type Query = Exclude<Ask['query'], string>

/** The list with the most tasks, up to 200 of them, and its pages; ids are those of a page of 200 by default. */
export async function fullestList(context: Context) {
  const { id: listId } = await context.seen.fullestList()
  const api = context.api.at({ listId })
  const tasks = await context.seen.tasks(listId)
  const page = async (query: Ask['query'] = '') => {
    const got = await api.succeed('listTasks', { query })
    return { ...got, ids: idsOf(got.tasks) }
  }
  const ids = async (query: Query) => (await page({ limit: mostPerPage.tasks, ...query })).ids
  return { ...context, api, listId, tasks, all: () => Promise.resolve(tasks), page, ids }
}
type Listing = Awaited<ReturnType<typeof fullestList>>
const listRules = rulesOn('read', fullestList)

const paging = listRules(part, {
  'listTasks/pages-join: a page of 200 holds what pages of 100 hold (contract, Limits)': async ({ ids }) => {
    const [whole, first] = [await ids({}), await ids({ limit: 100 })]
    expectSame('ids', whole, [...first, ...(await ids({ limit: 100, offset: 100 }))])
  },
  'listTasks/limit-zero: takes limit=0 as question limitAboveMax says': clamped('limit=0', perPage),
  'listTasks/offset-negative: takes offset=-1 as question limitAboveMax says': clamped('offset=-1', perPage),
})

/** The status of the most tasks of a list, and the ids of these. */
async function frequentStatus({ tasks, ids }: Listing) {
  const counts = new Map<string, number>()
  for (const { status_id } of tasks) counts.set(status_id, (counts.get(status_id) ?? 0) + 1)
  const [status = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
  const whole = await ids({ status })
  if (whole.length < 2) throw new Unreachable('no list has two tasks of one status')
  return { status, whole }
}

/** The status of the first task, and all statuses of the list. */
async function firstStatus({ seen, listId, tasks }: Listing) {
  const { statuses } = await seen.listSchema(listId)
  const isFirst = ({ id }: { readonly id: string }) => id === tasks[0]?.status_id
  return { statuses, status: found(statuses, isFirst, 'the first task has no status of its list') }
}

const searching = listRules(part, {
  'listTasks/status-filter: status keeps the tasks of that status, by id': async ({ tasks, page }) => {
    const { status_id: status } = needed(tasks[0], 'no list has tasks')
    const got = await page({ status, limit: 200 })
    const wanted = tasks.filter(({ status_id }) => status_id === status)
    if (tasks.length < 200) expectSame('ids', idsOf(got.tasks), idsOf(wanted))
    for (const task of got.tasks) expectSame('status_id', task.status_id, status)
  },
  'listTasks/every-status: without status it lists the tasks of every status': async (list) => {
    if (list.tasks.length === 200) throw new Unreachable('every list has 200 tasks or more')
    const { statuses } = await list.seen.listSchema(list.listId)
    const all = idsOf(list.tasks)
    for (const { id, name } of statuses)
      for (const taskId of await list.ids({ status: id }))
        expectThat(all.includes(taskId), `task ${taskId} of status ${name}`, all)
  },
  'listTasks/status-pages: limit and offset page what status keeps': async (list) => {
    const { status, whole } = await frequentStatus(list)
    expectSame('ids', await list.ids({ status, limit: 1, offset: 1 }), whole.slice(1, 2))
  },
  'listTasks/status-and-q: status and q must both hold': async ({ tasks, page }) => {
    const [first] = tasks
    const isOther = (task: Task) => task.status_id !== first?.status_id
    const { status_id: status } = found(tasks, isOther, 'all tasks have one status')
    const got = await page({ q: first?.title ?? '', status, limit: 200 })
    for (const { status_id } of got.tasks) expectSame('status_id', status_id, status)
    expectThat(!idsOf(got.tasks).includes(first?.id ?? ''), 'no task of another status', idsOf(got.tasks))
  },
})

const literal = ['%', '_', '.*'].flatMap((q) =>
  listRules(part, {
    [`listTasks/literal-${q}: q=${q} means these characters`]: async ({ page }: Listing) => {
      for (const { title } of (await page({ q, limit: 200 })).tasks)
        expectThat(title.includes(q), `titles with ${q}`, title)
    },
  }),
)

/** Observes question taskStatusFilter. */
export async function seeStatusFilter(list: Listing): Promise<ObservedAnswer> {
  const { statuses, status } = await firstStatus(list)
  const { type } = status
  if (statuses.some(({ name }) => name === type)) throw new Unreachable('a status is named like its type')
  const how = `listTasks with status=${type}`
  if ((await list.page({ status: 'verify no such status' })).ids.length > 0)
    return {
      answer: undefined,
      how: 'listTasks ignores status: it finds tasks of a status that does not exist',
    }
  const { tasks } = await list.page({ status: type })
  const ofType = idsOf(statuses.filter((one) => one.type === type))
  if (tasks.some(({ status_id }) => !ofType.includes(status_id)))
    return { answer: undefined, how: `${how} finds tasks of other types` }
  return {
    answer: tasks.length > 0 ? 'idNameOrType' : 'idOrName',
    how: `${how} finds ${String(tasks.length)} tasks`,
  }
}

/** Observes question queryText. */
export async function seeQueryText({ tasks, ids }: Listing): Promise<ObservedAnswer> {
  const hasLetters = ({ title }: Task) => title !== title.toUpperCase()
  const { id, title } = found(tasks, hasLetters, 'no task title has small letters')
  if ((await ids({ q: 'verify no such title' })).length > 0)
    return { answer: undefined, how: 'listTasks ignores q' }
  const q = title.toUpperCase()
  return letterCase(`listTasks with q=${q}`, title, (await ids({ q })).includes(id))
}

const naming = listRules('assumption taskStatusFilter', {
  'listTasks/status-name: status takes the name of a status too': async (list) => {
    const { id, name } = (await firstStatus(list)).status
    const [byName, byId] = [await list.page({ status: name }), await list.page({ status: id })]
    expectSame('ids', idsOf(byName.tasks), idsOf(byId.tasks))
  },
  'listTasks/status-type: status takes a type of statuses as question taskStatusFilter says':
    asObserved(seeStatusFilter),
  'listTasks/status-unknown: an unknown status finds no task': async (c) =>
    expectSame('tasks', (await c.page({ status: 'verify no such status' })).tasks, []),
  'listTasks/title-search: q keeps the tasks whose title holds it (contract, Tasks)': async (list) => {
    const { tasks, page, answers } = list
    const { title } = found(tasks, (task) => task.title.length > 6, 'no task has a long title')
    const q = title.slice(1, 7)
    const fold = foldFor(answers)
    const isMeant = (task: Task) => fold(task.title).includes(fold(q))
    const got = await page({ q, limit: 200 })
    for (const task of got.tasks) expectThat(isMeant(task), `titles with ${q}`, task.title)
    if (tasks.length < 200) expectSame('ids', idsOf(got.tasks), idsOf(tasks.filter(isMeant)))
    expectThat(got.tasks.length > 0, 'a task', got.tasks)
  },
  'listTasks/letter-case: q treats letter case as question queryText says': asObserved(seeQueryText),
})

const reading = listRules('contract, Task (as read)', {
  'getTask/as-listed: returns a task as it is listed': async ({ api, tasks }) => {
    const some = [0, 1, 2, 5, 8].map((tenth) => tasks[Math.floor((tasks.length * tenth) / 10)])
    for (const task of new Set(some))
      if (task) expectSame('task', await api.succeed('getTask', { params: { taskId: task.id } }), task)
  },
  'listTasks/priorities: shows priorities as the integers of question taskPriority': ({ answers, tasks }) => {
    const known: readonly number[] = Object.values(answers.taskPriority)
    for (const { priority } of tasks)
      expectThat(known.includes(priority), `one of ${known.join(', ')}`, priority)
  },
  'listTasks/times: a task is not changed before it is made': ({ tasks }) => {
    for (const { created_at, updated_at } of tasks)
      expectThat(updated_at >= created_at, 'an updated_at not before created_at', [created_at, updated_at])
  },
  'listTasks/references: statuses are those of the list, custom_data is keyed by its fields': async (c) => {
    for (const { id } of (await c.seen.fullLists()).slice(0, 5)) {
      const schema = await c.seen.listSchema(id)
      const [statuses, fields] = [idsOf(schema.statuses), idsOf(schema.fields)]
      for (const { status_id, custom_data } of await c.seen.tasks(id)) {
        expectThat(statuses.includes(status_id), `a status of list ${id}`, status_id)
        for (const key of Object.keys(custom_data))
          expectThat(fields.includes(key), `ids of the fields of list ${id}`, key)
      }
    }
  },
})

export const taskRules = [
  ...pagingRules('listTasks', 'list', 'tasks', listRules),
  ...paging,
  ...searching,
  ...literal,
  ...naming,
  ...reading,
]

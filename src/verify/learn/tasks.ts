// Probes of the task listing.
import { idsOf } from '../../contract/data/maps.ts'
import { mostPerPage } from '../../contract/limits.ts'
import type { Task } from '../../contract/tasks.ts'
import type { Ask } from '../engine/client.ts'
import { Unreachable } from '../engine/drift.ts'
import { requireMatch } from '../engine/expect.ts'
import type { Context } from '../engine/rule.ts'
import { letterCase, type ObservedAnswer } from './observed-answer.ts'

type Query = Exclude<Ask['query'], string>

/** Tasks of the run's list, or those whose title holds a text. */
export async function tasksListed(context: Context, title?: string) {
  const query = { limit: 200, ...(title !== undefined && { q: title }) }
  const { tasks } = await context.api.succeed('listTasks', { query })
  return tasks.filter((task) => title === undefined || task.title === title)
}

/** The list with the most tasks, up to 200 of them, and its pages; ids are those of a page of 200 by default. */
export async function fullestList(context: Context) {
  const { id: listId } = await context.discovered.fullestList()
  const api = context.api.at({ listId })
  const tasks = await context.discovered.tasks(listId)
  const page = async (query: Ask['query'] = '') => {
    const got = await api.succeed('listTasks', { query })
    return { ...got, ids: idsOf(got.tasks) }
  }
  const ids = async (query: Query) => (await page({ limit: mostPerPage.tasks, ...query })).ids
  return { ...context, api, listId, tasks, page, ids }
}
type Listing = Awaited<ReturnType<typeof fullestList>>

/** The status of the first task, and all statuses of the list. */
async function firstStatus({ discovered, listId, tasks }: Listing) {
  const { statuses } = await discovered.listSchema(listId)
  const isFirst = ({ id }: { readonly id: string }) => id === tasks[0]?.status_id
  return { statuses, status: requireMatch(statuses, isFirst, 'the first task has no status of its list') }
}

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
  const { id, title } = requireMatch(tasks, hasLetters, 'no task title has small letters')
  if ((await ids({ q: 'verify no such title' })).length > 0)
    return { answer: undefined, how: 'listTasks ignores q' }
  const q = title.toUpperCase()
  return letterCase(`listTasks with q=${q}`, title, (await ids({ q })).includes(id))
}

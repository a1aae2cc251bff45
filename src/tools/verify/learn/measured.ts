// Observes answers that cannot be picked from a short list: integers, maps and sets that responses show.
import type { OperationId } from '../../../contract/index.ts'
import { mostPerPage, priorities, statusTypes } from '../../../contract/limits.ts'
import type { StatusType } from '../../../contract/lists.ts'
import { questions } from '../../../contract/questions/register.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { Stop } from '../../deployment/stop.ts'
import { makeMarkedRow } from '../scenarios/own.ts'
import { reading, writing, type Observe } from './observer.ts'
import type { Learner } from './learner.ts'

const named = ['none', ...priorities]

/** Creates a task with each priority, then reads the integers that stand for the priorities. */
const observePriorities =
  (
    operation: OperationId,
    show: (learner: Learner, ids: readonly string[]) => Promise<readonly unknown[]>,
  ): Observe =>
  async (learner) => {
    const ids: string[] = []
    for (const name of named) ids.push(await learner.createTask(name === 'none' ? {} : { priority: name }))
    const shown = (await show(learner, ids)).filter(isObject)
    const of = (id: string | undefined) => shown.find((task) => task.id === id)?.priority
    const answer = Object.fromEntries(named.map((name, index) => [name, of(ids[index])]))
    const integers = Object.values(answer)
    if (!integers.every(Number.isInteger) || new Set(integers).size < named.length)
      throw new Stop(`${operation} shows ${JSON.stringify(integers)} for the priorities ${named.join(', ')}`)
    return [answer as Record<string, number>, `${operation} of tasks that were created with each priority`]
  }

export const taskPriority = writing(
  'taskPriority',
  observePriorities('getTask', async ({ api }, ids) => {
    const tasks = []
    for (const taskId of ids) tasks.push((await api.call('getTask', { params: { taskId } })).json)
    return tasks
  }),
  observePriorities('listTasks', async ({ api, listId }) => {
    const ask = { params: { listId }, query: { limit: mostPerPage.tasks } }
    return (await api.succeed('listTasks', ask)).tasks
  }),
)

export const customFieldTypes = reading('customFieldTypes', ({ twin }) => {
  const known: readonly string[] = questions.customFieldTypes.default
  const types = [...new Set(twin.mirror.known.lists.flatMap(({ fields }) => fields.map(({ type }) => type)))]
  const more = types.filter((type) => !known.includes(type))
  if (more.length === 0)
    throw new Stop('only types in use can be seen, and the default answer has all of them')
  return [[...known, ...more], `fields have the types ${types.join(', ')}; others keep their default`, true]
})

const observeTotal =
  (mode: 'insert' | 'upsert'): Observe =>
  async (learner) => {
    const { api, table } = learner
    const params = { tableId: table.id }
    const json = {
      rows: [makeMarkedRow(learner.makeProbe())],
      ...(mode === 'upsert' && { mode, key_column: table.text.id }),
    }
    const { total: shown } = await api.succeed('bulkInsertRows', { params, json })
    const { total } = await api.succeed('listRows', { params, query: { limit: 1 } })
    if (total === 1) throw new Stop('the table has only one row')
    const how = `${mode} of one row into a table of ${String(total)} gave total ${JSON.stringify(shown)}`
    return [shown === 1 ? 'submitted' : shown === total ? 'table' : undefined, how]
  }

export const bulkTotal = writing('bulkTotal', observeTotal('insert'), observeTotal('upsert'))

export const lockedTable = writing('lockedTable', async ({ api, context, twin }) => {
  for (const { id: tableId } of twin.mirror.known.tables) {
    if (tableId === twin.own.tableId) continue
    // Sends no rows, so that nothing is inserted; a lock is checked before the rows.
    const ask = { params: { tableId }, json: { rows: [] } }
    const job = await api.call('submitInsertJob', ask)
    const refusesJobs = job.status === 403 && job.field('limitReached') !== true
    const bulk = await api.call('bulkInsertRows', ask)
    if (!refusesJobs && bulk.status !== 403) continue
    const row = await api.call('createRow', { params: ask.params, json: { data: context.marker } })
    const answer = row.status === 403 ? 'writes' : bulk.status === 403 ? 'bulk' : 'jobs'
    return [answer, `table ${tableId} refuses ${answer === 'writes' ? 'single rows as well' : answer}`]
  }
  throw new Stop('jobs and bulk requests without rows show no locked table')
})

export const statusTransitions = writing('statusTransitions', async (learner) => {
  const { api, listId } = learner
  const { statuses } = await api.succeed('getListSchema', { params: { listId } })
  // The status types that can be reached from each type.
  const map: Record<StatusType, StatusType[]> = { active: [], done: [], archived: [] }
  let areAll = true
  let areAllTried = true
  for (const from of statusTypes)
    for (const to of statusTypes) {
      const start = statuses.find(({ type }) => type === from)
      const end = statuses.find((status) => status.type === to && status !== start)
      if (!start || !end) {
        areAllTried = false
        continue
      }
      const params = { taskId: await learner.createTask({ status_id: start.id }) }
      const reply = await api.call('updateTask', { params, json: { status_id: end.id } })
      if (!reply.isSuccess && reply.status !== 400) throw new Stop(`updateTask: ${reply.summary}`)
      if (reply.isSuccess) map[from].push(to)
      else areAll = false
    }
  const how = "tasks in each type of status were moved to every other status of the run's list"
  if (areAllTried) return [areAll ? 'any' : map, how]
  return [areAll ? 'any' : map, `${how}, which lacks some types`, true]
})

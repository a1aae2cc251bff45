// Observes the answers to questions about the behaviour of tables, tasks and timers.
import { statusTypes, type Status, type StatusType } from '../../contract/lists.ts'
import type { Task } from '../../contract/tasks.ts'
import { reading, writing, type Observer } from './observer.ts'
import { someValue, textColumn } from '../rules/rows/cells.ts'
import { found, needed } from '../engine/expect.ts'
import { ownTask, Unreachable, type Context, type OwnTask } from '../engine/rule.ts'
import { act, listing } from '../rules/time-entries.ts'
import { removeEntries } from '../rules/timers.ts'

/** A task of the run's own, on which no entry is left. */
async function onTask<T>(context: Context, observe: (task: OwnTask) => Promise<T>): Promise<T> {
  const task = await ownTask(context)
  try {
    return await observe(task)
  } finally {
    await removeEntries(task)
  }
}

async function lockOf({ api, own }: Context, tableId: string): Promise<string | undefined> {
  // Without rows, or with bad ones, nothing could go in; a lock is checked first.
  const ask = { params: { tableId }, json: { rows: [] } }
  const job = await api.call('submitInsertJob', ask)
  const refusesJobs = job.status === 403 && job.field('limitReached') !== true
  const bulk = await api.call('bulkInsertRows', ask)
  if (!refusesJobs && bulk.status !== 403) return undefined
  const row = await api.call('createRow', { params: { tableId }, json: { data: own.marker } })
  if (row.status === 403) return 'writes'
  return bulk.status === 403 ? 'bulk' : 'jobs'
}

/** Whether a task of one status may change to another. */
async function mayMove({ api, own }: Context, from: Status, to: Status): Promise<boolean> {
  const taskId = await own.task({ status_id: from.id })
  const reply = await api.call('updateTask', { params: { taskId }, json: { status_id: to.id } })
  if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(`updateTask: ${reply.summary}`)
  return reply.isSuccess
}

/** Types of status by the type from which they are reached, as far as the statuses of a list show it. */
async function moves(context: Context): Promise<{ map: Record<StatusType, StatusType[]>; areAll: boolean }> {
  const statuses = await context.own.statuses()
  const map: Record<StatusType, StatusType[]> = { active: [], done: [], archived: [] }
  let areAll = true
  for (const fromType of statusTypes)
    for (const toType of statusTypes) {
      const from = statuses.find(({ type }) => type === fromType)
      const to = statuses.find((status) => status.type === toType && status !== from)
      if (!from || !to) continue
      if (await mayMove(context, from, to)) map[fromType].push(toType)
      else areAll = false
    }
  return { map, areAll }
}

export const serviceObservers: readonly Observer[] = [
  reading(
    'queryText',
    async ({ api, seen }) => {
      const list = await seen.fullestList()
      const tasks = await seen.tasks(list.id)
      const hasLetters = (task: Task) => task.title !== task.title.toUpperCase()
      const { id, title } = found(tasks, hasLetters, 'no task title has small letters')
      const find = async (q: string) =>
        (await api.succeed('listTasks', { params: { listId: list.id }, query: { q, limit: 200 } })).tasks
      if ((await find('verify no such title')).length > 0) throw new Unreachable('listTasks ignores q')
      const isFound = (await find(title.toUpperCase())).some((task) => task.id === id)
      const how = `listTasks with q=${title.toUpperCase()} ${isFound ? 'finds' : 'does not find'} "${title}"`
      return { answer: isFound ? 'insensitive' : 'sensitive', how }
    },
    async ({ api, seen }) => {
      const table = await seen.richTable()
      const column = textColumn(table, 1)
      const value = String(someValue(table, column))
      const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()
      if (other === value) throw new Unreachable(`"${value}" has no letters`)
      const filters = [{ column: column.id, operator: 'contains', value: other }]
      const ask = { params: { tableId: table.table.id }, json: { filters } }
      const isFound = (await api.succeed('queryRows', ask)).rows.length > 0
      const how = `queryRows with contains "${other}" ${isFound ? 'finds' : 'does not find'} "${value}"`
      return { answer: isFound ? 'insensitive' : 'sensitive', how }
    },
  ),
  writing('lockedTable', async (context) => {
    const chosen = await context.own.table()
    for (const { table } of await context.seen.seenTables()) {
      if (table.id === chosen.table.id) continue
      const answer = await lockOf(context, table.id)
      const what = answer === 'writes' ? 'single rows too' : answer
      if (answer !== undefined) return { answer, how: `table ${table.id} refuses ${String(what)}` }
    }
    throw new Unreachable('no table is locked, as far as jobs and bulk requests without rows show')
  }),
  writing('statusTransitions', async (context) => {
    const { map, areAll } = await moves(context)
    const how = "tasks of each type of status were moved to each other status of the run's list"
    return { answer: areAll ? 'any' : map, how }
  }),
  reading('taskStatusFilter', async ({ api, seen }) => {
    const list = await seen.fullestList()
    const [task] = await seen.tasks(list.id)
    const { statuses } = await seen.listSchema(list.id)
    const isFirst = ({ id }: Status) => id === task?.status_id
    const { type } = found(statuses, isFirst, 'the first task has no status of its list')
    if (statuses.some(({ name }) => name === type)) throw new Unreachable('a status is named like its type')
    const find = async (status: string) =>
      (await api.succeed('listTasks', { params: { listId: list.id }, query: { status } })).tasks
    if ((await find('verify no such status')).length > 0)
      throw new Unreachable('listTasks ignores status: it finds tasks of a status that does not exist')
    const tasks = await find(type)
    const typeOf = (id: string) => statuses.find((status) => status.id === id)?.type
    if (tasks.some(({ status_id }) => typeOf(status_id) !== type))
      throw new Unreachable(
        `listTasks with status=${type} finds tasks of other types, which no answer covers`,
      )
    const how = `listTasks with status=${type} finds ${String(tasks.length)} tasks`
    return { answer: tasks.length > 0 ? 'idNameOrType' : 'idOrName', how }
  }),
  writing('runningDuration', (context) =>
    onTask(context, async (task) => {
      await act(task, { action: 'start', as_user: await context.own.idleMember() })
      await context.wait(2500)
      const [entry] = (await listing(task)).entries
      const { duration } = needed(entry, 'the started entry is not listed')
      const how = `an entry that ran for 2.5 s shows ${String(duration)}`
      return { answer: duration > 0 ? 'elapsed' : 'zero', how }
    }),
  ),
  writing('startEntry', (context) =>
    onTask(context, async (task) => {
      const json = { action: 'start', as_user: await context.own.idleMember() }
      const first = await act(task, json)
      const { status } = await task.api.call('createTimeEntry', { json })
      if (status === 400) return { answer: 'reject', how: 'a second start got 400' }
      const { entries } = await listing(task)
      const runs = entries.some(({ id, is_running }) => id === first.id && is_running === 1)
      const how = `after a second start the first entry ${runs ? 'runs on' : 'is stopped'}`
      return { answer: runs ? 'allow' : 'stopPrevious', how }
    }),
  ),
  writing('stopEntry', (context) =>
    onTask(context, async (task) => {
      const own = await act(task, { action: 'start' })
      await context.wait(1100)
      const other = await act(task, { action: 'start', as_user: await context.own.idleMember(own.user_id) })
      const { id } = await act(task, { action: 'stop' })
      if (id !== own.id && id !== other.id)
        throw new Unreachable('stop ended neither of the two running entries')
      return {
        answer: id === own.id ? 'actingThenOnly' : 'latest',
        how: `of two running entries stop ended ${id === own.id ? "that of the key's member" : 'the later one'}`,
      }
    }),
  ),
  writing('editRunning', (context) =>
    onTask(context, async (task) => {
      const { id } = await act(task, { action: 'start', as_user: await context.own.idleMember() })
      const params = { entryId: id }
      const json = { note: 'verify' }
      const { status, summary } = await task.api.call('updateTimeEntry', { params, json })
      if (status !== 400 && status !== 403)
        throw new Unreachable(`editing a running entry got ${summary}, which no answer covers`)
      return { answer: status, how: `editing a running entry got ${String(status)}` }
    }),
  ),
]

// Observes the answers to questions about the behaviour of tables, tasks and timers.
import { statusTypes, type Status, type StatusType } from '../../contract/lists.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Task } from '../../contract/tasks.ts'
import { reading, writing, type Observation, type Observer } from './observer.ts'
import { someValue, textColumn } from '../rules/rows/cells.ts'
import { found, idsOf, needed } from '../engine/expect.ts'
import { ownTask, Unreachable, type Context, type OwnTask } from '../engine/rule.ts'
import { act, listing } from '../rules/time-entries.ts'
import { removeEntries } from '../rules/timers.ts'

/** An observer of the timers of a new task, on which no entry is left. */
const timing = (question: QuestionId, see: (task: OwnTask) => Promise<Observation>): Observer =>
  writing(question, async (context) => {
    const task = await ownTask(context)
    try {
      return await see(task)
    } finally {
      await removeEntries(task)
    }
  })

const otherCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

/** Whether a search in other letters found a text. */
const caseOf = (search: string, text: string, isFound: boolean): Observation => ({
  answer: isFound ? 'insensitive' : 'sensitive',
  how: `${search} ${isFound ? 'finds' : 'does not find'} "${text}"`,
})

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
      const q = title.toUpperCase()
      return caseOf(`listTasks with q=${q}`, title, idsOf(await find(q)).includes(id))
    },
    async ({ api, seen }) => {
      const table = await seen.richTable()
      const column = textColumn(table, 1)
      const value = String(someValue(table, column))
      const other = otherCase(value)
      if (other === value) throw new Unreachable(`"${value}" has no letters`)
      const filters = [{ column: column.id, operator: 'contains', value: other }]
      const ask = { params: { tableId: table.table.id }, json: { filters } }
      const { rows } = await api.succeed('queryRows', ask)
      return caseOf(`queryRows with contains "${other}"`, value, rows.length > 0)
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
  writing('statusTransitions', async ({ api, own }) => {
    const statuses = await own.statuses()
    // Types of status by the type from which they are reached.
    const map: Record<StatusType, StatusType[]> = { active: [], done: [], archived: [] }
    let areAll = true
    for (const from of statusTypes)
      for (const to of statusTypes) {
        const start = statuses.find(({ type }) => type === from)
        const end = statuses.find((status) => status.type === to && status !== start)
        if (!start || !end) continue
        const params = { taskId: await own.task({ status_id: start.id }) }
        const reply = await api.call('updateTask', { params, json: { status_id: end.id } })
        if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(`updateTask: ${reply.summary}`)
        if (reply.isSuccess) map[from].push(to)
        else areAll = false
      }
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
  timing('runningDuration', async (task) => {
    await act(task, { action: 'start', as_user: await task.own.idleMember() })
    await task.wait(2500)
    const [entry] = (await listing(task)).entries
    const { duration } = needed(entry, 'the started entry is not listed')
    const how = `an entry that ran for 2.5 s shows ${String(duration)}`
    return { answer: duration > 0 ? 'elapsed' : 'zero', how }
  }),
  timing('startEntry', async (task) => {
    const json = { action: 'start', as_user: await task.own.idleMember() }
    const first = await act(task, json)
    const { status } = await task.api.call('createTimeEntry', { json })
    if (status === 400) return { answer: 'reject', how: 'a second start got 400' }
    const { entries } = await listing(task)
    const runs = entries.some(({ id, is_running }) => id === first.id && is_running === 1)
    const how = `after a second start the first entry ${runs ? 'runs on' : 'is stopped'}`
    return { answer: runs ? 'allow' : 'stopPrevious', how }
  }),
  timing('stopEntry', async (task) => {
    const own = await act(task, { action: 'start' })
    await task.wait(1100)
    const other = await act(task, { action: 'start', as_user: await task.own.idleMember(own.user_id) })
    const { id } = await act(task, { action: 'stop' })
    if (id !== own.id && id !== other.id)
      throw new Unreachable('stop ended neither of the two running entries')
    return {
      answer: id === own.id ? 'actingThenOnly' : 'latest',
      how: `of two running entries stop ended ${id === own.id ? "that of the key's member" : 'the later one'}`,
    }
  }),
  timing('editRunning', async (task) => {
    const { id } = await act(task, { action: 'start', as_user: await task.own.idleMember() })
    const ask = { params: { entryId: id }, json: { note: 'verify' } }
    const { status, summary } = await task.api.call('updateTimeEntry', ask)
    if (status !== 400 && status !== 403)
      throw new Unreachable(`editing a running entry got ${summary}, which no answer covers`)
    return { answer: status, how: `editing a running entry got ${String(status)}` }
  }),
]

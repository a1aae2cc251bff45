// Observes the answers to questions about the behaviour of tables, tasks and timers.
import { idsOf } from '../../../contract/data/maps.ts'
import { mostPerPage, statusTypes } from '../../../contract/limits.ts'
import type { StatusType } from '../../../contract/lists.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import { Unreachable, requireMatch } from '../engine/drift.ts'
import type { LiveWorkspace } from './live-workspace.ts'
import { reading, writing, type Observation, type Observe, type Observer } from './observer.ts'
import { judgeLetterCase, lockedTable, observeContains, chooseOtherCase } from './tables.ts'

/** Observes the list with the most tasks; `find` lists the tasks of a query. */
const observeFullestList =
  (observe: (list: Awaited<ReturnType<typeof readFullestList>>) => Promise<Observation>): Observe =>
  async (live) =>
    observe(await readFullestList(live))

async function readFullestList(live: LiveWorkspace) {
  const { id: listId, tasks } = await live.readFullestList()
  const find = async (query: Readonly<Record<string, string>>) => {
    const all = { limit: mostPerPage.tasks, ...query }
    return (await live.api.succeed('listTasks', { params: { listId }, query: all })).tasks
  }
  return { live, listId, tasks, find }
}

async function prepareTimers(live: LiveWorkspace) {
  const api = await live.createTaskClient()
  const act = (json: Readonly<Record<string, unknown>>) => api.succeed('createTimeEntry', { json })
  /** Starts a timer for a member who seems to have none running, and is not `other`. */
  const start = async (other?: string) => act({ action: 'start', as_user: await live.findIdleMember(other) })
  const list = () => api.succeed('listTimeEntries')
  return { live, api, act, start, list }
}

type ObserveTimers = (timers: Awaited<ReturnType<typeof prepareTimers>>) => Promise<Observation>

/** Observes timers of a new task, and removes them. */
const observeTimers = (question: QuestionId, observe: ObserveTimers): Observer =>
  writing(question, async (live) => {
    const timers = await prepareTimers(live)
    try {
      return await observe(timers)
    } finally {
      for (const { id } of (await timers.list()).entries)
        await timers.api.call('deleteTimeEntry', { params: { entryId: id } })
    }
  })

/** Status of a second start, number of running entries, and whether the first one runs. */
const afterSecondStart = { stopPrevious: '200,1,false', reject: '400,1,true', allow: '200,2,true' } as const

export const serviceObservers: readonly Observer[] = [
  reading(
    'queryText',
    observeFullestList(async ({ tasks, find }) => {
      const titles = tasks.map(({ title }) => title).filter((title) => title !== title.toUpperCase())
      const { text, other: q } = chooseOtherCase(titles, 'no task title has small letters')
      if ((await find({ q: 'verify no such title' })).length > 0) return [undefined, 'listTasks ignores q']
      const isFound = (await find({ q })).some(({ title }) => title === text)
      return judgeLetterCase(`listTasks with q=${q}`, text, isFound)
    }),
    observeContains,
  ),
  lockedTable,
  writing('statusTransitions', async (live) => {
    const { statuses } = await live.readListSchema(await live.getOwnListId())
    // The types that can be reached from each type.
    const map: Record<StatusType, StatusType[]> = { active: [], done: [], archived: [] }
    let areAll = true
    for (const from of statusTypes)
      for (const to of statusTypes) {
        const start = statuses.find(({ type }) => type === from)
        const end = statuses.find((status) => status.type === to && status !== start)
        if (!start || !end) continue
        const params = { taskId: await live.createTask({ status_id: start.id }) }
        const reply = await live.api.call('updateTask', { params, json: { status_id: end.id } })
        if (!reply.isSuccess && reply.status !== 400) throw new Unreachable(`updateTask: ${reply.summary}`)
        if (reply.isSuccess) map[from].push(to)
        else areAll = false
      }
    const how = "tasks of each type of status were moved to each other status of the run's list"
    return [areAll ? 'any' : map, how]
  }),
  reading(
    'taskStatusFilter',
    observeFullestList(async ({ live, listId, tasks, find }) => {
      const { statuses } = await live.readListSchema(listId)
      const isFirst = ({ id }: { readonly id: string }) => id === tasks[0]?.status_id
      const { type } = requireMatch(statuses, isFirst, 'the first task has no status of its list')
      if (statuses.some(({ name }) => name === type)) throw new Unreachable('a status is named like its type')
      if ((await find({ status: 'verify no such status' })).length > 0)
        return [undefined, 'listTasks ignores status: it finds tasks of a status that does not exist']
      const found = await find({ status: type })
      const ofType = idsOf(statuses.filter((one) => one.type === type))
      const how = `listTasks with status=${type} finds ${String(found.length)} tasks`
      if (found.some(({ status_id }) => !ofType.includes(status_id)))
        return [undefined, `${how}, some of other types`]
      return [found.length > 0 ? 'idNameOrType' : 'idOrName', how]
    }),
  ),
  observeTimers('runningDuration', async ({ live, start, list }) => {
    await start()
    await live.context.wait(2000)
    const { entries, total_seconds } = await list()
    const shown = [entries[0]?.duration ?? 0, total_seconds]
    const how = `after 2 s the duration and total_seconds of a running entry are ${shown.join(' and ')}`
    const isZero = shown.every((seconds) => seconds === 0)
    return [isZero ? 'zero' : shown.includes(0) ? undefined : 'elapsed', how]
  }),
  observeTimers('startEntry', async ({ api, live, act, list }) => {
    const json = { action: 'start', as_user: await live.findIdleMember() }
    const first = await act(json)
    const { status } = await api.call('createTimeEntry', { json })
    const running = idsOf((await list()).entries.filter(({ is_running }) => is_running === 1))
    const isRunning = running.includes(first.id)
    const after = `the first entry ${isRunning ? 'runs on' : 'is stopped'}, ${String(running.length)} in all run`
    const seen = [status, running.length, isRunning].join()
    const [answer] = Object.entries(afterSecondStart).find(([, expected]) => expected === seen) ?? []
    return [answer, `a second start got ${String(status)}; then ${after}`]
  }),
  observeTimers('stopEntry', async ({ live, act, start }) => {
    const first = await act({ action: 'start' })
    await live.context.wait(1000)
    const second = await start(first.user_id)
    const { id } = await act({ action: 'stop' })
    const answer = id === first.id ? 'actingThenOnly' : id === second.id ? 'latest' : undefined
    const ended = { actingThenOnly: "that of the key's member", latest: 'the later one', none: 'neither' }
    return [answer, `of two running entries stop ended ${ended[answer ?? 'none']}`]
  }),
  observeTimers('editRunning', async ({ api, start }) => {
    const { id } = await start()
    const ask = { params: { entryId: id }, json: { note: 'verify' } }
    const { status, summary } = await api.call('updateTimeEntry', ask)
    const isCovered = status === 400 || status === 403
    return [isCovered ? status : undefined, `editing a running entry got ${summary}`]
  }),
]

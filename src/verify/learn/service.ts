// Observes the answers to questions about the behaviour of tables, tasks and timers.
import { statusTypes } from '../../contract/limits.ts'
import type { StatusType } from '../../contract/lists.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import { reading, writing, type Observer } from './observer.ts'
import { Unreachable } from '../engine/drift.ts'
import { ownTask, type OwnTask } from '../engine/rule.ts'
import type { ObservedAnswer } from './observed-answer.ts'
import { richTable, seeContains, seeLock } from './tables.ts'
import { fullestList, seeQueryText, seeStatusFilter } from './tasks.ts'
import { act, removeEntries, seeRunningDuration, seeSecondStart, seeStopOfTwo } from './timers.ts'

/** An observer of the timers of a new task, on which no entry is left. */
const timing = (question: QuestionId, observe: (task: OwnTask) => Promise<ObservedAnswer>): Observer =>
  writing(question, async (context) => {
    const task = await ownTask(context)
    try {
      return await observe(task)
    } finally {
      await removeEntries(task)
    }
  })

export const serviceObservers: readonly Observer[] = [
  reading(
    'queryText',
    async (context) => seeQueryText(await fullestList(context)),
    async (context) => seeContains(await richTable(context)),
  ),
  writing('lockedTable', seeLock),
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
  reading('taskStatusFilter', async (context) => seeStatusFilter(await fullestList(context))),
  timing('runningDuration', seeRunningDuration),
  timing('startEntry', seeSecondStart),
  timing('stopEntry', seeStopOfTwo),
  timing('editRunning', async (task) => {
    const { id } = await act(task, { action: 'start', as_user: await task.own.idleMember() })
    const ask = { params: { entryId: id }, json: { note: 'verify' } }
    const { status, summary } = await task.api.call('updateTimeEntry', ask)
    const isCovered = status === 400 || status === 403
    return { answer: isCovered ? status : undefined, how: `editing a running entry got ${summary}` }
  }),
]

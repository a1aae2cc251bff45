// Probes of running timers, on a task of the run.
import { idsOf } from '../../contract/data/maps.ts'
import type { TimeEntry } from '../../contract/time-entries.ts'
import type { OwnTask } from '../engine/rule.ts'
import type { ObservedAnswer } from './observed-answer.ts'

/** Starts, stops or adds an entry. */
export const act = ({ api }: OwnTask, json: Readonly<Record<string, unknown>>): Promise<TimeEntry> =>
  api.succeed('createTimeEntry', { json })

const listing = ({ api }: OwnTask) => api.succeed('listTimeEntries')

/** Deletes all entries of a task, running or not. */
export async function removeEntries(task: OwnTask): Promise<void> {
  for (const { id } of (await listing(task)).entries)
    await task.api.call('deleteTimeEntry', { params: { entryId: id } })
}

/** Starts a timer for a member who seems to have none running. */
const started = async (task: OwnTask, asUser?: string) =>
  act(task, { action: 'start', as_user: asUser ?? (await task.own.idleMember()) })

const stop = (task: OwnTask) => act(task, { action: 'stop' })

const running = async (task: OwnTask) =>
  idsOf((await listing(task)).entries.filter(({ is_running }) => is_running === 1))

/** Observes question runningDuration. */
export async function seeRunningDuration(task: OwnTask): Promise<ObservedAnswer> {
  await started(task)
  await task.wait(2000)
  const { entries, total_seconds } = await listing(task)
  const shown = [entries[0]?.duration ?? 0, total_seconds]
  const how = `after 2 s the duration and total_seconds of a running entry are ${shown.join(' and ')}`
  const isZero = shown.every((seconds) => seconds === 0)
  return { answer: isZero ? 'zero' : shown.includes(0) ? undefined : 'elapsed', how }
}

/** The status of a second start, how many entries run then, and whether the first does. */
const afterSecondStart = { stopPrevious: '200,1,false', reject: '400,1,true', allow: '200,2,true' } as const

/** Observes question startEntry. */
export async function seeSecondStart(task: OwnTask): Promise<ObservedAnswer> {
  const json = { action: 'start', as_user: await task.own.idleMember() }
  const first = await act(task, json)
  const { status } = await task.api.call('createTimeEntry', { json })
  const ids = await running(task)
  const isRunning = ids.includes(first.id)
  const after = `the first entry ${isRunning ? 'runs on' : 'is stopped'}, ${String(ids.length)} in all run`
  const how = `a second start got ${String(status)}; then ${after}`
  const seen = [status, ids.length, isRunning].join()
  const answers = Object.entries(afterSecondStart)
  return { answer: answers.find(([, wanted]) => wanted === seen)?.[0], how }
}

/** Observes question stopEntry. */
export async function seeStopOfTwo(task: OwnTask): Promise<ObservedAnswer> {
  const first = await act(task, { action: 'start' })
  await task.wait(1000)
  const second = await started(task, await task.own.idleMember(first.user_id))
  const { id } = await stop(task)
  const answer = id === first.id ? 'actingThenOnly' : id === second.id ? 'latest' : undefined
  const ended = { actingThenOnly: "that of the key's member", latest: 'the later one', none: 'neither' }
  return { answer, how: `of two running entries stop ended ${ended[answer ?? 'none']}` }
}

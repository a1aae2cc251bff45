// The rules of running timers: start, stop, and what can be done meanwhile.
import { expectFields, expectSame, expectThat } from '../engine/expect.ts'
import { ownTask, rulesOn, type OwnTask } from '../engine/rule.ts'
import { asObserved, type ObservedAnswer } from './checks.ts'
import { act, listing } from './time-entries.ts'
import { idsOf } from '../../contract/data/maps.ts'

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

/** After each rule no timer is left running: one could keep the next from starting. */
const onTask = rulesOn('write', ownTask, removeEntries)

export const timerRules = onTask('contract, Time entry', {
  'createTimeEntry/start: start makes a running entry without an end': async (task) => {
    const user = await task.own.idleMember()
    expectFields('entry', await started(task, user), { is_running: 1, date_end: null, user_id: user })
    const other = await task.own.idleMember(user)
    expectSame('user of another timer', (await started(task, other)).user_id, other)
  },
  'listTimeEntries/running: lists a running entry': async (task) => {
    expectSame('running entries', await running(task), [])
    const { id } = await started(task)
    expectSame('running entries', await running(task), [id])
  },
  'createTimeEntry/stop: stop ends the running entry, which then has its duration': async (task) => {
    const { id, date_start } = await started(task)
    await task.wait(2000)
    const stopped = await stop(task)
    const { duration } = stopped
    expectFields('entry', stopped, { id, is_running: 0, date_start })
    expectThat(duration >= 1 && duration < 60, 'the seconds that have passed', duration)
    expectSame('date_end', stopped.date_end, date_start + duration)
  },
  'createTimeEntry/stop-without-start: stop is refused where nothing runs (assumption stopEntry)': async (
    c,
  ) => c.api.expect('createTimeEntry', 400, { json: { action: 'stop' } }),
  'createTimeEntry/running-duration: a running entry shows the duration of question runningDuration':
    asObserved(seeRunningDuration),
  'createTimeEntry/start-twice: a second start of one user does what question startEntry says':
    asObserved(seeSecondStart),
  'createTimeEntry/stop-of-two: of two running entries stop ends that of question stopEntry':
    asObserved(seeStopOfTwo),
  'updateTimeEntry/running: a running entry cannot be edited': async (task) => {
    const params = { entryId: (await started(task)).id }
    const reply = await task.api.call('updateTimeEntry', { params, json: { note: 'verify' } })
    expectThat(!reply.isSuccess, 'a refusal', reply.summary)
    expectSame('status', reply.status, task.answers.editRunning, 'assumption editRunning')
    const { entries } = await listing(task)
    const isChanged = entries.some(({ note }) => note === 'verify')
    expectThat(!isChanged, 'the note unchanged', entries)
  },
})

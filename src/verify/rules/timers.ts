// The rules of running timers: start, stop, and what can be done meanwhile.
import type { OwnTask } from '../engine/context.ts'
import { assumed, contract, expectSame, expectThat, type Rule } from '../engine/rule.ts'
import { act, listing, timeRule } from './time-entries.ts'

/** A rule after which no timer is left running: one could bar the next from being started. */
const timerRule: typeof timeRule = (operation, id, source, says, check) =>
  timeRule(operation, id, source, says, async (task, context) => {
    try {
      await check(task, context)
    } finally {
      await removeEntries(task)
    }
  })

/** Deletes what there is on a task, running or not. */
export async function removeEntries(task: OwnTask): Promise<void> {
  const { context, taskId } = task
  for (const { id } of (await listing(task)).entries)
    await context.api.call('deleteTimeEntry', { params: { taskId, entryId: id } })
}

const states = contract('Time entry')

/** Starts a timer for a member who seems to have none running. */
async function started(task: OwnTask, asUser?: string) {
  return act(task, { action: 'start', as_user: asUser ?? (await task.context.own.idleMember()) })
}

const stop = (task: OwnTask) => act(task, { action: 'stop' })

async function runningIds(task: OwnTask): Promise<string[]> {
  const { entries } = await listing(task)
  return entries.filter(({ is_running }) => is_running === 1).map(({ id }) => id)
}

export const timerRules: readonly Rule[] = [
  timerRule(
    'createTimeEntry',
    'start',
    states,
    'start makes a running entry without an end',
    async (task) => {
      const user = await task.context.own.idleMember()
      const { is_running, date_end, user_id } = await started(task, user)
      expectSame('entry', { is_running, date_end, user_id }, { is_running: 1, date_end: null, user_id: user })
      const other = await task.context.own.idleMember(user)
      expectSame('user of another timer', (await started(task, other)).user_id, other)
    },
  ),
  timerRule(
    'createTimeEntry',
    'stop',
    states,
    'stop ends the running entry, which then has its duration',
    async (task) => {
      const { id, date_start } = await started(task)
      await task.context.wait(2000)
      const stopped = await stop(task)
      expectSame('entry', [stopped.id, stopped.is_running, stopped.date_start], [id, 0, date_start])
      expectThat(
        stopped.duration >= 1 && stopped.duration < 60,
        'the seconds that have passed',
        stopped.duration,
      )
      expectSame('date_end', stopped.date_end, date_start + stopped.duration)
    },
  ),
  timerRule(
    'createTimeEntry',
    'stop-without-start',
    assumed('stopEntry'),
    'stop is refused where nothing runs',
    async ({ context, taskId }) =>
      context.api.expect('createTimeEntry', 400, {
        params: { taskId },
        json: { action: 'stop' },
      }),
  ),
  timerRule(
    'createTimeEntry',
    'running-duration',
    assumed('runningDuration'),
    'a running entry shows the duration of question runningDuration',
    async (task) => {
      await started(task)
      await task.context.wait(2000)
      const { entries, total_seconds } = await listing(task)
      const isElapsed = task.context.answers.runningDuration === 'elapsed'
      expectSame('duration above 0', (entries[0]?.duration ?? 0) > 0, isElapsed)
      expectSame('total_seconds above 0', total_seconds > 0, isElapsed)
      await stop(task)
    },
  ),
  timerRule(
    'createTimeEntry',
    'start-twice',
    assumed('startEntry'),
    'a second start of one user does what question startEntry says',
    async (task) => {
      const { context, taskId } = task
      const user = await context.own.idleMember()
      const first = await started(task, user)
      const reply = await context.api.call('createTimeEntry', {
        params: { taskId },
        json: { action: 'start', as_user: user },
      })
      const running = await runningIds(task)
      const wanted = { stopPrevious: [200, 1, false], reject: [400, 1, true], allow: [200, 2, true] }
      const got = [reply.status, running.length, running.includes(first.id)]
      expectSame('status, running entries, the first among them', got, wanted[context.answers.startEntry])
    },
  ),
  timerRule(
    'createTimeEntry',
    'stop-of-two',
    assumed('stopEntry'),
    'of two running entries stop ends that of question stopEntry',
    async (task) => {
      const { context } = task
      const { user_id: acting, id } = await act(task, { action: 'start' })
      await context.wait(1000)
      const other = await started(task, await context.own.idleMember(acting))
      const stopped = await stop(task)
      expectSame('stopped entry', stopped.id, context.answers.stopEntry === 'latest' ? other.id : id)
      await stop(task)
    },
  ),
  timerRule('updateTimeEntry', 'running', states, 'a running entry cannot be edited', async (task) => {
    const { context, taskId } = task
    const { id } = await started(task)
    const params = { taskId, entryId: id }
    const reply = await context.api.call('updateTimeEntry', { params, json: { note: 'verify' } })
    expectThat(!reply.isSuccess, 'a refusal', reply.summary)
    expectSame('status', reply.status, context.answers.editRunning, assumed('editRunning'))
    const { entries } = await listing(task)
    expectThat(
      entries.every(({ note }) => note !== 'verify'),
      'the note unchanged',
      entries,
    )
  }),
]

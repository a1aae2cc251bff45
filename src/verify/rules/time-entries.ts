// The rules of time entries by hand: what they hold, how they change, how they add up.
import type { TimeEntry } from '../../contract/time-entries.ts'
import { ownTask, unknownId, type OwnTask } from '../engine/context.ts'
import { refusals } from './refusals.ts'
import {
  assumed,
  contract,
  expectSame,
  expectThat,
  needed,
  type Rule,
  rulesOn,
  type Source,
} from '../engine/rule.ts'

const part = contract('Time entries')
const start = 1_767_225_600

export const timeRule = rulesOn('write', ownTask)

export const act = (
  { context, taskId }: OwnTask,
  json: Readonly<Record<string, unknown>>,
): Promise<TimeEntry> => context.api.succeed('createTimeEntry', { params: { taskId }, json })

const manual = (task: OwnTask, fields: Readonly<Record<string, unknown>>) =>
  act(task, { action: 'manual', ...fields })

export const listing = ({ context, taskId }: OwnTask) =>
  context.api.succeed('listTimeEntries', { params: { taskId } })

/** Changes an entry. @returns it as listed afterwards */
async function changed(task: OwnTask, entryId: string, json: unknown): Promise<TimeEntry> {
  const { context, taskId } = task
  await context.api.succeed('updateTimeEntry', { params: { taskId, entryId }, json })
  return needed(
    (await listing(task)).entries.find(({ id }) => id === entryId),
    'the entry is not listed',
  )
}

const making: readonly Rule[] = [
  timeRule(
    'createTimeEntry',
    'manual',
    contract('Time entry'),
    'a manual entry is stopped and has its duration',
    async (task) => {
      const { duration, is_running, billable, note } = await manual(task, { duration: 600 })
      expectSame('entry', { duration, is_running, billable }, { duration: 600, is_running: 0, billable: 0 })
      expectSame('note', note, '', assumed('manualEntry'))
    },
  ),
  timeRule('createTimeEntry', 'fields', part, 'keeps note, billable and user', async (task) => {
    const user = await task.context.own.idleMember()
    const entry = await manual(task, { duration: 60, note: 'verify', billable: true, as_user: user })
    const { note, billable, user_id } = entry
    expectSame('entry', { note, billable, user_id }, { note: 'verify', billable: 1, user_id: user })
    const { entries } = await listing(task)
    expectSame('the entry as listed', entries, [entry])
  }),
  timeRule(
    'createTimeEntry',
    'ends-now',
    assumed('manualEntry'),
    'with duration alone the entry began that long before its end',
    async (task) => {
      const { date_start, date_end } = await manual(task, { duration: 600 })
      expectSame('date_end', date_end, date_start + 600)
    },
  ),
  timeRule(
    'createTimeEntry',
    'from-dates',
    assumed('manualEntry'),
    'with both dates the duration is their difference',
    async (task) => {
      const { duration, date_start, date_end } = await manual(task, {
        date_start: start,
        date_end: start + 90,
      })
      expectSame(
        'entry',
        { duration, date_start, date_end },
        { duration: 90, date_start: start, date_end: start + 90 },
      )
    },
  ),
  timeRule(
    'createTimeEntry',
    'all-given',
    assumed('manualEntry'),
    'keeps duration and dates where all are sent',
    async (task) => {
      const { duration, date_end } = await manual(task, {
        duration: 30,
        date_start: start,
        date_end: start + 90,
      })
      expectSame('entry', { duration, date_end }, { duration: 30, date_end: start + 90 })
    },
  ),
]

const changing: readonly Rule[] = [
  timeRule(
    'updateTimeEntry',
    'fields',
    part,
    'changes note and billable and leaves the times',
    async (task) => {
      const before = await manual(task, { duration: 60 })
      const after = await changed(task, before.id, { note: 'changed', billable: true })
      expectSame('entry', after, { ...before, note: 'changed', billable: 1 })
    },
  ),
  timeRule('updateTimeEntry', 'falsy', part, 'stores billable false and an empty note', async (task) => {
    const before = await manual(task, { duration: 60, note: 'verify', billable: true })
    const after = await changed(task, before.id, { billable: false, note: '' })
    expectSame('entry', after, { ...before, billable: 0, note: '' })
  }),
  timeRule(
    'updateTimeEntry',
    'total',
    part,
    'total_seconds follows a change and a deletion',
    async (task) => {
      const { context, taskId } = task
      const first = await manual(task, { duration: 60 })
      await manual(task, { duration: 30 })
      await changed(task, first.id, { duration: 600 })
      expectSame('total_seconds after a change', (await listing(task)).total_seconds, 630)
      await context.api.succeed('deleteTimeEntry', { params: { taskId, entryId: first.id } })
      expectSame('total_seconds after a deletion', (await listing(task)).total_seconds, 30)
    },
  ),
  timeRule('updateTimeEntry', 'refused-whole', part, 'a refused change changes nothing', async (task) => {
    const { context, taskId } = task
    const before = await manual(task, { duration: 60, note: 'verify' })
    const params = { taskId, entryId: before.id }
    await context.api.expect('updateTimeEntry', 400, { params, json: { note: 'changed', duration: 'long' } })
    expectSame('entries', (await listing(task)).entries, [before])
  }),
  timeRule(
    'updateTimeEntry',
    'duration',
    assumed('manualEntry'),
    'a new duration moves date_end',
    async (task) => {
      const before = await manual(task, { date_start: start, date_end: start + 60 })
      const after = await changed(task, before.id, { duration: 120 })
      expectSame('duration', after.duration, 120, part)
      expectSame('date_end', after.date_end, start + 120)
    },
  ),
  timeRule('updateTimeEntry', 'dates', assumed('manualEntry'), 'new dates set the duration', async (task) => {
    const before = await manual(task, { date_start: start, date_end: start + 60 })
    const after = await changed(task, before.id, { date_end: start + 300 })
    expectSame('date_end', after.date_end, start + 300, part)
    expectSame('duration', after.duration, 300)
    const again = await changed(task, before.id, { date_start: start + 100 })
    expectSame('date_start', again.date_start, start + 100, part)
    expectSame('duration', again.duration, 200)
  }),
]

const listingRules: readonly Rule[] = [
  timeRule('listTimeEntries', 'totals', part, 'adds up the durations', async (task) => {
    await manual(task, { duration: 100 })
    await manual(task, { duration: 50 })
    const { total_seconds, entries } = await listing(task)
    expectSame('total_seconds', total_seconds, 150)
    expectSame(
      'durations',
      entries.map(({ duration }) => duration),
      [100, 50],
      assumed('listOrder'),
    )
  }),
  timeRule(
    'listTimeEntries',
    'users',
    assumed('timeEntryUsers'),
    'names each user with entries once, as question timeEntryUsers says',
    async (task) => {
      const { context } = task
      const { members } = await context.seen.identity()
      const [first, second] = members
      if (!first || !second) return
      for (const user of [second, first, second]) await manual(task, { duration: 40, as_user: user.id })
      const { users } = await listing(task)
      const total = (seconds: number) =>
        context.answers.timeEntryUsers === 'totals' ? { total_seconds: seconds } : {}
      const wanted = [
        { id: second.id, name: second.name, ...total(80) },
        { id: first.id, name: first.name, ...total(40) },
      ]
      expectSame('users', users, wanted)
    },
  ),
  {
    id: 'sum',
    operation: 'listTimeEntries',
    source: part,
    needs: 'read',
    says: 'total_seconds is the sum of the stopped entries, at least; a running entry has no end',
    check: async ({ seen }) => {
      const timed = needed(await seen.timed(), 'no task that was read has time entries')
      const stopped = timed.entries.filter(({ is_running }) => is_running === 0)
      const sum = stopped.reduce((total, { duration }) => total + duration, 0)
      expectThat(timed.total_seconds >= sum, `${String(sum)} or more`, timed.total_seconds)
      for (const { is_running, date_end } of timed.entries)
        expectSame('running without date_end', date_end === null, is_running === 1)
    },
  },
  timeRule('deleteTimeEntry', 'that-entry-alone', part, 'leaves the other entries', async (task) => {
    const { context, taskId } = task
    const entries = [await manual(task, { duration: 60 }), await manual(task, { duration: 30 })]
    await context.api.succeed('deleteTimeEntry', { params: { taskId, entryId: entries[0]?.id ?? '' } })
    expectSame('entries', (await listing(task)).entries, entries.slice(1))
  }),
  timeRule(
    'deleteTimeEntry',
    'other-task',
    assumed('generalStatuses'),
    'answers 404 under another task',
    async (task) => {
      const { id } = await manual(task, { duration: 60 })
      const params = { taskId: await task.context.own.sharedTask(), entryId: id }
      await task.context.api.expect('deleteTimeEntry', 404, { params })
    },
  ),
  timeRule('deleteTimeEntry', 'gone', part, 'the entry is not listed any more', async (task) => {
    const { context, taskId } = task
    const { id } = await manual(task, { duration: 60 })
    const params = { taskId, entryId: id }
    await context.api.succeed('deleteTimeEntry', { params })
    expectSame('entries', (await listing(task)).entries, [])
    await context.api.expect('deleteTimeEntry', 404, { params }, assumed('generalStatuses'))
  }),
  timeRule(
    'updateTimeEntry',
    'other-task',
    assumed('generalStatuses'),
    'answers 404 under another task',
    async (task) => {
      const { id } = await manual(task, { duration: 60 })
      const params = { taskId: await task.context.own.sharedTask(), entryId: id }
      await task.context.api.expect('updateTimeEntry', 404, { params, json: { note: 'verify' } })
    },
  ),
]

const wrong: readonly (readonly [id: string, json: Record<string, unknown>, source: Source])[] = [
  ['without-action', { duration: 60 }, part],
  ['bad-action', { action: 'pause' }, part],
  ['without-times', { action: 'manual' }, assumed('manualEntry')],
  ['bad-duration', { action: 'manual', duration: 'long' }, part],
  ['negative-duration', { action: 'manual', duration: -1 }, assumed('manualEntry')],
  ['bad-billable', { action: 'manual', duration: 60, billable: 1 }, part],
  ['dates-reversed', { action: 'manual', date_start: start, date_end: start - 60 }, assumed('manualEntry')],
  ['unknown-user', { action: 'manual', duration: 60, as_user: unknownId }, assumed('unknownReferences')],
]

const refused = refusals(
  wrong.map(([id, json, source]) => ({
    id,
    operation: 'createTimeEntry',
    source,
    says: `refuses ${JSON.stringify(json)}`,
    ask: async ({ own }) => ({ params: { taskId: await own.sharedTask() }, json }),
  })),
)

export const timeEntryRules: readonly Rule[] = [...making, ...changing, ...listingRules, ...refused]

// The rules of time entries by hand: what they hold, how they change, how they add up.
import type { TimeEntry } from '../../contract/time-entries.ts'
import { expectFields, expectSame, expectThat, found, needed } from '../engine/expect.ts'
import type { SourceText } from '../engine/drift.ts'
import { unknownId } from '../engine/ledger.ts'
import { ownTask, readRules, rulesOn, writeRules, type OwnTask } from '../engine/rule.ts'
import { likelyPage } from './comments.ts'
import { refused } from './checks.ts'

const part = 'contract, Time entries'
const start = 1_767_225_600

type Fields = Readonly<Record<string, unknown>>

export const act = ({ api }: OwnTask, json: Fields): Promise<TimeEntry> =>
  api.succeed('createTimeEntry', { json })

const manual = (task: OwnTask, fields: Fields) => act(task, { action: 'manual', ...fields })

export const listing = ({ api }: OwnTask) => api.succeed('listTimeEntries')

/** Changes an entry. @returns it as listed afterwards */
async function changed(task: OwnTask, entryId: string, json: Fields): Promise<TimeEntry> {
  await task.api.succeed('updateTimeEntry', { params: { entryId }, json })
  return found((await listing(task)).entries, ({ id }) => id === entryId, 'the entry is not listed')
}

const onTask = rulesOn('write', ownTask)

const making = onTask('assumption manualEntry', {
  'createTimeEntry/manual: a manual entry is stopped and has its duration (contract, Time entry)': async (
    task,
  ) => {
    const entry = await manual(task, { duration: 600 })
    expectFields('entry', entry, { duration: 600, is_running: 0, billable: 0 })
    expectSame('note', entry.note, '', 'assumption manualEntry')
  },
  'createTimeEntry/fields: keeps note, billable and user (contract, Time entries)': async (task) => {
    const { user_id: acting } = await manual(await ownTask(task), { duration: 60 })
    const user = await task.own.idleMember(acting)
    const entry = await manual(task, { duration: 60, note: 'verify', billable: true, as_user: user })
    expectFields('entry', entry, { note: 'verify', billable: 1, user_id: user })
    expectSame('the entry as listed', (await listing(task)).entries, [entry])
  },
  'createTimeEntry/ends-now: with duration alone the entry began that long before its end': async (task) => {
    const { date_start, date_end } = await manual(task, { duration: 600 })
    expectSame('date_end', date_end, date_start + 600)
  },
  'createTimeEntry/from-dates: with both dates the duration is their difference': async (task) => {
    const dates = { date_start: start, date_end: start + 90 }
    expectFields('entry', await manual(task, dates), { duration: 90, ...dates })
  },
  'createTimeEntry/all-given: keeps duration and dates where all are sent': async (task) => {
    const wanted = { duration: 30, date_end: start + 90 }
    expectFields('entry', await manual(task, { ...wanted, date_start: start }), wanted)
  },
})

const changing = onTask(part, {
  'updateTimeEntry/fields: changes note and billable and leaves the times': async (task) => {
    const before = await manual(task, { duration: 60 })
    const after = await changed(task, before.id, { note: 'changed', billable: true })
    expectSame('entry', after, { ...before, note: 'changed', billable: 1 })
  },
  'updateTimeEntry/falsy: stores billable false and an empty note': async (task) => {
    const before = await manual(task, { duration: 60, note: 'verify', billable: true })
    const after = await changed(task, before.id, { billable: false, note: '' })
    expectSame('entry', after, { ...before, billable: 0, note: '' })
  },
  'updateTimeEntry/total: total_seconds follows a change and a deletion': async (task) => {
    const { id: entryId } = await manual(task, { duration: 60 })
    await manual(task, { duration: 30 })
    await changed(task, entryId, { duration: 600 })
    expectSame('total_seconds after a change', (await listing(task)).total_seconds, 630)
    await task.api.succeed('deleteTimeEntry', { params: { entryId } })
    expectSame('total_seconds after a deletion', (await listing(task)).total_seconds, 30)
  },
  'updateTimeEntry/refused-whole: a refused change changes nothing': async (task) => {
    const before = await manual(task, { duration: 60, note: 'verify' })
    const params = { entryId: before.id }
    await task.api.expect('updateTimeEntry', 400, { params, json: { note: 'changed', duration: 'long' } })
    expectSame('entries', (await listing(task)).entries, [before])
  },
  'updateTimeEntry/duration: a new duration moves date_end (assumption manualEntry)': async (task) => {
    const { id } = await manual(task, { date_start: start, date_end: start + 60 })
    const after = await changed(task, id, { duration: 120 })
    expectSame('duration', after.duration, 120, part)
    expectSame('date_end', after.date_end, start + 120)
  },
  'updateTimeEntry/dates: new dates set the duration (assumption manualEntry)': async (task) => {
    const { id } = await manual(task, { date_start: start, date_end: start + 60 })
    const after = await changed(task, id, { date_end: start + 300 })
    expectSame('date_end', after.date_end, start + 300, part)
    expectSame('duration', after.duration, 300)
    const again = await changed(task, id, { date_start: start + 100 })
    expectSame('date_start', again.date_start, start + 100, part)
    expectSame('duration', again.duration, 200)
  },
})

const reading = onTask(part, {
  'listTimeEntries/totals: adds up the durations': async (task) => {
    await manual(task, { duration: 100 })
    await manual(task, { duration: 50 })
    const { total_seconds, entries } = await listing(task)
    expectSame('total_seconds', total_seconds, 150)
    const durations = entries.map(({ duration }) => duration)
    expectSame('durations', durations, [100, 50], 'assumption listOrder')
  },
  'listTimeEntries/all: lists every entry of a task: there are no pages': async (task) => {
    for (let number = 0; number <= likelyPage; number += 1) await manual(task, { duration: 60 })
    const { entries, total_seconds } = await listing(task)
    // A repeated request may have made one twice.
    expectThat(entries.length > likelyPage, `${String(likelyPage + 1)} entries`, entries.length)
    expectSame('total_seconds', total_seconds, 60 * entries.length)
  },
  'listTimeEntries/users: names each user with entries once, as question timeEntryUsers says': async (
    task,
  ) => {
    const [first, second] = (await task.seen.identity()).members
    if (!first || !second) return
    for (const user of [second, first, second]) await manual(task, { duration: 40, as_user: user.id })
    const hasTotals = task.answers.timeEntryUsers === 'totals'
    const shown = ({ id, name }: typeof first, total_seconds: number) =>
      hasTotals ? { id, name, total_seconds } : { id, name }
    expectSame('users', (await listing(task)).users, [shown(second, 80), shown(first, 40)])
  },
})

const sum = readRules(part, {
  'listTimeEntries/sum: total_seconds is the sum of the stopped entries, at least; a running entry has no end':
    async ({ seen }) => {
      const timed = needed(await seen.timed(), 'no task that was read has time entries')
      const stopped = timed.entries.filter(({ is_running }) => is_running === 0)
      const least = stopped.reduce((total, { duration }) => total + duration, 0)
      expectThat(timed.total_seconds >= least, `${String(least)} or more`, timed.total_seconds)
      const users = timed.users.map(({ id }) => id)
      for (const { user_id } of stopped)
        expectThat(
          users.includes(user_id),
          `one of ${users.join(', ')}`,
          user_id,
          'assumption timeEntryUsers',
        )
      for (const { is_running, date_end } of timed.entries)
        expectSame('running without date_end', date_end === null, is_running === 1)
    },
})

const deleting = onTask(part, {
  'deleteTimeEntry/that-entry-alone: leaves the other entries': async (task) => {
    const [first, second] = [await manual(task, { duration: 60 }), await manual(task, { duration: 30 })]
    await task.api.succeed('deleteTimeEntry', { params: { entryId: first.id } })
    expectSame('entries', (await listing(task)).entries, [second])
  },
  'deleteTimeEntry/gone: the entry is not listed any more': async (task) => {
    const params = { entryId: (await manual(task, { duration: 60 })).id }
    await task.api.succeed('deleteTimeEntry', { params })
    expectSame('entries', (await listing(task)).entries, [])
    await task.api.expect('deleteTimeEntry', 404, { params }, 'assumption generalStatuses')
  },
})

const wrong: readonly (readonly [id: string, json: Fields, source: SourceText])[] = [
  ['without-action', { duration: 60 }, part],
  ['bad-action', { action: 'pause' }, part],
  ['without-times', { action: 'manual' }, 'assumption manualEntry'],
  ['bad-duration', { action: 'manual', duration: 'long' }, part],
  ['negative-duration', { action: 'manual', duration: -1 }, 'assumption manualEntry'],
  ['bad-billable', { action: 'manual', duration: 60, billable: 1 }, part],
  ['dates-reversed', { action: 'manual', date_start: start, date_end: start - 60 }, 'assumption manualEntry'],
  ['unknown-user', { action: 'manual', duration: 60, as_user: unknownId }, 'assumption unknownReferences'],
]

const refusals = wrong.flatMap(([id, json, source]) =>
  writeRules(source, { [`createTimeEntry/${id}: refuses ${JSON.stringify(json)}`]: refused(json) }),
)

export const timeEntryRules = [...making, ...changing, ...reading, ...sum, ...deleting, ...refusals]

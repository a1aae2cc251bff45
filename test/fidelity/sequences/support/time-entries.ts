// The naive reference model of time entries under every answer about timers, and the steps on mock and model.
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AnswersInput } from '../../../../src/index.ts'
import { NOW } from '../../../behaviour/support/fixture.ts'
import { pick, step, type Bench, type Model, type Play } from './bench.ts'
import { members, workspaceWith } from './workspace.ts'

interface Entry {
  id: string
  task: string
  user: string
  duration: number
  billable: 0 | 1
  note: string
  start: number
  /** Null while it runs. */
  end: number | null
}

interface Entries extends Model {
  entries: Entry[]
  answers: AnswersInput
}

const taskIds = ['tsk_one', 'tsk_two'] as const
const now = ({ nowMs }: Model) => Math.floor(nowMs / 1000)
const pathOf = (task: string) => `/tasks/${task}/time-entries`
const isRunning = ({ end }: Entry) => end === null

function stopped(model: Entries, entry: Entry): void {
  entry.duration = now(model) - entry.start
  entry.end = now(model)
}

const durationNow = (model: Entries, entry: Entry) => {
  if (!isRunning(entry)) return entry.duration
  return model.answers.runningDuration === 'elapsed' ? now(model) - entry.start : 0
}

const shownEntry = (model: Entries, entry: Entry) => ({
  id: entry.id,
  user_id: entry.user,
  duration: durationNow(model, entry),
  billable: entry.billable,
  note: entry.note,
  is_running: isRunning(entry) ? 1 : 0,
  date_start: entry.start,
  date_end: entry.end,
})

const task = fc.constantFrom(...taskIds)
const user = fc.option(fc.constantFrom(...members))
const moment = fc.constantFrom(NOW - 7200, NOW - 3600, NOW, NOW + 60)
const manual = fc.record(
  {
    duration: fc.constantFrom(0, 60, 3600),
    date_start: moment,
    date_end: moment,
    note: fc.constantFrom('', 'noted'),
    billable: fc.boolean(),
  },
  { requiredKeys: [] },
)
type Manual = typeof manual extends fc.Arbitrary<infer F> ? Partial<F> : never

/** Start, end and duration of a manual entry; null if the input is insufficient or reversed. */
function manualTimes(model: Entries, { duration, date_start, date_end }: Manual) {
  let times: { start: number; end: number; duration: number }
  if (date_start !== undefined && date_end !== undefined)
    times = { start: date_start, end: date_end, duration: duration ?? date_end - date_start }
  else if (duration === undefined) return null
  else if (date_start !== undefined) times = { start: date_start, end: date_start + duration, duration }
  else if (date_end !== undefined) times = { start: date_end - duration, end: date_end, duration }
  else times = { start: now(model) - duration, end: now(model), duration }
  return times.end < times.start ? null : times
}

const steps = [
  step<Entries, [string, string | null]>('start', fc.tuple(task, user), async (model, bench, [at, as]) => {
    const { status, json } = await bench.call('POST', pathOf(at), {
      action: 'start',
      ...(as && { as_user: as }),
    })
    const who = as ?? 'mem_a'
    const before = model.entries.filter((entry) => isRunning(entry) && entry.user === who)
    const rule = model.answers.startEntry ?? 'stopPrevious'
    expect(status).toBe(rule === 'reject' && before.length > 0 ? 400 : 200)
    if (status !== 200) return
    if (rule === 'stopPrevious') for (const entry of before) stopped(model, entry)
    model.entries.push({
      id: json.id,
      task: at,
      user: who,
      duration: 0,
      billable: 0,
      note: '',
      start: now(model),
      end: null,
    })
  }),
  step<Entries, string>('stop', task, async (model, bench, at) => {
    const { status, json } = await bench.call('POST', pathOf(at), { action: 'stop' })
    const running = model.entries.filter((entry) => isRunning(entry) && entry.task === at)
    const latest = running.toSorted((a, b) => a.start - b.start)
    const own = latest.filter(({ user: who }) => who === 'mem_a').at(-1)
    const only = running.length === 1 ? running[0] : undefined
    const chosen = model.answers.stopEntry === 'latest' ? latest.at(-1) : (own ?? only)
    expect(status).toBe(chosen ? 200 : 400)
    if (!chosen) return
    stopped(model, chosen)
    expect(json).toEqual(shownEntry(model, chosen))
  }),
  step<Entries, [string, Manual, string | null]>(
    'manual',
    fc.tuple(task, manual, user),
    async (model, bench, [at, sent, as]) => {
      const { status, json } = await bench.call('POST', pathOf(at), {
        action: 'manual',
        ...sent,
        ...(as && { as_user: as }),
      })
      const times = manualTimes(model, sent)
      expect(status).toBe(times ? 200 : 400)
      if (!times) return
      const entry: Entry = {
        id: json.id,
        task: at,
        user: as ?? 'mem_a',
        billable: sent.billable ? 1 : 0,
        note: sent.note ?? '',
        ...times,
      }
      model.entries.push(entry)
      expect(json).toEqual(shownEntry(model, entry))
    },
  ),
  step<Entries, [number, Manual]>('patch', fc.tuple(fc.nat(40), manual), async (model, bench, [at, sent]) => {
    const entry = pick(model.entries, at)
    const { status } = await bench.call(
      'PATCH',
      `${pathOf(entry?.task ?? 'tsk_one')}/${entry?.id ?? 'none'}`,
      sent,
    )
    const refusal = !entry ? 404 : entry.end === null ? (model.answers.editRunning ?? 400) : null
    if (!entry || entry.end === null) {
      expect(status).toBe(refusal)
      return
    }
    const start = sent.date_start ?? entry.start
    const end = sent.date_end ?? entry.end
    const isMoved = start !== entry.start || end !== entry.end
    const namesDates = sent.date_start !== undefined || sent.date_end !== undefined
    expect(status).toBe(end < start ? 400 : 200)
    if (status !== 200) return
    if (isMoved) Object.assign(entry, { start, end, duration: sent.duration ?? end - start })
    else if (sent.duration !== undefined)
      Object.assign(entry, { duration: sent.duration, end: namesDates ? end : start + sent.duration })
    if (sent.note !== undefined) entry.note = sent.note
    if (sent.billable !== undefined) entry.billable = sent.billable ? 1 : 0
  }),
  step<Entries, number>('delete', fc.nat(40), async (model, bench, at) => {
    const entry = pick(model.entries, at)
    const { status } = await bench.call(
      'DELETE',
      `${pathOf(entry?.task ?? 'tsk_one')}/${entry?.id ?? 'none'}`,
    )
    expect(status).toBe(entry ? 200 : 404)
    model.entries = model.entries.filter((other) => other !== entry)
  }),
  step<Entries, number>('under another task', fc.nat(40), async (model, bench, at) => {
    const entry = pick(model.entries, at)
    if (!entry) return
    const other = taskIds.find((id) => id !== entry.task) ?? ''
    expect((await bench.call('DELETE', `${pathOf(other)}/${entry.id}`)).status).toBe(404)
  }),
]

/** The listing of both tasks: entries, users in order of first entry, totals. */
async function compare(model: Entries, bench: Bench): Promise<void> {
  for (const at of taskIds) {
    const entries = model.entries.filter((entry) => entry.task === at)
    const sum = (of: readonly Entry[]) => of.reduce((total, entry) => total + durationNow(model, entry), 0)
    const users = [...new Set(entries.map((entry) => entry.user))].map((id) => ({
      id,
      name: id.toUpperCase(),
      ...(model.answers.timeEntryUsers === 'names'
        ? {}
        : { total_seconds: sum(entries.filter((entry) => entry.user === id)) }),
    }))
    expect(await bench.good('GET', pathOf(at))).toEqual({
      users,
      total_seconds: sum(entries),
      entries: entries.map((entry) => shownEntry(model, entry)),
    })
  }
}

export const timeEntries: Play<Entries> = {
  fixture: workspaceWith(...taskIds),
  start: (answers) => ({ nowMs: NOW * 1000, entries: [], answers }),
  steps,
  compare,
  answers: fc.record(
    {
      startEntry: fc.constantFrom('stopPrevious', 'reject', 'allow'),
      stopEntry: fc.constantFrom('actingThenOnly', 'latest'),
      runningDuration: fc.constantFrom('zero', 'elapsed'),
      editRunning: fc.constantFrom(400 as const, 403 as const),
      timeEntryUsers: fc.constantFrom('totals', 'names'),
    },
    { requiredKeys: [] },
  ),
}

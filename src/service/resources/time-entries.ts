// Time entries: manual ones and running timers.
import { createShape } from '../../contract/schema/fields.ts'
import { newRecord, patchRecord, toShown } from '../../contract/schema/field-values.ts'
import { timeEntryFields, TimeEntry } from '../../contract/time-entries.ts'
import type { TimeEntryRecord, TimeEntryCreate, TimeEntryUser } from '../../contract/time-entries.ts'
import { ApiError } from '../../contract/errors.ts'
import { toValueError } from '../../contract/schema/checks.ts'
import { memberOf, nameOfMember } from './workspaces.ts'
import type { Index } from '../store/collection.ts'
import type { Store } from '../store/store.ts'
import { toDeleteResponse, toPatchResponse, type Handlers, type ParsedRequest } from './request.ts'

const keyOfRunning = (workspaceId: string, userId: string) => `${workspaceId} ${userId}`
const runningByUser: Index<TimeEntryRecord> = {
  keysOf: ({ is_running, workspace_id, user_id }) =>
    is_running === 1 ? [keyOfRunning(workspace_id, user_id)] : [],
}

type Times = Pick<TimeEntryRecord, 'duration' | 'date_start' | 'date_end'>
type GivenTimes = { readonly [Name in keyof Times]?: Times[Name] | undefined }

/** A request to add an entry manually, or to start or stop a timer. */
type Acting = ParsedRequest<'createTimeEntry'>

const toValidationError = (message: string, reported = false) =>
  new ApiError('validation', message, { reported })

/** The fields of each action, in addition to `action`. Source: contract, Time entries. */
const actionFields: Record<TimeEntryCreate['action'], readonly string[]> = {
  manual: [...Object.keys(createShape(timeEntryFields)), 'as_user'],
  start: ['as_user'],
  stop: [],
}

/** A field of another action counts as unknown. Assumption: unknownBodyFields */
function assertFieldsOfAction({ answers, body: { action, ...fields }, reportBreach }: Acting): void {
  const allowed = actionFields[action]
  for (const field of Object.keys(fields).filter((name) => !allowed.includes(name))) {
    reportBreach('unknown-field', field)
    if (answers.unknownBodyFields === 'ignore') continue
    const others = allowed.join(', ') || 'none'
    throw toValidationError(
      `${field} is not a field of action ${action}; other fields allowed: ${others}`,
      true,
    )
  }
}

/** Assumption: actingMember, unknownReferences */
function userOf({ workspace, key, body: { as_user } }: Acting): string {
  if (as_user !== undefined && !memberOf(workspace, as_user))
    throw toValueError('as_user', 'the id of a workspace member', as_user)
  return as_user ?? key.member_id
}

function putNew(
  { store, workspace, at }: Acting,
  user_id: string,
  values: Times & Partial<TimeEntryRecord>,
  given: object = {},
): TimeEntryRecord {
  const id = store.newId('timeEntries')
  const owner = { workspace_id: workspace.id, task_id: at.task.id }
  return store.timeEntries.put(newRecord(timeEntryFields, given, { id, ...owner, user_id, ...values }))
}

/** @throws {ApiError} validation */
function assertTimes({ duration, date_start, date_end }: Times): void {
  if (date_end !== null && date_end < date_start)
    throw toValidationError(
      `date_end must not be before date_start (${String(date_start)}); received ${String(date_end)}`,
    )
  if (![duration, date_start, date_end ?? 0].every(Number.isSafeInteger))
    throw toValidationError('duration, date_start and date_end, given or computed, must be safe integers')
}

/** Completes an entry's missing times from the others, or from the clock. Assumption: manualEntry */
export function completeTimes(now: number, { duration, date_start, date_end }: GivenTimes): Times {
  const isLaterEnd = date_start !== undefined && duration !== undefined
  const end = date_end ?? (isLaterEnd ? date_start + duration : now)
  const start = date_start ?? end - (duration ?? 0)
  return { duration: duration ?? end - start, date_start: start, date_end: end }
}

/** How long an entry has run; 0 if the clock was set back before its start. */
const elapsedSecondsOf = (now: number, entry: TimeEntryRecord) =>
  Math.min(Math.max(0, now - entry.date_start), Number.MAX_SAFE_INTEGER)

function endEntry(store: Store, entry: TimeEntryRecord): TimeEntryRecord {
  const now = store.clock.now()
  const date_end = Math.max(now, entry.date_start)
  return store.timeEntries.put({ ...entry, is_running: 0, duration: elapsedSecondsOf(now, entry), date_end })
}

const actions = {
  manual(request: Acting): TimeEntryRecord {
    const { store, body } = request
    const user_id = userOf(request)
    const isGiven =
      body.duration !== undefined || (body.date_start !== undefined && body.date_end !== undefined)
    if (!isGiven)
      throw toValidationError('duration, or both date_start and date_end, are required for action manual')
    const times = completeTimes(store.clock.now(), body)
    assertTimes(times)
    return putNew(request, user_id, { ...times, billable: body.billable === true ? 1 : 0 }, body)
  },

  /** Assumption: startEntry */
  start(request: Acting): TimeEntryRecord {
    const { store, answers, workspace } = request
    const user_id = userOf(request)
    const rule = answers.startEntry
    if (rule !== 'allow') {
      for (const entry of [...store.timeEntries.of(runningByUser, keyOfRunning(workspace.id, user_id))]) {
        if (rule === 'reject')
          throw toValidationError(
            `action start needs a user without a running timer; timer ${entry.id} of ${user_id} is running on task ${entry.task_id}`,
          )
        endEntry(store, entry)
      }
    }
    const times = { duration: 0, date_start: store.clock.now(), date_end: null }
    return putNew(request, user_id, { ...times, is_running: 1 })
  },

  /** Assumption: stopEntry */
  stop({ store, answers, key, at: { task } }: Acting): TimeEntryRecord {
    const running = store.timeEntries
      .ownedBy(task.id)
      .filter((entry) => entry.is_running === 1)
      .sort((a, b) => a.date_start - b.date_start)
    const own = running.filter((entry) => entry.user_id === key.member_id)
    const isAnyone = answers.stopEntry === 'latest' || running.length === 1
    const chosen = isAnyone ? running.at(-1) : own.at(-1)
    if (!chosen)
      throw toValidationError(
        running.length === 0
          ? `action stop needs a running entry on task ${task.id}; none is running`
          : `action stop needs a running entry of ${key.member_id}, or only one, on task ${task.id}; ${String(running.length)} by other users ${running.length === 1 ? 'is' : 'are'} running`,
      )
    return endEntry(store, chosen)
  },
}

/** Source: contract, Time entry. Assumption: editRunning. @throws {ApiError} of the given kind */
function assertStopped(entry: TimeEntryRecord, kind: 'runningEntry' | 'validation'): void {
  if (entry.is_running === 1)
    throw new ApiError(kind, `time entry ${entry.id} is running; stop it before editing it`, {
      reported: true,
    })
}

/** Assumption: manualEntry */
function patchTimes(entry: TimeEntryRecord, { duration, ...dates }: GivenTimes): Times {
  const { date_start = entry.date_start, date_end = entry.date_end } = dates
  if (date_start !== entry.date_start || date_end !== entry.date_end) {
    const between = date_end === null ? entry.duration : date_end - date_start
    return { duration: duration ?? between, date_start, date_end }
  }
  if (duration === undefined || dates.date_start !== undefined || dates.date_end !== undefined)
    return { duration: duration ?? entry.duration, date_start, date_end }
  return { duration, date_start, date_end: date_start + duration }
}

/** Assumption: runningDuration */
function durationOf(store: Store, entry: TimeEntryRecord): number {
  if (entry.is_running === 0) return entry.duration
  return store.answers.runningDuration === 'elapsed' ? elapsedSecondsOf(store.clock.now(), entry) : 0
}

/** The sum of the durations, capped at the largest safe integer. */
function totalOf(store: Store, entries: readonly TimeEntryRecord[]): number {
  const total = entries.reduce((sum, entry) => sum + durationOf(store, entry), 0)
  return Math.min(total, Number.MAX_SAFE_INTEGER)
}

function toTimeEntry(store: Store, entry: TimeEntryRecord): TimeEntry {
  return toShown(timeEntryFields, entry, { duration: durationOf(store, entry) })
}

export const timeEntryHandlers = {
  /** Lists the users with entries, ordered by their first entry. Assumption: timeEntryUsers */
  listTimeEntries({ store, answers, workspace, at }) {
    const entries = store.timeEntries.ownedBy(at.task.id)
    const users = [...new Set(entries.map((entry) => entry.user_id))].map((id): TimeEntryUser => {
      const member = { id, name: nameOfMember(workspace, id) }
      if (answers.timeEntryUsers === 'names') return member
      const own = entries.filter((entry) => entry.user_id === id)
      return { ...member, total_seconds: totalOf(store, own) }
    })
    return {
      users,
      total_seconds: totalOf(store, entries),
      entries: entries.map((entry) => toTimeEntry(store, entry)),
    }
  },

  createTimeEntry(request) {
    assertFieldsOfAction(request)
    return toTimeEntry(request.store, actions[request.body.action](request))
  },

  updateTimeEntry: {
    permit({ answers, at, reportBreach }) {
      if (at.entry.is_running === 1) reportBreach('edit-running', at.entry.id)
      if (answers.editRunning === 403) assertStopped(at.entry, 'runningEntry')
    },
    run({ store, answers, at: { entry }, body }) {
      assertStopped(entry, 'validation')
      const times = patchTimes(entry, body)
      assertTimes(times)
      const billable = body.billable === undefined ? entry.billable : body.billable ? 1 : 0
      const patched = store.timeEntries.put(patchRecord(timeEntryFields, entry, body, { ...times, billable }))
      return toPatchResponse(answers, () => toTimeEntry(store, patched))
    },
  },

  deleteTimeEntry({ store, answers, at }) {
    store.timeEntries.remove(at.entry.id)
    return toDeleteResponse(answers)
  },
} satisfies Partial<Handlers>

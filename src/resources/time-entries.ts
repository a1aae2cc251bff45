// Time entries: manual ones and running timers.
import { createShape } from '../contract/schema/fields.ts'
import { made, patchedRecord, toShown } from '../contract/schema/field-values.ts'
import {
  timeEntryFields,
  type TimeEntryRecord,
  TimeEntry,
  type TimeEntryCreate,
  type TimeEntryPatch,
  type TimeEntryUser,
} from '../contract/time-entries.ts'
import { ApiError } from '../contract/errors.ts'
import { mustBe } from '../contract/schema/checks.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import { memberOf } from './workspaces.ts'
import type { KeyRecord, WorkspaceRecord } from '../contract/workspaces.ts'
import type { Index } from '../store/groups.ts'
import type { ReportBreach, Store } from '../store/store.ts'

const runningKey = (workspaceId: string, userId: string) => `${workspaceId} ${userId}`
const runningByUser: Index<TimeEntryRecord> = {
  keysOf: ({ is_running, workspace_id, user_id }) =>
    is_running === 1 ? [runningKey(workspace_id, user_id)] : [],
}

type Times = Pick<TimeEntryRecord, 'duration' | 'date_start' | 'date_end'>
type GivenTimes = { readonly [Name in keyof Times]?: number | undefined }

const refusal = (message: string, reported = false) => new ApiError('validation', message, { reported })

/** Fields of each action besides `action`. Source: contract, Time entries. */
const fieldsOf: Record<TimeEntryCreate['action'], readonly string[]> = {
  manual: [...Object.keys(createShape(timeEntryFields)), 'as_user'],
  start: ['as_user'],
  stop: [],
}

/** A field of another action counts as unknown. Assumption: unknownBodyFields */
function assertFields(
  store: Store,
  { action, ...fields }: TimeEntryCreate,
  reportBreach: ReportBreach,
): void {
  const allowed = fieldsOf[action]
  for (const field of Object.keys(fields).filter((name) => !allowed.includes(name))) {
    reportBreach('unknown-field', field)
    if (store.answers.unknownBodyFields === 'ignore') continue
    const others = allowed.join(', ') || 'none'
    throw refusal(`${field} is not a field of action ${action}; allowed besides action: ${others}`, true)
  }
}

/** Where and for whom an entry is made or stopped. */
interface TimeEntryContext {
  readonly store: Store
  readonly workspace: WorkspaceRecord
  readonly key: KeyRecord
  readonly task: TaskRecord
}

/** Adds an entry by hand, starts a timer, or stops one. @throws {ApiError} validation */
export function actOnTime(
  context: TimeEntryContext,
  body: TimeEntryCreate,
  reportBreach: ReportBreach,
): TimeEntryRecord {
  assertFields(context.store, body, reportBreach)
  switch (body.action) {
    case 'manual':
      return addManual(context, body)
    case 'start':
      return startTimer(context, body.as_user)
    case 'stop':
      return stopTimer(context)
  }
}

/** Assumption: actingMember, unknownReferences */
function userOf({ workspace, key }: TimeEntryContext, asUser: string | undefined): string {
  if (asUser !== undefined && !memberOf(workspace, asUser))
    throw mustBe('as_user', 'the id of a workspace member', asUser)
  return asUser ?? key.member_id
}

function putNew(
  { store, workspace, task }: TimeEntryContext,
  user_id: string,
  values: Times & Partial<TimeEntryRecord>,
  given: object = {},
): TimeEntryRecord {
  const id = store.newId('timeEntries')
  const owner = { workspace_id: workspace.id, task_id: task.id }
  return store.timeEntries.put(made(timeEntryFields, given, { id, ...owner, user_id, ...values }))
}

/** @throws {ApiError} validation, if the dates are in the wrong order or beyond the safe integers */
function assertTimes({ duration, date_start, date_end }: Times): void {
  if (date_end !== null && date_end < date_start)
    throw refusal(
      `date_end must not be before date_start (${String(date_start)}); received ${String(date_end)}`,
    )
  if (![duration, date_start, date_end ?? 0].every(Number.isSafeInteger))
    throw refusal('duration, date_start and date_end must together stay within safe integers')
}

/** Completes the times of a manual entry from those given. Assumption: manualEntry */
function manualTimes(now: number, { duration, date_start, date_end }: GivenTimes): Times {
  if (date_start !== undefined && date_end !== undefined)
    return { duration: duration ?? date_end - date_start, date_start, date_end }
  if (duration === undefined)
    throw refusal('duration, or both date_start and date_end, are required for action manual')
  if (date_start !== undefined) return { duration, date_start, date_end: date_start + duration }
  const end = date_end ?? now
  return { duration, date_start: end - duration, date_end: end }
}

function addManual(context: TimeEntryContext, body: TimeEntryCreate): TimeEntryRecord {
  const user_id = userOf(context, body.as_user)
  const times = manualTimes(context.store.clock.now(), body)
  assertTimes(times)
  return putNew(context, user_id, { ...times, billable: body.billable === true ? 1 : 0 }, body)
}

/** Assumption: startEntry */
function startTimer(context: TimeEntryContext, asUser: string | undefined): TimeEntryRecord {
  const { store, workspace } = context
  const user_id = userOf(context, asUser)
  const rule = store.answers.startEntry
  if (rule !== 'allow') {
    for (const entry of [...store.timeEntries.of(runningByUser, runningKey(workspace.id, user_id))]) {
      if (rule === 'reject')
        throw refusal(
          `action start needs that no timer of ${user_id} is running; ${entry.id} is, on task ${entry.task_id}`,
        )
      stopped(store, entry)
    }
  }
  const times = { duration: 0, date_start: store.clock.now(), date_end: null }
  return putNew(context, user_id, { ...times, is_running: 1 })
}

/** Seconds of a timer so far; 0 if the clock was set back before its start. */
const elapsed = (now: number, entry: TimeEntryRecord) =>
  Math.min(Math.max(0, now - entry.date_start), Number.MAX_SAFE_INTEGER)

function stopped(store: Store, entry: TimeEntryRecord): TimeEntryRecord {
  const now = store.clock.now()
  const date_end = Math.max(now, entry.date_start)
  return store.timeEntries.put({ ...entry, is_running: 0, duration: elapsed(now, entry), date_end })
}

/** Assumption: stopEntry */
function stopTimer({ store, key, task }: TimeEntryContext): TimeEntryRecord {
  const running = timeEntriesOf(store, task)
    .filter((entry) => entry.is_running === 1)
    .sort((a, b) => a.date_start - b.date_start)
  const own = running.filter((entry) => entry.user_id === key.member_id)
  const chosen =
    store.answers.stopEntry === 'latest'
      ? running.at(-1)
      : (own.at(-1) ?? (running.length === 1 ? running[0] : undefined))
  if (!chosen)
    throw refusal(
      running.length === 0
        ? `action stop needs a running entry on task ${task.id}; none is running`
        : `action stop needs a running entry of ${key.member_id}, or only one, on task ${task.id}; ${String(running.length)} of others are running`,
    )
  return stopped(store, chosen)
}

/**
 * Only stopped entries can be edited. Source: contract, Time entry. Assumption: editRunning
 * @throws {ApiError} runningEntry or validation
 */
export function assertStopped(entry: TimeEntryRecord, kind: 'runningEntry' | 'validation'): void {
  if (entry.is_running === 1)
    throw new ApiError(kind, `time entry ${entry.id} is running; stop it before it is edited`, {
      reported: true,
    })
}

/** Assumption: manualEntry */
function patchedTimes(entry: TimeEntryRecord, { duration, ...dates }: GivenTimes): Times {
  const { date_start = entry.date_start, date_end = entry.date_end } = dates
  if (date_start !== entry.date_start || date_end !== entry.date_end) {
    const between = date_end === null ? entry.duration : date_end - date_start
    return { duration: duration ?? between, date_start, date_end }
  }
  if (duration === undefined || dates.date_start !== undefined || dates.date_end !== undefined)
    return { duration: duration ?? entry.duration, date_start, date_end }
  return { duration, date_start, date_end: date_start + duration }
}

/** @throws {ApiError} validation */
export function updateTimeEntry(
  store: Store,
  entry: TimeEntryRecord,
  patch: TimeEntryPatch,
): TimeEntryRecord {
  const times = patchedTimes(entry, patch)
  assertTimes(times)
  const billable = patch.billable === undefined ? entry.billable : patch.billable ? 1 : 0
  return store.timeEntries.put(patchedRecord(timeEntryFields, entry, patch, { ...times, billable }))
}

/** Entries of a task in order of creation. */
export function timeEntriesOf(store: Store, task: TaskRecord): readonly TimeEntryRecord[] {
  return store.timeEntries.ownedBy(task.id)
}

/** Assumption: runningDuration */
function durationOf(store: Store, entry: TimeEntryRecord): number {
  if (entry.is_running === 0) return entry.duration
  return store.answers.runningDuration === 'elapsed' ? elapsed(store.clock.now(), entry) : 0
}

/** A sum of durations, capped where integers are still exact. */
function totalOf(store: Store, entries: readonly TimeEntryRecord[]): number {
  const total = entries.reduce((sum, entry) => sum + durationOf(store, entry), 0)
  return Math.min(total, Number.MAX_SAFE_INTEGER)
}

export function toTimeEntry(store: Store, entry: TimeEntryRecord): TimeEntry {
  return toShown(timeEntryFields, entry, { duration: durationOf(store, entry) })
}

/** Who has entries, in order of first entry; a former member is named by id. Assumption: timeEntryUsers */
function toUsers(
  store: Store,
  workspace: WorkspaceRecord,
  entries: readonly TimeEntryRecord[],
): TimeEntryUser[] {
  return [...new Set(entries.map((entry) => entry.user_id))].map((id) => {
    const member = { id, name: memberOf(workspace, id)?.name ?? id }
    if (store.answers.timeEntryUsers === 'names') return member
    const own = entries.filter((entry) => entry.user_id === id)
    return { ...member, total_seconds: totalOf(store, own) }
  })
}

/** The response of the listing of a task's entries. */
export function toTimeEntries(store: Store, workspace: WorkspaceRecord, entries: readonly TimeEntryRecord[]) {
  return {
    users: toUsers(store, workspace, entries),
    total_seconds: totalOf(store, entries),
    entries: entries.map((entry) => toTimeEntry(store, entry)),
  }
}

// Recurrence: when a repeating task occurs, and the task that is cloned for an occurrence.
import { tzOffset } from '@date-fns/tz/tzOffset'
import { quote } from '../../contract/text/quote.ts'
import { frequencies, type RepeatConfig, type TaskRecord } from '../../contract/tasks.ts'
import { findFirstStatus } from './lists.ts'
import type { ListRecord } from '../../contract/lists.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** Number of days to search: two months and a day, enough for every frequency. */
const searchedDays = 63

const isFrequency = (value: unknown) => frequencies.some((frequency) => frequency === value)

/** A recurrence as stored. on_complete ignores the frequency, so an invalid one is dropped. */
export function toStoredRepeatConfig(config: RepeatConfig): RepeatConfig {
  const { frequency, ...rest } = config
  return frequency === undefined || isFrequency(frequency) ? config : rest
}

/** The first wrong field among those a frequency needs, with the rest of the message. Source: contract, RepeatConfig. */
export function findRepeatProblem(config: RepeatConfig): { field: string; problem: string } | undefined {
  if (config.trigger !== 'on_schedule') return undefined
  const { frequency, day_of_week, day_of_month } = config
  const missing = (field: string, when: string, allowed: string, received = 'nothing') => ({
    field,
    problem: `is required when ${when} and must be ${allowed}; received ${received}`,
  })
  if (!isFrequency(frequency)) {
    const received = frequency === undefined ? 'nothing' : quote(frequency)
    return missing('frequency', 'trigger is on_schedule', `one of ${frequencies.join(', ')}`, received)
  }
  if (frequency === 'weekly' && day_of_week === undefined)
    return missing('day_of_week', 'frequency is weekly', 'an integer from 0 (Sunday) to 6 (Saturday)')
  if (frequency === 'monthly' && day_of_month === undefined)
    return missing('day_of_month', 'frequency is monthly', 'an integer from 1 to 31')
  return undefined
}

/** Whether a recurrence has an occurrence on a calendar day, given as UTC midnight. */
function occursOn({ frequency, day_of_week, day_of_month = NaN }: RepeatConfig, day: Date): boolean {
  switch (frequency) {
    case 'daily':
      return true
    case 'weekdays':
      return day.getUTCDay() >= 1 && day.getUTCDay() <= 5
    case 'weekly':
      return day.getUTCDay() === day_of_week
    case 'monthly': {
      const endOfMonth = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0))
      return day.getUTCDate() === Math.min(day_of_month, endOfMonth.getUTCDate())
    }
    case undefined:
      return false
  }
}

/** Handles UTC, which most fixtures use, without time zone data; loading the platform's takes 11 ms. */
const offsetMsOf = (timezone: string, ms: number) =>
  timezone === 'UTC' ? 0 : Math.round(tzOffset(timezone, new Date(ms)) * minuteMs)

/**
 * The moment when clocks in a timezone show a time, given as if it were UTC. A time that a clock change repeats means
 * its first occurrence; a skipped time is moved later by the length of the change. NaN if there is no such moment.
 * TZDate is not used, because it depends on the host's timezone.
 */
function momentOf(wallMs: number, timezone: string): number {
  const before = offsetMsOf(timezone, wallMs - dayMs)
  const after = offsetMsOf(timezone, wallMs + dayMs)
  const moments = [wallMs - before, wallMs - after].sort((a, b) => a - b)
  const shown = moments.find((ms) => ms + offsetMsOf(timezone, ms) === wallMs)
  return shown ?? wallMs - before
}

/**
 * The first occurrence strictly after a moment, both in Unix seconds. Null if there is none; on_complete never has one,
 * because it has no schedule. Assumption: recurrence
 * @param timezone IANA name of the zone for days and `time`
 */
export function findNextOccurrence(config: RepeatConfig, timezone: string, afterSeconds: number) {
  if (config.trigger !== 'on_schedule') return null
  // The clock never shows a time before 1970, and dates reach no further than the clock.
  const afterMs = Math.max(afterSeconds, -1) * 1000
  const localMs = afterMs + offsetMsOf(timezone, afterMs)
  const today = Math.floor(localMs / dayMs) * dayMs
  const [hours = 0, minutes = 0] = (config.time ?? '09:00').split(':').map(Number)
  const timeMs = (hours * 60 + minutes) * minuteMs
  for (let ahead = 0; ahead < searchedDays; ahead += 1) {
    const day = today + ahead * dayMs
    if (!occursOn(config, new Date(day))) continue
    const moment = momentOf(day + timeMs, timezone) / 1000
    if (moment > afterSeconds) return moment > (config.end_date ?? Infinity) ? null : moment
  }
  return null
}

export function nextOccurrenceOf(task: TaskRecord, timezone: string): number | null {
  const { repeat_config, repeat_since, deleted_at } = task
  if (!repeat_config || repeat_since === null || deleted_at !== null) return null
  return findNextOccurrence(repeat_config, timezone, repeat_since)
}

/**
 * Clones a repeating task for an occurrence; the clone takes over the recurrence. Null if its dates would exceed the safe
 * integers. Assumption: recurrence
 */
export function cloneOf(
  task: TaskRecord,
  list: ListRecord,
  at: number,
  newId: () => string,
): TaskRecord | null {
  const isDue = task.repeat_config?.trigger === 'on_schedule'
  let date_start: number | null = null
  if (isDue && task.due_date !== null && task.date_start !== null) {
    const distance = task.due_date - task.date_start
    date_start = at - distance
    if (![distance, date_start].every(Number.isSafeInteger)) return null
  }
  return {
    ...task,
    due_date: isDue ? at : null,
    date_start,
    id: newId(),
    status_id: findFirstStatus(list)?.id ?? task.status_id,
    project_id: null,
    parent_task_id: null,
    type_id: null,
    repeat_since: at,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }
}

// Contract of time entries on tasks.
import * as z from 'zod/mini'
import {
  Bool,
  Count,
  Flag,
  Id,
  Member,
  NullableSeconds,
  OptionalId,
  FlagOrBool,
  Text,
  UnixSeconds,
  deleteResponse,
  objectOf,
  patchResponse,
} from './schema/common.ts'
import { createShape, field, patchOf, shownOf } from './schema/fields.ts'
import { operationsOf, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import type * as types from './types.d.ts'

export const timeEntryFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  task_id: field(Id, { shown: false, fixture: false }),
  user_id: field(Id, { byDefault: 'the first member' }),
  duration: field(Count, {
    sent: 'optional',
    note: 'In seconds.',
    fixtureNote: 'In seconds; by default the difference between the dates.',
  }),
  billable: field(Flag, { sent: 'optional', body: Bool, fixture: FlagOrBool, initial: 0 }),
  note: field(Text, { sent: 'optional', initial: '' }),
  is_running: field(Flag, { fixture: FlagOrBool, initial: 0 }),
  date_start: field(UnixSeconds, { sent: 'optional', note: 'Start, in Unix seconds.' }),
  date_end: field(NullableSeconds, {
    sent: 'optional',
    body: UnixSeconds,
    note: 'End, in Unix seconds, of a stopped entry.',
    fixtureNote: 'End, in Unix seconds, null while it runs; by default `date_start` plus `duration`.',
  }),
}
export type TimeEntryRecord = types.TimeEntryRecord
export const TimeEntry = shownOf(timeEntryFields)
export type TimeEntry = types.TimeEntry

const UserTotal = objectOf(() => ({ ...Member.shape, total_seconds: z.int() }))
/** Assumption: timeEntryUsers */
export type TimeEntryUser = types.TimeEntryUser
export const TimeEntryUser = (answers: Answers): Schema<TimeEntryUser> =>
  answers.timeEntryUsers === 'names' ? Member : UserTotal

/** One schema for all three actions; the service checks which fields each needs. Assumption: manualEntry */
export const TimeEntryCreate = objectOf(() => ({
  action: z.enum(['manual', 'start', 'stop']),
  ...createShape(timeEntryFields),
  as_user: OptionalId,
}))
export type TimeEntryCreate = types.TimeEntryCreate
export const TimeEntryPatch = patchOf(timeEntryFields)
export type TimeEntryPatch = types.TimeEntryPatch

export const timeEntryOperations = operationsOf('Time entries', {
  listTimeEntries: {
    route: 'GET /tasks/{taskId}/time-entries',
    summary: 'List the time entries of a task with totals',
    success: {
      schema: (answers) =>
        z.object({
          users: z.array(TimeEntryUser(answers)),
          total_seconds: z.int(),
          entries: z.array(TimeEntry),
        }),
      description: 'The entries, and how long each person worked.',
    },
  },
  createTimeEntry: {
    route: 'POST /tasks/{taskId}/time-entries',
    summary: 'Add a time entry by hand, start a timer or stop it',
    body: { json: TimeEntryCreate },
    success: { schema: TimeEntry, description: 'The entry.' },
  },
  updateTimeEntry: {
    route: 'PATCH /tasks/{taskId}/time-entries/{entryId}',
    summary: 'Change a stopped time entry',
    body: { json: TimeEntryPatch },
    success: { schema: patchResponse(TimeEntry), description: 'The entry was changed.' },
    errors: ['runningEntry'],
  },
  deleteTimeEntry: {
    route: 'DELETE /tasks/{taskId}/time-entries/{entryId}',
    summary: 'Delete a time entry',
    success: { schema: deleteResponse, description: 'The entry was deleted.' },
  },
})

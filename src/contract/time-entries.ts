// Owns the contract of time entries on tasks.
import * as z from 'zod/mini'
import { Flag, Id, Member, UnixSeconds, deleted, patched } from './common.ts'
import { defineOperation, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'

export const TimeEntry = z.object({
  id: Id,
  user_id: Id,
  /** Seconds. */
  duration: z.int(),
  billable: Flag,
  note: z.string(),
  is_running: Flag,
  date_start: UnixSeconds,
  date_end: z.nullable(UnixSeconds),
})
export type TimeEntry = z.infer<typeof TimeEntry>

export const TimeEntryRecord = z.object({ ...TimeEntry.shape, workspace_id: Id, task_id: Id })
export type TimeEntryRecord = z.infer<typeof TimeEntryRecord>

const UserTotal = z.object({ ...Member.shape, total_seconds: z.int() })
/** Assumption: timeEntryUsers */
export type TimeEntryUser = z.infer<typeof UserTotal> | Member
export const TimeEntryUser = (answers: Answers): Schema<TimeEntryUser> =>
  answers.timeEntryUsers === 'names' ? Member : UserTotal

const Duration = z.int().check(z.gte(0))

/** One schema for all three actions: each uses its own fields, the model says which. Assumption: manualEntry */
export const TimeEntryCreate = z.object({
  action: z.enum(['manual', 'start', 'stop']),
  duration: z.optional(Duration),
  billable: z.optional(z.boolean()),
  note: z.optional(z.string()),
  date_start: z.optional(UnixSeconds),
  date_end: z.optional(UnixSeconds),
  as_user: z.optional(Id),
})
export type TimeEntryCreate = z.infer<typeof TimeEntryCreate>

export const TimeEntryPatch = z.object({
  duration: z.optional(Duration),
  note: z.optional(z.string()),
  billable: z.optional(z.boolean()),
  date_start: z.optional(UnixSeconds),
  date_end: z.optional(UnixSeconds),
})
export type TimeEntryPatch = z.infer<typeof TimeEntryPatch>

export const listTimeEntries = defineOperation({
  id: 'listTimeEntries',
  method: 'GET',
  path: '/tasks/{taskId}/time-entries',
  tag: 'Time entries',
  summary: 'List the time entries of a task with totals',
  success: {
    status: 200,
    schema: (answers) =>
      z.object({
        users: z.array(TimeEntryUser(answers)),
        total_seconds: z.int(),
        entries: z.array(TimeEntry),
      }),
    description: 'Entries, and who has worked how long.',
  },
  documentedErrors: [],
})

export const createTimeEntry = defineOperation({
  id: 'createTimeEntry',
  method: 'POST',
  path: '/tasks/{taskId}/time-entries',
  tag: 'Time entries',
  summary: 'Add a time entry by hand, start a timer or stop it',
  body: { json: TimeEntryCreate },
  success: { status: 200, schema: TimeEntry, description: 'The entry.' },
  documentedErrors: [],
})

export const updateTimeEntry = defineOperation({
  id: 'updateTimeEntry',
  method: 'PATCH',
  path: '/tasks/{taskId}/time-entries/{entryId}',
  tag: 'Time entries',
  summary: 'Change a stopped time entry',
  body: { json: TimeEntryPatch },
  success: { status: 200, schema: patched(TimeEntry), description: 'The entry is changed.' },
  documentedErrors: [],
  errors: ['runningEntry'],
})

export const deleteTimeEntry = defineOperation({
  id: 'deleteTimeEntry',
  method: 'DELETE',
  path: '/tasks/{taskId}/time-entries/{entryId}',
  tag: 'Time entries',
  summary: 'Delete a time entry',
  success: { status: 200, schema: deleted, description: 'The entry is gone.' },
  documentedErrors: [],
})

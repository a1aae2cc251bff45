// Contract of tasks and their recurrence.
import { filesPerTask, mostPerPage, priorities } from './limits.ts'
import * as z from 'zod/mini'
import {
  FixtureId,
  Id,
  Member,
  NullableId,
  NullableSeconds,
  NullableText,
  Text,
  TextOrDocument,
  UnixSeconds,
  Whole,
  deleteResponse,
  objectOf,
  offset,
  pageLimit,
  patchResponse,
} from './schema/common.ts'
import { JsonObject } from './schema/maps.ts'
import { createOf, createdAt, extrasShapeOf, field, patchOf, shownOf, updatedAt } from './schema/fields.ts'
import { operationsOf, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import { Attachment } from './task-attachments.ts'
import type * as types from './types.d.ts'

export const frequencies = ['daily', 'weekdays', 'weekly', 'monthly'] as const

/** Keeps an invalid frequency as sent. Zod passes undefined when it only describes the schema. */
const Frequency = () =>
  z.catch(
    z.enum(frequencies),
    (received: { readonly input: unknown } | undefined) => received?.input as (typeof frequencies)[number],
  )

/**
 * The service checks the frequency and the fields it needs. That allows clear messages, and on_complete accepts and ignores
 * any value. Source: contract, RepeatConfig.
 */
export const RepeatConfig = objectOf(() => ({
  trigger: z.enum(['on_schedule', 'on_complete']),
  frequency: z.optional(Frequency()),
  day_of_week: z.optional(z.int().check(z.gte(0), z.lte(6))),
  day_of_month: z.optional(z.int().check(z.gte(1), z.lte(31))),
  time: z.optional(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:MM from 00:00 to 23:59')),
  ),
  end_date: z.optional(UnixSeconds),
}))
export type RepeatConfig = types.RepeatConfig

/** On PATCH null clears a field; on creation it means absent. Assumption: clearing */
export const taskFields = {
  id: field(Id),
  workspace_id: field(Id, { shown: false, fixture: false }),
  title: field(Text, { sent: 'required' }),
  status_id: field(Id, { sent: 'optional', byDefault: 'the first active status of the list' }),
  priority: field(z.nullable(z.enum(priorities)), { sent: 'optional', shown: Whole, initial: null }),
  due_date: field(NullableSeconds, { sent: 'optional', initial: null, note: 'Due time, in Unix seconds.' }),
  date_start: field(NullableSeconds, { sent: 'optional', initial: null, note: 'Start, in Unix seconds.' }),
  custom_data: field(JsonObject, { sent: 'optional', initial: {}, note: 'Values keyed by custom field id.' }),
  assignees: field(z.array(Id), {
    sent: 'optional',
    shown: z.array(Member),
    fixture: z.array(FixtureId),
    initial: [],
    note: 'Ids of members.',
  }),
  created_at: createdAt,
  updated_at: updatedAt,
  list_id: field(Id, { shown: 'extras', fixture: false }),
  description: field(z.nullable(TextOrDocument), { sent: 'patched', shown: 'extras', initial: null }),
  time_estimate: field(z.nullable(z.int().check(z.gte(0))), {
    sent: 'optional',
    shown: 'extras',
    initial: null,
    note: 'In minutes.',
  }),
  project_id: field(NullableText, { sent: 'optional', shown: 'extras', initial: null }),
  parent_task_id: field(NullableId, {
    sent: 'optional',
    shown: 'extras',
    fixture: z.nullable(FixtureId),
    initial: null,
  }),
  type_id: field(NullableText, { sent: 'patched', shown: 'extras', initial: null }),
  repeat_config: field(z.nullable(RepeatConfig), {
    sent: 'patched',
    shown: 'extras',
    fixture: z.nullable(z.lazy(() => z.strictObject(RepeatConfig.shape))),
    initial: null,
    note: 'How the task repeats; null ends the recurrence.',
  }),
  /** Assumption: recurrence */
  repeat_since: field(NullableSeconds, {
    shown: false,
    initial: null,
    note: 'Occurrences come strictly after this time: when `repeat_config` was set, or the last occurrence.',
    byDefault: '`clock`',
  }),
  deleted_at: field(NullableSeconds, {
    shown: false,
    initial: null,
    note: 'When the task was soft-deleted.',
  }),
}
export type TaskRecord = types.TaskRecord
export const TaskCreate = createOf(taskFields)
export type TaskCreate = types.TaskCreate
export const TaskPatch = patchOf(taskFields)
export type TaskPatch = types.TaskPatch

const ShortTask = shownOf(taskFields)
const FullTask = objectOf(() => ({ ...ShortTask.shape, ...extrasShapeOf(taskFields) }))
/** A task in responses. Assumption: taskPriority, taskReadExtras */
export type Task = types.Task
export const Task = (answers: Answers): Schema<Task> => (answers.taskReadExtras ? FullTask : ShortTask)

export const taskOperations = operationsOf('Tasks', {
  listTasks: {
    route: 'GET /lists/{listId}/tasks',
    summary: 'List the tasks in a list',
    paging: { items: 'tasks', by: 'offset' },
    query: {
      limit: pageLimit(mostPerPage.tasks),
      offset,
      status: { kind: 'string', description: 'Only tasks with this status.' },
      q: { kind: 'string', description: 'Only tasks whose title contains this text.' },
    },
    success: {
      schema: (answers) => z.object({ tasks: z.array(Task(answers)), limit: z.int(), offset: z.int() }),
      description: 'Tasks in order of creation.',
    },
  },
  createTask: {
    route: 'POST /lists/{listId}/tasks',
    summary: `Create a task with up to ${String(filesPerTask)} files, all or nothing`,
    body: { json: TaskCreate, multipart: { data: TaskCreate, maxFiles: filesPerTask, fileRequired: false } },
    success: {
      status: 201,
      schema: () => z.object({ id: Id, attachments: z.array(Attachment) }),
      description: 'The id of the task, and its stored files.',
    },
    documentedErrors: [400, 404, 413],
    errors: ['fileSize'],
  },
  getTask: {
    route: 'GET /tasks/{taskId}',
    summary: 'Read a task',
    success: { schema: Task, description: 'The task.' },
    documentedErrors: [404],
  },
  updateTask: {
    route: 'PATCH /tasks/{taskId}',
    summary: 'Change a task',
    body: { json: TaskPatch },
    success: {
      schema: (answers) => patchResponse(Task(answers))(answers),
      description: 'The task was changed.',
    },
    documentedErrors: [400, 404],
  },
  deleteTask: {
    route: 'DELETE /tasks/{taskId}',
    summary: 'Delete a task, recoverable for 30 days',
    success: { schema: deleteResponse, description: 'The task is soft-deleted.' },
    documentedErrors: [404],
  },
})

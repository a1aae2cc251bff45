// Owns the contract of tasks and their recurrence.
import * as z from 'zod/mini'
import {
  Id,
  JsonObject,
  Member,
  TextOrDocument,
  UnixSeconds,
  deleted,
  offset,
  pageLimit,
  patched,
} from './common.ts'
import { defineOperation, type Schema } from './operation.ts'
import type { Answers } from './questions/register.ts'
import { Attachment } from './task-attachments.ts'

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

export const frequencies = ['daily', 'weekdays', 'weekly', 'monthly'] as const

/** Which fields a frequency needs is checked by the model, so that the message can say it. Source: contract, RepeatConfig. */
export const RepeatConfig = z.object({
  trigger: z.enum(['on_schedule', 'on_complete']),
  frequency: z.optional(z.enum(frequencies)),
  day_of_week: z.optional(z.int().check(z.gte(0), z.lte(6))),
  day_of_month: z.optional(z.int().check(z.gte(1), z.lte(31))),
  time: z.optional(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time HH:MM from 00:00 to 23:59')),
  ),
  end_date: z.optional(UnixSeconds),
})
export type RepeatConfig = z.infer<typeof RepeatConfig>

/** Null clears on PATCH and equals absence on creation. Assumption: clearing */
const taskFields = {
  status_id: z.optional(Id),
  priority: z.optional(z.nullable(z.enum(priorities))),
  due_date: z.optional(z.nullable(UnixSeconds)),
  date_start: z.optional(z.nullable(UnixSeconds)),
  assignees: z.optional(z.array(Id)),
  custom_data: z.optional(JsonObject),
  time_estimate: z.optional(z.nullable(z.int().check(z.gte(0)))),
  project_id: z.optional(z.nullable(z.string())),
  parent_task_id: z.optional(z.nullable(Id)),
}
export const TaskCreate = z.object({ title: z.string(), ...taskFields })
export type TaskCreate = z.infer<typeof TaskCreate>

export const TaskPatch = z.object({
  title: z.optional(z.string()),
  ...taskFields,
  description: z.optional(z.nullable(TextOrDocument)),
  repeat_config: z.optional(z.nullable(RepeatConfig)),
  type_id: z.optional(z.nullable(z.string())),
})
export type TaskPatch = z.infer<typeof TaskPatch>

export const TaskRecord = z.object({
  id: Id,
  workspace_id: Id,
  list_id: Id,
  title: z.string(),
  status_id: Id,
  priority: z.nullable(z.enum(priorities)),
  due_date: z.nullable(UnixSeconds),
  date_start: z.nullable(UnixSeconds),
  assignees: z.array(Id),
  custom_data: JsonObject,
  description: z.nullable(TextOrDocument),
  time_estimate: z.nullable(z.int()),
  project_id: z.nullable(z.string()),
  parent_task_id: z.nullable(Id),
  type_id: z.nullable(z.string()),
  repeat_config: z.nullable(RepeatConfig),
  /** Occurrences count strictly after this: when repeat_config was set, or the last occurrence. Assumption: recurrence */
  repeat_since: z.nullable(UnixSeconds),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  deleted_at: z.nullable(UnixSeconds),
})
export type TaskRecord = z.infer<typeof TaskRecord>

const ShortTask = z.object({
  id: Id,
  title: z.string(),
  status_id: Id,
  priority: z.int(),
  due_date: z.nullable(UnixSeconds),
  date_start: z.nullable(UnixSeconds),
  custom_data: JsonObject,
  assignees: z.array(Member),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
})
const FullTask = z.object({
  ...ShortTask.shape,
  list_id: Id,
  description: z.nullable(TextOrDocument),
  time_estimate: z.nullable(z.int()),
  project_id: z.nullable(z.string()),
  parent_task_id: z.nullable(Id),
  type_id: z.nullable(z.string()),
  repeat_config: z.nullable(RepeatConfig),
})
/** A task as read. Assumption: taskPriority, taskReadExtras */
export type Task = z.infer<typeof ShortTask> | z.infer<typeof FullTask>
export const Task = (answers: Answers): Schema<Task> => (answers.taskReadExtras ? FullTask : ShortTask)

export const listTasks = defineOperation({
  id: 'listTasks',
  method: 'GET',
  path: '/lists/{listId}/tasks',
  tag: 'Tasks',
  summary: 'List the tasks of a list',
  query: {
    limit: pageLimit(200),
    offset,
    status: { kind: 'string', description: 'Only tasks of this status.' },
    q: { kind: 'string', description: 'Only tasks whose title holds this text.' },
  },
  success: {
    status: 200,
    schema: (answers) => z.object({ tasks: z.array(Task(answers)), limit: z.int(), offset: z.int() }),
    description: 'Tasks in order of creation.',
  },
  documentedErrors: [],
})

export const createTask = defineOperation({
  id: 'createTask',
  method: 'POST',
  path: '/lists/{listId}/tasks',
  tag: 'Tasks',
  summary: 'Create a task, with up to 10 files all or nothing',
  body: { json: TaskCreate, multipart: { data: TaskCreate, maxFiles: 10, fileRequired: false } },
  success: {
    status: 201,
    schema: z.object({ id: Id, attachments: z.array(Attachment) }),
    description: 'Id of the task and its stored files.',
  },
  documentedErrors: [400, 404, 413],
  errors: ['fileSize'],
})

export const getTask = defineOperation({
  id: 'getTask',
  method: 'GET',
  path: '/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Read a task',
  success: { status: 200, schema: Task, description: 'The task.' },
  documentedErrors: [404],
})

export const updateTask = defineOperation({
  id: 'updateTask',
  method: 'PATCH',
  path: '/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Change a task',
  body: { json: TaskPatch },
  success: {
    status: 200,
    schema: (answers) => patched(Task(answers))(answers),
    description: 'The task is changed.',
  },
  documentedErrors: [400, 404],
})

export const deleteTask = defineOperation({
  id: 'deleteTask',
  method: 'DELETE',
  path: '/tasks/{taskId}',
  tag: 'Tasks',
  summary: 'Delete a task, recoverable for 30 days',
  success: { status: 200, schema: deleted, description: 'The task is soft-deleted.' },
  documentedErrors: [404],
})

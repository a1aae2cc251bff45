// Notes on single fields beyond their schema: units, meanings, and what answers decide.
import { bulkRowsPerJob, bulkRowsPerRequest } from '../contract/limits.ts'
import { commentFields } from '../contract/comments.ts'
import { columnFields, optionFields, tableFields } from '../contract/datatables.ts'
import { notesOf } from '../contract/schema/fields.ts'
import { formFields, submissionFields } from '../contract/forms.ts'
import { fieldFields, listFields, statusFields } from '../contract/lists.ts'
import { spaceFields } from '../contract/spaces.ts'
import { attachmentFields } from '../contract/task-attachments.ts'
import { taskFields } from '../contract/tasks.ts'
import { timeEntryFields } from '../contract/time-entries.ts'
import type { IntegerParameter } from '../contract/operation.ts'
import type { Answers } from '../contract/questions/register.ts'
import { grouped } from '../contract/values/text.ts'
import { rowPaging } from '../contract/rows.ts'
import type { ComponentName } from './components.ts'
import { integerSchema } from './parameters.ts'
import type { SchemaObject } from './types.ts'

type Notes = Readonly<Record<string, SchemaObject>>

const says = (description: string): SchemaObject => ({ description })
const seconds = (what: string) => says(`${what}, in Unix seconds.`)
const anyObject: SchemaObject = { type: 'object', additionalProperties: true }

/** Defaults are given in words: generators take a field that has one for a field that must be there. */
function paged(parameter: IntegerParameter, answers: Answers): SchemaObject {
  const { default: initial, ...bounds } = integerSchema(parameter, answers)
  return { ...bounds, description: `${parameter.description} By default ${String(initial)}.` }
}

const rowNotes = {
  Row: { version: says('Counts up with each change.'), data: says('Values keyed by column id.') },
  ListedRow: { version: says('Counts up with each change.') },
  RowPage: { total: says('How many rows match in all.') },
  RowFilter: {
    column: says('Id or name of the column.'),
    value: says(
      'Depends on the operator: `[low, high]` for `between`, an array for `in` and `not_in`, nothing for `is_…`.',
    ),
  },
  RowSort: {
    column: says('Id or name of the column.'),
    direction: { type: 'string', enum: ['asc', 'desc'], description: 'By default `asc`.' },
  },
  RowQuery: {
    match: says('Whether a row must pass all filters (by default) or any of them.'),
    select: says('Ids or names of the columns to answer.'),
  },
  RowWrite: { data: says('Values keyed by column id. Values for read-only columns are dropped in silence.') },
  BulkRows: {
    rows: {
      type: 'array',
      items: anyObject,
      description: `Rows keyed by column id, ${String(bulkRowsPerRequest)} at most.`,
    },
    mode: says('`insert` (by default), or `upsert` to update the rows that match on `key_column`.'),
    key_column: says('Id or name of the column on which an upsert matches.'),
  },
  BulkInsertResult: { count: says('How many rows went in.') },
  UpsertResult: { errorCount: says('How many rows failed.') },
  InsertJob: {
    rows: {
      type: 'array',
      items: anyObject,
      description: `Rows keyed by column id, 1 to ${grouped(bulkRowsPerJob)}.`,
    },
  },
  RowAttachment: {
    key: says('Storage key: `dt/<tableId>/row/<rowId>/<colId>/<filename>`.'),
    size: says('In bytes.'),
    uploadedAt: seconds('Moment of the upload'),
  },
} as const satisfies Partial<Record<ComponentName, Notes>>

const jobNotes = {
  Job: {
    resource_id: says('Id of the datatable.'),
    created_at: seconds('Moment of the submission'),
    updated_at: seconds('Moment of the last progress'),
    completed_at: seconds('Moment of the end, null until then'),
    error_message: says('Messages of chunks that failed, joined, three at most.'),
  },
} as const satisfies Partial<Record<ComponentName, Notes>>

const resourceNotes = {
  DataTableSummary: notesOf(tableFields, 'shown'),
  Column: notesOf(columnFields, 'shown'),
  Option: notesOf(optionFields, 'shown'),
  Status: notesOf(statusFields, 'shown'),
  CustomField: notesOf(fieldFields, 'shown'),
  List: notesOf(listFields, 'shown'),
  ListCreate: notesOf(listFields, 'create'),
  ListPatch: notesOf(listFields, 'patch'),
  Space: notesOf(spaceFields, 'shown'),
  SpaceCreate: notesOf(spaceFields, 'create'),
  SpacePatch: notesOf(spaceFields, 'patch'),
  Task: notesOf(taskFields, 'shown'),
  TaskCreate: notesOf(taskFields, 'create'),
  TaskPatch: notesOf(taskFields, 'patch'),
  Attachment: notesOf(attachmentFields, 'shown'),
  Comment: notesOf(commentFields, 'shown'),
  TimeEntry: notesOf(timeEntryFields, 'shown'),
  TimeEntryPatch: notesOf(timeEntryFields, 'patch'),
  Form: notesOf(formFields, 'shown'),
  FormSubmission: notesOf(submissionFields, 'shown'),
} as const satisfies Partial<Record<ComponentName, Notes>>

/** Of bodies that are no part of a resource, and of what only a body has. */
const bodyNotes = {
  RepeatConfig: {
    trigger: says('`on_schedule` repeats at a fixed cadence, `on_complete` once the task is done.'),
    frequency: says('Required with `on_schedule`, ignored with `on_complete`.'),
    day_of_week: says('0 is Sunday, 6 Saturday; required with `weekly`.'),
    day_of_month: says('Required with `monthly`; in a shorter month its last day.'),
    time: says('`HH:MM`, 24 hours, in the timezone of the workspace; by default `09:00`.'),
    end_date: seconds('Moment after which it stops'),
  },
  CommentCreate: {
    ...notesOf(commentFields, 'create'),
    comment_as: says('Id of the member on whose behalf the comment is made.'),
  },
  TimeEntryCreate: {
    ...notesOf(timeEntryFields, 'create'),
    action: says('`manual` takes all other fields, `start` takes `as_user` only, `stop` takes none.'),
    as_user: says('Id of the member whose entry it is.'),
  },
} as const satisfies Partial<Record<ComponentName, Notes>>

const errorNotes = {
  ErrorBody: {
    error: says('What went wrong, for humans; for validation it names the field.'),
    limitReached: says('Set when a limit of the plan refused.'),
    resource: says('Name of the limit.'),
    limit: says('Value of the limit.'),
    current: says('What was asked for or is in use.'),
    transient: says('Set when trying again is safe; always true with 503.'),
  },
} as const satisfies Partial<Record<ComponentName, Notes>>

/** Assumption: taskPriority, customFieldTypes, limitAboveMax */
function answeredNotes(answers: Answers) {
  const { taskPriority, customFieldTypes } = answers
  const meanings = Object.entries(taskPriority).map(([name, value]) => `${String(value)} ${name}`)
  return {
    RowQuery: {
      ...rowNotes.RowQuery,
      page: paged(rowPaging.page, answers),
      limit: paged(rowPaging.limit, answers),
    },
    Task: {
      ...resourceNotes.Task,
      priority: { enum: Object.values(taskPriority), description: `${meanings.join(', ')}.` },
    },
    CustomField: {
      ...resourceNotes.CustomField,
      type: customFieldTypes.length > 0 ? { enum: [...new Set(customFieldTypes)] } : {},
    },
  } satisfies Partial<Record<ComponentName, Notes>>
}

/** By component and field: what is laid over the field's schema. */
export type FieldNotes = Readonly<Partial<Record<string, Notes>>>

export function fieldNotes(answers: Answers): FieldNotes {
  return {
    ...rowNotes,
    ...jobNotes,
    ...resourceNotes,
    ...bodyNotes,
    ...errorNotes,
    ...answeredNotes(answers),
  }
}

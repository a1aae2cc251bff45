// Notes on fields that the schemas cannot express: units, meanings, and what depends on answers.
import { bulkRowsPerJob, bulkRowsPerRequest } from '../../contract/limits.ts'
import { commentFields } from '../../contract/comments.ts'
import { columnFields, optionFields, tableFields } from '../../contract/datatables.ts'
import type { Fields } from '../../contract/schema/fields.ts'
import { formFields, submissionFields } from '../../contract/forms.ts'
import { fieldFields, listFields, statusFields } from '../../contract/lists.ts'
import { spaceFields } from '../../contract/spaces.ts'
import { attachmentFields } from '../../contract/task-attachments.ts'
import { taskFields } from '../../contract/tasks.ts'
import { timeEntryFields } from '../../contract/time-entries.ts'
import type { IntegerParameter } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { formatCount } from '../../contract/text/format.ts'
import { rowPaging } from '../../contract/rows.ts'
import type { ComponentName } from './components.ts'
import { toIntegerSchema } from './parameters.ts'
import type { SchemaObject } from './types.ts'

/** Additions to field schemas; a string is the description. */
type Notes = Readonly<Record<string, SchemaObject | string>>
export type FieldNotes = Readonly<Partial<Record<string, Notes>>>

const seconds = (what: string) => `${what}, in Unix seconds.`
const anyObject: SchemaObject = { type: 'object', additionalProperties: true }

/** Notes by field for the OpenAPI document, except for fields that responses show in another form. */
function describeFields(
  fields: Fields,
  side: 'create' | 'patch' | 'shown',
): Readonly<Record<string, { readonly description: string }>> {
  const notes = Object.entries(fields).flatMap(([name, { options }]) => {
    const { note, byDefault, sent, shown } = options
    const isThere = side === 'shown' ? shown !== false && typeof shown !== 'object' : sent !== undefined
    if (!isThere || (side === 'create' && sent === 'patched')) return []
    const otherwise = side === 'create' && byDefault !== undefined ? `By default ${byDefault}.` : undefined
    const description = [note, otherwise].filter((part) => part !== undefined).join(' ')
    return description === '' ? [] : [[name, { description }] as const]
  })
  return Object.fromEntries(notes)
}

/** States the default in words, because generators treat a field with a `default` as required. */
function toPagingNote(parameter: IntegerParameter, answers: Answers): SchemaObject {
  const { default: initial, ...bounds } = toIntegerSchema(parameter, answers)
  return { ...bounds, description: `${parameter.description} By default ${String(initial)}.` }
}

/** Resources by the component that shows them; the components for their bodies end in `Create` and `Patch`. */
const resources = {
  DataTableSummary: tableFields,
  Column: columnFields,
  Option: optionFields,
  Status: statusFields,
  CustomField: fieldFields,
  List: listFields,
  Space: spaceFields,
  Task: taskFields,
  Attachment: attachmentFields,
  Comment: commentFields,
  TimeEntry: timeEntryFields,
  Form: formFields,
  FormSubmission: submissionFields,
} as const satisfies Partial<Record<ComponentName, Fields>>

const resourceNotes: FieldNotes = Object.fromEntries(
  Object.entries(resources).flatMap(([name, fields]) => [
    [name, describeFields(fields, 'shown')],
    [`${name}Create`, describeFields(fields, 'create')],
    [`${name}Patch`, describeFields(fields, 'patch')],
  ]),
)

/** Notes on components that are not resources. */
const otherNotes = {
  Row: { version: 'Incremented by each change.', data: 'Values keyed by column id.' },
  ListedRow: { version: 'Incremented by each change.' },
  RowPage: { total: 'Number of rows that match.' },
  RowFilter: {
    column: 'Id or name of the column.',
    value:
      'Depends on the operator: `[low, high]` for `between`, an array for `in` and `not_in`, nothing for `is_…`.',
  },
  RowSort: {
    column: 'Id or name of the column.',
    direction: { type: 'string', enum: ['asc', 'desc'], description: 'By default `asc`.' },
  },
  RowQuery: {
    match: 'Whether a row must pass all filters (the default) or any of them.',
    select: 'Ids or names of the columns to return.',
  },
  RowWrite: { data: 'Values keyed by column id. Values for read-only columns are dropped silently.' },
  BulkRows: {
    rows: {
      type: 'array',
      items: anyObject,
      description: `Rows keyed by column id, at most ${String(bulkRowsPerRequest)}.`,
    },
    mode: '`insert` (the default), or `upsert` to update the rows that match on `key_column`.',
    key_column: 'Id or name of the column on which an upsert matches.',
  },
  BulkInsertResult: { count: 'Number of inserted rows.' },
  UpsertResult: { errorCount: 'Number of failed rows.' },
  InsertJob: {
    rows: {
      type: 'array',
      items: anyObject,
      description: `Rows keyed by column id, 1 to ${formatCount(bulkRowsPerJob)}.`,
    },
  },
  RowAttachment: {
    key: 'Storage key: `dt/<tableId>/row/<rowId>/<colId>/<filename>`.',
    size: 'In bytes.',
    uploadedAt: seconds('Time of the upload'),
  },
  Job: {
    resource_id: 'Id of the datatable.',
    created_at: seconds('Time of the submission'),
    updated_at: seconds('Time of the last progress'),
    completed_at: seconds('When the job ended (null until then)'),
    error_message: 'Messages of failed chunks, at most three, joined.',
  },
  RepeatConfig: {
    trigger: '`on_schedule` repeats at a fixed cadence, `on_complete` once the task is done.',
    frequency: 'Required with `on_schedule`, ignored with `on_complete`.',
    day_of_week: '0 is Sunday, 6 Saturday; required with `weekly`.',
    day_of_month: 'Required with `monthly`; in a shorter month, its last day is used.',
    time: '`HH:MM`, 24 hours, in the timezone of the workspace; by default `09:00`.',
    end_date: seconds('Time after which it stops'),
  },
  CommentCreate: {
    ...resourceNotes.CommentCreate,
    comment_as: 'Id of the member on whose behalf the comment is made.',
  },
  TimeEntryCreate: {
    ...resourceNotes.TimeEntryCreate,
    action: '`manual` takes all other fields, `start` takes `as_user` only, `stop` takes none.',
    as_user: 'Id of the member whose entry it is.',
  },
  ErrorBody: {
    error: 'What went wrong, for humans; for validation it names the field.',
    limitReached: 'Set when a plan limit caused the error.',
    resource: 'Name of the limit.',
    limit: 'Value of the limit.',
    current: 'The number requested or in use.',
    transient: 'Set when trying again is safe; always true with 503.',
  },
} as const satisfies Partial<Record<ComponentName, Notes>>

/** Assumption: taskPriority, customFieldTypes, limitAboveMax */
export function listFieldNotes(answers: Answers): FieldNotes {
  const { taskPriority, customFieldTypes } = answers
  const meanings = Object.entries(taskPriority).map(([name, value]) => `${String(value)} ${name}`)
  const ofAnswers = {
    RowQuery: {
      ...otherNotes.RowQuery,
      page: toPagingNote(rowPaging.page, answers),
      limit: toPagingNote(rowPaging.limit, answers),
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
  return { ...resourceNotes, ...otherNotes, ...ofAnswers }
}

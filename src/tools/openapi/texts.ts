// The document's prose: its introduction, its tags, and remarks on operations.
import { formatCount } from '../../contract/text/format.ts'
import { bulkRowsPerJob, bulkRowsPerRequest, laterWaits, pollMs } from '../../contract/limits.ts'
import type { OperationId, Operations } from '../../contract/index.ts'

export const introduction = [
  'Access to one workspace of a work-management product: its datatables, tasks, time entries, files and forms.',
  'All times are whole Unix seconds; all ids are strings. Browsers can call every endpoint (CORS).',
  `Requests refused with 429, 500 or 503 can be retried, including writes: at once, then after ${laterWaits} seconds, giving up after ` +
    'the fifth retry. `Retry-After` takes precedence over this schedule.',
  '`x-provenance` distinguishes what the contract documents from what is assumed. An operation lists the gaps in the contract ' +
    'that it depends on in `x-open-questions`; the `x-open-questions` of the document give the answer assumed for each gap.',
].join('\n\n')

export type Tag = Operations[OperationId]['tag']

export const tagDescriptions: Readonly<Record<Tag, string>> = {
  Workspace: 'The workspace of the key, its plan and its members.',
  Datatables: "Users' own tables: columns are read-only, rows can be read and written.",
  Jobs: `Inserts of up to ${formatCount(bulkRowsPerJob)} rows that run in the background.`,
  'Row attachments': 'Files in attachment columns of rows.',
  'Spaces and lists':
    'The structure of the workspace: spaces contain lists, lists have statuses and custom fields.',
  Tasks: 'Tasks of a list, with custom fields, assignees and recurrence.',
  Comments: 'Comments on tasks, plain or rich text.',
  'Time entries': 'Time spent on tasks, entered by hand or with a timer.',
  'Task attachments': 'Files of tasks.',
  Forms: 'Public intake forms and their submissions, read-only.',
}

/** What a client should know about an operation beyond its parameters and responses. Source: contract, Endpoints. */
export const remarks: Partial<Readonly<Record<OperationId, string>>> = {
  createRow: 'Values for read-only columns are dropped silently.',
  bulkInsertRows:
    'Each row is checked on its own: those that fail are reported in the response, all others are inserted. An upsert matches ' +
    `rows on \`key_column\`, so that sending the same rows again creates no duplicates. Send more than ${String(bulkRowsPerRequest)} rows as a job.`,
  updateRow: 'Columns left out stay as they are. Values for read-only columns are dropped silently.',
  deleteRow: 'Takes effect immediately and cannot be undone.',
  submitInsertJob:
    `For ${String(bulkRowsPerRequest + 1)} to ${formatCount(bulkRowsPerJob)} rows; send more as several jobs. ` +
    'Poll the job until it is done or has failed.',
  getJob: `Poll no faster than every ${String(pollMs)} ms, until \`status\` is \`done\` or \`failed\`.`,
  createTask:
    'If one file fails, no task is created. Without `status_id` the task gets the first active status of the list.',
  updateTask:
    'Fields left out stay as they are. A task that repeats on completion is cloned when its status becomes one of type done.',
  updateComment: 'A master key can change any comment, a scoped key only its own.',
  deleteComment: 'A master key can delete any comment, a scoped key only its own.',
  createTimeEntry:
    '`manual` adds a stopped entry, `start` starts a timer, `stop` ends one. Only stopped entries can be changed later.',
  updateTimeEntry: 'Possible only while the entry is stopped.',
  listFormSubmissions:
    'To stay up to date, list everything once, then pass the last `created_at` seen as `since`.',
}

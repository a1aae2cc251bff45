// Names the schemas that become components of the document.
import * as comments from '../../contract/comments.ts'
import { Empty, Member, Success, TextOrDocument } from '../../contract/schema/common.ts'
import * as datatables from '../../contract/datatables.ts'
import { ErrorBody } from '../../contract/schema/error-body.ts'
import * as forms from '../../contract/forms.ts'
import { Identity, Plan } from '../../contract/identity.ts'
import { InsertJob, Job, JobStatus } from '../../contract/jobs.ts'
import * as lists from '../../contract/lists.ts'
import { resolveSchema, type ResponseSchema, type Schema } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import * as rowAttachments from '../../contract/row-attachments.ts'
import * as rows from '../../contract/rows.ts'
import { Space, SpaceCreate, SpacePatch } from '../../contract/spaces.ts'
import { Attachment } from '../../contract/task-attachments.ts'
import { RepeatConfig, Task, TaskCreate, TaskPatch } from '../../contract/tasks.ts'
import * as timeEntries from '../../contract/time-entries.ts'

/** If a schema has two names, the first one wins. */
const componentSchemas = {
  ErrorBody,
  Success,
  Empty,
  Plan,
  Member,
  Identity,
  TextOrDocument,
  DataTableSummary: datatables.DataTableSummary,
  ColumnType: datatables.ColumnType,
  Option: datatables.Option,
  Column: datatables.Column,
  Row: rows.Row,
  ListedRow: rows.ListedRow,
  RowPage: rows.RowPage,
  RowOperator: rows.Operator,
  RowFilter: rows.Filter,
  RowSort: rows.Sort,
  RowQuery: rows.RowQuery,
  RowWrite: rows.RowWrite,
  BulkRows: rows.BulkRows,
  RowErrors: rows.RowErrors,
  BulkInsertResult: rows.BulkInsertResult,
  UpsertResult: rows.UpsertResult,
  InsertJob,
  JobStatus,
  Job,
  RowAttachment: rowAttachments.RowAttachment,
  RowAttachmentUpload: rowAttachments.RowAttachmentUpload,
  List: lists.List,
  ListCreate: lists.ListCreate,
  ListPatch: lists.ListPatch,
  Status: lists.Status,
  CustomField: lists.CustomField,
  Space,
  SpaceCreate,
  SpacePatch,
  RepeatConfig,
  Task,
  TaskCreate,
  TaskPatch,
  Attachment,
  Comment: comments.Comment,
  CommentCreate: comments.CommentCreate,
  CommentPatch: comments.CommentPatch,
  TimeEntry: timeEntries.TimeEntry,
  TimeEntryUser: timeEntries.TimeEntryUser,
  TimeEntryCreate: timeEntries.TimeEntryCreate,
  TimeEntryPatch: timeEntries.TimeEntryPatch,
  Form: forms.Form,
  FormSubmission: forms.FormSubmission,
} as const satisfies Record<string, ResponseSchema>

export type ComponentName = keyof typeof componentSchemas

interface NamedSchema {
  readonly name: ComponentName
  /** The schema as the contract declares it; it can depend on answers. */
  readonly declared: ResponseSchema
  readonly schema: Schema
}

export function nameSchemas(answers: Answers): NamedSchema[] {
  const seen = new Set<Schema>()
  const named: NamedSchema[] = []
  for (const [name, declared] of Object.entries<ResponseSchema>(componentSchemas)) {
    const schema = resolveSchema(declared, answers)
    if (!seen.has(schema)) named.push({ name: name as ComponentName, declared, schema })
    seen.add(schema)
  }
  return named
}

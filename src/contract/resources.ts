// The resources that are kept as records, each named once.
import type * as z from 'zod/mini'
import { CommentRecord } from './comments.ts'
import { TableRecord } from './datatables.ts'
import { FormRecord, SubmissionRecord } from './forms.ts'
import { JobRecord } from './jobs.ts'
import { ListRecord } from './lists.ts'
import type { Schema } from './operation.ts'
import { SpaceRecord } from './spaces.ts'
import { AttachmentRecord } from './task-attachments.ts'
import { TaskRecord } from './tasks.ts'
import { TimeEntryRecord } from './time-entries.ts'
import { KeyRecord, WorkspaceRecord } from './workspaces.ts'

/** What every record has. */
export interface Entity {
  readonly id: string
}

interface Resource {
  readonly schema: Schema<Entity>
  /** As messages and generated ids have it. */
  readonly singular: string
  /** As fixtures spell the array that holds it. */
  readonly plural: string
  /** The key that names the record it belongs to. */
  readonly owner?: string
}

/** In the order in which one can name another. */
export const resources = {
  workspaces: { schema: WorkspaceRecord, singular: 'workspace', plural: 'workspaces' },
  keys: { schema: KeyRecord, singular: 'key', plural: 'keys', owner: 'workspace_id' },
  tables: { schema: TableRecord, singular: 'table', plural: 'tables', owner: 'workspace_id' },
  spaces: { schema: SpaceRecord, singular: 'space', plural: 'spaces', owner: 'workspace_id' },
  lists: { schema: ListRecord, singular: 'list', plural: 'lists', owner: 'space_id' },
  tasks: { schema: TaskRecord, singular: 'task', plural: 'tasks', owner: 'list_id' },
  comments: { schema: CommentRecord, singular: 'comment', plural: 'comments', owner: 'task_id' },
  timeEntries: {
    schema: TimeEntryRecord,
    singular: 'time_entry',
    plural: 'time_entries',
    owner: 'task_id',
  },
  attachments: { schema: AttachmentRecord, singular: 'attachment', plural: 'attachments', owner: 'task_id' },
  forms: { schema: FormRecord, singular: 'form', plural: 'forms', owner: 'workspace_id' },
  submissions: { schema: SubmissionRecord, singular: 'submission', plural: 'submissions', owner: 'form_id' },
  jobs: { schema: JobRecord, singular: 'job', plural: 'jobs', owner: 'workspace_id' },
} as const satisfies Readonly<Record<string, Resource>>

export type Resources = typeof resources
export type ResourceName = keyof Resources
/** The record of each resource. */
export type Records = { [Name in ResourceName]: z.infer<Resources[Name]['schema']> }
export const resourceNames = Object.keys(resources) as ResourceName[]

// The resources that are stored as records, each named once.
import { commentFields } from './comments.ts'
import { tableFields } from './datatables.ts'
import { formFields, submissionFields } from './forms.ts'
import { jobFields } from './jobs.ts'
import { listFields } from './lists.ts'
import { recordOf, type Fields } from './schema/fields.ts'
import { spaceFields } from './spaces.ts'
import { attachmentFields } from './task-attachments.ts'
import { taskFields } from './tasks.ts'
import { timeEntryFields } from './time-entries.ts'
import { keyFields, workspaceFields } from './workspaces.ts'
import type * as types from './types.d.ts'

export interface Entity {
  readonly id: string
}

/**
 * Declares a resource.
 * @param singular its name in messages and generated ids
 * @param plural the name of its array in fixtures
 * @param owner the field that names the owning record
 */
const resource = <F extends Fields, Plural extends string>(
  fields: F,
  singular: string,
  plural: Plural,
  owner?: string,
) => ({ fields, schema: recordOf(fields), singular, plural, owner })

/** All resources, ordered so that each refers only to earlier ones. */
export const resources = {
  workspaces: resource(workspaceFields, 'workspace', 'workspaces'),
  keys: resource(keyFields, 'key', 'keys', 'workspace_id'),
  tables: resource(tableFields, 'table', 'tables', 'workspace_id'),
  spaces: resource(spaceFields, 'space', 'spaces', 'workspace_id'),
  lists: resource(listFields, 'list', 'lists', 'space_id'),
  tasks: resource(taskFields, 'task', 'tasks', 'list_id'),
  comments: resource(commentFields, 'comment', 'comments', 'task_id'),
  timeEntries: resource(timeEntryFields, 'time_entry', 'time_entries', 'task_id'),
  attachments: resource(attachmentFields, 'attachment', 'attachments', 'task_id'),
  forms: resource(formFields, 'form', 'forms', 'workspace_id'),
  submissions: resource(submissionFields, 'submission', 'submissions', 'form_id'),
  jobs: resource(jobFields, 'job', 'jobs', 'workspace_id'),
}

export type ResourceName = keyof Records
export type Records = types.Records
export const resourceNames = Object.keys(resources) as ResourceName[]

/** The field that names the owner of a resource's records, such as `list_id`. */
export const ownerKeyOf = (name: ResourceName): string | undefined => resources[name].owner

/** The resource that an owner key refers to: `lists` for `list_id`. */
export const ownerOf = (key: string): ResourceName =>
  resourceNames.find((name) => `${resources[name].singular}_id` === key) ?? 'workspaces'

/** The resources owned by records of `owner`. */
export const listOwnedResources = (owner: ResourceName): ResourceName[] =>
  resourceNames.filter((name) => {
    const key = ownerKeyOf(name)
    return key !== undefined && ownerOf(key) === owner
  })

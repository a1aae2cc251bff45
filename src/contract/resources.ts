// The resources that are kept as records, each named once.
import type * as z from 'zod/mini'
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

export interface Entity {
  readonly id: string
}

interface Names {
  /** As in messages and generated ids. */
  readonly singular: string
  /** The name of the array that contains it in fixtures. */
  readonly plural: string
  /** The field that names the record it belongs to. */
  readonly owner?: string
}

const resource = <F extends Fields, const N extends Names>(fields: F, names: N) => ({
  fields,
  schema: recordOf(fields),
  ...names,
})

/** In an order in which each can refer to those before it. */
export const resources = {
  workspaces: resource(workspaceFields, { singular: 'workspace', plural: 'workspaces' }),
  keys: resource(keyFields, { singular: 'key', plural: 'keys', owner: 'workspace_id' }),
  tables: resource(tableFields, { singular: 'table', plural: 'tables', owner: 'workspace_id' }),
  spaces: resource(spaceFields, { singular: 'space', plural: 'spaces', owner: 'workspace_id' }),
  lists: resource(listFields, { singular: 'list', plural: 'lists', owner: 'space_id' }),
  tasks: resource(taskFields, { singular: 'task', plural: 'tasks', owner: 'list_id' }),
  comments: resource(commentFields, { singular: 'comment', plural: 'comments', owner: 'task_id' }),
  timeEntries: resource(timeEntryFields, {
    singular: 'time_entry',
    plural: 'time_entries',
    owner: 'task_id',
  }),
  attachments: resource(attachmentFields, {
    singular: 'attachment',
    plural: 'attachments',
    owner: 'task_id',
  }),
  forms: resource(formFields, { singular: 'form', plural: 'forms', owner: 'workspace_id' }),
  submissions: resource(submissionFields, {
    singular: 'submission',
    plural: 'submissions',
    owner: 'form_id',
  }),
  jobs: resource(jobFields, { singular: 'job', plural: 'jobs', owner: 'workspace_id' }),
}

export type Resources = typeof resources
export type ResourceName = keyof Resources
export type Records = { [Name in ResourceName]: z.infer<Resources[Name]['schema']> }
export const resourceNames = Object.keys(resources) as ResourceName[]

/** The field of a resource's records that names their owner, such as `list_id`. */
export function ownerKeyOf(name: ResourceName): string | undefined {
  const resource = resources[name]
  return 'owner' in resource ? resource.owner : undefined
}

/** The resource that an owner key refers to: `lists` for `list_id`. */
export const ownerOf = (key: string): ResourceName =>
  resourceNames.find((name) => `${resources[name].singular}_id` === key) ?? 'workspaces'

/** The resources whose records belong to a record of `owner`. */
export const ownedResources = (owner: ResourceName): ResourceName[] =>
  resourceNames.filter((name) => {
    const key = ownerKeyOf(name)
    return key !== undefined && ownerOf(key) === owner
  })

// All operations, in the order of the documentation.
import * as comments from './comments.ts'
import * as datatables from './datatables.ts'
import * as forms from './forms.ts'
import * as identity from './identity.ts'
import * as jobs from './jobs.ts'
import * as lists from './lists.ts'
import type { BodyOf, OperationSpec, PathParameter, QueryOf, SuccessOf } from './operation.ts'
import * as rowAttachments from './row-attachments.ts'
import * as rows from './rows.ts'
import type { OperationId } from './scopes.ts'
import * as spaces from './spaces.ts'
import * as taskAttachments from './task-attachments.ts'
import * as tasks from './tasks.ts'
import * as timeEntries from './time-entries.ts'

export const operations = {
  getIdentity: identity.getIdentity,
  listDatatables: datatables.listDatatables,
  getDatatableSchema: datatables.getDatatableSchema,
  listRows: rows.listRows,
  queryRows: rows.queryRows,
  createRow: rows.createRow,
  bulkInsertRows: rows.bulkInsertRows,
  getRow: rows.getRow,
  updateRow: rows.updateRow,
  deleteRow: rows.deleteRow,
  submitInsertJob: jobs.submitInsertJob,
  getJob: jobs.getJob,
  uploadRowAttachment: rowAttachments.uploadRowAttachment,
  deleteRowAttachment: rowAttachments.deleteRowAttachment,
  listSpaces: spaces.listSpaces,
  createSpace: spaces.createSpace,
  updateSpace: spaces.updateSpace,
  createList: lists.createList,
  listLists: lists.listLists,
  getList: lists.getList,
  updateList: lists.updateList,
  getListSchema: lists.getListSchema,
  listTasks: tasks.listTasks,
  createTask: tasks.createTask,
  getTask: tasks.getTask,
  updateTask: tasks.updateTask,
  deleteTask: tasks.deleteTask,
  listComments: comments.listComments,
  createComment: comments.createComment,
  updateComment: comments.updateComment,
  deleteComment: comments.deleteComment,
  listTimeEntries: timeEntries.listTimeEntries,
  createTimeEntry: timeEntries.createTimeEntry,
  updateTimeEntry: timeEntries.updateTimeEntry,
  deleteTimeEntry: timeEntries.deleteTimeEntry,
  listTaskAttachments: taskAttachments.listTaskAttachments,
  uploadTaskAttachment: taskAttachments.uploadTaskAttachment,
  downloadTaskAttachment: taskAttachments.downloadTaskAttachment,
  deleteTaskAttachment: taskAttachments.deleteTaskAttachment,
  listForms: forms.listForms,
  getForm: forms.getForm,
  listFormSubmissions: forms.listFormSubmissions,
} as const satisfies Record<OperationId, OperationSpec>

export type Operations = typeof operations
export type { OperationId }

export type PathOf<Id extends OperationId> = PathParameter<Operations[Id]['path']>
export type QueryFor<Id extends OperationId> = QueryOf<Operations[Id]>
export type BodyFor<Id extends OperationId> = BodyOf<Operations[Id]>
export type SuccessFor<Id extends OperationId> = SuccessOf<Operations[Id]>

export const operationList: readonly (OperationSpec & { readonly id: OperationId })[] =
  Object.values(operations)

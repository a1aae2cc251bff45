// The default scope of each operation, and thereby the list of operation ids.

/** The scope that each operation needs, in documentation order. Assumption: scopes */
export const defaultScopes = {
  getIdentity: 'workspace:read',
  listDatatables: 'datatables:read',
  getDatatableSchema: 'datatables:read',
  listRows: 'rows:read',
  queryRows: 'rows:read',
  createRow: 'rows:write',
  bulkInsertRows: 'rows:write',
  getRow: 'rows:read',
  updateRow: 'rows:write',
  deleteRow: 'rows:write',
  submitInsertJob: 'jobs:write',
  getJob: 'jobs:read',
  uploadRowAttachment: 'attachments:write',
  deleteRowAttachment: 'attachments:write',
  listSpaces: 'spaces:read',
  createSpace: 'spaces:write',
  updateSpace: 'spaces:write',
  createList: 'spaces:write',
  listLists: 'spaces:read',
  getList: 'spaces:read',
  updateList: 'spaces:write',
  getListSchema: 'spaces:read',
  listTasks: 'tasks:read',
  createTask: 'tasks:write',
  getTask: 'tasks:read',
  updateTask: 'tasks:write',
  deleteTask: 'tasks:write',
  listComments: 'comments:read',
  createComment: 'comments:write',
  updateComment: 'comments:write',
  deleteComment: 'comments:write',
  listTimeEntries: 'time:read',
  createTimeEntry: 'time:write',
  updateTimeEntry: 'time:write',
  deleteTimeEntry: 'time:write',
  listTaskAttachments: 'attachments:read',
  uploadTaskAttachment: 'attachments:write',
  downloadTaskAttachment: 'attachments:read',
  deleteTaskAttachment: 'attachments:write',
  listForms: 'forms:read',
  getForm: 'forms:read',
  listFormSubmissions: 'forms:read',
} as const
export type OperationId = keyof typeof defaultScopes

/** All operation ids, in documentation order. */
export const operationIds = Object.freeze(Object.keys(defaultScopes)) as readonly OperationId[]

/** Whether an operation changes something and therefore needs a write scope. */
export const isWrite = (operation: OperationId) => defaultScopes[operation].endsWith(':write')

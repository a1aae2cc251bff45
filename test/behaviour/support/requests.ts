// One good request for each operation, against the suite's fixture.
import type { Api, CallOptions, Reply } from './harness.ts'
import { multipart } from './harness.ts'

export interface GoodRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  /** What it is answered with. */
  readonly status: number
  readonly scope: string
  readonly json?: unknown
  /** Whether it carries a file. */
  readonly file?: true
}

const row = '/datatables/tbl_all/rows/row_1'
const file = 'dt/tbl_all/row/row_1/col_attachment/none.txt'

/**
 * In documentation order. `deleteRowAttachment` alone is answered with 404, since no row of the fixture has a file.
 */
export const goodRequests: readonly GoodRequest[] = [
  { id: 'getIdentity', method: 'GET', path: '/me', status: 200, scope: 'workspace:read' },
  { id: 'listDatatables', method: 'GET', path: '/datatables', status: 200, scope: 'datatables:read' },
  {
    id: 'getDatatableSchema',
    method: 'GET',
    path: '/datatables/tbl_all/schema',
    status: 200,
    scope: 'datatables:read',
  },
  { id: 'listRows', method: 'GET', path: '/datatables/tbl_all/rows', status: 200, scope: 'rows:read' },
  {
    id: 'queryRows',
    method: 'POST',
    path: '/datatables/tbl_all/query',
    status: 200,
    scope: 'rows:read',
    json: {},
  },
  {
    id: 'createRow',
    method: 'POST',
    path: '/datatables/tbl_all/rows',
    status: 200,
    scope: 'rows:write',
    json: { data: { col_text: 'New' } },
  },
  {
    id: 'bulkInsertRows',
    method: 'POST',
    path: '/datatables/tbl_all/rows/bulk',
    status: 200,
    scope: 'rows:write',
    json: { rows: [{ col_text: 'New' }] },
  },
  { id: 'getRow', method: 'GET', path: row, status: 200, scope: 'rows:read' },
  {
    id: 'updateRow',
    method: 'PATCH',
    path: row,
    status: 200,
    scope: 'rows:write',
    json: { data: { col_number: 9 } },
  },
  {
    id: 'deleteRow',
    method: 'DELETE',
    path: '/datatables/tbl_all/rows/row_2',
    status: 200,
    scope: 'rows:write',
  },
  {
    id: 'submitInsertJob',
    method: 'POST',
    path: '/datatables/tbl_all/jobs/insert',
    status: 202,
    scope: 'jobs:write',
    json: { rows: [{ col_text: 'New' }] },
  },
  { id: 'getJob', method: 'GET', path: '/jobs/job_old', status: 200, scope: 'jobs:read' },
  {
    id: 'uploadRowAttachment',
    method: 'POST',
    path: `${row}/attachments`,
    status: 200,
    scope: 'attachments:write',
    file: true,
  },
  {
    id: 'deleteRowAttachment',
    method: 'DELETE',
    path: `${row}/attachments/${encodeURIComponent(file)}`,
    status: 404,
    scope: 'attachments:write',
  },
  { id: 'listSpaces', method: 'GET', path: '/spaces', status: 200, scope: 'spaces:read' },
  {
    id: 'createSpace',
    method: 'POST',
    path: '/spaces',
    status: 200,
    scope: 'spaces:write',
    json: { name: 'New' },
  },
  {
    id: 'updateSpace',
    method: 'PATCH',
    path: '/spaces/spc_main',
    status: 200,
    scope: 'spaces:write',
    json: { name: 'Renamed' },
  },
  {
    id: 'createList',
    method: 'POST',
    path: '/spaces/spc_main/lists',
    status: 201,
    scope: 'spaces:write',
    json: { name: 'New' },
  },
  { id: 'listLists', method: 'GET', path: '/lists', status: 200, scope: 'spaces:read' },
  { id: 'getList', method: 'GET', path: '/lists/lst_main', status: 200, scope: 'spaces:read' },
  {
    id: 'updateList',
    method: 'PATCH',
    path: '/lists/lst_main',
    status: 200,
    scope: 'spaces:write',
    json: { name: 'Renamed' },
  },
  { id: 'getListSchema', method: 'GET', path: '/lists/lst_main/schema', status: 200, scope: 'spaces:read' },
  { id: 'listTasks', method: 'GET', path: '/lists/lst_main/tasks', status: 200, scope: 'tasks:read' },
  {
    id: 'createTask',
    method: 'POST',
    path: '/lists/lst_main/tasks',
    status: 201,
    scope: 'tasks:write',
    json: { title: 'New' },
  },
  { id: 'getTask', method: 'GET', path: '/tasks/tsk_full', status: 200, scope: 'tasks:read' },
  {
    id: 'updateTask',
    method: 'PATCH',
    path: '/tasks/tsk_full',
    status: 200,
    scope: 'tasks:write',
    json: { title: 'Renamed' },
  },
  { id: 'deleteTask', method: 'DELETE', path: '/tasks/tsk_done', status: 200, scope: 'tasks:write' },
  {
    id: 'listComments',
    method: 'GET',
    path: '/tasks/tsk_full/comments',
    status: 200,
    scope: 'comments:read',
  },
  {
    id: 'createComment',
    method: 'POST',
    path: '/tasks/tsk_full/comments',
    status: 200,
    scope: 'comments:write',
    json: { content: 'New' },
  },
  {
    id: 'updateComment',
    method: 'PATCH',
    path: '/tasks/tsk_full/comments/cmt_scoped',
    status: 200,
    scope: 'comments:write',
    json: { content: 'Edited' },
  },
  {
    id: 'deleteComment',
    method: 'DELETE',
    path: '/tasks/tsk_full/comments/cmt_scoped',
    status: 200,
    scope: 'comments:write',
  },
  {
    id: 'listTimeEntries',
    method: 'GET',
    path: '/tasks/tsk_full/time-entries',
    status: 200,
    scope: 'time:read',
  },
  {
    id: 'createTimeEntry',
    method: 'POST',
    path: '/tasks/tsk_full/time-entries',
    status: 200,
    scope: 'time:write',
    json: { action: 'start' },
  },
  {
    id: 'updateTimeEntry',
    method: 'PATCH',
    path: '/tasks/tsk_full/time-entries/ent_ada',
    status: 200,
    scope: 'time:write',
    json: { note: 'Noted' },
  },
  {
    id: 'deleteTimeEntry',
    method: 'DELETE',
    path: '/tasks/tsk_full/time-entries/ent_bo',
    status: 200,
    scope: 'time:write',
  },
  {
    id: 'listTaskAttachments',
    method: 'GET',
    path: '/tasks/tsk_full/attachments',
    status: 200,
    scope: 'attachments:read',
  },
  {
    id: 'uploadTaskAttachment',
    method: 'POST',
    path: '/tasks/tsk_full/attachments',
    status: 201,
    scope: 'attachments:write',
    file: true,
  },
  {
    id: 'downloadTaskAttachment',
    method: 'GET',
    path: '/tasks/tsk_full/attachments/att_brief',
    status: 200,
    scope: 'attachments:read',
  },
  {
    id: 'deleteTaskAttachment',
    method: 'DELETE',
    path: '/tasks/tsk_full/attachments/att_brief',
    status: 200,
    scope: 'attachments:write',
  },
  { id: 'listForms', method: 'GET', path: '/forms', status: 200, scope: 'forms:read' },
  { id: 'getForm', method: 'GET', path: '/forms/frm_task', status: 200, scope: 'forms:read' },
  {
    id: 'listFormSubmissions',
    method: 'GET',
    path: '/forms/frm_task/submissions',
    status: 200,
    scope: 'forms:read',
  },
]

/** Sends a good request. */
export function send(api: Api, request: GoodRequest, options: CallOptions = {}): Promise<Reply> {
  const content = request.file
    ? { body: multipart([{ filename: 'new.txt', content: 'new' }]) }
    : request.json === undefined
      ? {}
      : { json: request.json }
  return api.call(request.method, request.path, { ...content, ...options })
}

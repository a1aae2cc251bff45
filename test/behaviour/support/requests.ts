// One valid request for each operation, against the suite's fixture.
import type { Api, CallOptions, Reply } from './harness.ts'
import { multipart } from './multipart.ts'

export interface GoodRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The expected status. */
  readonly status: number
  readonly scope: string
  readonly json?: unknown
  /** Whether it contains a file. */
  readonly file?: true
}

/** @param route method and path */
function good(
  id: string,
  route: string,
  status: number,
  scope: string,
  content: Pick<GoodRequest, 'json' | 'file'> = {},
): GoodRequest {
  const [method = '', path = ''] = route.split(' ')
  return { id, method, path, status, scope, ...content }
}

const row = '/datatables/tbl_all/rows/row_1'
const file = 'dt/tbl_all/row/row_1/col_attachment/none.txt'

/** In documentation order. Only `deleteRowAttachment` gets 404, because no row in the fixture has a file. */
export const goodRequests: readonly GoodRequest[] = [
  good('getIdentity', 'GET /me', 200, 'workspace:read'),
  good('listDatatables', 'GET /datatables', 200, 'datatables:read'),
  good('getDatatableSchema', 'GET /datatables/tbl_all/schema', 200, 'datatables:read'),
  good('listRows', 'GET /datatables/tbl_all/rows', 200, 'rows:read'),
  good('queryRows', 'POST /datatables/tbl_all/query', 200, 'rows:read', { json: {} }),
  good('createRow', 'POST /datatables/tbl_all/rows', 200, 'rows:write', {
    json: { data: { col_text: 'New' } },
  }),
  good('bulkInsertRows', 'POST /datatables/tbl_all/rows/bulk', 200, 'rows:write', {
    json: { rows: [{ col_text: 'New' }] },
  }),
  good('getRow', `GET ${row}`, 200, 'rows:read'),
  good('updateRow', `PATCH ${row}`, 200, 'rows:write', { json: { data: { col_number: 9 } } }),
  good('deleteRow', 'DELETE /datatables/tbl_all/rows/row_2', 200, 'rows:write'),
  good('submitInsertJob', 'POST /datatables/tbl_all/jobs/insert', 202, 'jobs:write', {
    json: { rows: [{ col_text: 'New' }] },
  }),
  good('getJob', 'GET /jobs/job_old', 200, 'jobs:read'),
  good('uploadRowAttachment', `POST ${row}/attachments`, 200, 'attachments:write', { file: true }),
  good(
    'deleteRowAttachment',
    `DELETE ${row}/attachments/${encodeURIComponent(file)}`,
    404,
    'attachments:write',
  ),
  good('listSpaces', 'GET /spaces', 200, 'spaces:read'),
  good('createSpace', 'POST /spaces', 200, 'spaces:write', { json: { name: 'New' } }),
  good('updateSpace', 'PATCH /spaces/spc_main', 200, 'spaces:write', { json: { name: 'Renamed' } }),
  good('createList', 'POST /spaces/spc_main/lists', 201, 'spaces:write', { json: { name: 'New' } }),
  good('listLists', 'GET /lists', 200, 'spaces:read'),
  good('getList', 'GET /lists/lst_main', 200, 'spaces:read'),
  good('updateList', 'PATCH /lists/lst_main', 200, 'spaces:write', { json: { name: 'Renamed' } }),
  good('getListSchema', 'GET /lists/lst_main/schema', 200, 'spaces:read'),
  good('listTasks', 'GET /lists/lst_main/tasks', 200, 'tasks:read'),
  good('createTask', 'POST /lists/lst_main/tasks', 201, 'tasks:write', { json: { title: 'New' } }),
  good('getTask', 'GET /tasks/tsk_full', 200, 'tasks:read'),
  good('updateTask', 'PATCH /tasks/tsk_full', 200, 'tasks:write', { json: { title: 'Renamed' } }),
  good('deleteTask', 'DELETE /tasks/tsk_done', 200, 'tasks:write'),
  good('listComments', 'GET /tasks/tsk_full/comments', 200, 'comments:read'),
  good('createComment', 'POST /tasks/tsk_full/comments', 200, 'comments:write', { json: { content: 'New' } }),
  good('updateComment', 'PATCH /tasks/tsk_full/comments/cmt_scoped', 200, 'comments:write', {
    json: { content: 'Edited' },
  }),
  good('deleteComment', 'DELETE /tasks/tsk_full/comments/cmt_scoped', 200, 'comments:write'),
  good('listTimeEntries', 'GET /tasks/tsk_full/time-entries', 200, 'time:read'),
  good('createTimeEntry', 'POST /tasks/tsk_full/time-entries', 200, 'time:write', {
    json: { action: 'start' },
  }),
  good('updateTimeEntry', 'PATCH /tasks/tsk_full/time-entries/ent_ada', 200, 'time:write', {
    json: { note: 'Noted' },
  }),
  good('deleteTimeEntry', 'DELETE /tasks/tsk_full/time-entries/ent_bo', 200, 'time:write'),
  good('listTaskAttachments', 'GET /tasks/tsk_full/attachments', 200, 'attachments:read'),
  good('uploadTaskAttachment', 'POST /tasks/tsk_full/attachments', 201, 'attachments:write', { file: true }),
  good('downloadTaskAttachment', 'GET /tasks/tsk_full/attachments/att_brief', 200, 'attachments:read'),
  good('deleteTaskAttachment', 'DELETE /tasks/tsk_full/attachments/att_brief', 200, 'attachments:write'),
  good('listForms', 'GET /forms', 200, 'forms:read'),
  good('getForm', 'GET /forms/frm_task', 200, 'forms:read'),
  good('listFormSubmissions', 'GET /forms/frm_task/submissions', 200, 'forms:read'),
]

export const goodFile = () => multipart([{ filename: 'new.txt', content: 'new' }])

/** Sends a valid request. */
export function send(api: Api, request: GoodRequest, options: CallOptions = {}): Promise<Reply> {
  const content = request.file
    ? { body: goodFile() }
    : request.json === undefined
      ? {}
      : { json: request.json }
  return api.call(request.method, request.path, { ...content, ...options })
}

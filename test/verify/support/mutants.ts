// The drift mutants: small faulty deployments, each with one operation that does one thing differently.
import { valueMutants } from './value-mutants.ts'
import { jsonResponse } from './deployment.ts'
import {
  deaf,
  edited,
  header,
  iso,
  misheard,
  mutant,
  retyped,
  status,
  swallowed,
  without,
  type Mutant,
} from './mutant.ts'
import { contractMutants } from './contract-mutants.ts'
import { contractTableMutants } from './contract-table-mutants.ts'
import { contractTaskMutants } from './contract-task-mutants.ts'
import { rowMutants } from './row-mutants.ts'
import { taskMutants } from './task-mutants.ts'
import { lineMutants } from './line-mutants.ts'

const statuses: readonly Mutant[] = [
  status('createTask', 201, 200),
  status('createList', 201, 200),
  status('createSpace', 200, 201),
  status('uploadTaskAttachment', 201, 200),
  status('submitInsertJob', 202, 200),
  status('submitInsertJob', 413, 400),
  status('submitInsertJob', 429, 503),
  status('deleteRow', 200, 204),
  status('createRow', 200, 201),
  status('createRow', 400, 422),
  status('bulkInsertRows', 413, 400),
  status('getTask', 404, 400),
  status('getJob', 404, 403),
  status('getRow', 404, 410),
  status('deleteRowAttachment', 400, 404),
  status('getIdentity', 401, 403),
  status('createComment', 200, 201),
  status('createTimeEntry', 200, 201),
  status('updateTimeEntry', 400, 409),
  status('updateTask', 400, 200),
  mutant('listTasks', 'status', 'answers 200 without tasks for an unknown list', {
    reply: (reply) => {
      if (reply.status === 404) Object.assign(reply, jsonResponse(200, { tasks: [], limit: 50, offset: 0 }))
    },
  }),
  mutant('listDatatables', 'status', 'answers without a key', {
    reply: (reply) => {
      if (reply.status === 401) Object.assign(reply, jsonResponse(200, { datatables: [] }))
    },
  }),
]

const fields: readonly Mutant[] = [
  without('getIdentity', 'members'),
  without('listDatatables', 'datatables.*.row_count'),
  without('getDatatableSchema', 'columns.*.readonly'),
  without('getDatatableSchema', 'columns.*.currency_code'),
  without('listRows', 'total'),
  without('getRow', 'version'),
  without('createRow', 'data'),
  without('getJob', 'metadata.errors'),
  without('getJob', 'completed_at'),
  without('listSpaces', 'spaces.*.default_list_id'),
  without('getList', 'folder_id'),
  without('getListSchema', 'statuses.*.type'),
  without('getTask', 'assignees'),
  without('createTask', 'attachments'),
  without('listComments', 'comments.*.author_name'),
  without('listTimeEntries', 'total_seconds'),
  without('listTaskAttachments', 'attachments.*.url'),
  without('listForms', 'forms.*.slug'),
  without('listFormSubmissions', 'submissions.*.created_entity_id'),
  without('uploadRowAttachment', 'row'),
  without('bulkInsertRows', 'count'),
  mutant('getForm', 'field', 'answers the form without the key form', {
    reply: (reply) => {
      if (reply.status === 200) reply.json = reply.json.form
    },
  }),
  mutant('getList', 'field', 'an error has message instead of error', {
    reply: (reply) => {
      if (reply.status >= 400) reply.json = { message: reply.json.error }
    },
  }),
  mutant('submitInsertJob', 'field', 'a 429 does not name its resource', {
    reply: ({ status: code, json }) => {
      if (code === 429) delete json.resource
    },
  }),
]

const types: readonly Mutant[] = [
  retyped('listRows', 'rows.*.version', 'a string', String),
  retyped('getTask', 'created_at', 'an ISO date', iso),
  retyped('listTasks', 'tasks.*.due_date', 'an ISO date', iso),
  retyped('listTasks', 'tasks.*.priority', 'a name', () => 'high'),
  retyped('listTimeEntries', 'entries.*.billable', 'a boolean', Boolean),
  retyped('getForm', 'form.is_published', 'a boolean', Boolean),
  retyped('getJob', 'metadata.progress', 'a percentage', (progress: number) => progress * 100),
  retyped('getJob', 'created_at', 'in milliseconds', (seconds: number) => seconds * 1000),
  retyped('listTaskAttachments', 'attachments.*.size_bytes', 'a string', String),
  retyped('listFormSubmissions', 'submissions.*.created_at', 'an ISO date', iso),
  retyped('getListSchema', 'fields.*.readonly', 'a number', Number),
  retyped('getIdentity', 'workspace.plan', 'an unknown plan', () => 'enterprise'),
  retyped('listComments', 'comments.*.content_type', 'always text', () => 'text'),
  retyped('listDatatables', 'datatables.*.row_count', 'off by one', (count: number) => count + 1),
]

const defaults: readonly Mutant[] = [
  misheard('listRows', 'default', 'a page has 20 rows by default', ({ query }) => {
    if (!query.has('limit') && !query.has('pageSize')) query.set('limit', '20')
  }),
  misheard('listTasks', 'default', 'a page has 100 tasks by default', ({ query }) => {
    if (!query.has('limit')) query.set('limit', '100')
  }),
  misheard('listFormSubmissions', 'default', 'a page has 20 submissions by default', ({ query }) => {
    if (!query.has('limit')) query.set('limit', '20')
  }),
  misheard('listRows', 'default', 'sorts descending by default', ({ query }) => {
    const sort = query.get('sort')
    if (sort && !sort.includes(':')) query.set('sort', `${sort}:desc`)
  }),
  misheard('createTask', 'default', 'a task starts in the last status', async ({ json, params, get }) => {
    if (!json?.title || json.status_id) return
    const schema = await get(`/lists/${params.listId}/schema`)
    json.status_id = schema.statuses?.at(-1).id
  }),
  misheard('createTask', 'default', 'a task has priority normal by default', ({ json }) => {
    if (json?.title) json.priority ??= 'normal'
  }),
  misheard('createTimeEntry', 'default', 'a manual entry is billable by default', ({ json }) => {
    if (json?.action === 'manual') json.billable ??= true
  }),
  edited('createSpace', 'default', 'the first list is named General', (json) => {
    json.lists[0].name = 'General'
  }),
  edited('createRow', 'default', 'the first version is 0', (json) => {
    json.version -= 1
  }),
]

/** Rewrites the parameter `limit` if it exceeds a number. */
const cappedAt = (operation: Mutant['operation'], most: number) =>
  misheard(operation, 'limit', `a page has ${String(most)} at most`, ({ query }) => {
    if (Number(query.get('limit')) > most) query.set('limit', String(most))
  })

const limits: readonly Mutant[] = [
  cappedAt('listRows', 100),
  cappedAt('listTasks', 100),
  cappedAt('listFormSubmissions', 100),
  mutant('listFormSubmissions', 'limit', 'a page can have 1,000 submissions', {
    reply: ({ json }, { query }) => {
      if (json.limit === 200 && Number(query.get('limit')) > 200) json.limit = Number(query.get('limit'))
    },
  }),
  misheard('bulkInsertRows', 'limit', 'takes 100 rows at most', (asked) => {
    if (asked.json?.rows?.length > 100)
      asked.instead = jsonResponse(413, {
        error: 'rows must have at most 100 rows',
        limitReached: true,
        resource: 'bulkRowsPerRequest',
        limit: 100,
        current: 250,
      })
  }),
  misheard('bulkInsertRows', 'limit', 'takes 500 rows', ({ json }) => {
    if (json?.rows?.length > 250 && json.rows.length <= 500) json.rows.length = 250
  }),
  misheard('submitInsertJob', 'limit', 'takes more than 50,000 rows', ({ json }) => {
    if (json?.rows?.length > 50_000) json.rows.length = 3
  }),
  misheard('submitInsertJob', 'limit', 'takes a job without rows', (asked) => {
    if (asked.json?.rows?.length === 0 && asked.headers.has('authorization'))
      asked.instead = jsonResponse(202, { job_id: 'job_0', status: 'queued', rows_submitted: 0 })
  }),
  misheard('createTask', 'limit', 'takes five files at most', (asked) => {
    if (asked.text.split('name="file"').length > 6)
      asked.instead = jsonResponse(400, { error: 'at most 5 files' })
  }),
  deaf('listRows', 'pageSize'),
  mutant('bulkInsertRows', 'limit', 'the limit in a refusal is another', {
    reply: ({ status: code, json }) => {
      if (code === 413) json.limit = 249
    },
  }),
]

const transitions: readonly Mutant[] = [
  edited('getJob', 'transition', 'a finished job is always failed', (json) => {
    if (json.status === 'done') json.status = 'failed'
  }),
  mutant('getJob', 'transition', 'a job falls back to queued while it runs', () => {
    let looks = 0
    return {
      reply: ({ json }) => {
        if (json.status === 'processing' && (looks += 1) % 2 === 0) json.status = 'queued'
      },
    }
  }),
  mutant('getJob', 'transition', 'progress goes backwards', () => {
    let looks = 0
    return {
      reply: ({ json }) => {
        if (json.status === 'processing') json.metadata.progress = Math.max(0, 0.9 - 0.1 * (looks += 1))
      },
    }
  }),
  edited('submitInsertJob', 'transition', 'a job is processing at once', (json) => {
    json.status = 'processing'
  }),
  edited('createTimeEntry', 'transition', 'stop leaves the entry running', (json, { json: sent }) => {
    if (sent.action === 'stop') json.is_running = 1
  }),
  edited('createTimeEntry', 'transition', 'start makes a stopped entry', (json, { json: sent }) => {
    if (sent.action === 'start') json.is_running = 0
  }),
  swallowed('deleteTask', 'a deleted task stays', 'transition'),
  swallowed('deleteRow', 'a deleted row stays', 'transition'),
  misheard('updateTask', 'transition', 'a done task that repeats is not cloned', ({ json }) => {
    if (json?.repeat_config?.trigger === 'on_complete') delete json.repeat_config
  }),
  misheard('updateTask', 'transition', 'the status stays as it is', ({ json }) => {
    if (json?.status_id) delete json.status_id
  }),
  mutant('updateTimeEntry', 'transition', 'says that a running entry was edited', {
    reply: (reply) => {
      if (reply.status === 400 && String(reply.json.error).includes('running'))
        Object.assign(reply, jsonResponse(200, { success: true }))
    },
  }),
  edited('updateRow', 'transition', 'the version stays as it is', (json) => {
    json.version -= 1
  }),
]

const headers: readonly Mutant[] = [
  header('listLists', 'has no CORS header', (names) => names.delete('access-control-allow-origin')),
  mutant('createTask', 'header', 'the preflight does not allow Authorization', {
    preflight: (names) => names.set('access-control-allow-headers', 'content-type'),
  }),
  mutant('updateRow', 'header', 'the preflight does not allow PATCH', {
    preflight: (names) => names.set('access-control-allow-methods', 'GET, POST, DELETE'),
  }),
  header('submitInsertJob', 'a 429 has no Retry-After', (names) => names.delete('retry-after')),
  header('submitInsertJob', 'a 429 has no X-RateLimit-Limit', (names) => names.delete('x-ratelimit-limit')),
  header('getRow', 'says that JSON is HTML', (names) => names.set('content-type', 'text/html')),
  header('downloadTaskAttachment', 'says that a file is text', (names) =>
    names.set('content-type', 'text/plain'),
  ),
]

const rowPage = ['page', 'limit', 'pageSize', 'sort', 'select']

const behaviours: readonly Mutant[] = [
  misheard('listRows', 'behaviour', 'does not filter', ({ query }) => {
    for (const name of [...query.keys()]) if (!rowPage.includes(name)) query.delete(name)
  }),
  deaf('listRows', 'select'),
  deaf('listRows', 'sort'),
  deaf('listRows', 'page'),
  edited('listRows', 'behaviour', 'total counts the page', (json) => {
    json.total = json.rows.length
  }),
  ...(
    [
      ['gt', 'gte'],
      ['contains', 'starts_with'],
      ['is_empty', 'is_not_empty'],
      ['not_in', 'in'],
      ['neq', 'eq'],
    ] as const
  ).map(([operator, other]) =>
    misheard('queryRows', 'behaviour', `${operator} works as ${other}`, ({ json }) => {
      for (const filter of json?.filters?.values?.() ?? [])
        if (filter.operator === operator) filter.operator = other
    }),
  ),
  misheard('queryRows', 'behaviour', 'does not see match', ({ json }) => {
    delete json?.match
  }),
  edited('getRow', 'behaviour', 'leaves out read-only columns', ({ data }) => delete data.col_created),
  edited('createRow', 'behaviour', 'writes read-only columns', (json, asked) =>
    Object.assign(json.data, asked.json.data),
  ),
  edited('updateRow', 'behaviour', 'forgets what is not sent', (json, asked) => {
    json.data = asked.json.data
  }),
  misheard('bulkInsertRows', 'behaviour', 'does not see mode', ({ json }) => {
    delete json?.mode
  }),
  edited('bulkInsertRows', 'behaviour', 'counts failed rows as inserted', (json) => {
    if (json.errors && 'count' in json) json.count = Number(json.count) + Number(json.errors.length)
  }),
  deaf('listTasks', 'q'),
  deaf('listTasks', 'status'),
  deaf('listTasks', 'offset'),
  deaf('listFormSubmissions', 'since'),
  misheard('listFormSubmissions', 'behaviour', 'since takes its own moment in', ({ query }) => {
    if (query.has('since')) query.set('since', String(Number(query.get('since')) - 1))
  }),
  edited('listSpaces', 'behaviour', 'leaves out the last list of a space', ({ spaces }) =>
    spaces[0].lists.pop(),
  ),
  misheard('updateList', 'behaviour', 'does not see color', ({ json }) => {
    delete json?.color
  }),
  misheard('updateSpace', 'behaviour', 'sets the icon back', ({ json }) => {
    if (json?.name) json.icon ??= 'folder'
  }),
  edited('createList', 'behaviour', 'answers without the colour', (json) => {
    json.color = null
  }),
  misheard('createComment', 'behaviour', 'does not see comment_as', ({ json }) => {
    if (json?.comment_as !== 'verify_no_such_id') delete json?.comment_as
  }),
  swallowed('deleteComment', 'a deleted comment stays'),
  swallowed('deleteTimeEntry', 'a deleted entry stays'),
  swallowed('deleteTaskAttachment', 'a deleted attachment stays'),
  swallowed('deleteRowAttachment', 'a deleted file stays'),
  edited('listTimeEntries', 'behaviour', 'total_seconds is in minutes', (json) => {
    json.total_seconds = Math.floor(json.total_seconds / 60)
  }),
  edited('uploadTaskAttachment', 'behaviour', 'the size is one too large', ({ attachment }) => {
    attachment.size_bytes = Number(attachment.size_bytes) + 1
  }),
  edited('uploadRowAttachment', 'behaviour', 'the key has no column', ({ attachment }) => {
    attachment.key = attachment.key.replace(/\/[^/]+\/([^/]+)$/, '/$1')
  }),
  mutant('downloadTaskAttachment', 'behaviour', 'a byte is missing', {
    reply: (reply) => {
      if (reply.status === 200) Object.assign(reply, { json: undefined, bytes: reply.bytes?.slice(1) })
    },
  }),
  edited('getDatatableSchema', 'behaviour', 'says that formulas can be written', ({ columns }) => {
    for (const column of columns) if (column.type === 'formula') column.readonly = false
  }),
]

export const mutants: readonly Mutant[] = [
  ...valueMutants,
  ...statuses,
  ...fields,
  ...types,
  ...defaults,
  ...limits,
  ...transitions,
  ...headers,
  ...behaviours,
  ...rowMutants,
  ...taskMutants,
  ...lineMutants,
  ...contractTableMutants,
  ...contractTaskMutants,
  ...contractMutants,
]

// The journey of a client built with openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/schema.ts'
import { columnOf, note, present, rename, type Start, type Trail } from '../support/trail.ts'

type Api = ReturnType<typeof connect>
type Job = components['schemas']['Job']

function connect({ baseUrl, key, fetch }: Start) {
  return createClient<paths>({
    baseUrl,
    fetch,
    headers: { Authorization: `Bearer ${key}` },
    querySerializer: { object: { style: 'form', explode: true } },
  })
}

interface Result<T> {
  readonly data?: T
  readonly error?: { readonly error: string }
  readonly response: Response
}

async function ok<T>(result: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await result
  if (data === undefined) throw new Error(`${response.url} answered ${error?.error ?? 'nothing'}`)
  return data
}

async function visitTable(api: Api) {
  const { datatables } = await ok(api.GET('/datatables'))
  const path = { tableId: present(datatables[0], 'a table').id }
  const { columns } = await ok(api.GET('/datatables/{tableId}/schema', { params: { path } }))
  const text = columnOf(columns, 'text')
  const listing = await ok(
    api.GET('/datatables/{tableId}/rows', {
      params: { path, query: { limit: 2, sort: `${text.name}:asc` } },
    }),
  )
  const name = String(present(listing.rows[0], 'a row').data[text.id])
  const namesakes = await ok(
    api.GET('/datatables/{tableId}/rows', { params: { path, query: { columns: { [text.name]: name } } } }),
  )
  return { path, columns, text, listing, namesakes }
}

async function writeRow(api: Api, path: { tableId: string }, column: string) {
  const created = await ok(
    api.POST('/datatables/{tableId}/rows', {
      params: { path },
      body: { data: { [column]: 'Made on the way' } },
    }),
  )
  const changed = await ok(
    api.PATCH('/datatables/{tableId}/rows/{rowId}', {
      params: { path: { ...path, rowId: created.id } },
      body: { data: { [column]: rename } },
    }),
  )
  const query = { filters: [{ column, operator: 'eq' as const, value: rename }] }
  const { total } = await ok(api.POST('/datatables/{tableId}/query', { params: { path }, body: query }))
  return { versions: [created.version, changed.version] as const, found: total }
}

async function importRows(api: Api, path: { tableId: string }, column: string) {
  const rows = Array.from({ length: 300 }, (_, index) => ({ [column]: `Imported ${String(index)}` }))
  const { job_id: jobId } = await ok(
    api.POST('/datatables/{tableId}/jobs/insert', { params: { path }, body: { rows } }),
  )
  const states: Job['status'][] = []
  for (;;) {
    const job: Job = await ok(api.GET('/jobs/{jobId}', { params: { path: { jobId } } }))
    if (states.at(-1) !== job.status) states.push(job.status)
    if (job.status === 'done' || job.status === 'failed') return { states, rows: job.metadata.row_count }
  }
}

function formOf(body: { data: object; file?: readonly Blob[] }): FormData {
  const form = new FormData()
  form.append('data', JSON.stringify(body.data))
  for (const file of body.file ?? []) form.append('file', file, 'note.txt')
  return form
}

async function workOnTask(api: Api) {
  const { lists } = await ok(api.GET('/lists'))
  const listId = present(lists[0], 'a list').id
  const file = [new Blob([note], { type: 'text/plain' })]
  const task = await ok(
    api.POST('/lists/{listId}/tasks', {
      params: { path: { listId } },
      body: { data: { title: 'Made on the way', priority: 'high' }, file },
      bodySerializer: (body) => ('data' in body ? formOf(body) : JSON.stringify(body)),
    }),
  )
  const path = { taskId: task.id }
  const attachmentId = present(task.attachments[0], 'an attachment').id
  const bytes = await ok(
    api.GET('/tasks/{taskId}/attachments/{attachmentId}', {
      params: { path: { ...path, attachmentId } },
      parseAs: 'blob',
    }),
  )
  await ok(api.POST('/tasks/{taskId}/comments', { params: { path }, body: { content: note } }))
  const { comments } = await ok(api.GET('/tasks/{taskId}/comments', { params: { path } }))
  await ok(
    api.POST('/tasks/{taskId}/time-entries', { params: { path }, body: { action: 'manual', duration: 900 } }),
  )
  const { total_seconds: seconds } = await ok(api.GET('/tasks/{taskId}/time-entries', { params: { path } }))
  return {
    files: task.attachments.map(({ filename }) => filename),
    text: await bytes.text(),
    comments: comments.map(({ content }) => content),
    seconds,
  }
}

async function readForms(api: Api): Promise<number> {
  const { forms } = await ok(api.GET('/forms'))
  const formId = present(
    forms.find(({ submission_count }) => submission_count > 0),
    'a form',
  ).id
  const query = { limit: 200, since: 0 }
  const path = { formId }
  return (await ok(api.GET('/forms/{formId}/submissions', { params: { path, query } }))).submissions.length
}

/** Uses the API from the identity to a form's submissions. */
export async function journey(start: Start): Promise<Trail> {
  const api = connect(start)
  const { workspace } = await ok(api.GET('/me'))
  const { path, columns, text, listing, namesakes } = await visitTable(api)
  const { error, response } = await api.GET('/tasks/{taskId}', { params: { path: { taskId: 'nowhere' } } })
  return {
    plan: workspace.plan,
    columnTypes: columns.map(({ type }) => type),
    page: [listing.rows.length, listing.total],
    namesakes: namesakes.total,
    ...(await writeRow(api, path, text.id)),
    job: await importRows(api, path, text.id),
    ...(await workOnTask(api)),
    submissions: await readForms(api),
    absent: { status: response.status, error: error?.error ?? '' },
  }
}

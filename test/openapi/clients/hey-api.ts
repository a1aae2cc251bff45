// The journey of a client made by @hey-api/openapi-ts.
import { createClient, type Client } from './generated/sdk/client/index.ts'
import * as api from './generated/sdk/sdk.gen.ts'
import type { Job } from './generated/sdk/types.gen.ts'
import { columnOf, note, present, rename, type Start, type Trail } from '../support/trail.ts'

function connect({ baseUrl, key, fetch }: Start): Client {
  const send = (input: RequestInfo | URL, init?: RequestInit) => fetch(new Request(input, init))
  return createClient({ baseUrl, auth: key, fetch: send, throwOnError: true })
}

interface Call {
  readonly client: Client
  readonly throwOnError: true
}

async function visitTable(call: Call) {
  const { datatables } = (await api.listDatatables(call)).data
  const path = { tableId: present(datatables[0], 'a table').id }
  const { columns } = (await api.getDatatableSchema({ ...call, path })).data
  const text = columnOf(columns, 'text')
  const query = { limit: 2, sort: `${text.name}:asc` }
  const { data: listing } = await api.listRows({ ...call, path, query })
  const name = String(present(listing.rows[0], 'a row').data[text.id])
  const { data: namesakes } = await api.listRows({ ...call, path, query: { columns: { [text.name]: name } } })
  return { path, columns, text, listing, namesakes }
}

async function writeRow(call: Call, path: { tableId: string }, column: string) {
  const made = { data: { [column]: 'Made on the way' } }
  const { data: created } = await api.createRow({ ...call, path, body: made })
  const { data: changed } = await api.updateRow({
    ...call,
    path: { ...path, rowId: created.id },
    body: { data: { [column]: rename } },
  })
  const query = { filters: [{ column, operator: 'eq' as const, value: rename }] }
  const { total } = (await api.queryRows({ ...call, path, body: query })).data
  return { versions: [created.version, changed.version] as const, found: total }
}

async function importRows(call: Call, path: { tableId: string }, column: string) {
  const rows = Array.from({ length: 300 }, (_, index) => ({ [column]: `Imported ${String(index)}` }))
  const { job_id: jobId } = (await api.submitInsertJob({ ...call, path, body: { rows } })).data
  const states: Job['status'][] = []
  for (;;) {
    const { data: job } = await api.getJob({ ...call, path: { jobId } })
    if (states.at(-1) !== job.status) states.push(job.status)
    if (job.status === 'done' || job.status === 'failed') return { states, rows: job.metadata.row_count }
  }
}

async function workOnTask(call: Call) {
  const { lists } = (await api.listLists(call)).data
  const listId = present(lists[0], 'a list').id
  const task = { title: 'Made on the way', priority: 'high' } as const
  const { id: taskId } = (await api.createTask({ ...call, path: { listId }, body: task })).data
  const path = { taskId }
  const file = new File([note], 'note.txt', { type: 'text/plain' })
  const { attachment } = (await api.uploadTaskAttachment({ ...call, path, body: { file } })).data
  const { data: bytes } = await api.downloadTaskAttachment({
    ...call,
    path: { ...path, attachmentId: attachment.id },
  })
  await api.createComment({ ...call, path, body: { content: note } })
  const { comments } = (await api.listComments({ ...call, path })).data
  await api.createTimeEntry({ ...call, path, body: { action: 'manual', duration: 900 } })
  const { total_seconds: seconds } = (await api.listTimeEntries({ ...call, path })).data
  const { attachments } = (await api.listTaskAttachments({ ...call, path })).data
  return {
    files: attachments.map(({ filename }) => filename),
    text: await bytes.text(),
    comments: comments.map(({ content }) => content),
    seconds,
  }
}

async function readForms(call: Call): Promise<number> {
  const { forms } = (await api.listForms(call)).data
  const formId = present(
    forms.find(({ submission_count }) => submission_count > 0),
    'a form',
  ).id
  const query = { limit: 200, since: 0 }
  return (await api.listFormSubmissions({ ...call, path: { formId }, query })).data.submissions.length
}

/** From the identity to the submissions of a form. */
export async function journey(start: Start): Promise<Trail> {
  const client = connect(start)
  const call: Call = { client, throwOnError: true }
  const { workspace } = (await api.getIdentity(call)).data
  const { path, columns, text, listing, namesakes } = await visitTable(call)
  const absent = await api.getTask({ client, throwOnError: false, path: { taskId: 'nowhere' } })
  return {
    plan: workspace.plan,
    columnTypes: columns.map(({ type }) => type),
    page: [listing.rows.length, listing.total],
    namesakes: namesakes.total,
    ...(await writeRow(call, path, text.id)),
    job: await importRows(call, path, text.id),
    ...(await workOnTask(call)),
    submissions: await readForms(call),
    absent: { status: absent.response?.status ?? 0, error: absent.error?.error ?? '' },
  }
}

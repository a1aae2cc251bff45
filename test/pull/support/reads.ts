// Every read of a workspace as requests, including all pages, to compare two mocks.
import type { WorkspaceMock } from 'workspace-api-mock'

/** Bodies as text, keyed by request, without the mock's address. */
export type Reads = Record<string, string>

/** @param tables whether to include reads of datatables */
export async function readsOf(mock: WorkspaceMock, key: string, tables = true): Promise<Reads> {
  const reads: Reads = {}
  const ask = async (method: string, path: string, json?: unknown): Promise<any> => {
    const response = await mock.fetch(
      new Request(`${mock.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )
    const text = await response.text()
    reads[`${method} ${path} ${json === undefined ? '' : JSON.stringify(json)}`] =
      `${String(response.status)} ${text.replaceAll(mock.baseUrl, '')}`
    return text.startsWith('{') ? JSON.parse(text) : {}
  }
  const get = (path: string) => ask('GET', path)
  await get('/me')
  if (tables) await readTables(ask)
  await get('/spaces')
  const { lists } = await get('/lists')
  for (const { id } of lists) await readList(get, id)
  const { forms } = await get('/forms')
  for (const { id } of forms) await readForm(get, id)
  return reads
}

type Ask = (method: string, path: string, json?: unknown) => Promise<any>

async function readTables(ask: Ask): Promise<void> {
  const { datatables } = await ask('GET', '/datatables')
  for (const { id, row_count } of datatables) {
    const { columns } = await ask('GET', `/datatables/${id}/schema`)
    const rows: any[] = []
    for (let page = 1; page <= Math.min(row_count / 50, 5) + 1; page += 1)
      rows.push(...(await ask('GET', `/datatables/${id}/rows?page=${String(page)}`)).rows)
    for (const row of rows.slice(0, 60)) await ask('GET', `/datatables/${id}/rows/${row.id}`)
    for (const { id: column, name } of columns) {
      const named = encodeURIComponent(name)
      await ask('GET', `/datatables/${id}/rows?sort=${named}:desc&limit=500&page=2`)
      await ask('GET', `/datatables/${id}/rows?select=${named}&limit=20`)
      await ask('POST', `/datatables/${id}/query`, {
        filters: [{ column, operator: 'is_not_empty' }],
        limit: 500,
      })
      await ask('POST', `/datatables/${id}/query`, { sort: [{ column }], page: 2, limit: 30 })
    }
  }
}

async function readList(get: (path: string) => Promise<any>, id: string): Promise<void> {
  await get(`/lists/${id}`)
  const { statuses } = await get(`/lists/${id}/schema`)
  for (const status of statuses) await get(`/lists/${id}/tasks?status=${status.id}`)
  await get(`/lists/${id}/tasks?q=a&limit=7&offset=3`)
  for (let offset = 0; ; offset += 50) {
    const { tasks } = await get(`/lists/${id}/tasks?offset=${String(offset)}`)
    for (const task of tasks) {
      await get(`/tasks/${task.id}`)
      await get(`/tasks/${task.id}/comments`)
      await get(`/tasks/${task.id}/time-entries`)
      await get(`/tasks/${task.id}/attachments`)
    }
    if (tasks.length < 50) return
  }
}

async function readForm(get: (path: string) => Promise<any>, id: string): Promise<void> {
  await get(`/forms/${id}`)
  const { submissions } = await get(`/forms/${id}/submissions?limit=200`)
  await get(`/forms/${id}/submissions?limit=2&offset=1`)
  await get(`/forms/${id}/submissions?since=${String(submissions[0]?.created_at ?? 0)}`)
}

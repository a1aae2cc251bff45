// A client of openapi-fetch on the types of openapi-typescript.
import createClient from 'openapi-fetch'
import type { paths } from '../dist/clients/openapi-typescript.ts'
import { absent, assertExists, listId, page, task, type Seen } from './seen.ts'

export async function use(baseUrl: string, headers: Record<string, string>): Promise<Seen> {
  const api = createClient<paths>({ baseUrl, headers })
  const made = await api.POST('/lists/{listId}/tasks', { params: { path: { listId } }, body: task })
  const { id } = assertExists(made.data, 'a task')
  const read = await api.GET('/tasks/{taskId}', { params: { path: { taskId: id } } })
  const list = await api.GET('/lists/{listId}/tasks', { params: { path: { listId }, query: page } })
  const missing = await api.GET('/tasks/{taskId}', { params: { path: { taskId: absent } } })
  return {
    created: id,
    title: assertExists(read.data, 'the task').title,
    listed: assertExists(list.data, 'a page').tasks.length,
    status: missing.response.status,
    error: assertExists(missing.error, 'an error').error,
  }
}

// The client of swagger-typescript-api.
import { Api, type ErrorBody, type HttpResponse } from '../dist/clients/swagger-typescript-api/api.ts'
import { absent, listId, page, task, type Seen } from './seen.ts'

export async function use(baseUrl: string, headers: Record<string, string>): Promise<Seen> {
  const api = new Api({ baseUrl, baseApiParams: { headers, format: 'json' } })
  const made = await api.lists.createTask(listId, task)
  const read = await api.tasks.getTask(made.data.id)
  const list = await api.lists.listTasks(listId, page)
  const missing = await api.tasks
    .getTask(absent)
    .then(() => Promise.reject(new Error('expected an error')))
    .catch((thrown: HttpResponse<unknown, ErrorBody>) => thrown)
  return {
    created: made.data.id,
    title: read.data.title,
    listed: list.data.tasks.length,
    status: missing.status,
    error: missing.error.error,
  }
}

// The client of openapi-zod-client, which validates what it sends and receives against the document's schemas.
import { isErrorFromAlias } from '@zodios/core'
import { api as described, createApiClient } from '../dist/clients/openapi-zod-client.ts'
import { absent, listId, page, task, type Seen } from './seen.ts'

export async function use(baseUrl: string, headers: Record<string, string>): Promise<Seen> {
  const api = createApiClient(baseUrl, { axiosConfig: { headers } })
  const { id } = await api.createTask(task, { params: { listId } })
  const read = await api.getTask({ params: { taskId: id } })
  const list = await api.listTasks({ params: { listId }, queries: page })
  const missing: unknown = await api
    .getTask({ params: { taskId: absent } })
    .catch((thrown: unknown) => thrown)
  if (!isErrorFromAlias(described.api, 'getTask', missing)) throw new Error('expected a described error')
  return {
    created: id,
    title: read.title,
    listed: list.tasks.length,
    status: missing.response.status,
    error: missing.response.data.error,
  }
}

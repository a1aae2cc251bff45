// The client of kubb, whose errors differ from successes only in their status.
import fetchClient, { type Client } from '@kubb/plugin-client/clients/fetch'
import { createTask, getTask, listTasks } from '../dist/clients/kubb/index.ts'
import { absent, listId, page, task, type Seen } from './seen.ts'

export async function use(baseURL: string, headers: Record<string, string>): Promise<Seen> {
  let status = 0
  const client: Client = async (request) => {
    const response = await fetchClient({ ...request, baseURL, headers } as typeof request)
    status = response.status
    return response as never
  }
  const { id } = await createTask(listId, task, { client })
  const read = await getTask(id, { client })
  const list = await listTasks(listId, page, { client })
  const missing: unknown = await getTask(absent, { client })
  return {
    created: id,
    title: read.title,
    listed: list.tasks.length,
    status,
    error: (missing as { error: string }).error,
  }
}

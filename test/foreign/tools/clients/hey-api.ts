// The client of hey-api.
import { createClient } from '../dist/clients/hey-api/client/index.ts'
import { createTask, getTask, listTasks } from '../dist/clients/hey-api/sdk.gen.ts'
import { absent, assertExists, listId, page, task, type Seen } from './seen.ts'

export async function use(baseUrl: string, headers: Record<string, string>): Promise<Seen> {
  const client = createClient({ baseUrl, headers })
  const made = await createTask({ client, path: { listId }, body: task, throwOnError: true })
  const { id } = made.data
  const read = await getTask({ client, path: { taskId: id }, throwOnError: true })
  const list = await listTasks({ client, path: { listId }, query: page, throwOnError: true })
  const missing = await getTask({ client, path: { taskId: absent } })
  return {
    created: id,
    title: read.data.title,
    listed: list.data.tasks.length,
    status: assertExists(missing.response, 'a response').status,
    error: assertExists(missing.error, 'an error').error,
  }
}

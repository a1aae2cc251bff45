// The client of orval, which takes its address from the address that served the document.
import { createTask, getTask, listTasks } from '../dist/clients/orval.ts'
import { absent, listId, page, task, type Seen } from './seen.ts'

export async function use(_: string, headers: Record<string, string>): Promise<Seen> {
  const made = await createTask(listId, task, { headers })
  if (made.status !== 201) throw new Error(made.data.error)
  const read = await getTask(made.data.id, { headers })
  if (read.status !== 200) throw new Error(read.data.error)
  const list = await listTasks(listId, page, { headers })
  if (list.status !== 200) throw new Error(list.data.error)
  const missing = await getTask(absent, { headers })
  if (missing.status === 200) throw new Error('expected an error')
  return {
    created: made.data.id,
    title: read.data.title,
    listed: list.data.tasks.length,
    status: missing.status,
    error: missing.data.error,
  }
}

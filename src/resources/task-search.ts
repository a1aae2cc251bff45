// The search for the tasks of a list.
import { foldFor } from '../contract/text/format.ts'
import type { QueryFor } from '../contract/index.ts'
import type { ListRecord } from '../contract/lists.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { Index } from '../store/groups.ts'
import type { Store } from '../store/store.ts'

/** Ids of the statuses that a filter text names. Assumption: taskStatusFilter */
function findStatuses(store: Store, { statuses }: ListRecord, text: string): Set<string> {
  const byType = store.answers.taskStatusFilter === 'idNameOrType'
  const meant = statuses.filter(
    ({ id, name, type }) => text === id || text === name || (byType && text === type),
  )
  return new Set(meant.map(({ id }) => id))
}

/** Tasks that are not deleted, by their list. */
export const byList: Index<TaskRecord> = {
  keysOf: ({ list_id, deleted_at }) => (deleted_at === null ? [list_id] : []),
}

/** A page of the tasks of a list that match and are not deleted, in order of creation. Assumption: queryText, listOrder */
export function findTasks(
  store: Store,
  list: ListRecord,
  { status, q = '', offset, limit }: QueryFor<'listTasks'>,
): readonly TaskRecord[] {
  const tasks = store.tasks.of(byList, list.id)
  if (status === undefined && q === '') return tasks.slice(offset, offset + limit)
  const fold = foldFor(store.answers)
  const part = fold(q)
  const meant = status === undefined ? null : findStatuses(store, list, status)
  const found: TaskRecord[] = []
  let passed = 0
  for (const task of tasks) {
    if (found.length === limit) break
    if (meant && !meant.has(task.status_id)) continue
    if (part !== '' && !fold(task.title).includes(part)) continue
    if (passed++ >= offset) found.push(task)
  }
  return found
}

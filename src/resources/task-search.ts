// Owns the search for the tasks of a list.
import type { ListRecord } from '../contract/lists.ts'
import type { TaskRecord } from '../contract/tasks.ts'
import type { Store } from '../store/store.ts'

export interface TaskSearch {
  readonly status?: string | undefined
  /** Part of the title. */
  readonly q?: string | undefined
}

/** Ids of the statuses that a text means. Assumption: taskStatusFilter */
function statusesMeant(store: Store, { statuses }: ListRecord, text: string): Set<string> {
  const byType = store.answers.taskStatusFilter === 'idNameOrType'
  const meant = statuses.filter(
    ({ id, name, type }) => text === id || text === name || (byType && text === type),
  )
  return new Set(meant.map(({ id }) => id))
}

/** The tasks of a list that match and are not deleted, in order of creation. Assumption: queryText, listOrder */
export function findTasks(
  store: Store,
  list: ListRecord,
  { status, q = '' }: TaskSearch,
): Promise<TaskRecord[]> {
  const fold = (text: string) => (store.answers.queryText === 'insensitive' ? text.toLowerCase() : text)
  const part = fold(q)
  const meant = status === undefined ? null : statusesMeant(store, list, status)
  return store.tasks.findMany(
    (task) =>
      task.list_id === list.id &&
      task.deleted_at === null &&
      (!meant || meant.has(task.status_id)) &&
      (part === '' || fold(task.title).includes(part)),
  )
}

// Finds the records of the path parameters: a record that is absent or invisible to the key is 404.
import { ApiError } from '../../contract/errors.ts'
import { isPrivateList } from '../../resources/lists.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../../store/store.ts'
import type { Located } from '../../resources/request.ts'

type Found = { -readonly [Name in keyof Located]?: Located[Name] }

interface Place {
  readonly store: Store
  readonly workspace: WorkspaceRecord
  readonly found: Found
  readonly id: string
}

type Locator<Name extends keyof Located> = (place: Place) => Located[Name]

interface Owned {
  readonly workspace_id: string
}

/** A collection to look ids up in; deleted records can still be recognized. */
interface Lookup<T> {
  get(id: string): T | undefined
  isDeleted(id: string): boolean
}

function absent(what: string, id: string, hint?: string): ApiError {
  return new ApiError(
    'notFound',
    `${what} ${JSON.stringify(id)} does not exist`,
    hint === undefined ? {} : { hint },
  )
}

/** The record of an id. */
function existing<T>(records: Lookup<T>, what: string, id: string): T {
  const record = records.get(id)
  if (record !== undefined) return record
  throw absent(what, id, records.isDeleted(id) ? `${what} ${id} was deleted` : undefined)
}

/** A record of the key's own workspace; another's counts as absent. Source: contract, Authentication, 3. */
function own<T extends Owned>({ workspace, id }: Place, what: string, records: Lookup<T>): T {
  const record = existing(records, what, id)
  if (record.workspace_id !== workspace.id)
    throw absent(
      what,
      id,
      `${what} ${id} exists, but in workspace ${record.workspace_id}; this key is of ${workspace.id}`,
    )
  return record
}

function mustBelong(what: string, id: string, belongs: boolean, owner: string): void {
  if (!belongs) throw absent(what, id, `${what} ${id} exists, but not under this ${owner}`)
}

/** Assumption: privateById */
function assertVisible({ store, id }: Place, what: string, isPrivate: boolean): void {
  if (isPrivate && store.answers.privateById === 'hidden')
    throw absent(what, id, `${what} ${id} is private; question privateById can make it visible`)
}

function findList(place: Place) {
  const { store } = place
  const list = own(place, 'list', store.lists)
  assertVisible(place, 'list', isPrivateList(store, list))
  return list
}

function findTask(place: Place) {
  const { store, id } = place
  const task = own(place, 'task', store.tasks)
  if (task.deleted_at !== null)
    throw absent('task', id, `task ${id} was deleted at ${String(task.deleted_at)}`)
  const list = store.lists.get(task.list_id)
  if (list) assertVisible(place, 'task', isPrivateList(store, list))
  return task
}

const locators: { readonly [Name in keyof Located]: Locator<Name> } = {
  tableId: (place) => own(place, 'datatable', place.store.tables),
  rowId: ({ store, found, id }) => {
    if (!found.tableId) throw absent('row', id)
    return existing(store.rows(found.tableId.id), 'row', id)
  },
  jobId: (place) => own(place, 'job', place.store.jobs),
  spaceId: (place) => {
    const space = own(place, 'space', place.store.spaces)
    assertVisible(place, 'space', space.is_private)
    return space
  },
  listId: findList,
  taskId: findTask,
  commentId: (place) => {
    const comment = own(place, 'comment', place.store.comments)
    mustBelong('comment', place.id, comment.task_id === place.found.taskId?.id, 'task')
    return comment
  },
  entryId: (place) => {
    const entry = own(place, 'time entry', place.store.timeEntries)
    mustBelong('time entry', place.id, entry.task_id === place.found.taskId?.id, 'task')
    return entry
  },
  attachmentId: (place) => {
    const attachment = own(place, 'attachment', place.store.attachments)
    mustBelong('attachment', place.id, attachment.task_id === place.found.taskId?.id, 'task')
    return attachment
  },
  formId: (place) => own(place, 'form', place.store.forms),
  key: ({ id }) => id,
}

/** A path parameter, decoded. */
export function decoded(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    // No id is spelled like this: it will not be found.
    return value
  }
}

/**
 * The record of each path parameter, from left to right.
 * @throws {ApiError} notFound
 */
export function locate(
  store: Store,
  workspace: WorkspaceRecord,
  params: Readonly<Record<string, string>>,
): Located {
  const found: Partial<Record<keyof Located, unknown>> = {}
  for (const key in params) {
    const name = key as keyof Located
    const id = decoded(params[name] ?? '')
    found[name] = locators[name]({ store, workspace, found: found as Found, id })
  }
  // An operation asks only for the parameters of its own path.
  return found as Located
}

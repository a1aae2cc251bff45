// Finds the records of the path parameters: a record that is unknown or not visible to the key gives 404.
import { ApiError } from '../../contract/errors.ts'
import type { OperationId, PathOf } from '../../contract/index.ts'
import { suggestId } from '../../contract/text/nearest.ts'
import { isPrivateList } from '../../resources/lists.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Store } from '../../store/store.ts'
import type { Located, RecordName } from '../../resources/request.ts'

/** An id in a path, and what was found for those before it. */
interface Search {
  readonly store: Store
  readonly workspace: WorkspaceRecord
  readonly found: Partial<Located>
  readonly id: string
}

interface Identified {
  readonly id: string
}

interface Owned extends Identified {
  readonly workspace_id: string
}

/** A collection to look ids up in; deleted records can still be recognized. */
interface Lookup<T> {
  get(id: string): T | undefined
  isDeleted(id: string): boolean
  all(): readonly T[]
}

function notFound(what: string, id: string, hint?: string): ApiError {
  return new ApiError(
    'notFound',
    `${what} ${JSON.stringify(id)} does not exist`,
    hint === undefined ? {} : { hint },
  )
}

/** What programs send for a value that they do not have, or a template that they did not fill. */
const noId = /^(?:undefined|null|NaN|\[object \w+\]|[:<{].*)$/

/** More records than these are not compared. */
const mostCompared = 2000

/** Why there is no record of an id, or which id was probably meant. */
function missingHint<T extends Identified>(
  records: Lookup<T>,
  what: string,
  id: string,
  isVisible: (record: T) => boolean,
): string | undefined {
  if (records.isDeleted(id)) return `${what} ${id} was deleted`
  if (noId.test(id)) return `the id is the text ${id}: the request was built before its value was known`
  const visible = records.all().slice(0, mostCompared).filter(isVisible)
  const ids = visible.map((record) => record.id)
  const near = suggestId(id, ids)
  return near === undefined ? undefined : `did you mean ${near}?`
}

/** The record of an id. */
function getOrThrow<T extends Identified>(
  records: Lookup<T>,
  what: string,
  id: string,
  isVisible: (record: T) => boolean = () => true,
): T {
  const record = records.get(id)
  if (record !== undefined) return record
  throw notFound(what, id, missingHint(records, what, id, isVisible))
}

/** A record of the key's own workspace; one of another counts as not found. Source: contract, Authentication, 3. */
function findOwned<T extends Owned>({ workspace, id }: Search, what: string, records: Lookup<T>): T {
  const record = getOrThrow(
    records,
    what,
    id,
    (other) =>
      other.workspace_id === workspace.id && !('deleted_at' in other && typeof other.deleted_at === 'number'),
  )
  if (record.workspace_id !== workspace.id)
    throw notFound(
      what,
      id,
      `${what} ${id} exists, but in workspace ${record.workspace_id}; this key is of ${workspace.id}`,
    )
  return record
}

/** A record that belongs to the task of the path. */
function findOfTask<T extends Owned & { readonly task_id: string }>(
  search: Search,
  what: string,
  records: Lookup<T>,
): T {
  const record = findOwned(search, what, records)
  if (record.task_id === search.found.task?.id) return record
  throw notFound(what, search.id, `${what} ${search.id} exists, but not under this task`)
}

/** Assumption: privateById */
function assertVisible({ store, id }: Search, what: string, isPrivate: boolean): void {
  if (isPrivate && store.answers.privateById === 'hidden')
    throw notFound(what, id, `${what} ${id} is private; question privateById can make it visible`)
}

function findSpace(search: Search) {
  const space = findOwned(search, 'space', search.store.spaces)
  assertVisible(search, 'space', space.is_private)
  return space
}

function findList(search: Search) {
  const { store } = search
  const list = findOwned(search, 'list', store.lists)
  assertVisible(search, 'list', isPrivateList(store, list))
  return list
}

function findTask(search: Search) {
  const { store, id } = search
  const task = findOwned(search, 'task', store.tasks)
  if (task.deleted_at !== null)
    throw notFound('task', id, `task ${id} was deleted at ${String(task.deleted_at)}`)
  const list = store.lists.get(task.list_id)
  if (list) assertVisible(search, 'task', isPrivateList(store, list))
  return task
}

type Parameter = PathOf<OperationId>
type Finder<Name extends keyof Located> = readonly [name: Name, find: (search: Search) => Located[Name]]

/** The record that each path parameter names. */
const finders: { readonly [Name in Parameter]: Finder<RecordName<Name>> } = {
  tableId: ['table', (search) => findOwned(search, 'datatable', search.store.tables)],
  rowId: ['row', ({ store, found, id }) => getOrThrow(store.rows(found.table?.id ?? ''), 'row', id)],
  jobId: ['job', (search) => findOwned(search, 'job', search.store.jobs)],
  spaceId: ['space', findSpace],
  listId: ['list', findList],
  taskId: ['task', findTask],
  commentId: ['comment', (search) => findOfTask(search, 'comment', search.store.comments)],
  entryId: ['entry', (search) => findOfTask(search, 'time entry', search.store.timeEntries)],
  attachmentId: ['attachment', (search) => findOfTask(search, 'attachment', search.store.attachments)],
  formId: ['form', (search) => findOwned(search, 'form', search.store.forms)],
  key: ['key', ({ id }) => id],
}

/** A path parameter, decoded. */
export function decodeSegment(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    // No id is spelled like this: it will not be found.
    return value
  }
}

/**
 * The records that the parameters of a path name, from left to right.
 * @throws {ApiError} notFound
 */
export function locate(
  store: Store,
  workspace: WorkspaceRecord,
  params: Readonly<Record<string, string>>,
): Located {
  const found: Partial<Record<keyof Located, unknown>> = {}
  for (const parameter in params) {
    const [name, find] = finders[parameter as Parameter]
    const id = decodeSegment(params[parameter] ?? '')
    found[name] = find({ store, workspace, found: found as Partial<Located>, id })
  }
  // An operation asks only for the parameters of its own path.
  return found as Located
}

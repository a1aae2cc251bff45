// Finds the records named by path parameters. A record that is unknown or invisible to the key gives 404.
import { ApiError } from '../../contract/errors.ts'
import type { OperationId, PathOf } from '../../contract/index.ts'
import { mostCompared, suggestId } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { idsOf } from '../../contract/data/maps.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import type { Located, RecordName } from '../../service/resources/request.ts'
import type { Store } from '../../service/store/store.ts'

/** Fields that determine whether a record is visible; rows have only an id. */
interface Locatable {
  readonly id: string
  readonly workspace_id?: string
  readonly task_id?: string
  readonly deleted_at?: number | null
  readonly is_private?: boolean
  readonly space_id?: string
  readonly list_id?: string
}

interface Lookup<T> {
  /** Changes with every write. */
  readonly revision: number
  get(id: string): T | undefined
  isDeleted(id: string): boolean
  slice(offset: number, limit: number): readonly T[]
}

type Parameter = Exclude<PathOf<OperationId>, 'key'>
type Finder<Name extends Parameter> = readonly [
  name: RecordName<Name>,
  /** Its name in messages. */
  what: string,
  /** Where to look, once the preceding records in the path have been found. */
  records: (store: Store, found: Partial<Located>) => Lookup<Located[RecordName<Name>] & Locatable>,
]

/** How to find each path parameter's record; covers every parameter except the storage key `key`. */
const finders: { readonly [Name in Parameter]: Finder<Name> } = {
  tableId: ['table', 'datatable', ({ tables }) => tables],
  rowId: ['row', 'row', (store, { table }) => store.rows(table?.id ?? '')],
  jobId: ['job', 'job', ({ jobs }) => jobs],
  spaceId: ['space', 'space', ({ spaces }) => spaces],
  listId: ['list', 'list', ({ lists }) => lists],
  taskId: ['task', 'task', ({ tasks }) => tasks],
  commentId: ['comment', 'comment', ({ comments }) => comments],
  entryId: ['entry', 'time entry', ({ timeEntries }) => timeEntries],
  attachmentId: ['attachment', 'attachment', ({ attachments }) => attachments],
  formId: ['form', 'form', ({ forms }) => forms],
}

/** What programs send for a missing value or an unfilled template. */
const noId = /^(?:undefined|null|NaN|\[object \w+\]|[:<{].*)$/

const isDeleted = ({ deleted_at }: Locatable) => typeof deleted_at === 'number'

/** Caches each collection's latest search for a similar id, because a polling client keeps asking for the same id. */
const latest = new WeakMap<object, { readonly key: string; readonly near: string | undefined }>()

function findNearId(records: Lookup<Locatable>, id: string, workspace: WorkspaceRecord) {
  const key = `${String(records.revision)} ${workspace.id} ${id}`
  const known = latest.get(records)
  if (known?.key === key) return known.near
  const visible = records
    .slice(0, mostCompared)
    .filter((record) => (record.workspace_id ?? workspace.id) === workspace.id && !isDeleted(record))
  const near = suggestId(id, idsOf(visible))
  latest.set(records, { key, near })
  return near
}

function explainMissing(records: Lookup<Locatable>, what: string, id: string, workspace: WorkspaceRecord) {
  if (records.isDeleted(id)) return `${what} ${id} was deleted`
  if (noId.test(id)) return `the id is the text ${id}: the request was built before its value was known`
  const near = findNearId(records, id, workspace)
  return near === undefined ? undefined : `did you mean ${near}?`
}

/** A list is as private as its space; a task is as private as its list. */
function isPrivate(store: Store, { is_private, space_id, list_id }: Locatable): boolean {
  if (is_private === true) return true
  const owner = list_id ? store.lists.get(list_id) : space_id ? store.spaces.get(space_id) : undefined
  return owner !== undefined && isPrivate(store, owner)
}

/** Explains why a record is not visible; undefined if it is. Source: contract, Authentication, 3. Assumption: privateById */
function explainHidden(
  store: Store,
  what: string,
  record: Locatable,
  workspace: WorkspaceRecord,
  taskId?: string,
) {
  const { id, workspace_id = workspace.id, task_id = taskId, deleted_at } = record
  if (workspace_id !== workspace.id)
    return `${what} ${id} exists, but in workspace ${workspace_id}; this key belongs to ${workspace.id}`
  if (task_id !== taskId) return `${what} ${id} exists, but not under this task`
  if (isDeleted(record)) return `${what} ${id} was deleted at ${String(deleted_at)}`
  if (store.answers.privateById === 'visible' || !isPrivate(store, record)) return undefined
  return `${what} ${id} is private; mock.setAnswers({ privateById: 'visible' }) shows it`
}

export function decodeSegment(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    // No id looks like this, so the lookup gives 404.
    return value
  }
}

export function locate(store: Store, workspace: WorkspaceRecord, params: Readonly<Record<string, string>>) {
  const found: Partial<Record<keyof Located, unknown>> = {}
  const before = found as Partial<Located>
  for (const parameter in params) {
    const id = decodeSegment(params[parameter] ?? '')
    if (parameter === 'key') {
      found.key = id
      continue
    }
    const [name, what, recordsOf] = finders[parameter as Parameter]
    const records: Lookup<Locatable> = recordsOf(store, before)
    const record = records.get(id)
    const hint = record
      ? explainHidden(store, what, record, workspace, before.task?.id)
      : explainMissing(records, what, id, workspace)
    if (!record || hint !== undefined) {
      const facts = hint === undefined ? {} : { hint }
      throw new ApiError('notFound', `${what} ${quote(id)} does not exist`, facts)
    }
    found[name] = record
  }
  // An operation asks only for its own path's parameters.
  return found as Located
}

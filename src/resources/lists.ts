// Lists with their statuses and custom fields.
import { neutralColor } from '../contract/values/colors.ts'
import { made, patchedRecord, toShown } from '../contract/schema/field-values.ts'
import { listFields, type ListRecord, type Status, type List, type StatusType } from '../contract/lists.ts'
import type { BodyFor } from '../contract/index.ts'
import { assertColor, assertNotBlank } from '../contract/schema/checks.ts'
import { assertWithin } from '../contract/plan-limits.ts'
import type { SpaceRecord } from '../contract/spaces.ts'
import type { WorkspaceRecord } from '../contract/workspaces.ts'
import type { Index } from '../store/groups.ts'
import type { Store } from '../store/store.ts'

/** Assumption: defaultStatuses */
export const defaultStatuses: readonly Omit<Status, 'id'>[] = [
  { name: 'To do', color: neutralColor, type: 'active' },
  { name: 'In progress', color: '#3b82f6', type: 'active' },
  { name: 'Done', color: '#22c55e', type: 'done' },
  { name: 'Archived', color: '#9ca3af', type: 'archived' },
]

/** Whether a list is private, by itself or by its space. */
export function isPrivateList(store: Store, list: ListRecord): boolean {
  return list.is_private || store.spaces.get(list.space_id)?.is_private === true
}

const byWorkspace: Index<ListRecord> = { keysOf: ({ workspace_id }) => [workspace_id] }
const byStatus: Index<ListRecord> = { keysOf: ({ statuses }) => statuses.map(({ id }) => id) }

/** Whether a list has a status of this id. */
export function isStatusOfList(store: Store, statusId: string): boolean {
  return store.lists.of(byStatus, statusId).length > 0
}

/** The lists of a workspace that are not private, in order of creation. */
export function publicLists(store: Store, workspace: WorkspaceRecord): readonly ListRecord[] {
  return store.lists.of(byWorkspace, workspace.id).filter((list) => !isPrivateList(store, list))
}

/** The lists of a space, private ones too, in order of creation. */
export function listsOf(store: Store, space: SpaceRecord): readonly ListRecord[] {
  return store.lists.ownedBy(space.id)
}

export function toList(store: Store, list: ListRecord): List {
  return toShown(listFields, list, { space_name: store.spaces.get(list.space_id)?.name ?? '' })
}

/** The status of a task created without one: the first active one, else the first. Source: contract, TaskCreate */
export function firstStatus(list: ListRecord): Status | undefined {
  return list.statuses.find(({ type }) => type === 'active') ?? list.statuses[0]
}

export function statusTypeOf(list: ListRecord, statusId: string): StatusType | undefined {
  return list.statuses.find(({ id }) => id === statusId)?.type
}

/**
 * Refuses one list more than the plan allows in a space. Assumption: listsLimit
 * @throws {ApiError} listsLimit
 */
export function assertListAllowed(store: Store, workspace: WorkspaceRecord, space: SpaceRecord): void {
  const current = listsOf(store, space).length
  const message = (limit: string) =>
    `plan ${workspace.plan} allows ${limit} lists in a space; ${String(current)} are in use in ${space.id}`
  assertWithin(store.answers, workspace, 'listsLimit', current, message)
}

function newStatuses(store: Store): Status[] {
  const isTaken = (id: string) => isStatusOfList(store, id)
  return defaultStatuses.map((status) => ({ id: store.counters.nextId('status', isTaken), ...status }))
}

/**
 * `id` is given for the first list of a space, which is named there before it is stored.
 * Assumption: colors, defaultStatuses
 * @throws {ApiError} validation
 */
export function createList(
  store: Store,
  space: SpaceRecord,
  fields: BodyFor<'createList'>,
  id = store.newId('lists'),
): ListRecord {
  assertNotBlank(store.answers, 'name', fields.name)
  assertColor('color', fields.color)
  const { workspace_id, id: space_id } = space
  const statuses = newStatuses(store)
  return store.lists.put(made(listFields, fields, { id, workspace_id, space_id, statuses }))
}

/**
 * Changes what is sent; null clears colour and icon.
 * @throws {ApiError} validation
 */
export function updateList(store: Store, list: ListRecord, patch: BodyFor<'updateList'>): ListRecord {
  assertNotBlank(store.answers, 'name', patch.name)
  assertColor('color', patch.color)
  return store.lists.put(patchedRecord(listFields, list, patch))
}

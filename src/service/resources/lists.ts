// Lists with their statuses and custom fields.
import { newRecord, patchRecord, toShown } from '../../contract/schema/field-values.ts'
import { listFields, type ListRecord, type Status, type List, type StatusType } from '../../contract/lists.ts'
import type { BodyFor } from '../../contract/index.ts'
import { assertNotBlank, toValueError } from '../../contract/schema/checks.ts'
import { colorShape, isColor, neutralColor } from '../../contract/schema/colors.ts'
import { assertWithin } from '../../contract/plan-limits.ts'
import type { SpaceRecord } from '../../contract/spaces.ts'
import type { Index } from '../store/collection.ts'
import type { Store } from '../store/store.ts'
import { toField } from './custom-fields.ts'
import { toPatchResponse, type Handlers } from './request.ts'

/** Assumption: defaultStatuses */
export const defaultStatuses: readonly Omit<Status, 'id'>[] = [
  { name: 'To do', color: neutralColor, type: 'active' },
  { name: 'In progress', color: '#3b82f6', type: 'active' },
  { name: 'Done', color: '#22c55e', type: 'done' },
  { name: 'Archived', color: '#9ca3af', type: 'archived' },
]

/** Whether a list or its space is private. */
export function isPrivateList(store: Store, list: ListRecord): boolean {
  return list.is_private || store.spaces.get(list.space_id)?.is_private === true
}

/** Lists by workspace; a list's direct owner is a space. */
export const byWorkspace: Index<ListRecord> = { keysOf: ({ workspace_id }) => [workspace_id] }
const byStatus: Index<ListRecord> = { keysOf: ({ statuses }) => statuses.map(({ id }) => id) }

export function isStatusOfList(store: Store, statusId: string): boolean {
  return store.lists.of(byStatus, statusId).length > 0
}

export function toList(store: Store, list: ListRecord): List {
  return toShown(listFields, list, { space_name: store.spaces.get(list.space_id)?.name ?? '' })
}

/** The status of a task created without one: the first active status, or else the first status. Source: contract, TaskCreate */
export function findFirstStatus(list: ListRecord): Status | undefined {
  return list.statuses.find(({ type }) => type === 'active') ?? list.statuses[0]
}

export function statusTypeOf(list: ListRecord, statusId: string): StatusType | undefined {
  return list.statuses.find(({ id }) => id === statusId)?.type
}

/** Checks that lists and spaces share. Assumption: colors. @throws {ApiError} validation */
export function assertFields(store: Store, { name, color }: Pick<BodyFor<'updateList'>, 'name' | 'color'>) {
  assertNotBlank(store.answers, 'name', name)
  if (typeof color === 'string' && !isColor(color)) throw toValueError('color', colorShape, color)
}

/**
 * Creates a list. `id` is set for a space's first list, because the space names it beforehand. Assumption: defaultStatuses
 * @throws {ApiError} validation
 */
export function addList(
  store: Store,
  space: SpaceRecord,
  fields: BodyFor<'createList'>,
  id = store.newId('lists'),
): ListRecord {
  assertFields(store, fields)
  const { workspace_id, id: space_id } = space
  const newId = () => store.counters.nextId('status', (taken) => isStatusOfList(store, taken))
  const statuses = defaultStatuses.map((status) => ({ id: newId(), ...status }))
  return store.lists.put(newRecord(listFields, fields, { id, workspace_id, space_id, statuses }))
}

export const listHandlers = {
  listLists: ({ store, workspace }) => ({
    lists: store.lists
      .of(byWorkspace, workspace.id)
      .filter((list) => !isPrivateList(store, list))
      .map((list) => toList(store, list)),
  }),

  createList: {
    /** Assumption: listsLimit */
    permit({ store, answers, workspace, at }) {
      const { id } = at.space
      const current = store.lists.ownedBy(id).length
      const message = (limit: string) =>
        `plan ${workspace.plan} allows ${limit} lists in a space; ${String(current)} are in use in ${id}`
      assertWithin(answers, workspace, 'listsLimit', current, message)
    },
    run: ({ store, at, body }) => toList(store, addList(store, at.space, body)),
  },

  getList: ({ store, at }) => toList(store, at.list),

  updateList({ store, answers, at, body }) {
    assertFields(store, body)
    const list = store.lists.put(patchRecord(listFields, at.list, body))
    return toPatchResponse(answers, () => toList(store, list))
  },

  getListSchema: ({ answers, at }) => ({
    statuses: at.list.statuses,
    fields: at.list.fields.map((field) => toField(answers, field)),
  }),
} satisfies Partial<Handlers>

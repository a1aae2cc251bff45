// How `mock.db` accesses each collection: records as parts of a fixture, along with the records that depend on them.
import type { Schema } from '../../../contract/operation.ts'
import {
  ownerKeyOf,
  ownerOf,
  listOwnedResources,
  resources,
  type Entity,
  type ResourceName,
} from '../../../contract/resources.ts'
import { describeNearestRecord } from '../../../contract/text/nearest.ts'
import { quote } from '../../../contract/text/quote.ts'
import { ControlError } from '../../control-error.ts'
import type { RecordPart } from '../../../service/fixture/record.ts'
import { storedRowSchema } from '../../../service/fixture/schema.ts'
import { isSameJson } from '../../../service/fixture/writer.ts'
import { byWorkspace } from '../../../service/resources/lists.ts'
import { scheduleOf } from '../../../service/resources/run-due.ts'
import { removeAttachment } from '../../../service/resources/task-attachments.ts'
import { removeTaskForGood } from '../../../service/resources/tasks.ts'
import { compileTable } from '../../../service/rows/columns.ts'
import { removeRow } from '../../../service/rows/rows.ts'
import { collectionOf, type Store } from '../../../service/store/store.ts'
import type { StoredRow } from '../../../service/store/table.ts'
import { getRecord } from '../records.ts'
import { scheduleKinds } from '../../../service/store/schedule.ts'
import type { Records } from '../../../contract/types.d.ts'

type RecordValues = Readonly<Record<string, unknown>>

export interface Access<T extends Entity> {
  readonly name: string
  /** The records' schema; it names their fields. */
  readonly schema: Schema
  recordsOf(store: Store): { get(id: string): T | undefined; all(): readonly T[] }
  /** Converts a record with these values to a part of a fixture. */
  partOf(store: Store, values: object): RecordPart
  /** Updates everything that depends on a replaced record. @returns records to check again */
  propagate(store: Store, before: T, after: T): readonly RecordPart[]
  /** Permanently removes a record and everything that belongs to it. @returns the records that refer to it */
  remove(store: Store, record: T): readonly RecordPart[]
}

/** Default owners for records that name none. */
const defaultOwners: Readonly<Partial<Record<ResourceName, (store: Store) => Entity | undefined>>> = {
  workspaces: ({ workspaces }) => workspaces.all()[0],
  spaces: (store) => store.spaces.ownedBy(store.workspaces.all()[0]?.id ?? '')[0],
  lists: ({ spaces, lists }) => lists.get(spaces.all()[0]?.default_list_id ?? ''),
}

function findOwner(store: Store, name: ResourceName, values: RecordValues): Entity | undefined {
  const key = ownerKeyOf(name)
  if (key === undefined) return undefined
  const owners = collectionOf(store, ownerOf(key))
  const { [key]: id } = values
  const owner =
    id === undefined ? defaultOwners[ownerOf(key)]?.(store) : owners.get(typeof id === 'string' ? id : '')
  if (owner) return owner
  if (id === undefined) throw new ControlError(`${key} is required; received nothing`)
  const { singular } = resources[ownerOf(key)]
  throw new ControlError(
    `${key} must be the id of a ${singular}; received ${quote(id)}${describeNearestRecord(id, owners.all())}`,
  )
}

/** @param path a prefix for messages; by default they name only the record's fields */
function partOf(store: Store, name: ResourceName, record: object, path = ''): RecordPart {
  const { id, ...values } = { ...record } as RecordValues
  const owner = findOwner(store, name, record as RecordValues)
  for (const field of ['workspace_id', ownerKeyOf(name) ?? '']) Reflect.deleteProperty(values, field)
  const hasEnded = (values.completed_ms ?? null) !== null
  const rows = name === 'jobs' && !hasEnded ? store.payloads.get(String(id)) : undefined
  const input = {
    ...(id !== undefined && { [name === 'keys' ? 'key' : 'id']: id }),
    ...(rows && { rows }),
    ...values,
  }
  return { name, owner, input, path }
}

const toRecordParts = (store: Store, name: ResourceName, records: readonly Entity[]) =>
  records.map((record) => partOf(store, name, record, `${resources[name].plural}.${record.id}`))

function findOwnedParts(store: Store, name: ResourceName, { id }: Entity): RecordPart[] {
  const parts = listOwnedResources(name).flatMap((part) => {
    const records: readonly Entity[] = collectionOf(store, part).ownedBy(id)
    return [
      ...toRecordParts(store, part, records),
      ...records.flatMap((record) => findOwnedParts(store, part, record)),
    ]
  })
  if (name !== 'tables') return parts
  const owner = store.tables.getOrThrow(id)
  return store
    .rows(id)
    .all()
    .map((input) => ({ name: 'rows', owner, input, path: `rows.${input.id}` }))
}

const isDifferent = (before: Entity, after: Entity, fields: readonly string[]): boolean =>
  fields.some((field) => !isSameJson([Reflect.get(before, field)], [Reflect.get(after, field)]))

/** Fields of an owner that are read when checking the records it owns. */
const fieldsOfParts: Readonly<Partial<Record<ResourceName, readonly string[]>>> = {
  workspaces: ['members'],
  tables: ['columns'],
  lists: ['statuses', 'fields'],
  forms: ['target_type'],
}

/** Lists the records whose validity depends on what changed between two versions of a record. */
function dependentsOf(store: Store, name: ResourceName, before: Entity, after: Entity): RecordPart[] {
  const owned = isDifferent(before, after, fieldsOfParts[name] ?? [])
    ? findOwnedParts(store, name, after)
    : []
  const key = ownerKeyOf(name)
  if (key === undefined || !isDifferent(before, after, [key])) return owned
  const owner = ownerOf(key)
  const ids = [before, after].map((record) => String(Reflect.get(record, key)))
  const owners = ids.map((id) => collectionOf(store, owner).getOrThrow(id))
  return [...owned, ...toRecordParts(store, owner, owners)]
}

function findLinksTo(store: Store, { id, workspace_id }: Records['tables']): RecordPart[] {
  const isLink = (spec: { readonly table_id?: string | undefined }) => spec.table_id === id
  const tables = store.tables.ownedBy(workspace_id).filter(({ columns }) => columns.some(isLink))
  const lists = store.lists.of(byWorkspace, workspace_id).filter(({ fields }) => fields.some(isLink))
  return [...toRecordParts(store, 'tables', tables), ...toRecordParts(store, 'lists', lists)]
}

/** The fields that determine what is scheduled, and when. */
const scheduledFields = {
  tasks: ['repeat_config', 'repeat_since', 'deleted_at'],
  jobs: ['status', 'created_ms', 'updated_ms', 'handled'],
}

function reschedule(store: Store, name: ResourceName, before: Entity, after: Entity): void {
  if ((name !== 'tasks' && name !== 'jobs') || !isDifferent(before, after, scheduledFields[name])) return
  for (const kind of scheduleKinds) store.schedule.set(kind, after.id, null)
  for (const { kind, id, dueMs } of scheduleOf({ jobs: [], tasks: [], [name]: [after] }))
    store.schedule.set(kind, id, dueMs)
}

function removeFormsFor(store: Store, targetId: string): void {
  for (const form of store.forms.all()) if (form.target_id === targetId) removeWithAll(store, 'forms', form)
}

/** How removing a record changes records that it does not own. */
const sideEffects: { readonly [Name in ResourceName]?: (store: Store, record: Records[Name]) => void } = {
  tasks: removeTaskForGood,
  attachments: removeAttachment,
  lists: (store, { id }) => removeFormsFor(store, id),
  tables: (store, table) => {
    removeFormsFor(store, table.id)
    for (const job of store.jobs.all()) if (job.table_id === table.id) removeWithAll(store, 'jobs', job)
    for (const row of store.rows(table.id).all()) removeRow(compileTable(store, table), row)
  },
  jobs: (store, { id }) => {
    store.schedule.set('job', id, null)
    store.payloads.delete(id)
  },
  keys: (store, { id }) => {
    for (const comment of store.comments.all())
      if (comment.key === id) store.comments.put({ ...comment, key: null })
  },
}

function removeWithAll<Name extends ResourceName>(store: Store, name: Name, record: Records[Name]): void {
  for (const part of listOwnedResources(name))
    for (const each of [...collectionOf(store, part).ownedBy(record.id)]) removeWithAll(store, part, each)
  sideEffects[name]?.(store, record)
  collectionOf(store, name).remove(record.id)
}

export const createRecordAccess = <Name extends ResourceName>(name: Name): Access<Records[Name]> => ({
  name,
  schema: resources[name].schema,
  recordsOf: (store) => collectionOf(store, name),
  partOf: (store, values) => partOf(store, name, values),
  propagate: (store, before, after) => {
    if ('completed_ms' in after && after.completed_ms !== null) store.payloads.delete(after.id)
    reschedule(store, name, before, after)
    return dependentsOf(store, name, before, after)
  },
  remove: (store, record) => {
    removeWithAll(store, name, record)
    if (store.workspaces.count === 0) throw new ControlError('the last workspace cannot be removed')
    return name === 'tables' ? findLinksTo(store, record as Records['tables']) : []
  },
})

export const createRowAccess = (tableId: string): Access<StoredRow> => ({
  name: 'rows',
  schema: storedRowSchema(),
  recordsOf: (store) => store.rows(getRecord(store, 'tables', tableId).id),
  partOf: (store, input) => ({ name: 'rows', owner: getRecord(store, 'tables', tableId), input, path: '' }),
  propagate: () => [],
  remove: (store, row) => {
    removeRow(compileTable(store, getRecord(store, 'tables', tableId)), row)
    return []
  },
})

// How `mock.db` accesses the records of each collection, and their place in a fixture, as which they are checked.
import * as z from 'zod/mini'
import type { Schema } from '../../contract/operation.ts'
import {
  ownerKeyOf,
  ownerOf,
  ownedResources,
  resources,
  type Entity,
  type Records,
  type ResourceName,
} from '../../contract/resources.ts'
import { nearestRecord } from '../../contract/text/nearest.ts'
import { JsonObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../../core/control-error.ts'
import { exportFixture } from '../../fixture/export.ts'
import { loadBase } from '../../fixture/load.ts'
import type { SeedResult } from '../../fixture/seed.ts'
import { scheduleOf } from '../../resources/run-due.ts'
import { removeAttachment } from '../../resources/task-attachments.ts'
import { removeTaskForGood } from '../../resources/tasks.ts'
import { compileTable } from '../../rows/columns.ts'
import { removeRow } from '../../rows/rows.ts'
import { collectionOf, type Store } from '../../store/store.ts'
import type { StoredRow } from '../../store/table.ts'
import { existing } from '../records.ts'
import { storageKeyPrefix } from '../../contract/row-attachments.ts'
import { scheduleKinds } from '../../store/schedule.ts'

export interface Values {
  readonly id?: unknown
  readonly workspace_id?: unknown
  readonly [field: string]: unknown
}

/** A part of a fixture that contains a record, the path to the record, and its kind. */
interface Place {
  readonly part: Values
  readonly path: string
  readonly kind: keyof SeedResult
}

interface StoredRecords<T> {
  get(id: string): T | undefined
  all(): readonly T[]
  put(record: T): unknown
  remove(id: string): void
}

export interface Access<T extends Entity> {
  readonly name: string
  /** Of the records, for the names of their fields. */
  readonly schema: Schema
  recordsOf(store: Store): StoredRecords<T>
  placeOf(store: Store, record: object): Place
  /** Keys of the files of a record. */
  filesOf(store: Store, id: string): readonly string[]
  /** Called once a record has been replaced, for changes elsewhere. */
  replaced(store: Store, before: T, after: T): void
  /** Removes a record for good, with everything that belongs to it. */
  remove(store: Store, record: T): void
}

/** Wraps a record in its owners, up to the workspace. */
function placed(store: Store, owner: ResourceName, id: unknown, place: Place): Place {
  const record: Values | undefined = typeof id === 'string' ? collectionOf(store, owner).get(id) : undefined
  const { plural, singular } = resources[owner]
  if (!record)
    throw new ControlError(
      `${singular}_id must be the id of a ${singular}; received ${quote(id)}${nearestRecord(id, collectionOf(store, owner).all())}`,
    )
  const part = { [plural]: [{ id, ...place.part }] }
  const outer = { ...place, part, path: `${plural}[0].${place.path}` }
  const key = ownerKeyOf(owner)
  return key === undefined ? outer : placed(store, ownerOf(key), record[key], outer)
}

/** Parts of a record that are stored elsewhere and needed to check it. */
function partsOf(store: Store, name: ResourceName, { id, completed_ms = null }: Values): Values {
  if (typeof id !== 'string') return {}
  const lists = name === 'spaces' ? store.lists.ownedBy(id) : []
  if (lists.length > 0) return { lists: lists.map((list) => ({ id: list.id })) }
  const rows = name === 'jobs' && completed_ms === null && store.payloads.get(id)
  return rows ? { rows } : {}
}

/** Owners that a record must name. Other records have a default owner, as in a seed. */
const neededOwners: ReadonlySet<string> = new Set(['task_id', 'form_id'])

function placeOf(store: Store, name: ResourceName, record: Values): Place {
  const { plural } = resources[name]
  const key = ownerKeyOf(name)
  const owner = key === undefined ? undefined : record[key]
  const { id, ...values } = { ...partsOf(store, name, record), ...record }
  for (const field of ['workspace_id', key]) if (field) Reflect.deleteProperty(values, field)
  const input = name === 'keys' ? { key: id, ...values } : id === undefined ? values : { id, ...values }
  const place = { part: { [plural]: [input] }, path: `${plural}[0]`, kind: plural }
  if (key !== undefined && owner !== undefined) return placed(store, ownerOf(key), owner, place)
  if (key !== undefined && neededOwners.has(key))
    throw new ControlError(`${key} is required; received nothing`)
  return place
}

/** Resources that many records refer to: changes are validated by loading the whole state as a fixture. */
const referredTo: ReadonlySet<ResourceName> = new Set(['workspaces', 'keys', 'tables', 'spaces', 'lists'])

/** Their fields that other records refer to. */
const referredFields = ['members', 'columns', 'statuses', 'fields', 'space_id', 'workspace_id']

function assertWhole(store: Store, name: ResourceName): void {
  if (referredTo.has(name)) loadBase(exportFixture(store), { answers: store.answers })
}

function isDifferent(before: Entity, after: Entity, fields: readonly string[]): boolean {
  return fields.some(
    (field) => JSON.stringify((before as Values)[field]) !== JSON.stringify((after as Values)[field]),
  )
}

const scheduledFields = [
  'repeat_config',
  'repeat_since',
  'deleted_at',
  'status',
  'created_ms',
  'updated_ms',
  'handled',
]

function reschedule(store: Store, name: ResourceName, before: Entity, after: Entity): void {
  if ((name !== 'tasks' && name !== 'jobs') || !isDifferent(before, after, scheduledFields)) return
  for (const kind of scheduleKinds) store.schedule.cancel(kind, after.id)
  const none = { jobs: [], tasks: [] }
  for (const entry of scheduleOf({ ...none, [name]: [after] })) store.schedule.add(entry)
}

/** Removes the forms of a list or table with it. */
function removeFormsFor(store: Store, targetId: string): void {
  for (const form of store.forms.all()) if (form.target_id === targetId) removeWithAll(store, 'forms', form)
}

/** What removing a record changes in records that it does not own. */
const endings: { readonly [Name in ResourceName]?: (store: Store, record: Records[Name]) => void } = {
  tasks: removeTaskForGood,
  attachments: removeAttachment,
  lists: (store, { id }) => {
    removeFormsFor(store, id)
  },
  tables: (store, table) => {
    removeFormsFor(store, table.id)
    for (const job of store.jobs.all()) if (job.table_id === table.id) removeWithAll(store, 'jobs', job)
    for (const row of store.rows(table.id).all()) removeRow(compileTable(store, table), row)
  },
  jobs: (store, { id }) => {
    store.schedule.cancel('job', id)
    store.payloads.delete(id)
  },
  keys: (store, { id }) => {
    for (const comment of store.comments.all())
      if (comment.key === id) store.comments.put({ ...comment, key: null })
  },
}

function removeWithAll<Name extends ResourceName>(store: Store, name: Name, record: Records[Name]): void {
  for (const part of ownedResources(name))
    for (const each of [...collectionOf(store, part).ownedBy(record.id)]) removeWithAll(store, part, each)
  endings[name]?.(store, record)
  collectionOf(store, name).remove(record.id)
}

export const recordAccess = <Name extends ResourceName>(name: Name): Access<Records[Name]> => ({
  name,
  schema: resources[name].schema,
  recordsOf: (store) => collectionOf(store, name),
  placeOf: (store, record) => placeOf(store, name, { ...record }),
  filesOf: (store, id) => (store.files.has(id) ? [id] : []),
  replaced: (store, before, after) => {
    if ('completed_ms' in after && after.completed_ms !== null) store.payloads.delete(after.id)
    reschedule(store, name, before, after)
    if (isDifferent(before, after, referredFields)) assertWhole(store, name)
  },
  remove: (store, record) => {
    removeWithAll(store, name, record)
    assertWhole(store, name)
  },
})

const StoredRowFields = z.object({
  id: z.string(),
  version: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  data: JsonObject,
})

export const rowAccess = (tableId: string): Access<StoredRow> => ({
  name: 'rows',
  schema: StoredRowFields,
  recordsOf: (store) => store.rows(existing(store, 'tables', tableId).id),
  placeOf: (store, row) =>
    placed(store, 'tables', tableId, { part: { rows: [row] }, path: 'rows[0]', kind: 'rows' }),
  filesOf: (store, id) => {
    const prefix = storageKeyPrefix(tableId, id)
    return [...store.files.entries()].flatMap(([key]) => (key.startsWith(prefix) ? key : []))
  },
  replaced: () => undefined,
  remove: (store, row) => removeRow(compileTable(store, existing(store, 'tables', tableId)), row),
})

// Writes of single records outside the API, checked like a fixture.
import type { TableRecord } from '../contract/datatables.ts'
import { nearestRecord } from '../contract/values/nearest.ts'
import { quote } from '../contract/values/quote.ts'
import {
  resourceNames,
  resources,
  type Entity,
  type Records,
  type ResourceName,
} from '../contract/resources.ts'
import { ControlError, assertExists } from '../core/control-error.ts'
import { FixtureError, exportFixture, loadBase } from '../fixture/fixture.ts'
import { seedWorld } from '../fixture/seed.ts'
import { scheduleOf } from '../resources/run-due.ts'
import { removeAttachment } from '../resources/task-attachments.ts'
import { removeTaskForGood } from '../resources/tasks.ts'
import { removeRow } from '../rows/rows.ts'
import { toBase64 } from '../contract/values/base64.ts'
import type { ResourceCollection } from '../store/collection.ts'
import type { StoredRow } from '../store/row-table.ts'
import type { Collections, Store } from '../store/store.ts'

interface Values {
  readonly id?: unknown
  readonly workspace_id?: unknown
  readonly [field: string]: unknown
}

const collectionOf = <Name extends ResourceName>(
  store: Collections,
  name: Name,
): ResourceCollection<Records[Name]> => store[name]

function ownerKeyOf(name: ResourceName): string | undefined {
  const resource = resources[name]
  return 'owner' in resource ? resource.owner : undefined
}

/** The resource whose ids an owner key holds: `lists` of `list_id`. */
const ownerOf = (key: string): ResourceName =>
  resourceNames.find((name) => `${resources[name].singular}_id` === key) ?? 'workspaces'

/** A part of a fixture with a record in its place, and the path to it. */
interface Place {
  readonly part: Values
  readonly path: string
}

/** Wraps a record in its owners, up to the workspace. */
function placed(store: Store, owner: ResourceName, id: unknown, { part, path }: Place): Place {
  const record: Values | undefined = typeof id === 'string' ? collectionOf(store, owner).get(id) : undefined
  const { plural, singular } = resources[owner]
  if (!record)
    throw new ControlError(
      `${singular}_id must be the id of a ${singular}; received ${quote(id)}${nearestRecord(id, collectionOf(store, owner).all())}`,
    )
  const outer = { part: { [plural]: [{ id, ...part }] }, path: `${plural}[0].${path}` }
  const key = ownerKeyOf(owner)
  return key === undefined ? outer : placed(store, ownerOf(key), record[key], outer)
}

/** Owners that a record must name; all other records have a default place, as in a seed. */
const neededOwners: ReadonlySet<string> = new Set(['task_id', 'form_id'])

function placeOf(store: Store, name: ResourceName, record: Values): Place {
  const { plural } = resources[name]
  const key = ownerKeyOf(name)
  const owner = key === undefined ? undefined : record[key]
  const { id, ...values } = record
  for (const field of ['workspace_id', key]) if (field) Reflect.deleteProperty(values, field)
  const input = name === 'keys' ? { key: id, ...values } : id === undefined ? values : { id, ...values }
  const place = { part: { [plural]: [input] }, path: `${plural}[0]` }
  if (key !== undefined && owner !== undefined) return placed(store, ownerOf(key), owner, place)
  if (key !== undefined && neededOwners.has(key))
    throw new ControlError(`${key} is required; received nothing`)
  return place
}

/** Writes a part of a fixture; errors name the path within the record. */
function write(store: Store, name: string, { part, path }: Place, fileKeys: readonly string[]) {
  const files = fileKeys.map((key) => [key, toBase64(store.files.get(key) ?? new Uint8Array())])
  try {
    return seedWorld(store, { ...part, files: Object.fromEntries(files) as Values })
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    const within = (text: string) => text.replace(`${path}.`, '').replace(path, name)
    const problems = error.problems.map((each) => ({
      path: within(each.path),
      message: within(each.message),
    }))
    throw new FixtureError(`mock.db.${name}`, problems)
  }
}

/** The result of a run, whose changes are then rolled back. */
function tried<T>(store: Store, run: () => T): T {
  const outer = store.undo.begin()
  try {
    return run()
  } finally {
    store.undo.rollback(outer)
  }
}

/** Resources that many records refer to: changes are validated by loading the whole state as a fixture. */
const referredTo: ReadonlySet<ResourceName> = new Set(['workspaces', 'keys', 'tables', 'spaces', 'lists'])

/** Their fields that other records refer to. */
const referredFields = ['members', 'columns', 'statuses', 'fields', 'space_id', 'workspace_id']

function assertWhole(store: Store, name: ResourceName): void {
  if (referredTo.has(name)) loadBase(exportFixture(store), { answers: store.answers })
}

function assertNew(has: boolean, id: unknown): void {
  if (has) throw new ControlError(`id must be unique; ${quote(id)} already exists`)
}

/** @throws {FixtureError} naming the field that is wrong */
export function createRecord<Name extends ResourceName>(
  store: Store,
  name: Name,
  values: Values,
): Records[Name] {
  const collection = collectionOf(store, name)
  assertNew(typeof values.id === 'string' && collection.has(values.id), values.id)
  const [id = ''] = write(store, name, placeOf(store, name, values), [])[resources[name].plural]
  return stored(collection, id, values)
}

/** The record as written; must be in the workspace that was named. */
function stored<T extends Entity & Partial<Record<'workspace_id', string>>>(
  collection: ResourceCollection<T>,
  id: string,
  values: Values,
): T {
  const record = assertExists(collection.get(id), collection.resource, id)
  const { workspace_id } = record
  const given = values.workspace_id
  if (given !== undefined && given !== workspace_id)
    throw new ControlError(
      `workspace_id must be that of what the record belongs to, ${quote(workspace_id)}; received ${quote(given)}`,
    )
  return record
}

/** Parts of a record in other collections, needed to check it. */
function partsOf(store: Store, name: ResourceName, id: string): Values {
  if (name === 'spaces')
    return { lists: store.lists.all().flatMap((list) => (list.space_id === id ? { id: list.id } : [])) }
  const rows = name === 'jobs' && store.payloads.get(id)
  return rows ? { rows } : {}
}

/** @throws {FixtureError} naming the field that is wrong */
export function replaceRecord<Name extends ResourceName>(
  store: Store,
  name: Name,
  before: Records[Name],
  after: Records[Name],
): Records[Name] {
  const collection = collectionOf(store, name)
  const hasEnded = 'completed_ms' in after && after.completed_ms !== null
  const values = { ...after, ...(hasEnded ? {} : partsOf(store, name, after.id)) }
  const fileKeys = store.files.has(after.id) ? [after.id] : []
  const record = tried(store, () => {
    collection.remove(after.id)
    write(store, name, placeOf(store, name, values), fileKeys)
    return stored(collection, after.id, values)
  })
  collection.put(record)
  if (hasEnded) store.payloads.delete(after.id)
  reschedule(store, name, before, record)
  if (isDifferent({ ...before }, { ...record }, referredFields)) assertWhole(store, name)
  return record
}

function isDifferent(before: Values, after: Values, fields: readonly string[]): boolean {
  return fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
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
  if ((name !== 'tasks' && name !== 'jobs') || !isDifferent({ ...before }, { ...after }, scheduledFields))
    return
  for (const kind of ['job', 'repeat', 'purge'] as const) store.schedule.cancel(kind, after.id)
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
    for (const row of store.rows(table.id).all()) removeRow(store, table, row)
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
  for (const child of resourceNames) {
    const key = ownerKeyOf(child)
    if (key === undefined || ownerOf(key) !== name) continue
    for (const each of collectionOf(store, child).all())
      if ((each as Values)[key] === record.id) removeWithAll(store, child, each)
  }
  endings[name]?.(store, record)
  collectionOf(store, name).remove(record.id)
}

/**
 * Removes a record for good, with all that belongs to it.
 * @throws {FixtureError} if a remaining record needs it
 */
export function removeRecord<Name extends ResourceName>(
  store: Store,
  name: Name,
  record: Records[Name],
): void {
  removeWithAll(store, name, record)
  assertWhole(store, name)
}

const rowPlace = (store: Store, table: TableRecord, row: Values): Place =>
  placed(store, 'tables', table.id, { part: { rows: [row] }, path: 'rows[0]' })

export function createRow(store: Store, table: TableRecord, values: Values): StoredRow {
  const rows = store.rows(table.id)
  assertNew(typeof values.id === 'string' && rows.get(values.id) !== undefined, values.id)
  const [id = ''] = write(store, 'rows', rowPlace(store, table, values), []).rows
  return assertExists(rows.get(id), 'row', id)
}

export function replaceRow(store: Store, table: TableRecord, before: StoredRow, after: StoredRow): StoredRow {
  const rows = store.rows(table.id)
  const prefix = `dt/${table.id}/row/${after.id}/`
  const fileKeys = [...store.files.entries()].flatMap(([key]) => (key.startsWith(prefix) ? key : []))
  const row = tried(store, () => {
    rows.remove(after.id)
    write(store, 'rows', rowPlace(store, table, { ...after }), fileKeys)
    return assertExists(rows.get(after.id), 'row', after.id)
  })
  rows.put(row)
  return row
}

// What a run changed: the records, rows and files that differ from its start, without what differs in any two runs.
import { resourceNames, resources } from '../contract/resources.ts'
import { runDue } from '../resources/run-due.ts'
import type { Store } from '../store/store.ts'

/** A record that a run created, changed or deleted. */
export interface Changed {
  /** `task`, `row`, `file` … */
  readonly resource: string
  readonly id: string
  readonly isNew: boolean
  /** Null where it was deleted. */
  readonly fields: Fields | null
  /** As it was at the start; null where it was not there. */
  was(): Fields | null
}
export type Fields = Readonly<Record<string, unknown>>

/** What names a record in messages. */
export type Named = Pick<Changed, 'resource' | 'id' | 'fields'>

const shownCharacters = 60

/** The name of a record in messages. */
export function nameOf({ resource, id, fields }: Named): string {
  const { title, name, filename, content, storage_key } = fields ?? {}
  const values = resource === 'row' ? Object.values({ ...fields, table_id: undefined }) : []
  const texts = [title, name, filename, storage_key, content, ...values]
  const text = texts.find((value): value is string => typeof value === 'string' && value !== '') ?? id
  return text.slice(0, shownCharacters)
}

/** By resource and id. */
export type ChangedRecords = ReadonlyMap<string, Changed>

/** Fields that two runs need not agree on: moments, versions and counters. */
const apart: ReadonlySet<string> = new Set([
  'id',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'created_ms',
  'updated_ms',
  'completed_ms',
  'repeat_since',
  'submission_count',
])

type Stored = object | null | undefined

function fieldsOf(record: object): Fields {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) if (!apart.has(name)) fields[name] = value
  // The moment is apart, but not whether there is one.
  if ('deleted_at' in record) fields.deleted = record.deleted_at !== null
  return fields
}

const autonumbersOf = (store: Store, tableId: string): readonly string[] =>
  (store.tables.get(tableId)?.columns ?? []).filter(({ type }) => type === 'autonumber').map(({ id }) => id)

function rowFields(tableId: string, row: object, autonumbers: readonly string[]): Fields {
  const fields: Record<string, unknown> = { ...(row as { data: Fields }).data, table_id: tableId }
  for (const id of autonumbers) Reflect.deleteProperty(fields, id)
  return fields
}

interface Layer {
  readonly resource: string
  readonly prefix: string
  readonly changes: ReadonlyMap<string, Stored>
  readonly before: (id: string) => Stored
  readonly fields: (value: object, id: string) => Fields
}

/** The maps of changes of a store, with what lay under them when the run began. */
function layersOf(start: Store, end: Store): Layer[] {
  const [was, is] = [start.changes(), end.changes()]
  const under =
    <T extends object>(
      changes: ReadonlyMap<string, T | null> | undefined,
      base: ReadonlyMap<string, T> | undefined,
    ) =>
    (id: string): Stored => {
      const change = changes?.get(id)
      return change === undefined ? base?.get(id) : change
    }
  const layers = resourceNames.map((prefix): Layer => {
    const resource = resources[prefix].singular.replace('_', ' ')
    const before = under<object>(was.records[prefix], start.base.records[prefix].byId)
    return { resource, prefix, changes: is.records[prefix], before, fields: fieldsOf }
  })
  for (const tableId of is.rows.keys()) {
    const autonumbers = autonumbersOf(end, tableId)
    const changes = new Map([...end.rows(tableId).differences()].map(([, row, id]) => [id, row]))
    const before = (id: string) => start.rows(tableId).get(id)
    const fields = (row: object) => rowFields(tableId, row, autonumbers)
    layers.push({ resource: 'row', prefix: `rows/${tableId}`, changes, before, fields })
  }
  const before = under<object>(was.files, start.base.files)
  const fields = (content: object, storage_key: string) => ({ storage_key, content })
  layers.push({ resource: 'file', prefix: 'files', changes: is.files, before, fields })
  return layers
}

/** What differs between the end of a run and its start. */
export function changedRecords(start: Store, end: Store): ChangedRecords {
  const changed = new Map<string, Changed>()
  for (const { resource, prefix, changes, before, fields } of layersOf(start, end))
    for (const [id, value] of changes) {
      const was = before(id)
      if (value === was || (!value && !was)) continue
      changed.set(`${prefix}/${id}`, {
        resource,
        // The file of an attachment is kept under the attachment's id.
        id: resource === 'file' ? `file ${id}` : id,
        isNew: !was,
        fields: value ? fields(value, id) : null,
        was: () => (was ? fields(was, id) : null),
      })
    }
  return changed
}

/** When the last job of a store ends, or now. */
function lastJobMs(store: Store): number {
  for (;;) {
    const due = store.schedule.entries().filter(({ kind }) => kind === 'job')
    if (due.length === 0) return store.clock.nowMs()
    moveTo(store, Math.max(store.clock.nowMs(), Math.min(...due.map(({ dueMs }) => dueMs))))
  }
}

function moveTo(store: Store, nowMs: number): void {
  store.clock.restore({ mode: 'manual', nowMs })
  runDue(store)
}

const none = () => undefined

/** A copy whose jobs have ended; the store itself where it has none. */
export function withJobsEnded(store: Store): Store {
  if (!store.schedule.entries().some(({ kind }) => kind === 'job')) return store
  const copy = store.fork(none)
  lastJobMs(copy)
  return copy
}

/** The store at a later moment, with what time brings until then; the store itself where that is nothing. */
export function movedTo(store: Store, nowMs: number): Store {
  const { next } = store.schedule
  if (next === null || next.dueMs > nowMs) return store
  const copy = store.fork(none)
  moveTo(copy, nowMs)
  return copy
}

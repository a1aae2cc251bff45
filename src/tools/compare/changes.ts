// Finds what a run changed: records, rows and files that differ from its initial state, ignoring times, versions and
// counters.
import { resourceNames, resources } from '../../contract/resources.ts'
import type { Store } from '../../service/store/store.ts'
import { GeneratedIds } from '../../service/store/counters.ts'
import { toOutline, type Outline } from './references.ts'

type OutlineFields = Readonly<Record<string, unknown>>

export interface NamedOutline {
  /** `task`, `row`, `file` … */
  readonly resource: string
  readonly id: string
  /** Null if the record was deleted. */
  readonly fields: OutlineFields | null
}

const mostNameCharacters = 60

export function recordName({ resource, id, fields }: NamedOutline): string {
  const { title, name, filename, content, storage_key } = fields ?? {}
  const values = resource === 'row' ? Object.values({ ...fields, table_id: undefined }) : []
  const texts = [title, name, filename, storage_key, content, ...values]
  const text = texts.find((value): value is string => typeof value === 'string' && value !== '') ?? id
  return text.slice(0, mostNameCharacters)
}

/** A record that a run created, changed or deleted. */
export interface Changed extends NamedOutline {
  /** Its fields before the run; null if it did not exist. */
  readonly was: OutlineFields | null
  readonly outline: Outline
}

/** Changes by resource and id, in the order of `layersOf`. */
export type ChangedRecords = ReadonlyMap<string, Changed>

/** Ids, times, versions and counters, which can differ between two runs. */
const notCompared: ReadonlySet<string> = new Set([
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

function comparedFieldsOf(record: object): OutlineFields {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) if (!notCompared.has(name)) fields[name] = value
  // Compares whether a record is deleted, but not when.
  if ('deleted_at' in record) fields.deleted = record.deleted_at !== null
  return fields
}

function outlineRow(store: Store, tableId: string) {
  const columns = store.tables.get(tableId)?.columns ?? []
  const autonumbers = columns.filter(({ type }) => type === 'autonumber').map(({ id }) => id)
  return (row: object): OutlineFields => {
    const fields: Record<string, unknown> = { ...(row as { data: OutlineFields }).data, table_id: tableId }
    for (const id of autonumbers) Reflect.deleteProperty(fields, id)
    return fields
  }
}

/** The changes to one kind of record, and its content before the run. */
interface Layer {
  readonly resource: string
  readonly prefix: string
  readonly changes: Iterable<readonly [id: string, value: object | null]>
  readonly before: { get(id: string): object | undefined }
  readonly fields: (value: object, id: string) => OutlineFields
}

interface Differing {
  differences(): Iterable<readonly [slot: number, record: object | null, id: string]>
}

const changesOf = (table: Differing): Layer['changes'] =>
  [...table.differences()].map(([, record, id]) => [id, record] as const)

/** Orders resources so that ids are paired before other records refer to them. */
function layersOf(start: Store, end: Store): Layer[] {
  const records = resourceNames.map((prefix): Layer => {
    const resource = resources[prefix].singular.replace('_', ' ')
    return {
      resource,
      prefix,
      changes: changesOf(end[prefix]),
      before: start[prefix],
      fields: comparedFieldsOf,
    }
  })
  const rows = end.changedTables().map(([tableId, table]): Layer => {
    const [changes, fields] = [changesOf(table), outlineRow(end, tableId)]
    return { resource: 'row', prefix: `rows/${tableId}`, changes, before: start.rows(tableId), fields }
  })
  const fields = (content: object, storage_key: string) => ({ storage_key, content })
  const files = { resource: 'file', prefix: 'files', changes: end.files.changes, before: start.files, fields }
  return [...rows, ...records, files]
}

/** Finds the changed records. @param ignored fields to leave out, such as `task.title` */
export function findChangedRecords(start: Store, end: Store, ignored: ReadonlySet<string>): ChangedRecords {
  const ids = new GeneratedIds(start)
  const changed = new Map<string, Changed>()
  /** Records the run both created and deleted, and what belongs to them. */
  const gone = new Set<unknown>()
  const isGone = (record: object) =>
    ('deleted_at' in record && record.deleted_at !== null) ||
    ('task_id' in record && gone.has(record.task_id))
  for (const { resource, prefix, changes, before, fields } of layersOf(start, end)) {
    const compared = (value: object | null | undefined, id: string): OutlineFields | null => {
      if (!value) return null
      const all = fields(value, id)
      if (ignored.size === 0) return all
      return Object.fromEntries(Object.entries(all).filter(([name]) => !ignored.has(`${resource}.${name}`)))
    }
    for (const [id, value] of changes) {
      if (resource === 'file' && gone.has(id)) continue
      const was = before.get(id)
      if (value === was || (!value && !was)) continue
      if (!was && value && isGone(value)) {
        gone.add(id)
        continue
      }
      // The prefix tells an attachment's file from the attachment, which has the same id.
      const named = { resource, id: resource === 'file' ? `file ${id}` : id, fields: compared(value, id) }
      let outline: Outline | undefined
      changed.set(`${prefix}/${id}`, {
        ...named,
        was: compared(was, id),
        get outline() {
          return (outline ??= toOutline(ids, [named.resource, named.fields]))
        },
      })
    }
  }
  return changed
}

// Summaries of saved snapshots: their time, their size, and what restoring one would change.
import { resourceNames } from '../contract/resources.ts'
import { takeSnapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'

/** What restoring a snapshot would do to the records of a resource. */
export interface SnapshotDifference {
  /** `tasks`, `rows`, … */
  readonly resource: string
  readonly created: number
  readonly changed: number
  readonly deleted: number
}

export interface SnapshotSummary {
  readonly name: string
  /** The time on the mock's clock, in milliseconds. */
  readonly atMs: number
  /** Size of the snapshot as JSON. */
  readonly sizeBytes: number
  /** Resources that differ from the current state; null if that has another fixture. */
  readonly differences: readonly SnapshotDifference[] | null
}

/** A saved store never changes. */
const sizes = new WeakMap<Store, number>()

const encoder = new TextEncoder()

/** Bytes of a value as JSON, which can exceed the longest possible string. */
function jsonBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return encoder.encode(JSON.stringify(value) ?? '').length
  const entries = Object.entries(value)
  const inner = entries.map(
    ([name, part]) => (Array.isArray(value) ? 0 : jsonBytes(name) + 1) + jsonBytes(part),
  )
  return inner.reduce((sum, bytes) => sum + bytes, 2 + Math.max(0, entries.length - 1))
}

function sizeOf(store: Store): number {
  let size = sizes.get(store)
  if (size === undefined) {
    size = jsonBytes(takeSnapshot(store))
    sizes.set(store, size)
  }
  return size
}

interface Compared {
  readonly resource: string
  /** Of records that differ from the baseline on either side: no others can differ between the two. */
  readonly ids: Iterable<string>
  readonly read: (store: Store, id: string) => unknown
}

function comparedOf(saved: Store, current: Store): Compared[] {
  const changes = [saved, current].map((store) => store.changes())
  const records = resourceNames.map((resource) => ({
    resource,
    ids: changes.flatMap((changed) => [...changed.records[resource].keys()]),
    read: (store: Store, id: string) => store[resource].get(id),
  }))
  const tables = new Set(changes.flatMap(({ rows }) => [...rows.keys()]))
  const rows = [...tables].map((table) => ({
    resource: 'rows',
    ids: [saved, current].flatMap((store) => [...store.rows(table).differences()].map(([, , id]) => id)),
    read: (store: Store, id: string) => store.rows(table).get(id),
  }))
  return [...records, ...rows]
}

function differencesOf(saved: Store, current: Store): SnapshotDifference[] {
  const found = new Map<string, Record<'created' | 'changed' | 'deleted', number>>()
  for (const { resource, ids, read } of comparedOf(saved, current))
    for (const id of new Set(ids)) {
      const [before, after] = [read(current, id), read(saved, id)]
      if (before === after || JSON.stringify(before) === JSON.stringify(after)) continue
      const counts = found.get(resource) ?? { created: 0, changed: 0, deleted: 0 }
      counts[before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'] += 1
      found.set(resource, counts)
    }
  return [...found].map(([resource, counts]) => ({ resource, ...counts }))
}

export function summariesOf(snapshots: ReadonlyMap<string, Store>, current: Store): SnapshotSummary[] {
  return [...snapshots].map(([name, store]) => ({
    name,
    atMs: store.clock.nowMs(),
    sizeBytes: sizeOf(store),
    differences: store.base === current.base ? differencesOf(store, current) : null,
  }))
}

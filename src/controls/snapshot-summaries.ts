// The saved snapshots at a glance: their moment, their size, and what going back to one would change.
import { resourceNames } from '../contract/resources.ts'
import { takeSnapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'

/** What going back to a snapshot would do to the records of a kind. */
export interface SnapshotDifference {
  /** `tasks`, `rows`, … */
  readonly resource: string
  readonly created: number
  readonly changed: number
  readonly deleted: number
}

export interface SnapshotSummary {
  readonly name: string
  /** Its moment on the mock's clock, in milliseconds. */
  readonly atMs: number
  /** Of the snapshot as JSON. */
  readonly sizeBytes: number
  /** Kinds of records that differ from the current state; null where that is of another fixture. */
  readonly differences: readonly SnapshotDifference[] | null
}

/** A saved store never changes. */
const sizes = new WeakMap<Store, number>()

const encoder = new TextEncoder()

/** Bytes of a value as JSON, which can be longer than a text can be. */
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

type Read = (id: string) => unknown

/** Only what differs from the baseline on either side can differ between the two. */
function differenceOf(resource: string, ids: Iterable<string>, now: Read, then: Read): SnapshotDifference {
  const counts = { created: 0, changed: 0, deleted: 0 }
  for (const id of new Set(ids)) {
    const [before, after] = [now(id), then(id)]
    if (before === after) continue
    if (before === undefined) counts.created += 1
    else if (after === undefined) counts.deleted += 1
    else if (JSON.stringify(before) !== JSON.stringify(after)) counts.changed += 1
  }
  return { resource, ...counts }
}

function differencesOf(saved: Store, current: Store): SnapshotDifference[] {
  const [then, now] = [saved.changes(), current.changes()]
  const records = resourceNames.map((name) =>
    differenceOf(
      name,
      [...now.records[name].keys(), ...then.records[name].keys()],
      (id) => current[name].get(id),
      (id) => saved[name].get(id),
    ),
  )
  const rows = [...new Set([...now.rows.keys(), ...then.rows.keys()])].map((table) =>
    differenceOf(
      'rows',
      [saved, current].flatMap((store) => [...store.rows(table).differences()].map(([, , id]) => id)),
      (id) => current.rows(table).get(id),
      (id) => saved.rows(table).get(id),
    ),
  )
  const sum = { resource: 'rows', created: 0, changed: 0, deleted: 0 }
  for (const { created, changed, deleted } of rows) {
    sum.created += created
    sum.changed += changed
    sum.deleted += deleted
  }
  return [...records, sum].filter(({ created, changed, deleted }) => created + changed + deleted > 0)
}

export function summariesOf(snapshots: ReadonlyMap<string, Store>, current: Store): SnapshotSummary[] {
  return [...snapshots].map(([name, store]) => ({
    name,
    atMs: store.clock.nowMs(),
    sizeBytes: sizeOf(store),
    differences: store.base === current.base ? differencesOf(store, current) : null,
  }))
}

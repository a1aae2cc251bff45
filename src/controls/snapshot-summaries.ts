// Summaries of saved snapshots: their time, their size, and what restoring one would change.
import { resourceNames } from '../contract/resources.ts'
import { jsonPieces } from '../contract/text/json-text.ts'
import type { SavedSnapshot } from '../core/sandbox-options.ts'
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

const encoder = new TextEncoder()

function sizeOf(store: Store): number {
  let size = 0
  for (const piece of jsonPieces(takeSnapshot(store))) size += encoder.encode(piece).length
  return size
}

interface Records {
  get(id: string): unknown
  differences(): Iterable<readonly [slot: number, record: unknown, id: string]>
}

interface Compared {
  readonly resource: string
  readonly of: (store: Store) => Records
}

function comparedOf(stores: readonly Store[]): Compared[] {
  const tables = new Set(stores.flatMap((store) => store.changedTables().map(([id]) => id)))
  return [
    ...resourceNames.map((resource) => ({ resource, of: (store: Store) => store[resource] })),
    ...[...tables].map((id) => ({ resource: 'rows', of: (store: Store) => store.rows(id) })),
  ]
}

function differencesOf(saved: Store, current: Store): SnapshotDifference[] {
  const found = new Map<string, Record<'created' | 'changed' | 'deleted', number>>()
  for (const { resource, of } of comparedOf([saved, current])) {
    const [then, now] = [of(saved), of(current)]
    // What differs from the baseline on neither side cannot differ between the two.
    for (const id of new Set([...then.differences(), ...now.differences()].map(([, , id]) => id))) {
      const [before, after] = [now.get(id), then.get(id)]
      if (before === after || JSON.stringify(before) === JSON.stringify(after)) continue
      const counts = found.get(resource) ?? { created: 0, changed: 0, deleted: 0 }
      counts[before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'] += 1
      found.set(resource, counts)
    }
  }
  return [...found].map(([resource, counts]) => ({ resource, ...counts }))
}

export function summarizeSnapshots(
  snapshots: ReadonlyMap<string, SavedSnapshot>,
  current: Store,
): SnapshotSummary[] {
  return [...snapshots].map(([name, saved]) => ({
    name,
    atMs: saved.atMs,
    sizeBytes: (saved.sizeBytes ??= sizeOf(saved.store)),
    differences: saved.store.base === current.base ? differencesOf(saved.store, current) : null,
  }))
}

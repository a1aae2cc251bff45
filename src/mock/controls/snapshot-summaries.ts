// Summaries of saved snapshots: their time, their size, and what restoring one would change.
import { getOrInsert } from '../../contract/data/maps.ts'
import { resourceNames } from '../../contract/resources.ts'
import { splitJson } from '../../contract/text/json-text.ts'
import type { SavedSnapshot } from '../sandboxes/sandbox-options.ts'
import { takeSnapshot } from '../../service/store/snapshot.ts'
import type { Store } from '../../service/store/store.ts'

function sizeOf(store: Store): number {
  const encoder = new TextEncoder()
  let size = 0
  for (const piece of splitJson(takeSnapshot(store))) size += encoder.encode(piece).length
  return size
}

interface Records {
  get(id: string): unknown
  differences(): Iterable<readonly [slot: number, record: unknown, id: string]>
}

/** What restoring a snapshot would do to the records of each resource: `tasks`, `rows`, … */
function differencesOf(saved: Store, current: Store) {
  const noRecords = { created: 0, changed: 0, deleted: 0 }
  const found = new Map<string, typeof noRecords>()
  const compare = (resource: string, then: Records, now: Records) => {
    // What differs from the baseline on neither side cannot differ between the two.
    for (const id of new Set([...then.differences(), ...now.differences()].map(([, , each]) => each))) {
      const [before, after] = [now.get(id), then.get(id)]
      if (before === after || JSON.stringify(before) === JSON.stringify(after)) continue
      const counts = getOrInsert(found, resource, () => ({ ...noRecords }))
      counts[before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'] += 1
    }
  }
  for (const name of resourceNames) compare(name, saved[name], current[name])
  const tables = [saved, current].flatMap((store) => store.changedTables().map(([id]) => id))
  for (const id of new Set(tables)) compare('rows', saved.rows(id), current.rows(id))
  return [...found].map(([resource, counts]) => ({ resource, ...counts }))
}

function summarizeSnapshot(name: string, saved: SavedSnapshot, current: Store) {
  return {
    name,
    /** The time on the mock's clock, in milliseconds. */
    atMs: saved.atMs,
    /** Size of the snapshot as JSON. */
    sizeBytes: (saved.sizeBytes ??= sizeOf(saved.store)),
    /** Resources that differ from the current state; null if that has another fixture. */
    differences: saved.store.base === current.base ? differencesOf(saved.store, current) : null,
  }
}
export type SnapshotSummary = ReturnType<typeof summarizeSnapshot>

export const summarizeSnapshots = (
  snapshots: ReadonlyMap<string, SavedSnapshot>,
  current: Store,
): SnapshotSummary[] => [...snapshots].map(([name, saved]) => summarizeSnapshot(name, saved, current))

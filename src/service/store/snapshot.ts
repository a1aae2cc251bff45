// Snapshots: the changes of a store over its baseline, as plain JSON that shares nothing with it.
import { hashOfJson } from './hash.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { TableChanges } from './table.ts'
import type { Baseline, Store } from './store.ts'
import { resourceNames } from '../../contract/resources.ts'

/** Plain JSON; its content is internal to the mock. */
export interface Snapshot {
  readonly version: 1
  /** Fingerprint of the baseline it belongs to. */
  readonly base: string
  readonly [field: string]: unknown
}

/** A hash of the content of a snapshot, by which edited snapshots are recognized. */
export const markOf = ({ mark: _, ...content }: Snapshot): string => hashOfJson(content, 5)

const fingerprints = new WeakMap<Baseline, string>()

/** The name of a baseline with a hash of its records and rows, whatever its start was moved to. */
export function fingerprintOf(base: Baseline): string {
  const { original = base } = base
  return getOrInsert(fingerprints, original, () => {
    const { name, records, rows } = original
    const parts = [
      resourceNames.map((each) => records[each].records),
      [...rows].map(([id, table]) => [id, table.records]),
    ]
    return `${name}:${hashOfJson(parts, 4)}`
  })
}

const toJson = ({ added, changed }: TableChanges<object>) => ({ added, changed: [...changed] })

export function takeSnapshot(store: Store): Snapshot {
  const { records, rows, files, payloads, counters, schedule } = store.changes()
  const content: Snapshot = structuredClone({
    version: 1,
    base: fingerprintOf(store.base),
    start: Math.floor(store.base.nowMs / 1000),
    clock: store.clock.state(),
    answers: store.answers,
    records: Object.fromEntries(resourceNames.map((name) => [name, toJson(records[name])])),
    rows: [...rows].map(([id, changes]) => [id, toJson(changes)]),
    files: [...files].map(([id, bytes]) => [id, bytes && toBase64(bytes)]),
    payloads: [...payloads],
    runtime: counters,
    agenda: schedule,
  })
  return { ...content, mark: markOf(content) }
}

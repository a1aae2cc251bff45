// Snapshots: a store's changes over its baseline, as plain JSON that shares nothing with the store.
import { hashOfJson } from './hash.ts'
import { toBase64 } from '../../contract/data/base64.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { resourceNames, type Records, type ResourceName } from '../../contract/resources.ts'
import type { ClockState } from './clock.ts'
import type { CountersState } from './counters.ts'
import type { ScheduleEntry } from './schedule.ts'
import type { Baseline, Store } from './store.ts'
import type { StoredRow, TableChanges } from './table.ts'

/** Plain JSON to be restored unchanged; its content is internal to the mock. */
export interface Snapshot {
  readonly version: 1
  /** Fingerprint of the baseline it belongs to. */
  readonly base: string
  readonly [field: string]: unknown
}

/** The changes to a table, or to a resource's collection. */
export interface ChangesAsJson<T> {
  readonly added: T[]
  readonly changed: [slot: number, record: T | null][]
}

/** The contents of a snapshot that this version wrote and nobody has edited. */
export interface Content {
  /** When the baseline starts, in Unix seconds. */
  readonly start: number
  readonly clock: ClockState
  readonly answers: Answers
  readonly records: { readonly [Name in ResourceName]: ChangesAsJson<Records[Name]> }
  readonly rows: readonly [tableId: string, changes: ChangesAsJson<StoredRow>][]
  /** In base64; null for a removed file. */
  readonly files: readonly [id: string, contents: string | null][]
  readonly payloads: readonly [id: string, rows: readonly unknown[] | null][]
  readonly runtime: CountersState
  readonly agenda: readonly ScheduleEntry[]
}

/** Prefix of the marks of snapshots that this version can read. */
const markPrefix = '2:'

/** A hash of a snapshot's content, independent of key order. It shows whether the snapshot was edited. */
export const markOf = ({ mark: _, ...content }: Snapshot): string =>
  markPrefix + hashOfJson(content, 5, { sortsKeys: true })

/** Whether this version can read the snapshot with this mark. */
export const isMarkOfVersion = (mark: unknown): boolean =>
  typeof mark === 'string' && mark.startsWith(markPrefix)

const fingerprints = new WeakMap<Baseline, string>()

/** A baseline's name and a hash of its records and rows; the same whatever start time the baseline was moved to. */
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

const toJson = <T>({ added, changed }: TableChanges<T>): ChangesAsJson<T> => ({
  added,
  changed: [...changed],
})

export function takeSnapshot(store: Store): Snapshot {
  const { records, rows, files, payloads, counters, schedule } = store.changes()
  const recordsOf = resourceNames.map((name) => [name, toJson<object>(records[name])])
  const content: Content = {
    start: Math.floor(store.base.nowMs / 1000),
    clock: store.clock.state(),
    answers: store.answers,
    records: Object.fromEntries(recordsOf) as Content['records'],
    rows: [...rows].map(([id, changes]) => [id, toJson(changes)]),
    files: [...files].map(([id, bytes]) => [id, bytes && toBase64(bytes)]),
    payloads: [...payloads],
    runtime: counters,
    agenda: schedule,
  }
  const snapshot: Snapshot = structuredClone({
    version: 1,
    base: fingerprintOf(store.base),
    ...content,
  })
  return { ...snapshot, mark: markOf(snapshot) }
}

// Snapshots: the changes of a store over its baseline, as plain JSON that shares nothing with it.
import { entryOf } from '../contract/values/entries.ts'
import { hashOf } from './hash.ts'
import { checkInput } from '../contract/schema/issues.ts'
import { JsonObject, mapOf } from '../contract/values/objects.ts'
import * as z from 'zod/mini'
import type { ClockState } from './clock.ts'
import { fromBase64, toBase64 } from '../contract/values/base64.ts'
import type { RowChanges, StoredRow } from './row-table.ts'
import { CountersState } from './counters.ts'
import type { Baseline, Changes, Store } from './store.ts'
import { resources, resourceNames, type Records } from '../contract/resources.ts'
import { resolveAnswers, type Answers } from '../contract/questions/register.ts'

/** Plain JSON; its content is internal to the mock. */
export interface Snapshot {
  readonly version: 1
  /** Fingerprint of the baseline it belongs to. */
  readonly base: string
  readonly [field: string]: unknown
}

const Entries = z.array(z.tuple([z.string(), z.unknown()]))
const SnapshotSchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    base: z.string(),
    clock: z.object({ mode: z.enum(['manual', 'system']), nowMs: z.number() }),
    answers: JsonObject,
    records: mapOf(Entries, 'records by id', {}),
    rows: z.array(z.tuple([z.string(), z.array(z.unknown()), z.array(z.tuple([z.int(), z.unknown()]))])),
    files: z.array(z.tuple([z.string(), z.nullable(z.string())])),
    payloads: Entries,
    runtime: CountersState,
    agenda: z.array(
      z.object({ kind: z.enum(['job', 'repeat', 'purge']), id: z.string(), dueMs: z.number() }),
    ),
  }),
)

const encoder = new TextEncoder()
const fingerprints = new WeakMap<Baseline, string>()

/** A hash of the records and rows of a baseline. */
function fingerprintOf(base: Baseline): string {
  return entryOf(fingerprints, base, () => {
    const records = resourceNames.flatMap((name) => [name, ...base.records[name].byId.values()])
    const rows = [...base.rows].flatMap(([id, table]) => [id, ...table.rows])
    // One by one: together they can exceed the maximum length of a text.
    const hashes = [...records, ...rows].map((part) => hashOf(encoder.encode(JSON.stringify(part))))
    return `${base.name}:${hashOf(encoder.encode(hashes.join()))}`
  })
}

/** The changes of a store over its baseline, with clock and answers. */
export function takeSnapshot(store: Store): Snapshot {
  const { records, rows, files, payloads, runtime, agenda } = store.changes()
  return structuredClone({
    version: 1,
    base: fingerprintOf(store.base),
    clock: store.clock.state(),
    answers: store.answers,
    records: Object.fromEntries(resourceNames.map((name) => [name, [...records[name]]])),
    rows: [...rows].map(([id, { added, changed }]) => [id, added, [...changed]]),
    files: [...files].map(([id, bytes]) => [id, bytes && toBase64(bytes)]),
    payloads: [...payloads],
    runtime,
    agenda,
  })
}

export interface RestoredState {
  readonly changes: Changes
  readonly clock: ClockState
  readonly answers: Answers
}

/**
 * Reads a snapshot that was taken over this base.
 * @throws {TypeError} for anything else; nothing has changed then
 */
export function readSnapshot(snapshot: unknown, base: Baseline): RestoredState {
  const checked = checkInput(SnapshotSchema, snapshot)
  if (!checked.success) throw new TypeError('snapshot must be what mock.snapshot() gave')
  const data = structuredClone(checked.data)
  if (data.base !== fingerprintOf(base))
    throw new TypeError(
      `snapshot was taken over fixture ${data.base}; this mock runs over ${fingerprintOf(base)}`,
    )
  return {
    changes: {
      records: recordChanges(data.records),
      rows: new Map(data.rows.map(([id, added, changed]) => [id, toRowChanges(added, changed)])),
      files: new Map(data.files.map(([id, text]) => [id, text === null ? null : fromBase64(text)])),
      payloads: new Map(data.payloads as [string, readonly unknown[] | null][]),
      runtime: data.runtime,
      agenda: data.agenda,
    },
    clock: data.clock,
    answers: resolveAnswers(data.answers),
  }
}

const toRowChanges = (added: unknown[], changed: [number, unknown][]): RowChanges => ({
  added: added as StoredRow[],
  changed: new Map(changed as [number, StoredRow | null][]),
})

function recordChanges(records: Readonly<Record<string, [string, unknown][]>>): Changes['records'] {
  const read = resourceNames.map((name) => {
    const schema = z.nullable(resources[name].schema)
    const entries = (records[name] ?? []).map(([id, record]): [string, unknown] => {
      const checked = schema.safeParse(record)
      if (!checked.success) throw new TypeError(`snapshot holds a ${name} record ${id} of another shape`)
      return [id, checked.data]
    })
    return [name, new Map(entries)]
  })
  return Object.fromEntries(read) as { [Name in keyof Records]: Map<string, Records[Name] | null> }
}

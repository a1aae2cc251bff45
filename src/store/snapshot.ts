// Snapshots: the changes of a store over its baseline, as plain JSON that shares nothing with it.
import { getOrInsert } from '../contract/data/maps.ts'
import { hashOf } from './hash.ts'
import { checkInput } from '../contract/schema/issues.ts'
import { JsonObject, mapSchema } from '../contract/data/objects.ts'
import { quote } from '../contract/text/quote.ts'
import * as z from 'zod/mini'
import { clockModes, type ClockState } from './clock.ts'
import { scheduleKinds } from './schedule.ts'
import { fromBase64, toBase64 } from '../contract/data/base64.ts'
import type { StoredRow, TableChanges } from './table.ts'
import { CountersState } from './counters.ts'
import type { Baseline, Changes, Store } from './store.ts'
import { resources, resourceNames } from '../contract/resources.ts'
import { resolveAnswers, type Answers } from '../contract/questions/register.ts'

/** Plain JSON; its content is internal to the mock. */
export interface Snapshot {
  readonly version: 1
  /** Fingerprint of the baseline it belongs to. */
  readonly base: string
  readonly [field: string]: unknown
}

const TableChangesSchema = z.object({
  added: z.array(z.unknown()),
  changed: z.array(z.tuple([z.int(), z.unknown()])),
})
const SnapshotSchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    base: z.string(),
    clock: z.object({ mode: z.enum(clockModes), nowMs: z.number() }),
    answers: JsonObject,
    records: mapSchema(TableChangesSchema, 'changes of records', {}),
    rows: z.array(z.tuple([z.string(), TableChangesSchema])),
    files: z.array(z.tuple([z.string(), z.nullable(z.string())])),
    payloads: z.array(z.tuple([z.string(), z.unknown()])),
    runtime: CountersState,
    agenda: z.array(z.object({ kind: z.enum(scheduleKinds), id: z.string(), dueMs: z.number() })),
  }),
)

const encoder = new TextEncoder()
const fingerprints = new WeakMap<Baseline, string>()

/** A hash of the records and rows of a baseline. */
function fingerprintOf(base: Baseline): string {
  return getOrInsert(fingerprints, base, () => {
    const records = resourceNames.flatMap((name) => [name, ...base.records[name].records])
    const rows = [...base.rows].flatMap(([id, table]) => [id, ...table.records])
    // One by one: together they can exceed the maximum length of a text.
    const hashes = [...records, ...rows].map((part) => hashOf(encoder.encode(JSON.stringify(part))))
    return `${base.name}:${hashOf(encoder.encode(hashes.join()))}`
  })
}

const toJson = ({ added, changed }: TableChanges<object>) => ({ added, changed: [...changed] })

/** The changes of a store over its baseline, with clock and answers. */
export function takeSnapshot(store: Store): Snapshot {
  const { records, rows, files, payloads, counters, schedule } = store.changes()
  return structuredClone({
    version: 1,
    base: fingerprintOf(store.base),
    clock: store.clock.state(),
    answers: store.answers,
    records: Object.fromEntries(resourceNames.map((name) => [name, toJson(records[name])])),
    rows: [...rows].map(([id, changes]) => [id, toJson(changes)]),
    files: [...files].map(([id, bytes]) => [id, bytes && toBase64(bytes)]),
    payloads: [...payloads],
    runtime: counters,
    agenda: schedule,
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
      rows: new Map(data.rows.map(([id, changes]) => [id, toChanges(changes) as TableChanges<StoredRow>])),
      files: new Map(data.files.map(([id, text]) => [id, text === null ? null : fromBase64(text)])),
      payloads: new Map(data.payloads as [string, readonly unknown[] | null][]),
      counters: data.runtime,
      schedule: data.agenda,
    },
    clock: data.clock,
    answers: resolveAnswers(data.answers),
  }
}

const toChanges = ({ added, changed }: z.infer<typeof TableChangesSchema>): TableChanges<unknown> => ({
  added,
  changed: new Map(changed),
})

function recordChanges(
  records: Readonly<Record<string, z.infer<typeof TableChangesSchema>>>,
): Changes['records'] {
  const read = resourceNames.map((name) => {
    const schema = z.nullable(resources[name].schema)
    const parsed = (record: unknown): unknown => {
      const checked = schema.safeParse(record)
      if (checked.success) return checked.data
      throw new TypeError(`snapshot holds a ${name} record of another shape: ${quote(record)}`)
    }
    const { added, changed } = toChanges(records[name] ?? { added: [], changed: [] })
    const checked = new Map([...changed].map(([slot, record]) => [slot, parsed(record)]))
    return [name, { added: added.map(parsed), changed: checked }]
  })
  return Object.fromEntries(read) as Changes['records']
}

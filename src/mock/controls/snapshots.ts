// Named snapshots: saving, restoring, and listing them with their size and what restoring would change.
import { BoundedMap } from '../../contract/data/bounded-map.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { resourceNames } from '../../contract/resources.ts'
import { splitJson } from '../../contract/text/json-text.ts'
import { quote } from '../../contract/text/quote.ts'
import { assertExists, ControlError } from '../control-error.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import { restoreStore } from '../../service/fixture/restore.ts'
import type { ClockState } from '../../service/store/clock.ts'
import { markOf, takeSnapshot, type Snapshot } from '../../service/store/snapshot.ts'
import type { Baseline, Store } from '../../service/store/store.ts'

/** What restoring a snapshot would change in one resource, such as `tasks` or `rows`. */
interface SnapshotChanges {
  readonly resource: string
  readonly created: number
  readonly changed: number
  readonly deleted: number
}

export interface SnapshotSummary {
  readonly name: string
  /** The time on the mock's clock, in Unix seconds. */
  readonly clock: number
  /** Size of the snapshot as JSON. */
  readonly sizeBytes: number
  /** Resources that differ from the current state; null if the two have different fixtures. */
  readonly changes: readonly SnapshotChanges[] | null
}

/** Snapshots under names of 1 to 64 letters, digits, `_`, `-` or `.`; they survive a reset. */
export interface SnapshotControls {
  /**
   * Saves the current state.
   * @throws {ControlError} for an invalid name
   */
  save(name: string): void
  /**
   * Restores a snapshot. Faults and journal stay as they are.
   * @throws {NotFoundError} for an unknown name
   */
  restore(name: string): void
  /** Returns a snapshot in the form of `mock.snapshot()`. @throws {NotFoundError} for an unknown name */
  read(name: string): Snapshot
  /**
   * Saves a given snapshot.
   * @throws {ControlError} for an invalid name
   * @throws {TypeError} for an invalid snapshot, or one of another fixture
   */
  add(name: string, snapshot: Snapshot): void
  /** The snapshots, each with its time, its size and how it differs from the current state. */
  list(): SnapshotSummary[]
  /**
   * Deletes a snapshot.
   * @throws {NotFoundError} for an unknown name
   */
  delete(name: string): void
}

function sizeOf(store: Store): number {
  const encoder = new TextEncoder()
  let size = 0
  for (const piece of splitJson(takeSnapshot(store))) size += encoder.encode(piece).length
  return size
}

interface StoredRecords {
  get(id: string): unknown
  differences(): Iterable<readonly [slot: number, record: unknown, id: string]>
}

/** Finds what restoring a snapshot would change in each resource: `tasks`, `rows`, … */
function findChanges(saved: Store, current: Store): SnapshotChanges[] {
  const noRecords = { created: 0, changed: 0, deleted: 0 }
  const found = new Map<string, typeof noRecords>()
  const compare = (resource: string, then: StoredRecords, now: StoredRecords) => {
    // A record that equals the baseline on both sides cannot differ between them.
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

/** The states behind a mock's snapshots: an unedited snapshot maps to its state, any other to its baseline. */
export class SnapshotBases {
  readonly #taken = new WeakMap<Snapshot, Store>()
  /** Baselines for copies of snapshots, such as those read from a file. */
  readonly #byMark = new BoundedMap<Baseline>(16)

  /** @param store is retained and must no longer change */
  take(store: Store): Snapshot {
    const snapshot = takeSnapshot(store)
    this.#taken.set(snapshot, store)
    this.#byMark.set(snapshot.base, store.base)
    return snapshot
  }

  /** Opens a snapshot's state on its own baseline, because the mock's state may have been replaced since it was taken. */
  open(snapshot: Snapshot, { store, events }: Sandbox): Store {
    const taken = this.#taken.get(snapshot)
    if (!taken || snapshot.mark !== markOf(snapshot)) {
      const base =
        taken?.base ?? this.#byMark.get((snapshot as Snapshot | undefined)?.base ?? '') ?? store.base
      return restoreStore(snapshot, base, { events, cacheOwner: store.cacheOwner })
    }
    // This mock took the snapshot and it was not edited, so nothing needs checking.
    const copy = taken.fork(events)
    copy.clock.restore(snapshot.clock as ClockState)
    return copy
  }
}

export function createSnapshotControls(sandboxOf: () => Sandbox, bases: SnapshotBases): SnapshotControls {
  const getSaved = (name: string) => {
    if (typeof name === 'object')
      throw new ControlError(
        `mock.snapshots takes the name of a snapshot; received ${quote(name)}; mock.restore takes what mock.snapshot() returned`,
      )
    const { snapshots } = sandboxOf()
    return assertExists(snapshots.get(name), 'snapshot', name, () => [...snapshots.keys()])
  }
  const saveAs = (name: string, toSave: (sandbox: Sandbox) => Store) => {
    if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
      throw new ControlError(`name must be 1 to 64 letters, digits, _, - or .; received ${quote(name)}`)
    sandboxOf().change((sandbox) => {
      const store = toSave(sandbox)
      sandbox.snapshots.set(name, { store, atMs: store.clock.nowMs() })
    })
  }
  /** Copies a saved state as of the moment it was saved, even if its clock has moved since. */
  const forkSaved = (name: string) => {
    const { store, atMs } = getSaved(name)
    const copy = store.fork()
    copy.clock.restore({ mode: copy.clock.mode, nowMs: atMs })
    return copy
  }
  return {
    save: (name) => saveAs(name, (sandbox) => sandbox.fork()),
    restore: (name) => {
      const store = forkSaved(name)
      sandboxOf().store = store
    },
    read: (name) => bases.take(forkSaved(name)),
    add: (name, snapshot) => saveAs(name, (sandbox) => bases.open(snapshot, sandbox)),
    list: () => {
      const sandbox = sandboxOf()
      const current = sandbox.bringUpToDate()
      return [...sandbox.snapshots].map(([name, saved]) => ({
        name,
        clock: Math.floor(saved.atMs / 1000),
        sizeBytes: (saved.sizeBytes ??= sizeOf(saved.store)),
        changes: saved.store.base === current.base ? findChanges(saved.store, current) : null,
      }))
    },
    delete: (name) => {
      getSaved(name)
      sandboxOf().change(({ snapshots }) => void snapshots.delete(name))
    },
  }
}

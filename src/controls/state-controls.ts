// Controls of the whole state: reset, snapshots, seeding, export and import.
import { quote } from '../contract/text/quote.ts'
import { assertExists, ControlError } from '../core/control-error.ts'
import type { Sandbox } from '../core/sandbox.ts'
import { exportFixture } from '../fixture/export.ts'
import { loadBase } from '../fixture/load.ts'
import { seedStore } from '../fixture/seed.ts'
import { restoreStore } from '../fixture/restore.ts'
import { takeSnapshot, type Snapshot } from '../store/snapshot.ts'
import { Store } from '../store/store.ts'
import type { MockControls } from './mock-controls.ts'
import type { SnapshotBases } from './snapshot-bases.ts'
import { summarizeSnapshots } from './snapshot-summaries.ts'

export interface StateOptions {
  readonly snapshotBases: SnapshotBases
}

/** @throws {ControlError} */
function assertSnapshotName(name: string): void {
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    throw new ControlError(`name must be 1 to 64 letters, digits, _, - or .; received ${quote(name)}`)
}

export function stateControls(sandboxOf: () => Sandbox, { snapshotBases }: StateOptions) {
  const takeAndRemember = (store: Store) => {
    const snapshot = takeSnapshot(store)
    snapshotBases.add(snapshot, store)
    return snapshot
  }
  const storeOf = (snapshot: Snapshot, { store, events }: Sandbox) =>
    snapshotBases.copyOf(snapshot, events) ??
    restoreStore(snapshot, snapshotBases.of(snapshot) ?? store.base, { events, shared: store.shared })
  const getSaved = (name: string) => {
    const { snapshots } = sandboxOf()
    return assertExists(snapshots.get(name), 'snapshot', name, () => [...snapshots.keys()])
  }
  const saveAs = (name: string, toSave: (sandbox: Sandbox) => Store) => {
    assertSnapshotName(name)
    sandboxOf().change((sandbox) => {
      const store = toSave(sandbox)
      sandbox.snapshots.set(name, { store, atMs: store.clock.nowMs() })
    })
  }
  /** A copy of a saved state at the moment at which it was saved, whatever its clock has done since. */
  const forkSaved = (name: string) => {
    const { store, atMs } = getSaved(name)
    const copy = store.fork()
    copy.clock.restore({ mode: copy.clock.mode, nowMs: atMs })
    return copy
  }
  const replaceStore = (by: (sandbox: Sandbox) => Store) => {
    const sandbox = sandboxOf()
    sandbox.store = by(sandbox)
  }
  return {
    reset: () => sandboxOf().reset(),
    snapshot: () => takeAndRemember(sandboxOf().upToDate()),
    restore: (snapshot) => replaceStore((sandbox) => storeOf(snapshot, sandbox)),
    saveSnapshot: (name) => saveAs(name, (sandbox) => sandbox.upToDate().fork()),
    restoreSnapshot: (name) => replaceStore(() => forkSaved(name)),
    deleteSnapshot: (name) => {
      getSaved(name)
      sandboxOf().change(({ snapshots }) => void snapshots.delete(name))
    },
    snapshotNames: () => [...sandboxOf().snapshots.keys()],
    snapshotSummaries: () => summarizeSnapshots(sandboxOf().snapshots, sandboxOf().upToDate()),
    readSnapshot: (name) => takeAndRemember(forkSaved(name)),
    addSnapshot: (name, snapshot) => saveAs(name, (sandbox) => storeOf(snapshot, sandbox)),
    seed: (partial) => {
      const store = sandboxOf().upToDate()
      return store.change(() => seedStore(store, partial))
    },
    state: () => exportFixture(sandboxOf().upToDate()),
    // Only the state is that of the fixture.
    loadState: (fixture) =>
      replaceStore(({ store, events }) => {
        const { answers, shared } = store
        const base = loadBase(fixture, { answers })
        return new Store(base, {
          answers,
          shared,
          events,
          clock: { mode: store.clock.mode, nowMs: base.nowMs },
        })
      }),
  } satisfies Partial<MockControls>
}

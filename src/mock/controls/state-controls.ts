// Controls of the whole state: reset, snapshots, seeding, answers, export and import.
import { resolveAnswers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { assertExists, ControlError } from '../control-error.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import { exportFixture } from '../../service/fixture/export.ts'
import { loadBase } from '../../service/fixture/load.ts'
import { seedStore } from '../../service/fixture/seed.ts'
import { rescheduleJobs } from '../../service/resources/jobs.ts'
import { restoreStore } from '../../service/fixture/restore.ts'
import { markOf, takeSnapshot, type Snapshot } from '../../service/store/snapshot.ts'
import { Store, type Baseline } from '../../service/store/store.ts'
import type { ClockState } from '../../service/store/clock.ts'
import type { EventSink } from '../../service/store/events.ts'
import { BoundedMap } from '../../contract/data/bounded-map.ts'
import type { MockControls } from './mock-controls.ts'
import { summarizeSnapshots } from './snapshot-summaries.ts'

/** The states of a mock's snapshots: the state itself of one that was not edited, the baseline of any other. */
export class SnapshotBases {
  readonly #taken = new WeakMap<Snapshot, Store>()
  /** For copies of snapshots, such as those read from a file. */
  readonly #byMark = new BoundedMap<Baseline>(16)

  add(snapshot: Snapshot, store: Store): void {
    this.#taken.set(snapshot, store.fork())
    this.#byMark.set(snapshot.base, store.base)
  }

  /** The baseline of a snapshot: the state of the mock can have been replaced since it was taken. */
  of(snapshot: Snapshot | undefined): Baseline | undefined {
    return snapshot && (this.#taken.get(snapshot)?.base ?? this.#byMark.get(snapshot.base))
  }

  /** A copy of the state of a snapshot that was taken here and not edited since: nothing in it needs a check. */
  copyOf(snapshot: Snapshot, events: EventSink): Store | undefined {
    const taken = this.#taken.get(snapshot)
    if (!taken || snapshot.mark !== markOf(snapshot)) return undefined
    const copy = taken.fork(events)
    copy.clock.restore(snapshot.clock as ClockState)
    return copy
  }
}

export function createStateControls(sandboxOf: () => Sandbox, snapshotBases: SnapshotBases) {
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
    if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
      throw new ControlError(`name must be 1 to 64 letters, digits, _, - or .; received ${quote(name)}`)
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
    snapshot: () => takeAndRemember(sandboxOf().bringUpToDate()),
    restore: (snapshot) => replaceStore((sandbox) => storeOf(snapshot, sandbox)),
    saveSnapshot: (name) => saveAs(name, (sandbox) => sandbox.bringUpToDate().fork()),
    restoreSnapshot: (name) => replaceStore(() => forkSaved(name)),
    deleteSnapshot: (name) => {
      getSaved(name)
      sandboxOf().change(({ snapshots }) => void snapshots.delete(name))
    },
    snapshotNames: () => [...sandboxOf().snapshots.keys()],
    snapshotSummaries: () => summarizeSnapshots(sandboxOf().snapshots, sandboxOf().bringUpToDate()),
    readSnapshot: (name) => takeAndRemember(forkSaved(name)),
    addSnapshot: (name, snapshot) => saveAs(name, (sandbox) => storeOf(snapshot, sandbox)),
    seed: (partial) => {
      const store = sandboxOf().bringUpToDate()
      return store.change(() => seedStore(store, partial))
    },
    setAnswers: (answers) =>
      sandboxOf().change((sandbox) => {
        const store = sandbox.bringUpToDate()
        store.answers = resolveAnswers(answers, store.answers)
        rescheduleJobs(store)
        return store.answers
      }),
    state: () => exportFixture(sandboxOf().bringUpToDate()),
    // Answers, mode of the clock and listeners stay.
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

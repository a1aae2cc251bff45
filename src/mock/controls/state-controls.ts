// Controls for the whole state: reset, snapshots, seeding, answers, export and import.
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../control-error.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import { exportFixture } from '../../service/fixture/export.ts'
import { loadBase, seedStore } from '../../service/fixture/load.ts'
import { Store } from '../../service/store/store.ts'
import type { MockControls } from './mock-controls.ts'
import type { SnapshotBases } from './snapshots.ts'

export function createStateControls(
  sandboxOf: () => Sandbox,
  snapshotBases: SnapshotBases,
  sandboxes: Sandboxes,
) {
  const replaceStore = (by: (sandbox: Sandbox) => Store) => {
    const sandbox = sandboxOf()
    sandbox.store = by(sandbox)
  }
  return {
    reset: () => sandboxes.reset(sandboxOf()),
    snapshot: () => snapshotBases.take(sandboxOf().fork()),
    restore: (snapshot) => {
      if (typeof snapshot === 'string')
        throw new ControlError(
          `mock.restore takes what mock.snapshot() returned; received ${quote(snapshot)}; mock.snapshots.restore takes the name of a snapshot`,
        )
      replaceStore((sandbox) => snapshotBases.open(snapshot, sandbox))
    },
    seed: (partial) => {
      const store = sandboxOf().bringUpToDate()
      return store.change(() => seedStore(store, partial))
    },
    setAnswers: (answers) =>
      sandboxOf().change((sandbox) => {
        sandbox.bringUpToDate()
        return sandbox.faults.answers.set(answers)
      }),
    state: () => exportFixture(sandboxOf().bringUpToDate()),
    // Keeps the answers, the clock's mode and the listeners.
    loadState: (fixture) =>
      replaceStore(({ store, events, faults }) => {
        const { cacheOwner } = store
        const { own: answers } = faults.answers
        const base = loadBase(fixture, { answers })
        return new Store(base, {
          answers,
          cacheOwner,
          events,
          clock: { mode: store.clock.mode, nowMs: base.nowMs },
        })
      }),
  } satisfies Partial<MockControls>
}

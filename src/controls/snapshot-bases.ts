// The baselines of a mock's snapshots, since its state can have been replaced after they were taken.
import { BoundedMap } from '../contract/data/bounded-map.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { Baseline } from '../store/store.ts'

/** How many baselines are kept for copies of snapshots, such as those read from a file. */
const basesKept = 16

export class SnapshotBases {
  readonly #taken = new WeakMap<Snapshot, Baseline>()
  readonly #byMark = new BoundedMap<Baseline>(basesKept)

  add(snapshot: Snapshot, base: Baseline): void {
    this.#taken.set(snapshot, base)
    this.#byMark.set(snapshot.base, base)
  }

  of(snapshot: Snapshot | undefined): Baseline | undefined {
    return snapshot && (this.#taken.get(snapshot) ?? this.#byMark.get(snapshot.base))
  }
}

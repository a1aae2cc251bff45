// The states of a mock's snapshots: the state itself of one that was not edited, the baseline of any other.
import { BoundedMap } from '../contract/data/bounded-map.ts'
import type { ClockState } from '../store/clock.ts'
import type { EventSink } from '../store/events.ts'
import { markOf, type Snapshot } from '../store/snapshot.ts'
import type { Baseline, Store } from '../store/store.ts'

/** How many baselines are kept for copies of snapshots, such as those read from a file. */
const basesKept = 16

export class SnapshotBases {
  readonly #taken = new WeakMap<Snapshot, Store>()
  readonly #byMark = new BoundedMap<Baseline>(basesKept)

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

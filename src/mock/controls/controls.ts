// Assembles the controls of a sandbox.
import { asControl } from '../control-error.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import type { Wrapper } from './caller-stack.ts'
import { createClockControls } from './clock.ts'
import { createDb } from './db/db.ts'
import { withInternals, type MockParts } from '../internals.ts'
import { createJournalControls } from './journal-controls.ts'
import type { MockControls } from './mock-controls.ts'
import { createProductControls } from './product.ts'
import { createSnapshotControls, type SnapshotBases } from './snapshots.ts'
import { createStateControls } from './state-controls.ts'

interface ControlsOptions extends MockParts {
  readonly baseUrl: string
  readonly snapshotBases: SnapshotBases
  /** Undefined for the main sandbox. */
  readonly sandboxName?: string
  /**
   * Wraps functions that users call. Omitted for explorations: they create controls per run, and nobody reads their
   * stacks.
   */
  readonly wrap?: Wrapper
}

/** Creates the controls of a sandbox. Every call looks up the sandbox again. */
export function createControls(sandboxOf: () => Sandbox, options: ControlsOptions): MockControls {
  const { baseUrl, snapshotBases, sandboxName } = options
  const wrap: Wrapper = options.wrap ?? ((functions) => functions)
  const store = () => sandboxOf().bringUpToDate()
  const controls: MockControls = {
    clock: createClockControls(sandboxOf, wrap),
    db: createDb(store, wrap),
    snapshots: wrap(createSnapshotControls(sandboxOf, snapshotBases)),
    events: wrap<MockControls['events']>({
      on: (name, listener) => {
        // Everything due by now must happen before the listener is added.
        store()
        return asControl(() => sandboxOf().events.on(name, listener))
      },
    }),
    ...wrap(createStateControls(sandboxOf, snapshotBases, options.sandboxes)),
    ...wrap(createJournalControls(sandboxOf, baseUrl, sandboxName, options)),
    ...wrap(createProductControls(store)),
    get answers() {
      return sandboxOf().store.answers
    },
  }
  const { sandboxes, boundaries, fixtureName, options: given } = options
  return withInternals(controls, { sandboxOf, sandboxes, boundaries, fixtureName, options: given })
}

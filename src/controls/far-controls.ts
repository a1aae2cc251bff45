// Controls of a mock from another process or through the control API: the methods of MockControls, and those that
// differ because only JSON can be passed.
import * as z from 'zod/mini'
import { Plan } from '../contract/identity.ts'
import type { Answers, QuestionRecord } from '../contract/questions/register.ts'
import { assertExists, ControlError } from '../core/control-error.ts'
import type { FaultSpec } from '../core/fault-spec.ts'
import type { FaultState } from '../core/faults.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { Fixture } from '../../fixtures/types.ts'
import { LimitChanges, type WorkspaceRecord } from '../contract/workspaces.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { ClockMode } from '../store/clock.ts'
import { checked } from '../core/checked.ts'
import { enterState, type ProviderState } from './provider-states.ts'
import type { CopyFormat } from './copy-as.ts'
import { farDb, type FarDb } from './far-db.ts'
import type { Duration, MockControls, SandboxSummary } from './mock-controls.ts'

/** A whole mock with its sandboxes, as far as controls need it. */
export interface WholeMock extends MockControls {
  readonly fixtureName: string
  readonly questions: readonly QuestionRecord[]
  sandboxes(): string[]
  sandboxSummaries(): SandboxSummary[]
  deleteSandbox(name: string): boolean
}

export interface ClockReading {
  /** Whole Unix seconds. */
  readonly now: number
  readonly mode: ClockMode
}

export interface WorkspaceChange {
  readonly plan?: Plan | undefined
  readonly billing?: WorkspaceRecord['billing'] | undefined
  /** Merged; null is unlimited, `'plan'` is the plan's again. */
  readonly limits?: LimitChanges | undefined
  /** Default: that of the key in `Authorization`, without one the fixture's first. */
  readonly workspaceId?: string | undefined
}

export interface FarClock {
  /** The clock: `now` in Unix seconds and `mode`. */
  read(): ClockReading
  /** Sets the clock, backwards too, or its mode: `system` or `manual`. */
  change(change: { readonly now?: number; readonly mode?: ClockMode }): ClockReading
  /** Moves the clock on by `ms` milliseconds, or `by` a length such as `30d`. */
  advance(by: { readonly ms?: number; readonly by?: number | string }): ClockReading
}

/** Controls with other arguments or results than in process. */
interface Different {
  /** The clock. */
  readonly clock: FarClock
  /** Records, to arrange: `create`, `change`, `remove`. */
  readonly db: FarDb
  /** `status`, `fixture` and `clock`. */
  health(): { readonly status: 'ok'; readonly fixture: string; readonly clock: ClockReading }
  /** Resets the mock, or only the sandbox that the request names. Named snapshots stay. */
  reset(): { readonly success: true; readonly fixture: string; readonly clock: ClockReading }
  /** The names of all sandboxes. */
  sandboxes(): readonly string[]
  /** All sandboxes, each with its label and its numbers of requests and errors. */
  sandboxSummaries(): readonly SandboxSummary[]
  /** Deletes a sandbox. */
  deleteSandbox(name: string): void
  /** One request of the journal. */
  request(id: number | string): JournalEntry
  /** Requests of the journal, `ids` with commas between, as text to paste: `curl`, `fetch`, `vitest` or `fault`. */
  copyAs(as: CopyFormat, ids: number | string): string
  /** The register of open questions. */
  questions(): readonly QuestionRecord[]
  /** The current answers to open questions. */
  answers(): Answers
  /** Replaces the whole state and returns it. */
  loadState(fixture: unknown): Fixture
  /** Back to a snapshot; faults and journal stay as they are. */
  restore(snapshot: Snapshot): void
  /** Makes the next matching requests fail, be slow, or break off. */
  fault(spec: FaultSpec): FaultState
  /** Removes a fault. */
  removeFault(id: string): void
  /** Keeps a snapshot under a name. */
  saveSnapshot(name: string): { readonly name: string }
  /** Saves a snapshot that was read before under a name. */
  addSnapshot(name: string, snapshot: Snapshot): { readonly name: string }
  /** Back to a named snapshot. */
  restoreSnapshot(name: string): { readonly name: string; readonly clock: ClockReading }
  /**
   * A state for Pact's verifier: `reset`, `snapshot NAME`, `plan PLAN`, `billing lapsed`, or `limits`, `clock`, `fault`,
   * `answers`, `seed` with their fields in `params`; `action: "teardown"` removes faults.
   */
  enterState(state: ProviderState): void
  /** Plan, billing and limits of the workspace of the key in `Authorization`, or of the first. */
  changeWorkspace(change: WorkspaceChange): WorkspaceRecord
}

/** Members for one process only, and those that `changeWorkspace` and `Authorization` replace. */
type Near = 'events' | 'workspaceOfKey' | 'setPlan' | 'setLimits' | 'lapseBilling'

export type FarControls = Omit<MockControls, Near | keyof Different> & Different

const Change = z.strictObject({
  plan: z.optional(Plan),
  billing: z.optional(z.enum(['ok', 'lapsed'])),
  limits: z.optional(LimitChanges),
  workspaceId: z.optional(z.string()),
})

/** Runs a call that throws RangeError or TypeError for wrong arguments. */
function refused(call: () => void): void {
  try {
    call()
  } catch (error) {
    throw error instanceof RangeError || error instanceof TypeError ? new ControlError(error.message) : error
  }
}

function farClock({ clock }: MockControls): FarClock {
  const read = () => ({ now: clock.now(), mode: clock.mode })
  return {
    read,
    change: ({ now, mode }) => {
      if (mode !== undefined) checked(z.enum(['manual', 'system']), mode, 'mode')
      if (now !== undefined) refused(() => clock.set(now))
      if (mode !== undefined) clock.mode = mode
      return read()
    },
    advance: ({ ms, by }) => {
      if ((ms === undefined) === (by === undefined))
        throw new ControlError(
          'body must have either ms, a number of milliseconds, or by, a length such as "30d"',
        )
      const length = ms === undefined ? (by ?? 0) : checked(z.number().check(z.gte(0)), ms, 'ms')
      refused(() => clock.advance(length as Duration | number))
      return read()
    },
  }
}

/**
 * The remote controls of a mock or, given its controls, of a sandbox; `key` is that of the caller, if any, and selects
 * the workspace.
 */
export function farControls(
  mock: WholeMock,
  controls: MockControls = mock,
  key: string | null = null,
): FarControls {
  const clock = farClock(controls)
  const different: Different = {
    clock,
    db: farDb(controls.db),
    health: () => ({ status: 'ok', fixture: mock.fixtureName, clock: clock.read() }),
    reset: () => {
      controls.reset()
      return { success: true, fixture: mock.fixtureName, clock: clock.read() }
    },
    sandboxes: () => mock.sandboxes(),
    sandboxSummaries: () => mock.sandboxSummaries(),
    deleteSandbox: (name) => {
      assertExists(mock.deleteSandbox(name) || undefined, 'sandbox', name, mock.sandboxes)
    },
    request: (id) => controls.request(Number(id)),
    copyAs: (as, ids) => controls.copyAs(as, String(ids).split(',').map(Number)),
    questions: () => mock.questions,
    answers: () => controls.answers,
    loadState: (fixture) => {
      controls.loadState(fixture as Fixture)
      return controls.state()
    },
    restore: (snapshot) => {
      refused(() => controls.restore(snapshot))
    },
    fault: (spec) => {
      const { id, hits } = controls.fault(spec)
      return controls.faults().find((fault) => fault.id === id) ?? { id, hits }
    },
    removeFault: (id) => {
      assertExists(controls.removeFault(id) || undefined, 'fault', id, controls.faults)
    },
    saveSnapshot: (name) => {
      controls.saveSnapshot(name)
      return { name }
    },
    addSnapshot: (name, snapshot) => {
      refused(() => {
        controls.addSnapshot(name, snapshot)
      })
      return { name }
    },
    restoreSnapshot: (name) => {
      controls.restoreSnapshot(name)
      return { name, clock: clock.read() }
    },
    enterState: (state) => {
      enterState(all, state)
    },
    changeWorkspace: (change) => {
      const { plan, billing, limits, workspaceId } = checked(Change, change, 'body')
      const of = workspaceId ?? controls.workspaceOfKey(key).id
      if (plan !== undefined) controls.setPlan(plan, of)
      if (billing !== undefined) controls.lapseBilling(billing === 'lapsed', of)
      return controls.setLimits(limits ?? {}, of)
    },
  }
  // All other controls are those of the mock itself.
  const all = Object.create(controls, Object.getOwnPropertyDescriptors(different)) as FarControls
  return all
}

// Controls of a mock from another process, through the control API: the methods of MockControls, some with other
// arguments or results, since only JSON can be passed.
import * as z from 'zod/mini'
import { Plan } from '../contract/identity.ts'
import type { QuestionRecord } from '../contract/questions/register.ts'
import { assertExists, ControlError } from '../core/control-error.ts'
import type { FaultSpec } from '../core/fault-spec.ts'
import type { FaultState } from '../core/faults.ts'
import type { Fixture } from '../../fixtures/types.ts'
import { LimitChanges } from '../contract/workspaces.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { ClockMode } from '../store/clock.ts'
import { checked } from '../core/checked.ts'
import { enterState, type ProviderStates } from './provider-states.ts'
import type { CopyFormat } from './copy-as.ts'
import { farDb } from './far-db.ts'
import type { Duration, MockControls, SandboxSummary } from './mock-controls.ts'

/** A mock with its sandboxes, as far as remote controls need it. */
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

const Change = z.strictObject({
  plan: z.optional(Plan),
  billing: z.optional(z.enum(['ok', 'lapsed'])),
  /** Merged; null is unlimited, `'plan'` removes an override. */
  limits: z.optional(LimitChanges),
  /** Default: that of the key in `Authorization`, without one the fixture's first. */
  workspaceId: z.optional(z.string()),
})
export type WorkspaceChange = z.infer<typeof Change>

/** Runs a call that throws RangeError or TypeError for wrong arguments. */
function refused(call: () => void): void {
  try {
    call()
  } catch (error) {
    throw error instanceof RangeError || error instanceof TypeError ? new ControlError(error.message) : error
  }
}

function farClock({ clock }: MockControls) {
  const read = (): ClockReading => ({ now: clock.now(), mode: clock.mode })
  return {
    /** The clock: `now` in Unix seconds and `mode`. */
    read,
    /** Sets the time, which can be earlier than now, or the mode: `system` or `manual`. */
    change: ({ now, mode }: { readonly now?: number; readonly mode?: ClockMode }) => {
      if (mode !== undefined) checked(z.enum(['manual', 'system']), mode, 'mode')
      if (now !== undefined) refused(() => clock.set(now))
      if (mode !== undefined) clock.mode = mode
      return read()
    },
    /** Advances the clock by `ms` milliseconds, or `by` a length such as `30d`. */
    advance: ({ ms, by }: { readonly ms?: number; readonly by?: number | string }) => {
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

/** Controls with other arguments or results than in process. */
function different(mock: WholeMock, controls: MockControls, key: string | null) {
  const clock = farClock(controls)
  return {
    /** The clock. */
    clock,
    /** Records to arrange: `create`, `change`, `remove`. */
    db: farDb(controls.db),
    /** `status`, `fixture` and `clock`. */
    health: () => ({ status: 'ok' as const, fixture: mock.fixtureName, clock: clock.read() }),
    /** Resets the mock, or only the sandbox that the request names. Named snapshots stay. */
    reset: () => {
      controls.reset()
      return { success: true as const, fixture: mock.fixtureName, clock: clock.read() }
    },
    /** The names of all sandboxes. */
    sandboxes: (): readonly string[] => mock.sandboxes(),
    /** All sandboxes, each with its label and its numbers of requests and errors. */
    sandboxSummaries: (): readonly SandboxSummary[] => mock.sandboxSummaries(),
    /** Deletes a sandbox. */
    deleteSandbox: (name: string) => {
      assertExists(mock.deleteSandbox(name) || undefined, 'sandbox', name, mock.sandboxes)
    },
    /** One request of the journal. */
    request: (id: number | string) => controls.request(Number(id)),
    /** Requests of the journal, `ids` with commas between, as text to paste: `curl`, `fetch`, `vitest` or `fault`. */
    copyAs: (as: CopyFormat, ids: number | string) => controls.copyAs(as, String(ids).split(',').map(Number)),
    /** The register of open questions. */
    questions: () => mock.questions,
    /** The current answers to open questions. */
    answers: () => controls.answers,
    /** Replaces the whole state and returns it. */
    loadState: (fixture: unknown) => {
      controls.loadState(fixture as Fixture)
      return controls.state()
    },
    /** Restores a snapshot. Faults and journal stay as they are. */
    restore: (snapshot: Snapshot) => refused(() => controls.restore(snapshot)),
    /** Makes the next matching requests fail, slow down or break off. */
    fault: (spec: FaultSpec): FaultState => {
      const { id, hits } = controls.fault(spec)
      return controls.faults().find((fault) => fault.id === id) ?? { id, hits }
    },
    /** Removes a fault. */
    removeFault: (id: string) => {
      assertExists(controls.removeFault(id) || undefined, 'fault', id, controls.faults)
    },
    /** Saves a snapshot under a name. */
    saveSnapshot: (name: string) => {
      controls.saveSnapshot(name)
      return { name }
    },
    /** Saves a snapshot that was read before under a name. */
    addSnapshot: (name: string, snapshot: Snapshot) => {
      refused(() => controls.addSnapshot(name, snapshot))
      return { name }
    },
    /** Restores a named snapshot. */
    restoreSnapshot: (name: string) => {
      controls.restoreSnapshot(name)
      return { name, clock: clock.read() }
    },
    /** Plan, billing and limits of the workspace of the key in `Authorization`, or of the first. */
    changeWorkspace: (change: WorkspaceChange) => {
      const { plan, billing, limits = {}, workspaceId } = checked(Change, change, 'body')
      const of = workspaceId ?? controls.workspaceOfKey(key).id
      if (plan !== undefined) controls.setPlan(plan, of)
      if (billing !== undefined) controls.lapseBilling(billing === 'lapsed', of)
      return controls.setLimits(limits, of)
    },
  }
}
type Different = ReturnType<typeof different>

/** Members that need the same process, and those that `changeWorkspace` and `Authorization` replace. */
type Near = 'events' | 'workspaceOfKey' | 'setPlan' | 'setLimits' | 'lapseBilling'

export type FarControls = Omit<MockControls, Near | keyof Different> & Different & ProviderStates

/**
 * The remote controls of a mock or, given its controls, of a sandbox. `key` is the caller's, if any, and selects the
 * workspace. The controls that are not different are those of the mock itself.
 */
export function farControls(
  mock: WholeMock,
  controls: MockControls = mock,
  key: string | null = null,
): FarControls {
  const states: ProviderStates = { enterState: (state) => enterState(all, state) }
  const own = { ...different(mock, controls, key), ...states }
  const all = Object.create(controls, Object.getOwnPropertyDescriptors(own)) as FarControls
  return all
}

// What a control is from another process: that of the mock, or one with other arguments or results, since only JSON can
// be passed.
import * as z from 'zod/mini'
import { Plan } from '../../contract/identity.ts'
import { assertExists, ControlError } from '../../core/control-error.ts'
import type { FaultSpec } from '../../core/fault-spec.ts'
import type { FaultState } from '../../core/faults.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { LimitChanges, workspaceFields } from '../../contract/workspaces.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { clockModes, type ClockMode } from '../../store/clock.ts'
import { parseOrThrow } from '../../core/parse-or-throw.ts'
import type { CopyFormat } from '../copy-as.ts'
import { farDb } from './db.ts'
import type { Duration, MockControls, SandboxSummary, WholeMock } from '../mock-controls.ts'

export interface ClockReading {
  /** Whole Unix seconds. */
  readonly now: number
  readonly mode: ClockMode
}

const Change = z.strictObject({
  plan: z.optional(Plan),
  billing: z.optional(workspaceFields.billing.schema),
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
      if (mode !== undefined) parseOrThrow(z.enum(clockModes), mode, 'mode')
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
      const length = ms === undefined ? (by ?? 0) : parseOrThrow(z.number().check(z.gte(0)), ms, 'ms')
      refused(() => clock.advance(length as Duration | number))
      return read()
    },
  }
}

type FarClock = ReturnType<typeof farClock>

/** Controls with other arguments or results than in process; the sentences of the interface hold for them too. */
function different(mock: WholeMock, controls: MockControls, clock: FarClock) {
  return {
    reset: () => {
      controls.reset()
      return { success: true as const, fixture: mock.fixtureName, clock: clock.read() }
    },
    sandboxes: (): readonly string[] => mock.sandboxes(),
    sandboxSummaries: (): readonly SandboxSummary[] => mock.sandboxSummaries(),
    deleteSandbox: (name: string) => {
      assertExists(mock.deleteSandbox(name) || undefined, 'sandbox', name, mock.sandboxes)
    },
    request: (id: number | string) => controls.request(Number(id)),
    questions: () => mock.questions,
    answers: () => controls.answers,
    loadState: (fixture: unknown) => {
      controls.loadState(fixture as Fixture)
      return controls.state()
    },
    restore: (snapshot: Snapshot) => refused(() => controls.restore(snapshot)),
    fault: (spec: FaultSpec): FaultState => {
      const { id, hits } = controls.fault(spec)
      return controls.faults().find((fault) => fault.id === id) ?? { id, hits }
    },
    removeFault: (id: string) => {
      assertExists(controls.removeFault(id) || undefined, 'fault', id, controls.faults)
    },
    saveSnapshot: (name: string) => {
      controls.saveSnapshot(name)
      return { name }
    },
    addSnapshot: (name: string, snapshot: Snapshot) => {
      refused(() => controls.addSnapshot(name, snapshot))
      return { name }
    },
    restoreSnapshot: (name: string) => {
      controls.restoreSnapshot(name)
      return { name, clock: clock.read() }
    },
  }
}
type Different = ReturnType<typeof different>

/** Controls with sentences of their own. */
function added(mock: WholeMock, controls: MockControls, clock: FarClock, key: string | null) {
  return {
    /** `status`, `fixture` and `clock`. */
    health: () => ({ status: 'ok' as const, fixture: mock.fixtureName, clock: clock.read() }),
    /** Requests of the journal, `ids` with commas between, as text to paste: `curl`, `fetch`, `vitest` or `fault`. */
    copyAs: (as: CopyFormat, ids: number | string) => controls.copyAs(as, String(ids).split(',').map(Number)),
    /** Plan, billing and limits of the workspace of the key in `Authorization`, or of the first. */
    changeWorkspace: (change: WorkspaceChange) => {
      const { plan, billing, limits = {}, workspaceId } = parseOrThrow(Change, change, 'body')
      const of = workspaceId ?? controls.workspaceOfKey(key).id
      if (plan !== undefined) controls.setPlan(plan, of)
      if (billing !== undefined) controls.lapseBilling(billing === 'lapsed', of)
      return controls.setLimits(limits, of)
    },
  }
}
type Added = ReturnType<typeof added> & { readonly clock: FarClock; readonly db: ReturnType<typeof farDb> }

/** Members that need the same process, and those that `changeWorkspace` and `Authorization` replace. */
type Near = 'events' | 'fixtureName' | 'workspaceOfKey' | 'setPlan' | 'setLimits' | 'lapseBilling'

/** The controls but for the provider states; those of the interface keep its sentences. */
export type FarMethods = Added & {
  readonly [Name in keyof WholeMock as Exclude<Name, Near | keyof Added>]: Name extends keyof Different
    ? Different[Name]
    : WholeMock[Name]
}

/** What the methods of `FarMethods` are that differ from those of the mock itself. */
export function farMethods(mock: WholeMock, controls: MockControls, key: string | null): Different & Added {
  const clock = farClock(controls)
  return {
    ...different(mock, controls, clock),
    ...added(mock, controls, clock, key),
    clock,
    db: farDb(controls.db),
  }
}

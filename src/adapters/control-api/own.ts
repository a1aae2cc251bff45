// Controls whose arguments or results differ for another process, because only JSON can be passed.
import * as z from 'zod/mini'
import { Plan } from '../../contract/identity.ts'
import { asControl, assertExists, ControlError } from '../../mock/control-error.ts'
import type { FaultSpec } from '../../mock/faults/fault-spec.ts'
import type { FaultState } from '../../mock/faults/faults.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { LimitChanges, workspaceFields } from '../../contract/workspaces.ts'
import type { Snapshot } from '../../service/store/snapshot.ts'
import { clockModes, type ClockMode } from '../../service/store/clock.ts'
import { parseOrThrow } from '../../mock/parse-or-throw.ts'
import type { CopyFormat } from '../../mock/copies/copy-as.ts'
import type { Duration } from '../../mock/controls/clock.ts'
import type { MockControls, WholeMock } from '../../mock/controls/mock-controls.ts'
import { consoleControlsOf } from './console-controls.ts'
import { explain } from '../../mock/explain/explain.ts'
import type { Remedy } from '../../mock/explain/reasons.ts'
import { internalsOf } from '../../mock/internals.ts'
import { createRemoteDb } from './db.ts'

export interface RemoteTarget {
  readonly mock: WholeMock
  /** The controls of the mock, or of one of its sandboxes. */
  readonly controls: MockControls
  /** The caller's key, which selects the workspace; null if there is none. */
  readonly key: string | null
  /** Formats a remedy for the caller; by default as a line of test code. */
  readonly writeRemedy?: (remedy: Remedy) => string
}

export const WorkspaceChange = z.strictObject({
  plan: z.optional(Plan),
  billing: z.optional(workspaceFields.billing.schema),
  /** Merged into the current limits; null means unlimited, `'plan'` removes an override. */
  limits: z.optional(LimitChanges),
  /** Default: the workspace that the key in `Authorization` belongs to, or the fixture's first one. */
  workspaceId: z.optional(z.string()),
})

function createRemoteClock({ clock }: MockControls) {
  const read = () => ({ now: clock.now(), mode: clock.mode })
  return {
    /** The clock: `now` in Unix seconds and `mode`. */
    read,
    /** Sets the time, forwards or backwards, or the mode: `system` or `manual`. */
    change: ({ now, mode }: { readonly now?: number; readonly mode?: ClockMode }) => {
      if (mode !== undefined) parseOrThrow(z.enum(clockModes), mode, 'mode')
      if (now !== undefined) clock.set(now)
      if (mode !== undefined) clock.mode = mode
      return read()
    },
    /** Advances the clock by `ms` milliseconds, or `by` a length such as `30d`. */
    advance: ({ ms, by }: { readonly ms?: number; readonly by?: number | string }) => {
      if ((ms === undefined) === (by === undefined))
        throw new ControlError(
          'body must have either ms, a number of milliseconds, or by, a length such as "30d"',
        )
      if (ms !== undefined) parseOrThrow(z.number().check(z.gte(0)), ms, 'ms')
      clock.advance((ms ?? by) as Duration | number)
      return read()
    },
  }
}

function createRemoteSnapshots(
  { snapshots }: MockControls,
  readClock: () => { now: number; mode: ClockMode },
) {
  return {
    ...snapshots,
    /** The names of the saved snapshots. */
    names: () => snapshots.list().map(({ name }) => name),
    save: (name: string) => {
      snapshots.save(name)
      return { name }
    },
    add: (name: string, snapshot: Snapshot) => {
      asControl(() => snapshots.add(name, snapshot))
      return { name }
    },
    restore: (name: string) => {
      snapshots.restore(name)
      return { name, clock: readClock() }
    },
  }
}

/** Controls for consoles, and controls that differ from the mock's. For uncommented ones, see the mock's interface. */
export function createOwnControls({ mock, controls, key, writeRemedy }: RemoteTarget) {
  const clock = createRemoteClock(controls)
  const { fixtureName: fixture, workspaceOfKey, ...reads } = consoleControlsOf(controls)
  return {
    ...reads,
    /** Whether the mock responds, with its fixture's name and its clock. */
    health: () => ({ status: 'ok' as const, fixture, clock: clock.read() }),
    clock,
    db: createRemoteDb(controls.db),
    reset: () => {
      controls.reset()
      return { success: true as const, fixture, clock: clock.read() }
    },
    deleteSandbox: (name: string) =>
      void assertExists(mock.deleteSandbox(name) || undefined, 'sandbox', name, () => mock.sandboxes()),
    request: (id: number | string) => reads.request(Number(id)),
    reason: (id: number | string) => reads.reason(Number(id)),
    sandboxes: () => mock.sandboxes(),
    /** Formats journal requests for pasting: `curl`, `fetch`, `vitest` or `fault`. `ids` is comma-separated. */
    copyAs: (as: CopyFormat, ids: number | string) => controls.copyAs(as, String(ids).split(',').map(Number)),
    /**
     * Adds rows to a table from CSV `text`, or over HTTP from bytes sent as `text/csv` with `?file=NAME`. `ignored`
     * lists columns that are not written.
     */
    addCsv: async (id: string, file: string, text: string) => {
      const table = controls.db.tables.findFirst((query) => query.where({ id }))
      const known = assertExists(table, 'datatable', id, () => controls.db.tables.all())
      const [name, rows] = [parseOrThrow(z.string(), file, 'file'), parseOrThrow(z.string(), text, 'text')]
      // The parser is loaded on first use.
      const { addCsvRows } = await import('./csv/add-rows.ts')
      return addCsvRows(controls, known, name, rows)
    },
    explain: () => {
      const parts = internalsOf(controls)
      return explain(parts.sandboxOf(), parts, writeRemedy && { writeRemedy })
    },
    questions: () => mock.questions,
    answers: () => controls.answers,
    loadState: (fixture: unknown) => {
      controls.loadState(fixture as Fixture)
      return controls.state()
    },
    restore: (snapshot: Snapshot) => asControl(() => controls.restore(snapshot)),
    fault: (spec: FaultSpec): FaultState => {
      const { id, hits } = controls.fault(spec)
      return controls.faults().find((fault) => fault.id === id) ?? { id, hits, problem: null }
    },
    removeFault: (id: string) =>
      void assertExists(controls.removeFault(id) || undefined, 'fault', id, () => controls.faults()),
    snapshots: createRemoteSnapshots(controls, clock.read),
    /** Sets a workspace's plan, billing and limits. */
    changeWorkspace: (change: z.infer<typeof WorkspaceChange>) => {
      const { plan, billing, limits = {}, workspaceId } = parseOrThrow(WorkspaceChange, change, 'body')
      const of = workspaceId ?? workspaceOfKey(key).id
      if (plan !== undefined) controls.setPlan(plan, of)
      if (billing !== undefined) controls.lapseBilling(billing === 'lapsed', of)
      return controls.setLimits(limits, of)
    },
  }
}
type OwnControls = ReturnType<typeof createOwnControls>

/** Members that only work in the mock's own process, and those that `changeWorkspace` replaces. */
type InProcessOnly = 'events' | 'setPlan' | 'setLimits' | 'lapseBilling'

/** Controls for other processes and the console: the mock's own, except where `createOwnControls` replaces them. */
export type RemoteControls = OwnControls & Omit<MockControls, InProcessOnly | keyof OwnControls>

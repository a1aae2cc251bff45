// Owns what a test or a demo can do to a sandbox beside its API: time, faults, journal, state, and the product's own doings.
import type { Form, FormSubmission } from './contract/forms.ts'
import type { Plan } from './contract/identity.ts'
import { resolveAnswers, type Answers, type AnswersInput } from './contract/questions.ts'
import type { Task } from './contract/tasks.ts'
import { productControls } from './controls-product.ts'
import { ControlError, present } from './http/control.ts'
import type { FaultHandle, FaultSpec, FaultState } from './http/faults.ts'
import { harOf, type Har } from './http/har.ts'
import { journalEntry, type JournalEntry, type JournalFilter } from './http/journal.ts'
import type { Finding, ReportOptions } from './http/report.ts'
import type { Sandbox } from './http/sandbox.ts'
import type { ClockMode } from './model/clock.ts'
import type { EventName, Listener } from './model/events.ts'
import { exportFixture, type Fixture } from './model/fixture.ts'
import {
  listedSubmissionsOf,
  listedTasksOf,
  overviewOf,
  rowPageOf,
  type Overview,
  type RowPage,
} from './model/inspect.ts'
import { seedWorld, type SeedResult } from './model/seed.ts'
import { readSnapshot, takeSnapshot, type Snapshot } from './model/snapshot.ts'
import type { TaskRecord } from './model/tasks.ts'
import type { Limits, WorkspaceRecord } from './model/workspaces.ts'
import { World, type Base } from './model/world.ts'

/** The clock of a mock. */
export interface ClockControls {
  /** `manual` moves only when told; `system` runs with Date. Both can be set and advanced. */
  mode: ClockMode
  /** Whole Unix seconds. */
  now(): number
  nowMs(): number
  /** Puts the clock at a moment in whole Unix seconds; backwards too. */
  set(seconds: number): void
  /** Moves the clock on by milliseconds or a length such as `'500ms'`, `'30s'`, `'5m'`, `'2h'`, `'2d'`. */
  advance(by: number | string): void
}

/** What there is, for those who look at a mock: a console, a failing test. Plain data, a copy each time. */
export interface InspectControls {
  /** Workspaces with their plans, limits, keys, tables, lists, jobs and forms; no rows, tasks, submissions. */
  overview(): Overview
  /** Rows in insertion order; by default the first 50. */
  rows(tableId: string, page?: { readonly offset?: number; readonly limit?: number }): RowPage
  /** The tasks of a list, those that are deleted too. */
  tasks(listId: string): readonly TaskRecord[]
  /** Newest first. */
  submissions(formId: string): readonly FormSubmission[]
}

/** What can be done to a mock, or to a sandbox of it, beside calling its API. Wrong arguments throw and change nothing. */
export interface MockControls {
  readonly clock: ClockControls
  /** The answers to open questions in force. */
  readonly answers: Answers
  readonly events: {
    /** @returns what ends the listening */
    on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  }
  readonly inspect: InspectControls
  /** Back to the start: state, ids, clock, limits, answers, faults, journal, report. Named snapshots stay. */
  reset(): void
  /** State, clock, ids, rate windows, plan, limits and answers as plain JSON that shares nothing with the mock. */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  saveSnapshot(name: string): void
  restoreSnapshot(name: string): void
  deleteSnapshot(name: string): void
  snapshotNames(): string[]
  /** Adds to the state and answers the created ids; fires no event. */
  seed(partial: unknown): SeedResult
  /** The whole state as a fixture. */
  state(): Fixture
  /** Replaces the whole state; `reset` still goes back to the fixture the mock was made with. */
  loadState(fixture: unknown): void
  /** Makes the next matching requests fail, be slow, or break off. */
  fault(spec: FaultSpec): FaultHandle
  faults(): FaultState[]
  removeFault(id: string): boolean
  resetFaults(): void
  /** The journal, oldest first. */
  requests(filter?: JournalFilter): JournalEntry[]
  clearRequests(): void
  /** The journal as HAR 1.2. */
  har(): Har
  /** What the client did against the contract's rules for clients. */
  report(options?: ReportOptions): Finding[]
  /** Gives answers to open questions; those not named stay. */
  setAnswers(answers: AnswersInput): Answers
  /** A workspace id, or the fixture's first workspace. */
  setPlan(plan: Plan, workspaceId?: string): WorkspaceRecord
  /** Merges; null is unlimited. */
  setLimits(limits: Limits, workspaceId?: string): WorkspaceRecord
  lapseBilling(lapsed?: boolean, workspaceId?: string): WorkspaceRecord
  /** By name or value. */
  suspendKey(key: string, suspended?: boolean): { key: string; name: string; suspended: boolean }
  lockTable(tableId: string, locked?: boolean): { id: string; name: string; locked: boolean }
  /** Recovers a soft-deleted task within 30 days. */
  restoreTask(taskId: string): Task
  publishForm(formId: string, published?: boolean): Form
  /** Submits a published form as the public would, which writes a task or a row. */
  submitForm(formId: string, data: Record<string, unknown>): FormSubmission
  /** The workspace of a key, or without one the fixture's first. */
  workspaceOfKey(key: string | null): WorkspaceRecord
}

export interface ControlsOptions {
  readonly baseUrl: string
  /** Makes a world from a fixture, as a mock of this kind starts. */
  readonly load: (fixture: unknown, sandbox: Sandbox) => World
  /** What snapshots of the mock lie over, by their mark: the state may have been replaced since. */
  readonly snapshotBases: Map<string, Base>
}

/** The controls of a sandbox; which sandbox is asked for anew with every call. */
export function createControls(sandboxOf: () => Sandbox, options: ControlsOptions): MockControls {
  const world = () => sandboxOf().settled()
  return {
    clock: clockControls(sandboxOf),
    inspect: inspectControls(world),
    events: { on: (name, listener) => sandboxOf().events.on(name, listener) },
    ...stateControls(sandboxOf, options),
    ...diagnosisControls(sandboxOf, options),
    ...productControls(world),
    get answers() {
      return sandboxOf().world.answers
    },
    setAnswers(answers) {
      const settled = world()
      settled.answers = resolveAnswers(answers, settled.answers)
      return settled.answers
    },
  }
}

function clockControls(sandboxOf: () => Sandbox): ClockControls {
  const clock = () => sandboxOf().world.clock
  return {
    get mode() {
      return clock().mode
    },
    set mode(mode) {
      clock().setMode(mode)
    },
    now: () => clock().now(),
    nowMs: () => clock().nowMs(),
    set: (seconds) => {
      clock().set(seconds)
    },
    advance: (by) => {
      clock().advance(by)
    },
  }
}

function inspectControls(world: () => World): InspectControls {
  return {
    overview: () => structuredClone(overviewOf(world())),
    rows: (tableId, { offset = 0, limit = 50 } = {}) =>
      structuredClone(present(rowPageOf(world(), tableId, offset, limit), 'datatable', tableId)),
    tasks: (listId) => structuredClone(present(listedTasksOf(world(), listId), 'list', listId)),
    submissions: (formId) => structuredClone(present(listedSubmissionsOf(world(), formId), 'form', formId)),
  }
}

type StateControls = Pick<
  MockControls,
  | 'reset'
  | 'snapshot'
  | 'restore'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'deleteSnapshot'
  | 'snapshotNames'
  | 'seed'
  | 'state'
  | 'loadState'
>

function stateControls(sandboxOf: () => Sandbox, { load, snapshotBases }: ControlsOptions): StateControls {
  return {
    reset: () => {
      sandboxOf().reset()
    },
    snapshot: () => {
      const world = sandboxOf().settled()
      const snapshot = takeSnapshot(world)
      snapshotBases.set(snapshot.base, world.base)
      return snapshot
    },
    restore: (snapshot) => {
      const sandbox = sandboxOf()
      const base = snapshotBases.get(snapshot?.base) ?? sandbox.world.base
      sandbox.world = new World(base, { ...readSnapshot(snapshot, base), emit: sandbox.events.emit })
    },
    saveSnapshot: (name) => {
      if (!/^[\w.-]{1,64}$/.test(name))
        throw new ControlError(
          `name must be 1 to 64 letters, digits, _, - or .; received ${JSON.stringify(name)}`,
        )
      const sandbox = sandboxOf()
      sandbox.snapshots.set(name, sandbox.settled().fork())
    },
    restoreSnapshot: (name) => {
      const sandbox = sandboxOf()
      sandbox.world = present(sandbox.snapshots.get(name), 'snapshot', name).fork()
    },
    deleteSnapshot: (name) => {
      const { snapshots } = sandboxOf()
      present(snapshots.get(name), 'snapshot', name)
      snapshots.delete(name)
    },
    snapshotNames: () => [...sandboxOf().snapshots.keys()],
    seed: (partial) => {
      const world = sandboxOf().settled()
      return world.change(() => seedWorld(world, partial))
    },
    state: () => exportFixture(sandboxOf().settled()),
    loadState: (fixture) => {
      const sandbox = sandboxOf()
      sandbox.world = load(fixture, sandbox)
    },
  }
}

type DiagnosisControls = Pick<
  MockControls,
  'fault' | 'faults' | 'removeFault' | 'resetFaults' | 'requests' | 'clearRequests' | 'har' | 'report'
>

function diagnosisControls(sandboxOf: () => Sandbox, { baseUrl }: ControlsOptions): DiagnosisControls {
  return {
    fault: (spec) => sandboxOf().faults.add(spec),
    faults: () => sandboxOf().faults.states(),
    removeFault: (id) => sandboxOf().faults.remove(id),
    resetFaults: () => {
      sandboxOf().faults.clear()
    },
    requests: (filter) => sandboxOf().journal.exchanges(filter).map(journalEntry),
    clearRequests: () => {
      sandboxOf().journal.clear()
    },
    har: () => harOf(baseUrl, sandboxOf().journal.exchanges()),
    report: (reportOptions) => sandboxOf().report.findings(reportOptions),
  }
}

// Owns what can be done to a mock, or to a sandbox of it, beside calling its API.
import type { Db } from './db-controls.ts'
import type { Form, FormSubmission } from '../contract/forms.ts'
import type { Plan } from '../contract/identity.ts'
import type { Answers, AnswersInput } from '../contract/questions/register.ts'
import type { Task, TaskRecord } from '../contract/tasks.ts'
import type { CoverageReport } from '../core/coverage.ts'
import type { CopyFormat } from './copy-as.ts'
import type { FaultHandle, FaultSpec, FaultState } from '../core/faults.ts'
import type { Har } from '../core/har.ts'
import type { JournalEntry, JournalFilter, JournalSummary } from '../core/journal.ts'
import type { Finding, ReportOptions } from '../client-report/report.ts'
import type { ClockMode } from '../store/clock.ts'
import type { EventName, Listener } from '../store/events.ts'
import type { Fixture } from '../fixture/types.ts'
import type { Overview, RowPage } from './inspect.ts'
import type { SeedResult } from '../fixture/seed.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { Limits, WorkspaceRecord } from '../contract/workspaces.ts'

/** The clock of a mock. */
export interface ClockControls {
  /**
   * `manual` moves only when told; `system` runs with Date. Both can be set and advanced.
   * @throws {RangeError} when set to anything else
   */
  mode: ClockMode
  /** Whole Unix seconds. */
  now(): number
  nowMs(): number
  /**
   * Puts the clock at a moment in whole Unix seconds; backwards too.
   * @throws {RangeError} for what is no such moment
   */
  set(seconds: number): void
  /**
   * Moves the clock on by milliseconds or a length such as `'500ms'`, `'30s'`, `'5m'`, `'2h'`, `'2d'`.
   * @throws {RangeError} for what is no such length
   */
  advance(by: number | string): void
  /**
   * To hand to a client as its `sleep`, in milliseconds: moves a manual clock on and resolves at once; under a system
   * clock it waits.
   * @throws {RangeError} for what is no such length
   */
  sleep(ms: number): Promise<void>
}

/** What there is, for those who look at a mock: a console, a failing test. Plain data, a copy each time. */
export interface InspectControls {
  /** Workspaces with their plans, limits, keys, tables, lists, jobs and forms; no rows, tasks, submissions. */
  overview(): Overview
  /**
   * Rows in insertion order; by default the first 50.
   * @throws {AbsentError} where there is no such table
   */
  rows(tableId: string, page?: { readonly offset?: number; readonly limit?: number }): RowPage
  /**
   * The tasks of a list, those that are deleted too.
   * @throws {AbsentError} where there is no such list
   */
  tasks(listId: string): readonly TaskRecord[]
  /**
   * Newest first.
   * @throws {AbsentError} where there is no such form
   */
  submissions(formId: string): readonly FormSubmission[]
}

/** A request of the journal, or its id; or several. */
export type CopySelection = number | { readonly id: number } | readonly (number | { readonly id: number })[]

/** A sandbox at a glance. */
export interface SandboxSummary {
  readonly name: string
  /** The latest `X-Mock-Label` of a request to it; null where there was none. */
  readonly label: string | null
  /** How many requests it received since it was made, reset or its journal emptied. */
  readonly requests: number
  /** How many of them were answered with an error, or not at all. */
  readonly errors: number
}

/** What can be done to a mock, or to a sandbox of it, beside calling its API. Wrong arguments throw and change nothing. */
export interface MockControls {
  /** The clock: `now()`, `nowMs()`, `set(seconds)`, `advance('30d')`, `mode`. */
  readonly clock: ClockControls
  /** The answers to open questions in force. */
  readonly answers: Answers
  /** The model, to arrange and to assert: `db.tasks`, …, `db.rows(tableId)`, with the API of `@mswjs/data`. */
  readonly db: Db
  /** What code beside the API would hear of: `on(name, listener)` gives what ends the listening. */
  readonly events: {
    /** @returns what ends the listening */
    on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  }
  /** What there is, for consoles and failing tests: `overview()`, `rows(id)`, `tasks(id)`, `submissions(id)`. */
  readonly inspect: InspectControls
  /** Back to the start: state, ids, clock, limits, answers, faults, journal, report. Named snapshots stay. */
  reset(): void
  /** State, clock, ids, rate windows, plan, limits and answers as plain JSON that shares nothing with the mock. */
  snapshot(): Snapshot
  /**
   * Back to a snapshot; faults and journal stay as they are.
   * @throws {TypeError} for what is none, or one of another fixture
   */
  restore(snapshot: Snapshot): void
  /**
   * Keeps a snapshot under a name of 1 to 64 letters, digits, `_`, `-` or `.`.
   * @throws {ControlError} for any other name
   */
  saveSnapshot(name: string): void
  /**
   * Back to a named snapshot.
   * @throws {AbsentError} where there is none
   */
  restoreSnapshot(name: string): void
  /**
   * Forgets a named snapshot.
   * @throws {AbsentError} where there is none
   */
  deleteSnapshot(name: string): void
  /** The names of the snapshots that are kept. */
  snapshotNames(): string[]
  /**
   * Adds a part of a fixture to the state and answers the created ids; fires no event.
   * @throws {FixtureError} naming what is wrong by its path
   */
  seed(partial: unknown): SeedResult
  /** The whole state as a fixture. */
  state(): Fixture
  /**
   * Replaces the whole state; `reset` still goes back to the fixture the mock was made with.
   * @throws {FixtureError} naming what is wrong by its path
   */
  loadState(fixture: unknown): void
  /**
   * Makes the next matching requests fail, be slow, or break off.
   * @throws {ControlError} for what is no fault, or a status that is not documented
   */
  fault(spec: FaultSpec): FaultHandle
  /** The faults that are set, in the order in which they are tried. */
  faults(): FaultState[]
  /** Takes a fault away. @returns whether there was one of this id */
  removeFault(id: string): boolean
  /** Takes all faults away. */
  resetFaults(): void
  /** The journal, oldest first. */
  requests(filter?: JournalFilter): JournalEntry[]
  /** The journal without the bodies, oldest first. */
  requestSummaries(filter?: JournalFilter): JournalSummary[]
  /**
   * One request of the journal, by its id.
   * @throws {NotFoundError} where the journal has no such request, or no longer
   */
  request(id: number): JournalEntry
  /** Empties the journal; ids go on. */
  clearRequests(): void
  /**
   * Requests of the journal, by default all, as text to paste: `curl` and `fetch` send the same again, `vitest` is a test
   * that expects the same responses, `fault` are the lines that bring their errors about. Keys are in it.
   * @throws {NotFoundError} where the journal has no such request, or no longer
   */
  copyAs(format: CopyFormat, requests?: CopySelection): string
  /** The journal as HAR 1.2. */
  har(): Har
  /**
   * Which documented outcomes of each operation were met, and how often: of the whole mock, in all sandboxes and
   * boundaries, since it was created; of a sandbox, its own. A reset leaves it as it is, since test suites reset between
   * tests; runs of `exploreFaults` do not count.
   */
  coverage(): CoverageReport
  /** What the client did against the contract's rules for clients. */
  report(options?: ReportOptions): Finding[]
  /**
   * Gives answers to open questions; those not named stay.
   * @throws {AnswerError} for a question or an answer that is none
   */
  setAnswers(answers: AnswersInput): Answers
  /**
   * Puts a workspace on a plan, by default the fixture's first.
   * @throws {ControlError} for a plan or a workspace that is none
   */
  setPlan(plan: Plan, workspaceId?: string): WorkspaceRecord
  /**
   * Merges limits over those of the plan; null is unlimited.
   * @throws {ControlError} for a limit or a workspace that is none
   */
  setLimits(limits: Limits, workspaceId?: string): WorkspaceRecord
  /**
   * Lets the billing of a workspace lapse, or with `false` puts it in order.
   * @throws {AbsentError} for a workspace that is none
   */
  lapseBilling(lapsed?: boolean, workspaceId?: string): WorkspaceRecord
  /**
   * Suspends a key, which is given by name or value, or with `false` lets it go on.
   * @throws {AbsentError} for a key that is none
   */
  suspendKey(key: string, suspended?: boolean): { key: string; name: string; suspended: boolean }
  /**
   * Locks a table, or with `false` opens it.
   * @throws {AbsentError} for a table that is none
   */
  lockTable(tableId: string, locked?: boolean): { id: string; name: string; locked: boolean }
  /**
   * Recovers a soft-deleted task within 30 days.
   * @throws {Refusal} for a task that is not deleted, or gone
   */
  restoreTask(taskId: string): Task
  /**
   * Publishes a form, or with `false` takes it back.
   * @throws {Refusal} for a form that is none
   */
  publishForm(formId: string, published?: boolean): Form
  /**
   * Submits a published form as the public would, which writes a task or a row. Assumption: formPublishing
   * @throws {Refusal} naming the answer that is wrong or missing
   */
  submitForm(formId: string, data: Record<string, unknown>): FormSubmission
  /**
   * The workspace of a key, or without one the fixture's first.
   * @throws {ControlError} for a key that is none
   */
  workspaceOfKey(key: string | null): WorkspaceRecord
}

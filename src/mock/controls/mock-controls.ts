// The controls of a mock or a sandbox: everything that can be done to it outside the API.
import type { ClockControls } from './clock.ts'
import type { Db } from './db/db.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Answers, AnswersInput, QuestionRecord } from '../../contract/questions/register.ts'
import type { CoverageReport } from '../journal/coverage.ts'
import type { CopyFormat } from '../copies/copy-as.ts'
import type { FaultHandle, FaultState } from '../faults/faults.ts'
import type { FaultSpec } from '../faults/fault-spec.ts'
import type { Har } from '../../contract/data/har.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { JournalFilter } from '../journal/journal.ts'
import type { Finding, ReportOptions } from '../sandboxes/client-report.ts'
import type { EventName, Listener } from '../../service/store/events.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import type { FixturePart } from '../../service/fixture/fixture.ts'
import type { SnapshotControls } from './snapshots.ts'
import type { SeedResult } from '../../service/fixture/load.ts'
import type { Snapshot } from '../../service/store/snapshot.ts'
import type {
  Form,
  FormSubmission,
  Job,
  LimitChanges,
  Plan,
  Task,
  WorkspaceRecord,
} from '../../contract/types.d.ts'

/** One or more requests from the journal, each given as an entry or an id. */
export type CopySelection = number | { readonly id: number } | readonly (number | { readonly id: number })[]

/** The controls of a mock, or of one of its sandboxes. Invalid arguments throw and change nothing. */
export interface MockControls {
  /** The clock: `now()`, `nowMs()`, `set(seconds)`, `advance('30d')`, `mode`. */
  readonly clock: ClockControls
  /** The current answers to open questions. */
  readonly answers: Answers
  /** The model, for arranging and asserting: `db.tasks`, …, `db.rows(tableId)`, with the API of `@msw/data`. */
  readonly db: Db
  /** Events of the model; `on(name, listener)` returns a function that unsubscribes. */
  readonly events: {
    /** @returns a function that unsubscribes */
    on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  }
  /**
   * Resets everything: state, ids, clock, limits, answers, faults, journal, report. Named snapshots are kept. Resetting
   * the main state also removes faults set with `sandboxes: 'all'`; a sandbox starts with them again.
   */
  reset(): void
  /** State, clock, ids, rate windows, plan, limits and answers as plain JSON that shares nothing with the mock. */
  snapshot(): Snapshot
  /**
   * Restores a snapshot. Faults and journal stay as they are.
   * @throws {TypeError} for an invalid snapshot, or one of another fixture
   */
  restore(snapshot: Snapshot): void
  /** Named snapshots: `save(name)`, `restore(name)`, `read(name)`, `add(name, snapshot)`, `list()`, `delete(name)`. */
  readonly snapshots: SnapshotControls
  /**
   * Adds part of a fixture to the state and returns the created ids; emits no event. A new task names its list by `list_id`.
   * @throws {FixtureError} naming the invalid value by its path
   */
  seed(partial: FixturePart): SeedResult
  /** The whole state, as a fixture. */
  state(): Fixture
  /**
   * Replaces the whole state; `reset` still returns to the fixture the mock was created with.
   * @throws {FixtureError} naming the invalid value by its path
   */
  loadState(fixture: Fixture): void
  /**
   * Makes the next matching requests fail, slow down or lose their connection. With an `effect`, it changes a response, lets
   * another user act, or breaks every later connection. Accepts the `fault` of a finding of `explore`.
   * @throws {ControlError} for an invalid fault, such as an undocumented status, or an effect that the state does not allow
   */
  fault<Id extends OperationId = OperationId>(spec: FaultSpec<Id>): FaultHandle
  /** The active faults, in the order they are tried. */
  faults(): FaultState[]
  /** Removes a fault; one set with `sandboxes: 'all'` is removed everywhere. @returns whether a fault had this id */
  removeFault(id: string): boolean
  /**
   * Removes all faults. On the main state, removes those set with `sandboxes: 'all'` everywhere; on a sandbox, only
   * there.
   */
  resetFaults(): void
  /** The journal, oldest first. */
  requests(filter?: JournalFilter): JournalEntry[]
  /** Empties the journal; ids keep counting. */
  clearRequests(): void
  /**
   * Formats requests from the journal, by default all, as text to paste. `curl` and `fetch` repeat the requests.
   * `vitest` is a test that expects the same responses; it includes the earlier requests they depend on and turns
   * repeats into loops. `fault` gives the lines that cause their errors. The text contains keys.
   * @throws {NotFoundError} if the journal does not hold such a request, or no longer does
   */
  copyAs(format: CopyFormat, requests?: CopySelection): string
  /** The journal as HAR 1.2. */
  har(): Har
  /**
   * How often each documented outcome of each operation occurred. On the mock: in all sandboxes and boundaries since
   * the mock was created. On a sandbox: in that sandbox alone. Survives a reset, because test suites reset between
   * tests. Runs of explorations do not count.
   */
  coverage(): CoverageReport
  /** The contract's client rules that the client broke. */
  report(options?: ReportOptions): Finding[]
  /**
   * A text for a failing test: the last ten requests with error, hint, fault and remedy; faults that were never
   * triggered; rules the client broke; and rules left undecided because the clock stood still.
   */
  explain(): string
  /**
   * Sets answers to open questions; questions not named keep theirs.
   * @throws {AnswerError} for an unknown question or an invalid answer
   */
  setAnswers(answers: AnswersInput): Answers
  /**
   * Sets a workspace's plan, by default that of the fixture's first workspace.
   * @throws {ControlError} for an unknown plan or workspace
   */
  setPlan(plan: Plan, workspaceId?: string): WorkspaceRecord
  /**
   * Overrides the plan's limits: null means unlimited, `'plan'` removes the override.
   * @throws {ControlError} for an invalid limit or an unknown workspace
   */
  setLimits(limits: LimitChanges, workspaceId?: string): WorkspaceRecord
  /** Marks a workspace's billing as lapsed, or as current with `false`. @throws {NotFoundError} for an unknown workspace */
  lapseBilling(lapsed?: boolean, workspaceId?: string): WorkspaceRecord
  /** Suspends a key, given by name or value; reactivates it with `false`. @throws {NotFoundError} for an unknown key */
  suspendKey(key: string, suspended?: boolean): { key: string; name: string; suspended: boolean }
  /** Locks a table; unlocks it with `false`. @throws {NotFoundError} for an unknown table */
  lockTable(tableId: string, locked?: boolean): { id: string; name: string; locked: boolean }
  /**
   * Ends a running job as failed; rows it already inserted stay.
   * @throws {ControlError} for an unknown job, or one that has ended
   */
  failJob(jobId: string): Job
  /**
   * Restores a task deleted within the last 30 days.
   * @throws {ApiError} for a task that is not deleted, or already purged
   */
  restoreTask(taskId: string): Task
  /** Publishes a form; unpublishes it with `false`. @throws {ApiError} for an unknown form */
  publishForm(formId: string, published?: boolean): Form
  /**
   * Submits a published form as a visitor would, which creates a task or a row. Assumption: formPublishing
   * @throws {ApiError} naming the value that is wrong or missing
   */
  submitForm(formId: string, data: Record<string, unknown>): FormSubmission
}

/** A mock with its sandboxes. */
export interface WholeMock extends MockControls {
  /** The register of open questions. */
  readonly questions: readonly QuestionRecord[]
  /** The names of all sandboxes. */
  sandboxes(): string[]
  /** Deletes a sandbox. @returns whether it existed */
  deleteSandbox(name: string): boolean
}

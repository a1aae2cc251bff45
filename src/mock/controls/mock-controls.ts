// The controls of a mock or of one of its sandboxes: everything that can be done to it outside the API.
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

/** A request of the journal, or its id; or several. */
export type CopySelection = number | { readonly id: number } | readonly (number | { readonly id: number })[]

/** The controls of a mock, or of one of its sandboxes. Wrong arguments throw and change nothing. */
export interface MockControls {
  /** The clock: `now()`, `nowMs()`, `set(seconds)`, `advance('30d')`, `mode`. */
  readonly clock: ClockControls
  /** The current answers to open questions. */
  readonly answers: Answers
  /** The model, to arrange and assert: `db.tasks`, …, `db.rows(tableId)`, with the API of `@msw/data`. */
  readonly db: Db
  /** Events of the model: `on(name, listener)` returns a function that unsubscribes. */
  readonly events: {
    /** @returns a function that unsubscribes */
    on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  }
  /**
   * Resets everything: state, ids, clock, limits, answers, faults, journal, report. Named snapshots stay. In the main state
   * it removes faults of all sandboxes too; a sandbox begins with them again.
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
   * Adds a part of a fixture to the state and returns the created ids; fires no event. A new task names its list by `list_id`.
   * @throws {FixtureError} naming what is wrong by its path
   */
  seed(partial: FixturePart): SeedResult
  /** The whole state as a fixture. */
  state(): Fixture
  /**
   * Replaces the whole state; `reset` still returns to the fixture the mock was created with.
   * @throws {FixtureError} naming what is wrong by its path
   */
  loadState(fixture: Fixture): void
  /**
   * Makes the next matching requests fail, slow down or break off; with an `effect` changes a response, lets another user
   * act, or breaks every later connection. Takes the `fault` of a finding of `explore`.
   * @throws {ControlError} for an invalid fault, such as a status that is not documented, or an effect that the state does
   * not allow
   */
  fault<Id extends OperationId = OperationId>(spec: FaultSpec<Id>): FaultHandle
  /** The faults that are set, in the order in which they are tried. */
  faults(): FaultState[]
  /** Removes a fault, one of all sandboxes everywhere. @returns whether there was one of this id */
  removeFault(id: string): boolean
  /** Removes all faults; in the main state those of all sandboxes everywhere, in a sandbox in it alone. */
  resetFaults(): void
  /** The journal, oldest first. */
  requests(filter?: JournalFilter): JournalEntry[]
  /** Empties the journal; ids continue. */
  clearRequests(): void
  /**
   * Requests of the journal, by default all, as text to paste: `curl` and `fetch` repeat them, `vitest` is a test that
   * expects the same responses, with the earlier requests that chosen ones depend on, and repeats as loops, `fault` gives the lines that cause their errors. The text contains keys.
   * @throws {NotFoundError} if the journal has no such request, or no longer
   */
  copyAs(format: CopyFormat, requests?: CopySelection): string
  /** The journal as HAR 1.2. */
  har(): Har
  /**
   * Which documented outcomes of each operation were met, and how often: for the whole mock, in all sandboxes and
   * boundaries since it was created; for a sandbox, in it alone. Survives a reset, since test suites reset between tests;
   * runs of explorations do not count.
   */
  coverage(): CoverageReport
  /** Where the client broke the contract's rules for clients. */
  report(options?: ReportOptions): Finding[]
  /**
   * Text for a failing test: the last ten requests with error, hint, fault and remedy, the faults that no request met, the rules
   * that the client broke, and rules left undecided because the clock stood still.
   */
  explain(): string
  /**
   * Sets answers to open questions; those not named stay.
   * @throws {AnswerError} for an unknown question or an invalid answer
   */
  setAnswers(answers: AnswersInput): Answers
  /**
   * Sets the plan of a workspace, by default the fixture's first.
   * @throws {ControlError} for an unknown plan or workspace
   */
  setPlan(plan: Plan, workspaceId?: string): WorkspaceRecord
  /**
   * Overrides limits of the plan: null is unlimited, `'plan'` removes the override.
   * @throws {ControlError} for an invalid limit or an unknown workspace
   */
  setLimits(limits: LimitChanges, workspaceId?: string): WorkspaceRecord
  /**
   * Marks the billing of a workspace as lapsed, or with `false` as current.
   * @throws {NotFoundError} for an unknown workspace
   */
  lapseBilling(lapsed?: boolean, workspaceId?: string): WorkspaceRecord
  /**
   * Suspends a key, given by name or value, or with `false` reactivates it.
   * @throws {NotFoundError} for an unknown key
   */
  suspendKey(key: string, suspended?: boolean): { key: string; name: string; suspended: boolean }
  /**
   * Locks a table, or with `false` unlocks it.
   * @throws {NotFoundError} for an unknown table
   */
  lockTable(tableId: string, locked?: boolean): { id: string; name: string; locked: boolean }
  /**
   * Ends a running job as failed; the rows that it has inserted stay.
   * @throws {ControlError} for an unknown job, or one that has ended
   */
  failJob(jobId: string): Job
  /**
   * Recovers a soft-deleted task within 30 days.
   * @throws {ApiError} for a task that is not deleted, or purged
   */
  restoreTask(taskId: string): Task
  /**
   * Publishes a form, or with `false` unpublishes it.
   * @throws {ApiError} for an unknown form
   */
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
  /** Deletes a sandbox. @returns whether there was one */
  deleteSandbox(name: string): boolean
}

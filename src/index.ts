// Entry `workspace-api-mock`: explicit public names only.
export { createWorkspaceMock, type MockKeys, type WorkspaceMock } from './mock.ts'
export type { FixtureName, MockOptions } from './mock-options.ts'
export type { ClockControls, Duration } from './mock/controls/clock.ts'
export type { Db, DbCollection } from './mock/controls/db/db.ts'
export type { CopyFormat } from './mock/controls/copy-as.ts'
export type { CopySelection, MockControls } from './mock/controls/mock-controls.ts'
export { defineFixture, type FixturePart } from './service/fixture/fixture.ts'
export { FixtureError } from './service/fixture/error.ts'
export type { Fixture } from '../fixtures/types.ts'
export type { SeedResult } from './service/fixture/seed.ts'
export type { SnapshotControls, SnapshotSummary } from './mock/controls/snapshots.ts'
export type { Snapshot } from './service/store/snapshot.ts'
export { ControlError, NotFoundError } from './mock/control-error.ts'
export {
  AnswerError,
  type Answers,
  type AnswersInput,
  type QuestionId,
  type QuestionRecord,
} from './contract/questions/register.ts'
export { NetworkFault } from './mock/requests/call.ts'
export type { CoverageReport, OperationCoverage, OutcomeCoverage } from './mock/journal/coverage.ts'
export type { FaultHandle, FaultState } from './mock/faults/faults.ts'
export type { FaultEffect } from './mock/faults/effect-spec.ts'
export type { FaultMatch } from './mock/faults/fault-match.ts'
export type { FaultSpec, FaultStatuses, PlannedFault } from './mock/faults/fault-spec.ts'
export type { Har } from './contract/data/har.ts'
export type { JournalEntry } from './mock/journal/entry.ts'
export type { JournalFilter } from './mock/journal/journal.ts'
export type { Finding, ReportOptions } from './mock/sandboxes/client-report.ts'
export { ApiError, type ErrorKind, type LimitName } from './contract/errors.ts'
export type { ErrorBody } from './contract/schema/error-body.ts'
export type {
  ExploreCheck,
  ExploreContext,
  ExploreFinding,
  ExploreKind,
  ExploreOptions,
  ExploreOutcome,
  ExploreResult,
  ExploreRow,
  ExploreScenario,
  ExploreSeverity,
  ShownBy,
} from './tools/explore/types.ts'
export type { Family } from './tools/explore/families.ts'
export type { StateDifference } from './tools/compare/comparison.ts'
export type { Signal } from './mock/sandboxes/signals.ts'
export type { EventMap, EventName } from './service/store/events.ts'
export type { OperationId } from './contract/index.ts'
export type { OperationTypes, RequestBody, ResponseBody } from './contract/operation-types.ts'
export type { Comment } from './contract/comments.ts'
export type { Column, DataTableSummary as DataTable } from './contract/datatables.ts'
export type { Form, FormSubmission } from './contract/forms.ts'
export type { Identity, Plan } from './contract/identity.ts'
export type { Job, JobStatus } from './contract/jobs.ts'
export type { CustomField, List, Status } from './contract/lists.ts'
export type { RowAttachment } from './contract/row-attachments.ts'
export type { FlatRow, NestedRow as Row, RowQuery } from './contract/rows.ts'
export type { Member } from './contract/schema/common.ts'
export type { Space } from './contract/spaces.ts'
export type { Attachment } from './contract/task-attachments.ts'
export type { RepeatConfig, Task } from './contract/tasks.ts'
export type { TimeEntry } from './contract/time-entries.ts'
export type { RuleId } from './contract/client-rules.ts'

// Entry `workspace-api-mock`. Lists every public name explicitly.
export { createWorkspaceMock, type MockKeys, type WorkspaceMock } from './mock.ts'
export type { FixtureName, MockOptions } from './mock-options.ts'
export type { ClockControls, Duration } from './mock/controls/clock.ts'
export type { Db, DbCollection } from './mock/controls/db/db.ts'
export type { CopyFormat } from './mock/copies/copy-as.ts'
export type { CopySelection, MockControls } from './mock/controls/mock-controls.ts'
export { defineFixture, type FixturePart } from './service/fixture/fixture.ts'
export { FixtureError } from './service/fixture/error.ts'
export type { Fixture } from '../fixtures/types.ts'
export type { SeedResult } from './service/fixture/load.ts'
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
  ShownBy,
} from './tools/explore/types.ts'
export type { Family } from './tools/explore/families.ts'
export type { StateDifference } from './tools/compare/comparison.ts'
export type { ExploreSeverity } from './mock/sandboxes/client-report.ts'
export type { Signal } from './mock/sandboxes/signals.ts'
export type { EventMap, EventName } from './service/store/events.ts'
export type { OperationId } from './contract/index.ts'
export type { CustomField, RequestBody, ResponseBody } from './contract/operation-types.ts'
export type {
  Attachment,
  Column,
  Comment,
  DataTableSummary as DataTable,
  ErrorBody,
  FlatRow,
  Form,
  FormSubmission,
  Identity,
  Job,
  JobStatus,
  List,
  Member,
  OperationTypes,
  Plan,
  RepeatConfig,
  Row,
  RowAttachment,
  RowQuery,
  Space,
  Status,
  Task,
  TimeEntry,
} from './contract/types.d.ts'
export type { RuleId } from './contract/client-rules.ts'

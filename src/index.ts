// Entry `workspace-api-mock`: explicit public names only.
export { createWorkspaceMock, type MockKeys, type WorkspaceMock } from './mock.ts'
export type { FixtureName, MockOptions } from './mock-options.ts'
export type { Db, DbCollection } from './controls/db/controls.ts'
export type { CopyFormat } from './controls/copy-as.ts'
export type {
  ClockControls,
  CopySelection,
  Duration,
  MockControls,
  SandboxSummary,
} from './controls/mock-controls.ts'
export { defineFixture, type FixturePart } from './fixture/fixture.ts'
export { FixtureError } from './fixture/error.ts'
export { fixtureJsonSchema } from './fixture/schema.ts'
export type { Fixture } from '../fixtures/types.ts'
export type { SeedResult } from './fixture/seed.ts'
export type { Snapshot } from './store/snapshot.ts'
export {
  ControlError,
  NotFoundError,
  /** @deprecated Use NotFoundError. */ NotFoundError as AbsentError,
} from './core/control-error.ts'
export {
  AnswerError,
  type Answers,
  type AnswersInput,
  type QuestionId,
  type QuestionRecord,
} from './contract/questions/register.ts'
export {
  NetworkFault,
  type ApiResponse,
  /** @deprecated Use ApiResponse. */ type ApiResponse as Answer,
  type Call,
  type CallBody,
} from './core/call.ts'
export type { CoverageReport, OperationCoverage, OutcomeCoverage } from './core/coverage.ts'
export type { FaultHandle, FaultState } from './core/faults.ts'
export type { FaultMatch, FaultSpec, FaultStatuses } from './core/fault-spec.ts'
export type { Har } from './contract/data/har.ts'
export type { JournalEntry, JournalSummary } from './core/journal/entry.ts'
export type { JournalFilter } from './core/journal/journal.ts'
export type { Finding, ReportOptions } from './core/report.ts'
export {
  ApiError,
  /** @deprecated Use ApiError. */ ApiError as Refusal,
  type ErrorBody,
  type ErrorKind,
  type LimitName,
} from './contract/errors.ts'
export type {
  ExploreCheck,
  ExploreContext,
  ExploredFault,
  ExploreFinding,
  ExploreKind,
  ExploreOptions,
  ExploreOutcome,
  ExploreResult,
  ExploreScenario,
} from './explore/types.ts'
export type { StateDifference } from './compare/comparison.ts'
export type { Signal } from './core/signals.ts'
export type { EventMap, EventName } from './store/events.ts'
export type { OperationId } from './contract/index.ts'
export type { RuleId } from './contract/client-rules.ts'

// Entry `workspace-api-mock`: explicit public names only.
export { createWorkspaceMock, type FixtureName, type MockOptions, type WorkspaceMock } from './mock.ts'
export type { ClockControls, MockControls } from './mock-controls.ts'
export { defineFixture, FixtureError, fixtureJsonSchema, type Fixture } from './model/fixture.ts'
export type { SeedResult } from './model/seed.ts'
export type { Snapshot } from './model/snapshot.ts'
export { AbsentError, ControlError } from './http/control.ts'
export {
  AnswerError,
  type Answers,
  type AnswersInput,
  type QuestionId,
  type QuestionRecord,
} from './contract/questions.ts'
export { NetworkFault, type Answer, type Call, type CallBody } from './http/call.ts'
export type { FaultHandle, FaultMatch, FaultSpec, FaultState } from './http/faults.ts'
export type { Har } from './http/har.ts'
export type { JournalEntry, JournalFilter } from './http/journal.ts'
export type { Finding, ReportOptions } from './http/report.ts'
export { Refusal, type ErrorBody, type ErrorKind, type LimitName } from './contract/errors.ts'
export type { EventMap, EventName } from './model/events.ts'
export type { OperationId } from './contract/index.ts'
export type { RuleId } from './contract/client-rules.ts'

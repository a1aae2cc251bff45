// Entry `workspace-api-mock/verify`: check a deployment against the contract, learn its answers to open questions, pull a
// fixture.
export { verify, type VerifyOptions } from './tools/verify/verify.ts'
export {
  learn,
  type Evidence,
  type Learned,
  type LearnOptions,
  type NotObserved,
} from './tools/verify/learn/learn.ts'
export { pull, PullStopped, type Pulled, type PullOptions } from './tools/pull/pull.ts'
export type { Missing } from './tools/pull/notes.ts'
export type { KeptReads } from './tools/pull/reader.ts'
export { CannotRun, type Progress, type TestingOptions } from './tools/deployment/start.ts'
export type { LeftBehind } from './tools/deployment/run.ts'
export type {
  VerifyFinding,
  Inconclusive,
  Note,
  Outcome,
  VerifyReport,
} from './tools/verify/findings/report.ts'
export type { Source, Subject } from './tools/verify/compare/difference.ts'

// Entry `workspace-api-mock/verify`: judge a deployment by the contract, learn its answers to open questions, pull a fixture.
export { verify, type VerifyOptions } from './verify.ts'
export { learn, type Evidence, type Learned, type LearnOptions, type NotObserved } from './learn/learn.ts'
export { pull, PullStopped, type Pulled, type PullOptions } from './pull/pull.ts'
export type { Missing } from './pull/notes.ts'
export type { KeptReads } from './pull/reader.ts'
export { CannotRun, type Progress, type TestingOptions } from './engine/start.ts'
export type {
  VerifyFinding,
  Inconclusive,
  LeftBehind,
  Note,
  Outcome,
  VerifyReport,
} from './findings/report.ts'
export type { Source, Subject } from './findings/difference.ts'

// Entry `workspace-api-mock/verify`: judging a deployment by the contract, and learning its answers to open questions.
export { verify, type VerifyOptions } from './verify.ts'
export { learn, type Evidence, type Learned, type LearnOptions, type NotObserved } from './learn.ts'
export { CannotRun, type Progress } from './scene.ts'
export type { Finding, LeftBehind, Note, Outcome, VerifyReport } from './report.ts'
export type { Source, Subject } from './rule.ts'

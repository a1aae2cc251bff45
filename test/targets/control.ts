// Owns the controls of a mock that lives in this process, as the behaviour suite wants them.
import {
  createWorkspaceMock,
  type AnswersInput,
  type JournalEntry,
  type MockOptions,
  type Snapshot,
  type WorkspaceMock,
} from '../../src/index.ts'
import type { Control, Finding, Outcome, TargetOptions } from './target.ts'

/** A mock that checks its own answers against the contract. */
export function createCheckedMock(options: TargetOptions): WorkspaceMock {
  return createWorkspaceMock({ ...(options as MockOptions), selfCheck: true })
}

const outcomeOf = ({ operation, status, refusal, fault }: JournalEntry): Outcome => ({
  operation,
  status,
  refusal,
  isInjected: fault !== null,
})

/** What `run` gives, as another process would see it: JSON, and never before its turn. */
const remote = (run: () => unknown): Promise<unknown> =>
  Promise.resolve().then(() => {
    const result = run()
    return result === undefined ? undefined : (JSON.parse(JSON.stringify(result)) as unknown)
  })

const remoteVoid = (run: () => unknown): Promise<void> => remote(run).then(() => undefined)

/** @returns the controls of `mock`, one call of which is one message to another process where there is one */
export function controlOf(mock: WorkspaceMock): Control {
  type Plan = Parameters<WorkspaceMock['setPlan']>[0]
  return {
    reset: () => remoteVoid(() => mock.reset()),
    now: async () => (await remote(() => mock.clock.now())) as number,
    nowMs: async () => (await remote(() => mock.clock.nowMs())) as number,
    setClock: (seconds) => remoteVoid(() => mock.clock.set(seconds)),
    advance: (by) => remoteVoid(() => mock.clock.advance(by)),
    answers: async () => (await remote(() => mock.answers)) as Readonly<Record<string, unknown>>,
    setAnswers: (answers) => remoteVoid(() => mock.setAnswers(answers as AnswersInput)),
    setPlan: (plan, workspaceId) => remoteVoid(() => mock.setPlan(plan as Plan, workspaceId)),
    setLimits: (limits, workspaceId) => remoteVoid(() => mock.setLimits(limits, workspaceId)),
    lapseBilling: (lapsed, workspaceId) => remoteVoid(() => mock.lapseBilling(lapsed, workspaceId)),
    suspendKey: (key, suspended) => remoteVoid(() => mock.suspendKey(key, suspended)),
    lockTable: (id, locked) => remoteVoid(() => mock.lockTable(id, locked)),
    restoreTask: (id) => remote(() => mock.restoreTask(id)),
    publishForm: (id, published) => remote(() => mock.publishForm(id, published)),
    submitForm: (id, data) => remote(() => mock.submitForm(id, data)),
    seed: (partial) => remote(() => mock.seed(partial)),
    snapshot: () => remote(() => mock.snapshot()),
    restore: (snapshot) => remoteVoid(() => mock.restore(snapshot as Snapshot)),
    state: () => remote(() => mock.state()),
    loadState: (fixture) => remoteVoid(() => mock.loadState(fixture)),
    fault: async (spec) => (await remote(() => mock.fault(spec).id)) as string,
    resetFaults: () => remoteVoid(() => mock.resetFaults()),
    outcomes: async () => (await remote(() => mock.requests().map(outcomeOf))) as Outcome[],
    report: async (options) => (await remote(() => mock.report(options))) as Finding[],
  }
}

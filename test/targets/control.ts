// The controls of a mock in this process, in the form that the behaviour suite uses.
import {
  createWorkspaceMock,
  type FaultSpec,
  type JournalEntry,
  type MockOptions,
  type WorkspaceMock,
} from '../../src/index.ts'
import type { Duration } from '../../src/index.ts'
import type { Control, Outcome, TargetOptions } from './target.ts'

/** A mock that checks its own answers against the contract. */
export function createCheckedMock(options: TargetOptions): WorkspaceMock {
  return createWorkspaceMock({ ...(options as MockOptions), selfCheck: true })
}

const outcomeOf = ({
  operation,
  status,
  refusal,
  fault,
}: Pick<JournalEntry, 'operation' | 'status' | 'refusal' | 'fault'>): Outcome => ({
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

/** Controls that are called from afar as they are here. */
const same = [
  'reset',
  'setAnswers',
  'setPlan',
  'setLimits',
  'lapseBilling',
  'suspendKey',
  'lockTable',
  'restoreTask',
  'publishForm',
  'submitForm',
  'seed',
  'snapshot',
  'restore',
  'state',
  'loadState',
  'faults',
  'resetFaults',
  'report',
  'requests',
] as const satisfies readonly (keyof Control & keyof WorkspaceMock)[]

/** @returns the controls of `mock`, one call of which is one message to another process where there is one */
export function controlOf(mock: WorkspaceMock): Control {
  const { clock } = mock
  const calls = same.map((name) => {
    const method = mock[name] as (...args: readonly unknown[]) => unknown
    return [name, (...args: readonly unknown[]) => remote(() => method(...args))]
  })
  const others = {
    now: () => remote(() => clock.now()),
    nowMs: () => remote(() => clock.nowMs()),
    setClock: (seconds: number) => remote(() => clock.set(seconds)),
    advance: (by: number | Duration) => remote(() => clock.advance(by)),
    answers: () => remote(() => mock.answers),
    fault: (spec: FaultSpec) => remote(() => mock.fault(spec).id),
    outcomes: () => remote(() => mock.requests().map(outcomeOf)),
  } satisfies Omit<Record<keyof Control, unknown>, (typeof same)[number]>
  return { ...Object.fromEntries(calls), ...others } as Control
}

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

/** A mock that validates its own responses against the contract. */
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

/** What `run` returns, as another process would see it: as JSON, and asynchronously. */
const remote = (run: () => unknown): Promise<unknown> =>
  Promise.resolve().then(() => {
    const result = run()
    return result === undefined ? undefined : (JSON.parse(JSON.stringify(result)) as unknown)
  })

/** Controls that have the same arguments remotely. */
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

/** Creates the controls of `mock`; for a mock in another process, each call is one message. */
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

// Adds the mock's explanation to the output of failing tests.
import type { TestContext } from 'vitest'
import { explain } from '../../mock/explain/explain.ts'
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import { internalsOf } from '../../mock/internals.ts'

type Task = TestContext['task']

/** The real clock, saved before a test can fake it. */
const { now } = Date

/** Explains why a test may have run into its time limit: a manual clock stands still. */
function describeWait({ timeout, result }: Task, { clock }: MockControls): string {
  if (!result?.startTime || !(now() - result.startTime >= timeout) || clock.mode === 'system') return ''
  const moment = new Date(clock.nowMs()).toISOString()
  return `The test timed out. The mock's clock is manual and stands at ${moment}: anything due later (jobs, Retry-After, recurrences) happens only when you advance the clock, as with mock.clock.advance('30s'), or poll a job. To let the clock run, use mockOptions: { clock: 'system' }.\n\n`
}

/** Mocks whose broken rules are already listed by an error, so that the explanation does not repeat them. */
const listed = new WeakSet<object>()
export const noteListed = (mock: object) => void listed.add(mock)

function describeMock(task: Task, mock: MockControls): string {
  const internals = internalsOf(mock)
  const text = explain(internals.sandboxOf(), internals, { hasRules: !listed.has(mock) })
  return `\n\nThe mock of this test:\n\n${describeWait(task, mock)}${text}`
}

const describeRun = (run: string | undefined) => (run === undefined ? '' : `\n\n${run}`)

/** Appends the mock's explanation to the last error of a failed test. */
export function explainFailure(task: Task, mock: MockControls, run?: string): void {
  const error = task.result?.errors?.at(-1)
  if (task.result?.state !== 'fail' || !error) return
  const text = describeMock(task, mock) + describeRun(run)
  error.message += text
  if (error.stack !== undefined) error.stack += text
}

/** An error of the helper itself, without a stack, since no line of the test causes it. */
export function createHelperError(task: Task, mock: MockControls, message: string, run?: string): Error {
  const error = new Error(message + describeMock(task, mock) + describeRun(run))
  error.stack = `Error: ${error.message}`
  return error
}

// What the mock knows, at the end of a failing test's output.
import type { TestContext } from 'vitest'
import type { MockControls } from '../controls/mock-controls.ts'

type Task = TestContext['task']

/** Taken before a test fakes it. */
const { now } = Date

/** Text for a test that ran into its time limit: why what it waits for may not come. */
function describeWait({ timeout, result }: Task, { clock }: MockControls): string {
  if (!result?.startTime || !(now() - result.startTime >= timeout) || clock.mode === 'system') return ''
  const moment = new Date(clock.nowMs()).toISOString()
  return `The test waited until its time limit. The clock of the mock is manual and stands at ${moment}: what is due later (jobs, Retry-After, recurrences) comes when mock.clock.advance('30s') moves it, when a job is polled, or with mockOptions: { clock: 'system' }.\n\n`
}

const explain = (task: Task, mock: MockControls) =>
  `\n\nThe mock of this test:\n\n${describeWait(task, mock)}${mock.explain()}`

/** Appends what the mock knows to the last error of a test; nothing to a test that passes. */
export function explainFailure(task: Task, mock: MockControls): void {
  const error = task.result?.errors?.at(-1)
  if (task.result?.state !== 'fail' || !error) return
  const text = explain(task, mock)
  error.message += text
  if (error.stack !== undefined) error.stack += text
}

/** An error of the helper itself, with what the mock knows, and without a stack, since no line of the test causes it. */
export function helperError(task: Task, mock: MockControls, message: string): Error {
  const error = new Error(message + explain(task, mock))
  error.stack = `Error: ${error.message}`
  return error
}

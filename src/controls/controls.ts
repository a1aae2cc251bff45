// Combines the controls of a sandbox.
import { resolveAnswers, type AnswersInput } from '../contract/questions/register.ts'
import type { Sandbox } from '../core/sandbox.ts'
import { rescheduleJobs } from '../resources/jobs.ts'
import { withCallerStacks } from './caller-stack.ts'
import { clockControls } from './clock.ts'
import { createDb } from './db/db.ts'
import { inspectControls } from './inspect/inspect.ts'
import { journalControls } from './journal-controls.ts'
import type { MockControls } from './mock-controls.ts'
import { productControls } from './product.ts'
import { stateControls, type SnapshotBases } from './state-controls.ts'

interface ControlsOptions {
  readonly baseUrl: string
  readonly snapshotBases: SnapshotBases
  /** Undefined for the main sandbox. */
  readonly sandboxName?: string
}

/** The controls of a sandbox; every call looks up the sandbox again. */
export function createControls(
  sandboxOf: () => Sandbox,
  { baseUrl, snapshotBases, sandboxName }: ControlsOptions,
): MockControls {
  const store = () => sandboxOf().upToDate()
  return {
    clock: clockControls(sandboxOf),
    db: createDb(store),
    inspect: withCallerStacks(inspectControls(store)),
    events: {
      on: (name, listener) => {
        // Everything that is due by now happens before the listener is added.
        store()
        return sandboxOf().events.on(name, listener)
      },
    },
    get answers() {
      return sandboxOf().store.answers
    },
    ...withCallerStacks({
      ...stateControls(sandboxOf, snapshotBases),
      ...journalControls(sandboxOf, baseUrl, sandboxName),
      ...productControls(store),
      setAnswers: (answers: AnswersInput) =>
        sandboxOf().change((sandbox) => {
          const current = sandbox.upToDate()
          current.answers = resolveAnswers(answers, current.answers)
          rescheduleJobs(current)
          return current.answers
        }),
    }),
  }
}

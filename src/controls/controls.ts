// The controls of a sandbox: answers, events, and those of the other files of this folder.
import { resolveAnswers } from '../contract/questions/register.ts'
import type { Sandbox } from '../core/sandbox.ts'
import { rescheduleJobs } from '../resources/jobs.ts'
import { clockControls } from './clock.ts'
import { createDb } from './db/db.ts'
import { inspectControls } from './inspect/inspect.ts'
import { journalControls, type JournalOptions } from './journal-controls.ts'
import type { MockControls } from './mock-controls.ts'
import { productControls } from './product.ts'
import { stateControls, type StateOptions } from './state-controls.ts'

export type ControlsOptions = StateOptions & JournalOptions

/** The controls of a sandbox; every call looks up the sandbox again. */
export function createControls(sandboxOf: () => Sandbox, options: ControlsOptions): MockControls {
  const store = () => sandboxOf().upToDate()
  return {
    clock: clockControls(sandboxOf),
    db: createDb(store),
    inspect: inspectControls(store),
    events: {
      on: (name, listener) => {
        // What is due by now happened before the listener was added.
        store()
        return sandboxOf().events.on(name, listener)
      },
    },
    ...stateControls(sandboxOf, options),
    ...journalControls(sandboxOf, options),
    ...productControls(store),
    get answers() {
      return sandboxOf().store.answers
    },
    setAnswers: (answers) =>
      sandboxOf().change((sandbox) => {
        const current = sandbox.upToDate()
        current.answers = resolveAnswers(answers, current.answers)
        rescheduleJobs(current)
        return current.answers
      }),
  }
}

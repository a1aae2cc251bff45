// The course of a run: its steps, then the removal of what it made.
import { cleanUp } from './clean-up.ts'
import { explainFailure, Interrupted } from './stop.ts'
import type { LeftBehind } from '../findings/report.ts'
import { assertRunnable, CannotRun, type Context, type RunOptions } from './start.ts'

interface Step {
  readonly name: string
  readonly take: () => Promise<void>
}

/** @throws {CannotRun} if there is no deployment of this API, or it rejects the key */
export async function runSteps(context: Context, steps: readonly Step[], { onProgress }: RunOptions) {
  const total = steps.length
  let taken = 0
  let interruption: Interrupted | undefined
  let leftBehind: readonly LeftBehind[] = []
  try {
    await assertRunnable(context.api)
    for (const { name, take } of steps) {
      onProgress?.({ done: taken, total, next: name })
      await take()
      taken += 1
    }
  } catch (error) {
    if (error instanceof CannotRun) throw error
    const why = explainFailure(error)
    interruption =
      error instanceof Interrupted ? error : new Interrupted(`the run cannot go on: ${why}`, { cause: error })
  } finally {
    if (context.mayWrite) {
      onProgress?.({ done: taken, total, next: 'cleaning up' })
      leftBehind = await cleanUp(context)
    }
  }
  return { interruption, leftBehind }
}

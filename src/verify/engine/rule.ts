// What the checks of a run work with.
import type { Answers } from '../../contract/questions/register.ts'
import type { Client } from './client.ts'
import type { Discovery } from './discovery.ts'
import type { RunResources } from './run-resources.ts'
import type { Wait } from './transport.ts'

/** What a check works with: the client, what was found in the deployment, and what the run may write to. */
export interface Context {
  /** Calls are about something of the run's own where a parameter of the path is left out. */
  readonly api: Client
  /** What is assumed where the contract is silent. */
  readonly answers: Answers
  readonly discovered: Discovery
  readonly own: RunResources
  readonly mayWrite: boolean
  readonly wait: Wait
  /** Milliseconds from an arbitrary moment. */
  readonly nowMs: () => number
}

/** A new task of the run's own, which calls are about. */
export interface OwnTask extends Context {
  readonly taskId: string
}

export async function ownTask(context: Context): Promise<OwnTask> {
  const taskId = await context.own.task()
  return { ...context, taskId, api: context.api.at({ taskId }) }
}

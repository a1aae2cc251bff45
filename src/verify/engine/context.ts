// The context of a check: the client, what was found in the deployment, and what the run may write to.
import type { Answers } from '../../contract/questions/register.ts'
import type { Client } from './client.ts'
import type { Discovery } from './discovery.ts'
import type { Own } from './own.ts'
import type { Wait } from './pace.ts'

export interface Context {
  readonly api: Client
  /** What is assumed where the contract is silent. */
  readonly answers: Answers
  readonly seen: Discovery
  readonly own: Own
  readonly mayWrite: boolean
  readonly wait: Wait
  /** Milliseconds from an arbitrary moment. */
  readonly nowMs: () => number
}

/** A task of the run's own. */
export interface OwnTask {
  readonly context: Context
  readonly taskId: string
}

export const ownTask = async (context: Context): Promise<OwnTask> => ({
  context,
  taskId: await context.own.task(),
})

/** An id of no record. */
export const unknownId = 'verify_no_such_id'

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

/** A new task of the run's own. */
export interface OwnTask extends Context {
  readonly taskId: string
  readonly params: { readonly taskId: string }
}

export async function ownTask(context: Context): Promise<OwnTask> {
  const taskId = await context.own.task()
  return { ...context, taskId, params: { taskId } }
}

/** Parameters of paths to what the run made; a row is made for each. */
export const inSpace = async ({ own }: Context) => ({ spaceId: (await own.space()).id })
export const inList = async ({ own }: Context) => ({ listId: await own.listId() })
export const ofSharedTask = async ({ own }: Context) => ({ taskId: await own.sharedTask() })
export const inTable = async ({ own }: Context) => ({ tableId: (await own.table()).table.id })
export const ofRow = async (context: Context) => ({
  ...(await inTable(context)),
  rowId: (await context.own.row()).id,
})

/** An id of no record. */
export const unknownId = 'verify_no_such_id'

// Jobs of probes, polled to their end.
import { pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import { Unreachable } from '../engine/drift.ts'
import { requireValue } from '../engine/expect.ts'
import type { Context } from '../engine/rule.ts'

/** Polls after which a job that has not ended is given up. */
const mostPolls = 600

export const isEnded = ({ status }: Job) => status === 'done' || status === 'failed'

/** Polls a job until it has ended, no faster than the contract allows. @returns all states that were seen, with their times */
export async function watchJob({ api, wait, nowMs }: Context, jobId: string) {
  const startMs = nowMs()
  const polls: { atMs: number; job: Job }[] = []
  while (polls.length < mostPolls) {
    const atMs = nowMs() - startMs
    const job = await api.succeed('getJob', { params: { jobId } })
    polls.push({ atMs, job })
    if (isEnded(job)) return polls
    await wait(pollMs)
  }
  throw new Unreachable(`job ${jobId} had not ended after ${String(mostPolls)} polls`)
}

/** Runs a job of the table that the run writes to. @returns all its states that were seen, and the last */
export async function runJob(context: Context, rows: readonly unknown[]) {
  const { job_id } = await context.api.succeed('submitInsertJob', { json: { rows } })
  const polls = await watchJob(context, job_id)
  const seen = polls.map(({ job }) => job)
  return { polls, seen, end: requireValue(seen.at(-1), 'the job was not seen') }
}

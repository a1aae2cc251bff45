// Observes the answers to questions about async jobs. Rows that cannot go in show most of it.
import { pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import { isEnded, watchJob } from '../rules/jobs.ts'
import { writing, type Observer } from './observer.ts'
import { needed } from '../engine/expect.ts'
import { Unreachable, type Context } from '../engine/rule.ts'

const timelineRows = 5000
/** A job that has not ended after these many polls is given up. */
const mostPolls = 600

async function submitted({ api, own }: Context, rows: readonly unknown[]): Promise<string> {
  const { table } = await own.table()
  const { job_id } = await api.succeed('submitInsertJob', { params: { tableId: table.id }, json: { rows } })
  return job_id
}

async function endOf(context: Context, rows: readonly unknown[]): Promise<Job> {
  const seen = await watchJob(context.api, context.wait, await submitted(context, rows))
  return needed(seen.at(-1), 'the job was not seen')
}

interface Poll {
  readonly atMs: number
  readonly job: Job
}

/** Polls a job from its submission to its end. */
async function pollsOf(context: Context): Promise<Poll[]> {
  const { api, own, wait, nowMs } = context
  const jobId = await submitted(context, own.badRows(await own.table(), timelineRows))
  const startMs = nowMs()
  const polls: Poll[] = []
  for (let poll = 0; poll < mostPolls; poll += 1) {
    const atMs = nowMs() - startMs
    const job = await api.succeed('getJob', { params: { jobId } })
    polls.push({ atMs, job })
    if (isEnded(job)) return polls
    await wait(pollMs)
  }
  throw new Unreachable(`a job had not ended after ${String(mostPolls)} polls`)
}

/** Polls are half a second apart: times are no more exact. */
const inPolls = (ms: number) => Math.round(ms / pollMs) * pollMs

/** The smallest step of progress that was seen, in rows. */
function chunkRowsOf(polls: readonly Poll[]): number | undefined {
  const handled = polls.map(({ job }) => Math.round(job.metadata.progress * timelineRows))
  const steps = handled.map((rows, index) => rows - (handled[index - 1] ?? 0)).filter((step) => step > 0)
  return steps.length > 1 ? Math.min(...steps.slice(0, -1)) : undefined
}

function timelineOf(polls: readonly Poll[]) {
  const firstMs = (holds: (job: Job) => boolean) => polls.find(({ job }) => holds(job))?.atMs ?? 0
  const [startMs, endMs] = [firstMs(({ status }) => status !== 'queued'), firstMs(isEnded)]
  const queuedMs = Math.max(1, inPolls(startMs))
  const chunkRows = chunkRowsOf(polls)
  const chunks = chunkRows === undefined ? 1 : Math.ceil(timelineRows / chunkRows)
  const chunkMs = Math.max(pollMs, inPolls((endMs - startMs) / chunks))
  return { queuedMs, chunkMs, ...(chunkRows !== undefined && { chunkRows }) }
}

export const jobObservers: readonly Observer[] = [
  writing('jobTimeline', async (context) => {
    const polls = await pollsOf(context)
    const answer = timelineOf(polls)
    const missing =
      answer.chunkRows === undefined ? '; all rows were one chunk, whose size keeps its default' : ''
    return {
      answer,
      how: `a job of ${String(timelineRows)} rows, all bad, polled every 500 ms, to which times are rounded${missing}`,
      estimate: true,
    }
  }),
  writing('jobChunkErrors', async (context) => {
    const { own } = context
    const { text } = await own.table()
    const end = await endOf(context, [{ [text.id]: own.text() }, ...own.badRows({ text }, 1)])
    const { row_count } = end.metadata
    return {
      answer: row_count > 0 ? 'keepValid' : 'rejectChunk',
      how: `of a good and a bad row ${String(row_count)} went in`,
    }
  }),
  writing('jobTransitions', async (context, { jobTimeline, jobChunkErrors }) => {
    const { own } = context
    const { text } = await own.table()
    if (jobTimeline === undefined && jobChunkErrors !== 'keepValid')
      throw new Unreachable('a bad row fails its whole chunk, and the size of chunks was not observed')
    // A first chunk of bad rows alone, and a second with a good one.
    const badRows = own.badRows({ text }, jobChunkErrors === 'keepValid' ? 1 : (jobTimeline?.chunkRows ?? 1))
    const { status, metadata } = await endOf(context, [...badRows, { [text.id]: own.text() }])
    if (metadata.row_count === 0 || metadata.errors === 0)
      throw new Unreachable('no job could be made in which one chunk errors and a row goes in')
    return {
      answer: status === 'failed' ? 'failedOnAnyChunk' : 'failedWhenNothingIn',
      how: `a job with ${String(metadata.errors)} errored chunk and ${String(metadata.row_count)} row in ended ${status}`,
    }
  }),
]

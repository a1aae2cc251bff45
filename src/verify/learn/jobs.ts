// Observes the answers to questions about async jobs. Rows that cannot go in show most of it.
import { pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import { isEnded, runJob, type watchJob } from '../rules/jobs.ts'
import { writing, type Observer } from './observer.ts'
import { Unreachable } from '../engine/rule.ts'

const timelineRows = 5000

type Polls = Awaited<ReturnType<typeof watchJob>>

/** Polls are half a second apart: times are no more exact. */
const inPolls = (ms: number) => Math.round(ms / pollMs) * pollMs

/** The smallest step of progress that was seen, in rows. */
function chunkRowsOf(polls: Polls): number | undefined {
  const handled = polls.map(({ job }) => Math.round(job.metadata.progress * timelineRows))
  const steps = handled.map((rows, index) => rows - (handled[index - 1] ?? 0)).filter((step) => step > 0)
  return steps.length > 1 ? Math.min(...steps.slice(0, -1)) : undefined
}

function timelineOf(polls: Polls) {
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
    const rows = context.own.badRows(await context.own.table(), timelineRows)
    const { polls } = await runJob(context, rows)
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
    const { end } = await runJob(context, [{ [text.id]: own.text() }, ...own.badRows({ text }, 1)])
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
    const { status, metadata } = (await runJob(context, [...badRows, { [text.id]: own.text() }])).end
    if (metadata.row_count === 0 || metadata.errors === 0)
      throw new Unreachable('no job could be made in which one chunk errors and a row goes in')
    return {
      answer: status === 'failed' ? 'failedOnAnyChunk' : 'failedWhenNothingIn',
      how: `a job with ${String(metadata.errors)} errored chunk and ${String(metadata.row_count)} row in ended ${status}`,
    }
  }),
]

// Jobs of probes, polled to their end, and the answers to questions about their course.
import { bulkRowsPerJob, pollMs } from '../../../contract/limits.ts'
import type { Job } from '../../../contract/jobs.ts'
import { Unreachable, requireValue } from '../engine/drift.ts'
import type { MarkableTable } from '../engine/shapes.ts'
import type { LiveWorkspace } from './live-workspace.ts'
import { writing, type Observer } from './observer.ts'

const mostPolls = 600
/** Sizes of the jobs that are timed, in turn until one has several chunks. */
const timelineRows = [10, 250, 5000, bulkRowsPerJob]

interface Poll {
  readonly atMs: number
  readonly job: Job
}

const isEnded = ({ status }: Job) => status === 'done' || status === 'failed'

/** Polls a job until it has ended, no faster than the contract allows. */
export async function watchJob({ api, context: { wait, nowMs } }: LiveWorkspace, jobId: string) {
  const startMs = nowMs()
  const polls: Poll[] = []
  while (polls.length < mostPolls) {
    const atMs = nowMs() - startMs
    const job = await api.succeed('getJob', { params: { jobId } })
    polls.push({ atMs, job })
    if (isEnded(job)) return { polls, end: job }
    await wait(pollMs)
  }
  throw new Unreachable(`job ${jobId} had not ended after ${String(mostPolls)} polls`)
}

async function runJob(live: LiveWorkspace, rows: readonly unknown[]) {
  const { job_id } = await live.api.succeed('submitInsertJob', { json: { rows } })
  return watchJob(live, job_id)
}

/** Times are as exact as the polls. */
const roundToPolls = (ms: number) => Math.round(ms / pollMs) * pollMs

/** The smallest step of progress in rows; undefined where all rows are one chunk. */
function chunkRowsOf(polls: readonly Poll[], rows: number): number | undefined {
  const handled = polls.map(({ job }) => Math.round(job.metadata.progress * rows))
  const steps = handled.map((count, index) => count - (handled[index - 1] ?? 0)).filter((step) => step > 0)
  return steps.length > 1 ? Math.min(...steps.slice(0, -1)) : undefined
}

function timelineOf(polls: readonly Poll[], rows: number) {
  const firstMs = (holds: (job: Job) => boolean) => polls.find(({ job }) => holds(job))?.atMs ?? 0
  const [startMs, endMs] = [firstMs(({ status }) => status !== 'queued'), firstMs(isEnded)]
  const queuedMs = Math.max(1, roundToPolls(startMs))
  const chunkRows = chunkRowsOf(polls, rows)
  const chunks = Math.ceil(rows / (chunkRows ?? rows))
  const chunkMs = Math.max(pollMs, roundToPolls((endMs - startMs) / chunks))
  return { queuedMs, chunkMs, ...(chunkRows !== undefined && { chunkRows }) }
}

/** Times the first job that has several chunks, else the largest. */
async function observeTimeline(live: LiveWorkspace) {
  const table = await live.chooseTable()
  const most = live.api.judge.limits.get('bulkRowsPerJob') ?? bulkRowsPerJob
  for (const rows of timelineRows) {
    const count = Math.min(rows, most)
    const answer = timelineOf((await runJob(live, live.makeBadRows(table, count))).polls, count)
    if (answer.chunkRows !== undefined || count === most) return { answer, count }
  }
  throw new Unreachable('no job was observed')
}

/** Runs a job of bad rows and a good one. @returns its last state */
async function runMixedJob(live: LiveWorkspace, table: MarkableTable, badRows: number): Promise<Job> {
  return (await runJob(live, [...live.makeBadRows(table, badRows), live.makeGoodRow(table)])).end
}

export const jobObservers: readonly Observer[] = [
  writing('jobTimeline', async (live) => {
    const { answer, count } = await observeTimeline(live)
    const missing =
      answer.chunkRows === undefined ? '; all rows were one chunk, whose size keeps its default' : ''
    const how = `a job of ${String(count)} rows, all bad, polled every 500 ms, to which times are rounded`
    return [answer, how + missing, true]
  }),
  writing('jobChunkErrors', async (live) => {
    const { row_count } = (await runMixedJob(live, await live.chooseTable(), 1)).metadata
    return [
      row_count > 0 ? 'keepValid' : 'rejectChunk',
      `of a good and a bad row ${String(row_count)} went in`,
    ]
  }),
  writing('jobTransitions', async (live, { jobTimeline, jobChunkErrors }) => {
    const table = await live.chooseTable()
    // A first chunk of bad rows alone, and a second with a good one.
    const badRows = requireValue(
      jobChunkErrors === 'keepValid' ? 1 : jobTimeline && (jobTimeline.chunkRows ?? 1),
      'a bad row fails its whole chunk, and the size of chunks was not observed',
    )
    const { status, metadata } = await runMixedJob(live, table, badRows)
    const { errors, row_count } = metadata
    if (row_count === 0 || errors === 0)
      throw new Unreachable('no job could be made in which one chunk errors and a row goes in')
    const how = `a job with ${String(errors)} errored chunk and ${String(row_count)} row in ended ${status}`
    return [status === 'failed' ? 'failedOnAnyChunk' : 'failedWhenNothingIn', how]
  }),
]

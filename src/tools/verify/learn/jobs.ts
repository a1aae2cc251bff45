// Polls the run's jobs and learns the answers to questions about how jobs progress.
import { bulkRowsPerJob, pollMs } from '../../../contract/limits.ts'
import type { Job } from '../../../contract/jobs.ts'
import { countText } from '../../../contract/text/format.ts'
import { Stop, requireValue } from '../../deployment/stop.ts'
import { makeBadRows, makeMarkedRow } from '../scenarios/own.ts'
import type { Learner } from './learner.ts'
import { writing, type Observer } from './observer.ts'

const mostPolls = 600
/** Row counts of timed jobs, tried in turn until one has several chunks. */
const timelineRows = [10, 250, 5000, bulkRowsPerJob]

/** A polled state of a job. The job was in it at some moment from `fromMs` to `toMs`, counted from its submission. */
interface Poll {
  readonly fromMs: number
  readonly toMs: number
  readonly job: Job
}

const isEnded = ({ status }: Job) => status === 'done' || status === 'failed'

/**
 * Polls a job until it has ended, no faster than the contract allows.
 * @param submitMs how long its submission took
 * @param firstMs moments of the first polls
 */
export async function watchJob(
  { api, context: { wait, nowMs } }: Learner,
  jobId: string,
  firstMs: readonly number[] = [0],
  submitMs = 0,
) {
  const startMs = nowMs()
  const polls: Poll[] = []
  while (polls.length < mostPolls) {
    const passedMs = nowMs() - startMs
    const dueMs = firstMs[polls.length] ?? (polls.at(-1)?.fromMs ?? 0) + pollMs
    if (dueMs > passedMs) await wait(dueMs - passedMs)
    const fromMs = nowMs() - startMs
    const job = await api.succeed('getJob', { params: { jobId } })
    polls.push({ fromMs, toMs: nowMs() - startMs + submitMs, job })
    if (isEnded(job)) return { polls, end: job }
  }
  throw new Stop(`job ${jobId} had not ended after ${String(mostPolls)} polls`)
}

async function runJob(learner: Learner, rows: readonly unknown[], firstMs?: number[]) {
  const { nowMs } = learner.context
  const startMs = nowMs()
  const params = { tableId: learner.table.id }
  const { job_id } = await learner.api.succeed('submitInsertJob', { params, json: { rows } })
  return watchJob(learner, job_id, firstMs, nowMs() - startMs)
}

/** The smallest progress step in rows; undefined if all rows are one chunk. */
function chunkRowsOf(polls: readonly Poll[], rows: number): number | undefined {
  const handled = polls.map(({ job }) => Math.round(job.metadata.progress * rows))
  const steps = handled.map((count, index) => count - (handled[index - 1] ?? 0)).filter((step) => step > 0)
  return steps.length > 1 ? Math.min(...steps.slice(0, -1)) : undefined
}

/** When something happened: between the last poll that did not show it and the first that did. */
interface Range {
  fromMs: number
  toMs: number
}
const middleOf = ({ fromMs, toMs }: Range) => (fromMs + toMs) / 2
const widthOf = ({ fromMs, toMs }: Range) => toMs - fromMs

function narrow(range: Range, polls: readonly Poll[], holds: (job: Job) => boolean): void {
  for (const { fromMs, toMs, job } of polls)
    if (holds(job)) range.toMs = Math.min(range.toMs, toMs)
    else range.fromMs = Math.max(range.fromMs, fromMs)
}

/** Maximum jobs submitted to refine the times, and the precision to reach. */
const mostTimed = 6
const exactMs = 100
/** Relative tolerance, because clocks differ a little. */
const clockError = 0.03

/** Finds the roundest number in a range. */
function roundIn({ fromMs, toMs }: Range, leastMs: number): number {
  const slackMs = Math.min(toMs * clockError, 60)
  for (const unit of [500, 100, 50, 10]) {
    const [low, high] = unit === 500 ? [fromMs - slackMs, toMs + slackMs] : [fromMs, toMs]
    const rounded = Math.round(middleOf({ fromMs, toMs }) / unit) * unit
    if (rounded >= leastMs && rounded > low && rounded <= high) return rounded
  }
  return Math.max(leastMs, Math.round(middleOf({ fromMs, toMs })))
}

const formatRange = ({ fromMs, toMs }: Range) => `${fromMs.toFixed(0)} to ${toMs.toFixed(0)} ms`

/** Runs a job with bad rows and one good row. @returns its final state */
const runMixedJob = async (learner: Learner, badRows: number): Promise<Job> =>
  (await runJob(learner, [...makeBadRows(learner.makeProbe(), badRows), makeMarkedRow(learner.makeProbe())]))
    .end

export const jobObservers: readonly Observer[] = [
  // Times the first job with several chunks, or else the largest; then repeats it, polling halfway through the open
  // ranges.
  writing('jobTimeline', async (learner) => {
    const most = learner.twin.getLimit('bulkRowsPerJob') ?? bulkRowsPerJob
    const started: Range = { fromMs: 0, toMs: Infinity }
    const ended: Range = { fromMs: 0, toMs: Infinity }
    const learnTimes = (polls: readonly Poll[]) => {
      narrow(started, polls, ({ status }) => status !== 'queued')
      narrow(ended, polls, isEnded)
    }
    let rows = 0
    let chunkRows: number | undefined
    for (const size of timelineRows) {
      if (chunkRows !== undefined || rows === most) break
      rows = Math.min(size, most)
      const { polls } = await runJob(learner, makeBadRows(learner.makeProbe(), rows))
      Object.assign(ended, { fromMs: 0, toMs: Infinity })
      learnTimes(polls)
      chunkRows = chunkRowsOf(polls, rows)
    }
    const chunks = Math.ceil(rows / (chunkRows ?? rows))
    const isExact = () =>
      widthOf(started) <= exactMs && (widthOf(started) + widthOf(ended)) / chunks <= exactMs
    for (let job = 0; job < mostTimed && !isExact(); job += 1) {
      const [first, second] = [middleOf(started), middleOf(ended)]
      const isApart = second - first >= pollMs
      const isFirstWider = widthOf(started) >= widthOf(ended) / chunks
      const moments = isApart ? [first, second] : [isFirstWider ? first : second]
      learnTimes((await runJob(learner, makeBadRows(learner.makeProbe(), rows), moments)).polls)
    }
    const chunk: Range = {
      fromMs: Math.max(0, (ended.fromMs - started.toMs) / chunks),
      toMs: (ended.toMs - started.fromMs) / chunks,
    }
    const answer = {
      queuedMs: roundIn(started, 1),
      chunkMs: roundIn(chunk, pollMs),
      ...(chunkRows !== undefined && { chunkRows }),
    }
    const missing = chunkRows === undefined ? '; one chunk held all rows, so its size keeps its default' : ''
    const how = `jobs of ${String(rows)} invalid rows were queued for ${formatRange(started)} and took ${formatRange(chunk)} per chunk`
    return [answer, how + missing, true]
  }),
  writing('jobChunkErrors', async (learner) => {
    const { row_count } = (await runMixedJob(learner, 1)).metadata
    return [
      row_count > 0 ? 'keepValid' : 'rejectChunk',
      `a job with a valid and an invalid row inserted ${countText(row_count, 'row')}`,
    ]
  }),
  writing('jobTransitions', async (learner) => {
    const { jobTimeline, jobChunkErrors } = learner.known
    // The first chunk has only bad rows, the second a good one.
    const badRows = requireValue(
      jobChunkErrors === 'keepValid' ? 1 : jobTimeline?.chunkRows,
      'an invalid row fails its whole chunk, and the chunk size was not observed',
    )
    const { status, metadata } = await runMixedJob(learner, badRows)
    const { errors, row_count } = metadata
    if (row_count === 0 || errors === 0) throw new Stop('no job had both a failed chunk and an inserted row')
    const how = `a job with ${countText(errors, 'failed chunk')} and ${countText(row_count, 'inserted row')} ended as ${status}`
    return [status === 'failed' ? 'failedOnAnyChunk' : 'failedWhenNothingIn', how]
  }),
]

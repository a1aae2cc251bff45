// Observes the course of async jobs, and limits and features of the workspace's plan, as far as politeness allows.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import type { LimitName } from '../../contract/errors.ts'
import { fileForm } from '../engine/bodies.ts'
import { isEnded, runJob, watchJob } from './jobs.ts'
import { reading, writing, type Observer } from './observer.ts'
import { requireValue } from '../engine/expect.ts'
import { Forbidden, Unreachable } from '../engine/drift.ts'
import { ownTask, type Context } from '../engine/rule.ts'

/** Rows of the jobs whose course is observed, in turn until one has several chunks. Rows that cannot go in show most of it. */
const timelineRows = [10, 250, 5000, bulkRowsPerJob]

type Polls = Awaited<ReturnType<typeof watchJob>>

/** Polls are half a second apart: times are no more exact. */
const inPolls = (ms: number) => Math.round(ms / pollMs) * pollMs

/** The smallest step of progress that was seen, in rows; undefined where all rows are one chunk. */
function chunkRowsOf(polls: Polls, rows: number): number | undefined {
  const handled = polls.map(({ job }) => Math.round(job.metadata.progress * rows))
  const steps = handled.map((count, index) => count - (handled[index - 1] ?? 0)).filter((step) => step > 0)
  return steps.length > 1 ? Math.min(...steps.slice(0, -1)) : undefined
}

function timelineOf(polls: Polls, rows: number) {
  const firstMs = (holds: (job: Job) => boolean) => polls.find(({ job }) => holds(job))?.atMs ?? 0
  const [startMs, endMs] = [firstMs(({ status }) => status !== 'queued'), firstMs(isEnded)]
  const queuedMs = Math.max(1, inPolls(startMs))
  const chunkRows = chunkRowsOf(polls, rows)
  const chunks = chunkRows === undefined ? 1 : Math.ceil(rows / chunkRows)
  const chunkMs = Math.max(pollMs, inPolls((endMs - startMs) / chunks))
  return { queuedMs, chunkMs, ...(chunkRows !== undefined && { chunkRows }) }
}

/** The course of the first job that has several chunks, else of the largest. */
async function observedTimeline(context: Context) {
  const table = await context.own.table()
  const most = context.api.judge.limits.get('bulkRowsPerJob') ?? bulkRowsPerJob
  for (const rows of timelineRows) {
    const count = Math.min(rows, most)
    const answer = timelineOf((await runJob(context, context.own.badRows(table, count))).polls, count)
    if (answer.chunkRows !== undefined || count === most || rows === timelineRows.at(-1))
      return { answer, count }
  }
  throw new Unreachable('no job was observed')
}

export const jobObservers: readonly Observer[] = [
  writing('jobTimeline', async (context) => {
    const { answer, count } = await observedTimeline(context)
    const missing =
      answer.chunkRows === undefined ? '; all rows were one chunk, whose size keeps its default' : ''
    return {
      answer,
      how: `a job of ${String(count)} rows, all bad, polled every 500 ms, to which times are rounded${missing}`,
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

/** Bulk requests that are sent in search of the limit of a minute. */
const mostBulkRequests = 400
const mostJobs = 20
const fileSizes = [1025, 1024 * 1024 + 1, 10 * 1024 * 1024 + 1]

/** A limit named by an error response, for the plan of the workspace. */
async function namedLimit(context: Context, name: LimitName, why: string) {
  const limit = requireValue(context.api.judge.limits.get(name), why)
  const plan = await context.discovered.plan()
  const how = `a refusal named the limit ${String(limit)}; only plan ${plan} was seen`
  return { answer: { [plan]: limit }, how }
}

/** Submits jobs until one is refused, and watches them all to their end. */
async function exhaustJobs(context: Context): Promise<void> {
  const { api, own, wait } = context
  const json = { rows: own.badRows(await own.table(), 2500) }
  const ask = { json, keepLimit: true }
  const running: string[] = []
  for (let job = 0; job < mostJobs; job += 1) {
    const reply = await api.call('submitInsertJob', ask)
    const id = reply.field('job_id')
    if (typeof id !== 'string') break
    running.push(id)
  }
  for (const jobId of running) {
    await wait(pollMs)
    await watchJob(context, jobId)
  }
}

async function scaleLimits(context: Context) {
  const { api, own } = context
  const rows = own.badRows(await own.table(), 50_001)
  const reply = await api.call('submitInsertJob', { json: { rows } })
  const id = reply.field('job_id')
  if (typeof id === 'string') await watchJob(context, id)
  await exhaustJobs(context)
  const { limits } = api.judge
  const [perJob, concurrent] = [limits.get('bulkRowsPerJob'), limits.get('concurrentBulkJobs')]
  if (perJob === undefined && concurrent === undefined) throw new Unreachable('no limit of jobs was met')
  return {
    ...(perJob !== undefined && { bulkRowsPerJob: perJob }),
    ...(concurrent !== undefined && { concurrentBulkJobs: concurrent }),
  }
}

/** In this order: the last uses up the bulk requests of a minute. */
export const limitObservers: readonly Observer[] = [
  writing('planFeatures', async (context) => {
    const plan = await context.discovered.plan()
    const ask = { json: { rows: [] } }
    const reply = await context.api.call('submitInsertJob', ask)
    const hasJobs = reply.status !== 403
    if (!hasJobs && reply.field('limitReached') !== true)
      throw new Unreachable(`submitInsertJob: ${reply.summary}`)
    const how = `a job without rows got ${String(reply.status)}; only plan ${plan} was seen`
    return { answer: { [plan]: hasJobs ? ['api', 'asyncBulk'] : ['api'] }, how }
  }),
  writing('maxFileBytes', async (context) => {
    const { api } = await ownTask(context)
    for (const size of fileSizes) {
      const { status } = await api.call('uploadTaskAttachment', { body: fileForm('x'.repeat(size)) })
      if (status === 413) break
    }
    const why = 'files of up to 10 MiB and a byte are taken, or their refusal does not name the limit'
    return namedLimit(context, 'maxFileBytes', why)
  }),
  writing('scalePlan', async (context) => {
    const plan = await context.discovered.plan()
    if (plan !== 'scale') throw new Unreachable(`the workspace is on plan ${plan}`)
    const how = 'refusals of a job with 50,001 rows and of one job too many'
    return { answer: await scaleLimits(context), how }
  }),
  writing('spacesLimit', async (context) => {
    try {
      await context.own.space()
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error
    }
    return namedLimit(context, 'spaces', 'spaces cannot be deleted, so no more than one is made')
  }),
  writing('listsLimit', async (context) => {
    const { api, own } = context
    await api.call('createList', { json: { name: own.text() } })
    return namedLimit(context, 'lists', 'lists cannot be deleted, so no more than one is made')
  }),
  reading('requestsPerMonth', (context) =>
    namedLimit(context, 'requestsPerMonth', 'it shows only once the requests of the month are used up'),
  ),
  writing('bulkInsertPerMinute', async (context) => {
    const ask = { json: { rows: [] }, keepLimit: true }
    for (let request = 0; request < mostBulkRequests; request += 1) {
      const reply = await context.api.call('bulkInsertRows', ask)
      if (reply.status === 429) break
    }
    const why = `${String(mostBulkRequests)} bulk requests in a row met no limit`
    return namedLimit(context, 'bulkInsertPerMinute', why)
  }),
]

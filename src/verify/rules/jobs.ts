// The rules of async bulk jobs: their life from submission to the end, and what refuses them.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import { planLimits } from '../../contract/plan-limits.ts'
import type { Job } from '../../contract/jobs.ts'
import { expectFields, expectSame, expectThat, needed } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import { rulesOn, writeRules, type Context } from '../engine/rule.ts'
import { expectLimit, limitFactsOf, refused } from './checks.ts'
import { expectStored, wholeRows } from './rows/bulk.ts'
import { lastRows } from './rows/consequences.ts'
import { ofTable } from './rows/writes.ts'

/** More chunks than error_message reports. */
const failingChunks = 5
/** Rows of a job that has not ended when the next request comes. */
const longJob = 2500
/** Such a job takes no longer, and Retry-After asks for no more. Assumption: retryAfter */
const longestRunMs = 60_000
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
  return { polls, seen, end: needed(seen.at(-1), 'the job was not seen') }
}

/** The plan of the workspace, and whether it has jobs: one that the contract does not know has none. Assumption: planFeatures */
export async function jobPlan({ seen, answers }: Context) {
  const plan = await seen.plan()
  const features = answers.planFeatures[plan] as readonly string[] | undefined
  return { plan, hasJobs: features?.includes('asyncBulk') ?? false }
}

async function withJobs(context: Context) {
  const table = await ofTable(context)
  const { plan, hasJobs } = await jobPlan(context)
  if (!hasJobs) throw new Unreachable(`plan ${plan} has no async bulk jobs`)
  return { ...table, plan }
}
type WithJobs = Awaited<ReturnType<typeof withJobs>>
const jobsOf = rulesOn('write', withJobs)

const markedRows = ({ own, text }: WithJobs, count: number) =>
  Array.from({ length: count }, () => ({ [text.id]: own.text() }))

const order = ['queued', 'processing', 'done', 'failed']

/** Source: contract, Job status. Assumption: jobTimeline */
function expectForward(seen: readonly Job[]): void {
  for (const [index, job] of seen.entries()) {
    const { status, created_at, updated_at, completed_at, metadata } = job
    expectThat(updated_at >= created_at, 'an updated_at not before created_at', updated_at)
    expectSame('completed_at while it runs', completed_at === null, !isEnded(job))
    const isLater = completed_at === null || completed_at >= created_at
    expectThat(isLater, 'a completed_at not before created_at', completed_at)
    const isMoved = completed_at === null || updated_at >= completed_at
    expectThat(isMoved, 'an updated_at not before completed_at', updated_at, 'assumption jobTimeline')
    if (status === 'processing' && metadata.row_count > 0)
      expectThat(metadata.progress > 0, 'a progress above 0', metadata.progress)
    const before = seen[index - 1] ?? job
    const isForward = order.indexOf(status) >= order.indexOf(before.status)
    expectThat(isForward, `no way back from ${before.status}`, status)
    for (const name of ['progress', 'row_count'] as const) {
      const [now, old] = [metadata[name], before.metadata[name]]
      expectThat(now >= old, `${name} of ${String(old)} or more`, now)
    }
    expectThat(updated_at >= before.updated_at, 'an updated_at that does not go back', updated_at)
  }
}

const life = jobsOf('contract, Job status', {
  'submitInsertJob/accepted: responds with 202 and a job that is queued and the number of rows (contract, Jobs)':
    async (c) => {
      const ask = { json: { rows: markedRows(c, 2) } }
      const { job_id, ...submitted } = await c.api.succeed('submitInsertJob', ask)
      expectFields('the job', submitted, { status: 'queued', rows_submitted: 2 })
      await watchJob(c, job_id)
    },
  'submitInsertJob/inserts: the rows are in the table once the job is done, all their values, in the order sent (contract, Jobs)':
    async (c) => {
      const rows = await wholeRows(c, 3)
      await runJob(c, rows)
      expectStored(await lastRows(c, c.table.id, 3), rows)
    },
  'getJob/chunk-errors: errors counts chunks, of which three say why in error_message (contract, Job)':
    async (c) => {
      const rows = failingChunks * c.answers.jobTimeline.chunkRows
      if (rows > bulkRowsPerJob)
        throw new Unreachable(`${String(failingChunks)} chunks are more rows than a job takes`)
      const { end } = await runJob(c, c.own.badRows(c, rows))
      const { errors } = end.metadata
      expectThat(errors < rows, 'errors that counts chunks, not rows', errors)
      expectSame('errors', errors, failingChunks, 'assumption jobTimeline')
      const messages = (end.error_message ?? '').split('; ')
      expectSame('messages in error_message', messages.length, 3, 'assumption jobChunkErrors')
    },
  'getJob/done: a job whose rows all go in ends done, with progress 1 and no errors': async (c) => {
    const { end } = await runJob(c, markedRows(c, 3))
    expectSame('status', end.status, 'done')
    const wanted = { progress: 1, row_count: 3, submitted: 3, total: 3, errors: 0 }
    expectFields('metadata', end.metadata, wanted)
    expectSame('error_message', end.error_message, null)
  },
  'getJob/names: names its table (contract, Job)': async (c) => {
    const { resource_id, metadata } = (await runJob(c, markedRows(c, 1))).end
    expectSame('table', [resource_id, metadata.table_name], [c.table.id, c.table.name])
  },
  'getJob/forward: states and progress move forward only': async (c) => {
    const { seen } = await runJob(c, [...markedRows(c, 1), ...c.own.badRows(c, longJob)])
    expectForward(seen)
  },
  'getJob/some-rows-bad: counts chunks with bad rows in errors and says why (contract, Job)': async (c) => {
    const { end } = await runJob(c, [...markedRows(c, 2), ...c.own.badRows(c, 1)])
    const { metadata, error_message: message } = end
    expectSame('errors', metadata.errors, 1)
    expectThat(typeof message === 'string' && message !== '', 'an error_message', message)
    const rowCount = c.answers.jobChunkErrors === 'keepValid' ? 2 : 0
    expectSame('row_count', metadata.row_count, rowCount, 'assumption jobChunkErrors')
  },
  'getJob/no-row-good: a job of which no row goes in fails (assumption jobTransitions)': async (c) => {
    const { end } = await runJob(c, c.own.badRows(c, 2))
    expectSame('status', end.status, 'failed')
    expectSame('row_count', end.metadata.row_count, 0)
    expectThat(end.completed_at !== null, 'a completed_at', end.completed_at)
  },
  'getJob/first-look: is queued or processing at first, with nothing inserted yet (assumption jobTransitions)':
    async (c) => {
      const [first] = (await runJob(c, c.own.badRows(c, longJob))).seen
      if (!first || isEnded(first)) throw new Unreachable('the job had ended before it was first polled')
      expectThat(first.metadata.progress < 1, 'a progress below 1', first.metadata.progress)
      expectSame('submitted', first.metadata.submitted, longJob)
    },
})

const limitOf = ({ answers, plan }: WithJobs, name: 'bulkRowsPerJob' | 'concurrentBulkJobs') =>
  planLimits(answers)[name][plan] ?? 0

/** Submits rows that cannot go in. A refusal for too many jobs is not waited out. */
const submitBad = ({ api, own, text }: WithJobs, count: number) =>
  api.call('submitInsertJob', { json: { rows: own.badRows({ text }, count) }, keepLimit: true })

/** Once every job of the run has ended, its slots are free. */
async function expectFreed(c: WithJobs, rows: number): Promise<void> {
  const reply = await submitBad(c, rows)
  const id = reply.field('job_id')
  if (typeof id === 'string') await watchJob(c, id)
  expectThat(reply.status === 202, 'status 202 once the jobs have ended', reply.summary)
}

/** Submits one job more than can run, and again after Retry-After. All have ended afterwards. */
async function oneTooMany(c: WithJobs, limit: number) {
  const { api, wait, own } = c
  const ask = { json: { rows: own.badRows(c, longJob) } }
  const running: string[] = []
  for (let job = 0; job < limit; job += 1) running.push((await api.succeed('submitInsertJob', ask)).job_id)
  const reply = await submitBad(c, longJob)
  const [jobId] = running
  const stillRuns = jobId !== undefined && !isEnded(await api.succeed('getJob', { params: { jobId } }))
  const askedMs = reply.status === 429 ? (reply.retryAfterMs ?? 0) : 0
  const isBounded = askedMs <= longestRunMs
  await wait(Math.max(pollMs, isBounded ? askedMs : 0))
  const again = reply.status === 429 && isBounded ? await submitBad(c, longJob) : undefined
  for (const id of [...running, again?.field('job_id'), reply.field('job_id')])
    if (typeof id === 'string') await watchJob(c, id)
  if (reply.status !== 429 && !stillRuns)
    throw new Unreachable('the first job had ended before the last was submitted')
  return { reply, again, isBounded }
}

async function checkConcurrency(c: WithJobs): Promise<void> {
  const limit = limitOf(c, 'concurrentBulkJobs')
  const { reply, again, isBounded } = await oneTooMany(c, limit)
  expectSame('status', reply.status, 429)
  const { current, ...facts } = limitFactsOf(reply)
  expectSame('resource', facts.resource, 'concurrentBulkJobs', 'contract, Jobs')
  const wanted = { limitReached: true, resource: 'concurrentBulkJobs', limit }
  expectSame('limit facts', facts, wanted, 'assumption limitFacts')
  // With or without the job that was refused: it does not run.
  const isCount = current === limit || current === limit + 1
  expectThat(isCount, `current of ${String(limit)}`, current, 'assumption limitFacts')
  const retryAfter = reply.headers.get('retry-after')
  const source = 'assumption retryAfter'
  expectThat(Number(retryAfter) >= 1, 'Retry-After of 1 or more', retryAfter)
  const longest = `Retry-After of ${String(longestRunMs / 1000)} s at most, for a job of 2,500 rows`
  expectThat(isBounded, longest, retryAfter, source)
  expectThat(again?.status === 202, 'status 202 after Retry-After', again?.summary, source)
  await expectFreed(c, longJob)
  expectSame('X-RateLimit-Limit', reply.headers.get('x-ratelimit-limit'), String(limit), source)
}

const limits = jobsOf('contract, Jobs', {
  'submitInsertJob/too-many-rows: refuses more rows than a job can have with 413 (contract, Limits)': async (
    c,
  ) => {
    const limit = limitOf(c, 'bulkRowsPerJob')
    const json = { rows: c.own.badRows(c, limit + 1) }
    const reply = await c.api.expect('submitInsertJob', 413, { json })
    expectSame('limitReached', reply.field('limitReached'), true)
    expectLimit(reply, 'bulkRowsPerJob', limit)
  },
  'submitInsertJob/too-many-jobs: refuses one job more than can run at once with 429 (contract, Limits)':
    checkConcurrency,
  'submitInsertJob/slot-freed: a job that has ended frees its slot': async (c) => {
    for (let job = 0; job < 3; job += 1) await expectFreed(c, 1)
  },
  'submitInsertJob/no-rows: refuses a job without rows (contract, Limits)': refused({ rows: [] }),
  'submitInsertJob/rows-no-array: refuses rows that are not an array': refused({ rows: {} }),
})

const withoutJobs = writeRules('contract, Jobs', {
  'submitInsertJob/plan-without-jobs: refuses jobs with 403 and limitReached on a plan that has none': async (
    c,
  ) => {
    const { plan, hasJobs } = await jobPlan(c)
    if (hasJobs) throw new Unreachable(`plan ${plan} has async bulk jobs`)
    const reply = await c.api.expect('submitInsertJob', 403, { json: { rows: [] } })
    expectSame('limitReached', reply.field('limitReached'), true)
    expectLimit(reply, 'bulkRowsPerJob', 0, 0)
  },
})

export const jobRules = [...life, ...limits, ...withoutJobs]

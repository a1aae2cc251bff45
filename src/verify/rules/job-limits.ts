// The rules of what refuses async bulk jobs.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import { expectSame, expectThat } from '../engine/expect.ts'
import { Unreachable, writeRules } from '../engine/rule.ts'
import { hasJobs, isEnded, jobRules, watchJob, type WithJobs } from './jobs.ts'
import { expectLimit, limitFactsOf, refused } from './refusals.ts'

/** A job of 2,500 rows takes no longer, and so does Retry-After. Assumption: retryAfter */
const longestRunMs = 60_000

function planLimits({ answers, plan }: WithJobs): { rows: number; concurrent: number } {
  if (plan === 'scale')
    return { rows: answers.scalePlan.bulkRowsPerJob, concurrent: answers.scalePlan.concurrentBulkJobs }
  return { rows: bulkRowsPerJob, concurrent: plan === 'business' ? 5 : 1 }
}

/** Submits rows that cannot go in. A refusal for too many jobs is not waited out. */
const submitBad = ({ api, own, text }: WithJobs, count: number) =>
  api.call('submitInsertJob', { json: { rows: own.badRows({ text }, count) }, keepLimit: true })

/** Once every job of the run has ended, its slots are free. */
async function expectFreed(c: WithJobs, rows: number): Promise<void> {
  const reply = await submitBad(c, rows)
  const id = reply.field('job_id')
  if (typeof id === 'string') await watchJob(c.api, c.wait, id)
  expectThat(reply.status === 202, 'status 202 once the jobs have ended', reply.summary)
}

/** Submits one job more than can run, and again after Retry-After. All have ended afterwards. */
async function oneTooMany(c: WithJobs, limit: number) {
  const { api, wait, own } = c
  const ask = { json: { rows: own.badRows(c, 2500) } }
  const running: string[] = []
  for (let job = 0; job < limit; job += 1) running.push((await api.succeed('submitInsertJob', ask)).job_id)
  const reply = await submitBad(c, 2500)
  const [jobId] = running
  const stillRuns = jobId !== undefined && !isEnded(await api.succeed('getJob', { params: { jobId } }))
  const askedMs = reply.status === 429 ? (reply.retryAfterMs ?? 0) : 0
  const isBounded = askedMs <= longestRunMs
  await wait(Math.max(pollMs, isBounded ? askedMs : 0))
  const again = reply.status === 429 && isBounded ? await submitBad(c, 2500) : undefined
  for (const id of [...running, again?.field('job_id'), reply.field('job_id')])
    if (typeof id === 'string') await watchJob(api, wait, id)
  if (reply.status !== 429 && !stillRuns)
    throw new Unreachable('the first job had ended before the last was submitted')
  return { reply, again, isBounded }
}

async function checkConcurrency(c: WithJobs): Promise<void> {
  const { concurrent: limit } = planLimits(c)
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
  await expectFreed(c, 2500)
  expectSame('X-RateLimit-Limit', reply.headers.get('x-ratelimit-limit'), String(limit), source)
}

const refusing = jobRules('contract, Jobs', {
  'submitInsertJob/no-rows: refuses a job without rows (contract, Limits)': refused({
    rows: [],
  }),
  'submitInsertJob/rows-no-array: refuses rows that are not an array': refused({
    rows: {},
  }),
  'submitInsertJob/too-many-rows: refuses more rows than a job can have with 413 (contract, Limits)': async (
    c,
  ) => {
    const { rows: limit } = planLimits(c)
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
})

const withoutJobs = writeRules('contract, Jobs', {
  'submitInsertJob/plan-without-jobs: refuses jobs with 403 and limitReached on a plan that has none': async (
    c,
  ) => {
    const { plan } = (await c.seen.identity()).workspace
    if (hasJobs(c.answers, plan)) throw new Unreachable(`plan ${plan} has async bulk jobs`)
    const reply = await c.api.call('submitInsertJob', { json: { rows: [] } })
    expectSame('status', reply.status, 403)
    expectSame('limitReached', reply.field('limitReached'), true)
    expectLimit(reply, 'bulkRowsPerJob', 0, 0)
  },
})

export const jobLimitRules = [...refusing, ...withoutJobs]

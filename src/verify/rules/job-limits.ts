// The rules of what refuses async bulk jobs.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import type { Ask } from '../engine/client.ts'
import { retryAfterMs } from '../engine/pace.ts'
import { hasJobs, isEnded, jobRule, watchJob, type JobScene } from './jobs.ts'
import { assumed, contract, expectSame, expectThat, type Rule, Unreachable } from '../engine/rule.ts'

const jobs = contract('Jobs')
const limits = contract('Limits')
/** A job of 2,500 rows takes no longer, and so does Retry-After. Assumption: retryAfter */
const longestRunMs = 60_000

const factsOf = (json: unknown) => {
  const { limitReached, resource, limit, current } = json as Record<string, unknown>
  return { limitReached, resource, limit, current }
}

function planLimits({ context: { answers }, plan }: JobScene): { rows: number; concurrent: number } {
  if (plan === 'scale')
    return { rows: answers.scalePlan.bulkRowsPerJob, concurrent: answers.scalePlan.concurrentBulkJobs }
  return { rows: bulkRowsPerJob, concurrent: plan === 'business' ? 5 : 1 }
}

const refused: readonly Rule[] = [
  jobRule('submitInsertJob', 'no-rows', limits, 'refuses a job without rows', async ({ context, table }) =>
    context.api.expect('submitInsertJob', 400, {
      params: { tableId: table.table.id },
      json: { rows: [] },
    }),
  ),
  jobRule(
    'submitInsertJob',
    'rows-no-array',
    jobs,
    'refuses rows that are not an array',
    async ({ context, table }) =>
      context.api.expect('submitInsertJob', 400, {
        params: { tableId: table.table.id },
        json: { rows: {} },
      }),
  ),
  jobRule(
    'submitInsertJob',
    'too-many-rows',
    limits,
    'refuses more rows than a job may have with 413',
    async (scene) => {
      const { rows: limit } = planLimits(scene)
      const rows = scene.context.own.badRows(scene.table, limit + 1)
      const { json } = await scene.context.api.expect('submitInsertJob', 413, {
        params: { tableId: scene.table.table.id },
        json: { rows },
      })
      const wanted = { limitReached: true, resource: 'bulkRowsPerJob', limit, current: limit + 1 }
      expectSame('limitReached', factsOf(json).limitReached, true)
      expectSame('limit facts', factsOf(json), wanted, assumed('limitFacts'))
    },
  ),
  jobRule(
    'submitInsertJob',
    'too-many-jobs',
    limits,
    'refuses one job more than may run at once with 429',
    async (scene) => {
      const { concurrent: limit } = planLimits(scene)
      await checkConcurrency(scene, limit)
    },
  ),
]

async function checkConcurrency(scene: JobScene, limit: number): Promise<void> {
  const { context, table } = scene
  const { api, own, wait } = context
  const ask = { params: { tableId: table.table.id }, json: { rows: own.badRows(table, 2500) } }
  const running: string[] = []
  for (let job = 0; job < limit; job += 1) running.push((await api.succeed('submitInsertJob', ask)).job_id)
  const reply = await api.call('submitInsertJob', { ...ask, keepLimit: true })
  const [first] = running
  const stillRuns = first !== undefined && !isEnded(await api.succeed('getJob', { params: { jobId: first } }))
  const extra = reply.field('job_id')
  const askedMs = reply.status === 429 ? (retryAfterMs(reply) ?? 0) : 0
  const isBounded = askedMs <= longestRunMs
  await wait(Math.max(pollMs, isBounded ? askedMs : 0))
  const again =
    reply.status === 429 && isBounded
      ? await api.call('submitInsertJob', { ...ask, keepLimit: true })
      : undefined
  const later = again?.field('job_id')
  if (typeof later === 'string') running.push(later)
  for (const jobId of [...running, ...(typeof extra === 'string' ? [extra] : [])])
    await watchJob(api, wait, jobId)
  if (reply.status !== 429 && !stillRuns)
    throw new Unreachable('the first job had ended before the last was submitted')
  expectSame('status', reply.status, 429)
  expectSame('resource', reply.field('resource'), 'concurrentBulkJobs', jobs)
  const { current, ...facts } = factsOf(reply.json)
  const wanted = { limitReached: true, resource: 'concurrentBulkJobs', limit }
  expectSame('limit facts', facts, wanted, assumed('limitFacts'))
  // With or without the job that was refused: it does not run.
  expectThat(
    current === limit || current === limit + 1,
    `current of ${String(limit)}`,
    current,
    assumed('limitFacts'),
  )
  expectThat(
    Number(reply.headers.get('retry-after')) >= 1,
    'Retry-After of 1 or more',
    reply.headers.get('retry-after'),
  )
  expectThat(
    isBounded,
    `Retry-After of ${String(longestRunMs / 1000)} s at most, for a job of 2,500 rows`,
    reply.headers.get('retry-after'),
    assumed('retryAfter'),
  )
  expectThat(again?.status === 202, 'status 202 after Retry-After', again?.summary, assumed('retryAfter'))
  await expectFreed(scene, ask)
  expectSame(
    'X-RateLimit-Limit',
    reply.headers.get('x-ratelimit-limit'),
    String(limit),
    assumed('retryAfter'),
  )
}

/** Once every job of the run has ended, its slots are free. */
async function expectFreed({ context: { api, wait } }: JobScene, ask: Ask): Promise<void> {
  const reply = await api.call('submitInsertJob', { ...ask, keepLimit: true })
  const id = reply.field('job_id')
  if (typeof id === 'string') await watchJob(api, wait, id)
  expectThat(reply.status === 202, 'status 202 once the jobs have ended', reply.summary)
}

const slotFreed = jobRule(
  'submitInsertJob',
  'slot-freed',
  jobs,
  'a job that has ended frees its slot',
  async (scene) => {
    const { context, table } = scene
    const ask = { params: { tableId: table.table.id }, json: { rows: context.own.badRows(table, 1) } }
    for (let job = 0; job < 3; job += 1) await expectFreed(scene, ask)
  },
)

const withoutJobs: Rule = {
  id: 'plan-without-jobs',
  operation: 'submitInsertJob',
  source: jobs,
  needs: 'write',
  says: 'refuses jobs with 403 and limitReached on a plan that has none',
  check: async ({ api, seen, own, answers }) => {
    const { plan } = (await seen.identity()).workspace
    if (hasJobs(answers, plan)) throw new Unreachable(`plan ${plan} has async bulk jobs`)
    const { table } = await own.table()
    const reply = await api.call('submitInsertJob', { params: { tableId: table.id }, json: { rows: [] } })
    expectSame('status', reply.status, 403)
    expectSame('limitReached', reply.field('limitReached'), true)
    const wanted = { limitReached: true, resource: 'bulkRowsPerJob', limit: 0, current: 0 }
    expectSame('limit facts', factsOf(reply.json), wanted, assumed('limitFacts'))
  },
}

export const jobLimitRules: readonly Rule[] = [...refused, slotFreed, withoutJobs]

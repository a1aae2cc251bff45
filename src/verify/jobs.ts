// Owns the rules of async bulk jobs: their life from submission to the end, and what refuses them.
import type { Job } from '../contract/jobs.ts'
import type { Plan } from '../contract/identity.ts'
import type { Client } from './client.ts'
import type { Context } from './context.ts'
import type { OwnTable } from './own.ts'
import type { Wait } from './pace.ts'
import { assumed, contract, expectSame, expectThat, type Rule, type Source, Unreachable } from './rule.ts'

const jobs = contract('Jobs')
const jobStatus = contract('Job status')
const limits = contract('Limits')

/** Source: contract, Limits. */
export const pollMs = 500
/** A job that has not ended after these many polls is given up. */
const mostPolls = 600

export const isEnded = ({ status }: Job) => status === 'done' || status === 'failed'

/** Looks at a job until it has ended, no faster than the contract allows. @returns all that was seen */
export async function watchJob(api: Client, wait: Wait, jobId: string): Promise<Job[]> {
  const seen: Job[] = []
  for (let poll = 0; poll < mostPolls; poll += 1) {
    const job = await api.succeed('getJob', { params: { jobId } })
    seen.push(job)
    if (isEnded(job)) return seen
    await wait(pollMs)
  }
  throw new Unreachable(`job ${jobId} had not ended after ${String(mostPolls)} polls`)
}

interface Jobs {
  readonly context: Context
  readonly table: OwnTable
  readonly plan: Plan
}

function jobRule(
  operation: 'submitInsertJob' | 'getJob',
  id: string,
  source: Source,
  says: string,
  check: (jobs: Jobs) => Promise<void>,
): Rule {
  return {
    id,
    operation,
    source,
    needs: 'write',
    says,
    check: async (context) => {
      const table = await context.own.table()
      const { plan } = (await context.seen.identity()).workspace
      if (context.answers.planFeatures[plan]?.includes('asyncBulk') !== true)
        throw new Unreachable(`plan ${plan} has no async bulk jobs`)
      await check({ context, table, plan })
    },
  }
}

/** Submits rows; where another job still runs, as it may in a workspace in use, its end is waited for. */
async function submit({ context, table }: Jobs, rows: readonly unknown[]) {
  const { job_id, ...rest } = await context.api.succeed('submitInsertJob', {
    params: { tableId: table.table.id },
    json: { rows },
  })
  return { jobId: job_id, ...rest }
}

async function runJob(scene: Jobs, rows: readonly unknown[]): Promise<{ seen: Job[]; end: Job }> {
  const { jobId } = await submit(scene, rows)
  const seen = await watchJob(scene.context.api, scene.context.wait, jobId)
  const end = seen.at(-1)
  if (!end) throw new Unreachable('the job was not seen')
  return { seen, end }
}

const markedRows = ({ context, table }: Jobs, count: number) => {
  const texts = Array.from({ length: count }, () => context.own.text())
  return { texts, rows: texts.map((text) => ({ [table.text.id]: text })) }
}

const order = ['queued', 'processing', 'done', 'failed']

function expectForward(seen: readonly Job[]): void {
  for (const [index, job] of seen.entries()) {
    const before = seen[index - 1]
    if (!before) continue
    expectThat(
      order.indexOf(job.status) >= order.indexOf(before.status),
      `no way back from ${before.status}`,
      job.status,
    )
    const { progress, row_count } = before.metadata
    expectThat(
      job.metadata.progress >= progress,
      `progress of ${String(progress)} or more`,
      job.metadata.progress,
    )
    expectThat(
      job.metadata.row_count >= row_count,
      `row_count of ${String(row_count)} or more`,
      job.metadata.row_count,
    )
    expectThat(job.updated_at >= before.updated_at, 'an updated_at that does not go back', job.updated_at)
  }
}

/** While a job has not ended, it has no completed_at. */
function expectCompletion(seen: readonly Job[]): void {
  for (const job of seen) {
    expectSame('completed_at while it runs', job.completed_at === null, !isEnded(job))
    if (job.completed_at !== null)
      expectThat(job.completed_at >= job.created_at, 'a completed_at not before created_at', job.completed_at)
  }
}

const life: readonly Rule[] = [
  jobRule(
    'submitInsertJob',
    'accepted',
    jobs,
    'answers 202 with a job that is queued and the number of rows',
    async (scene) => {
      const { rows } = markedRows(scene, 2)
      const { jobId, status, rows_submitted } = await submit(scene, rows)
      expectSame('status', status, 'queued')
      expectSame('rows_submitted', rows_submitted, 2)
      await watchJob(scene.context.api, scene.context.wait, jobId)
    },
  ),
  jobRule(
    'submitInsertJob',
    'inserts',
    jobs,
    'the rows are in the table once the job is done',
    async (scene) => {
      const { rows, texts } = markedRows(scene, 3)
      await runJob(scene, rows)
      expectSame('rows found', (await scene.context.own.rowsWith(texts)).length, 3)
    },
  ),
  jobRule(
    'getJob',
    'done',
    jobStatus,
    'a job whose rows all go in ends done, with progress 1 and no errors',
    async (scene) => {
      const { end } = await runJob(scene, markedRows(scene, 3).rows)
      expectSame('status', end.status, 'done')
      const { progress, row_count, submitted, total, errors } = end.metadata
      expectSame(
        'metadata',
        { progress, row_count, submitted, total, errors },
        { progress: 1, row_count: 3, submitted: 3, total: 3, errors: 0 },
      )
      expectSame('error_message', end.error_message, null)
    },
  ),
  jobRule('getJob', 'names', contract('Job'), 'names its table', async (scene) => {
    const { end } = await runJob(scene, markedRows(scene, 1).rows)
    const { id, name } = scene.table.table
    expectSame('table', [end.resource_id, end.metadata.table_name], [id, name])
  }),
  jobRule('getJob', 'forward', jobStatus, 'states and progress move forward only', async (scene) => {
    const { seen } = await runJob(scene, [
      ...markedRows(scene, 1).rows,
      ...scene.context.own.badRows(scene.table, 2500),
    ])
    expectForward(seen)
    expectCompletion(seen)
  }),
  jobRule(
    'getJob',
    'some-rows-bad',
    contract('Job'),
    'counts chunks with bad rows in errors and says why',
    async (scene) => {
      const { rows } = markedRows(scene, 2)
      const { end } = await runJob(scene, [...rows, ...scene.context.own.badRows(scene.table, 1)])
      expectSame('errors', end.metadata.errors, 1)
      expectThat(
        typeof end.error_message === 'string' && end.error_message !== '',
        'an error_message',
        end.error_message,
      )
      const rowCount = scene.context.answers.jobChunkErrors === 'keepValid' ? 2 : 0
      expectSame('row_count', end.metadata.row_count, rowCount, assumed('jobChunkErrors'))
    },
  ),
  jobRule(
    'getJob',
    'no-row-good',
    assumed('jobTransitions'),
    'a job of which no row goes in fails',
    async (scene) => {
      const { end } = await runJob(scene, scene.context.own.badRows(scene.table, 2))
      expectSame('status', end.status, 'failed')
      expectSame('row_count', end.metadata.row_count, 0)
      expectThat(end.completed_at !== null, 'a completed_at', end.completed_at)
    },
  ),
  jobRule(
    'getJob',
    'first-look',
    assumed('jobTransitions'),
    'is queued or processing at first, with nothing inserted yet',
    async (scene) => {
      const { seen } = await runJob(scene, scene.context.own.badRows(scene.table, 2500))
      const [first] = seen
      if (!first || isEnded(first)) throw new Unreachable('the job had ended before it was first looked at')
      expectThat(first.metadata.progress < 1, 'a progress below 1', first.metadata.progress)
      expectSame('submitted', first.metadata.submitted, 2500)
    },
  ),
]

const factsOf = (json: unknown) => {
  const { limitReached, resource, limit, current } = json as Record<string, unknown>
  return { limitReached, resource, limit, current }
}

function planLimits({ context: { answers }, plan }: Jobs): { rows: number; concurrent: number } {
  if (plan === 'scale')
    return { rows: answers.scalePlan.bulkRowsPerJob, concurrent: answers.scalePlan.concurrentBulkJobs }
  return { rows: 50_000, concurrent: plan === 'business' ? 5 : 1 }
}

const refused: readonly Rule[] = [
  jobRule(
    'submitInsertJob',
    'no-rows',
    limits,
    'refuses a job without rows',
    async ({ context, table }) =>
      void (await context.api.expect('submitInsertJob', 400, {
        params: { tableId: table.table.id },
        json: { rows: [] },
      })),
  ),
  jobRule(
    'submitInsertJob',
    'rows-no-array',
    jobs,
    'refuses rows that are no array',
    async ({ context, table }) =>
      void (await context.api.expect('submitInsertJob', 400, {
        params: { tableId: table.table.id },
        json: { rows: {} },
      })),
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

async function checkConcurrency(scene: Jobs, limit: number): Promise<void> {
  const { context, table } = scene
  const { api, own, wait } = context
  const ask = { params: { tableId: table.table.id }, json: { rows: own.badRows(table, 2500) } }
  const running: string[] = []
  for (let job = 0; job < limit; job += 1) running.push((await api.succeed('submitInsertJob', ask)).job_id)
  const reply = await api.call('submitInsertJob', { ...ask, keepLimit: true })
  const [first] = running
  const stillRuns = first !== undefined && !isEnded(await api.succeed('getJob', { params: { jobId: first } }))
  const extra = reply.field('job_id')
  await wait(pollMs)
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
  expectSame(
    'X-RateLimit-Limit',
    reply.headers.get('x-ratelimit-limit'),
    String(limit),
    assumed('retryAfter'),
  )
}

const withoutJobs: Rule = {
  id: 'plan-without-jobs',
  operation: 'submitInsertJob',
  source: jobs,
  needs: 'write',
  says: 'refuses jobs with 403 and limitReached on a plan that has none',
  check: async ({ api, seen, own, answers }) => {
    const { plan } = (await seen.identity()).workspace
    if (answers.planFeatures[plan]?.includes('asyncBulk'))
      throw new Unreachable(`plan ${plan} has async bulk jobs`)
    const { table } = await own.table()
    const reply = await api.call('submitInsertJob', { params: { tableId: table.id }, json: { rows: [] } })
    expectSame('status', reply.status, 403)
    expectSame('limitReached', reply.field('limitReached'), true)
    const wanted = { limitReached: true, resource: 'bulkRowsPerJob', limit: 0, current: 0 }
    expectSame('limit facts', factsOf(reply.json), wanted, assumed('limitFacts'))
  },
}

export const jobRules: readonly Rule[] = [...life, ...refused, withoutJobs]

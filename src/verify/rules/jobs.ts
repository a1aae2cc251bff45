// The rules of the life of async bulk jobs, from submission to the end.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Plan } from '../../contract/identity.ts'
import type { Client } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import type { OwnTable } from '../engine/own.ts'
import type { Wait } from '../engine/pace.ts'
import { expectStored, wholeRows } from './rows/bulk.ts'
import { lastRows } from './rows/consequences.ts'
import { assumed, contract, expectSame, expectThat, type Rule, rulesOn, Unreachable } from '../engine/rule.ts'

const jobs = contract('Jobs')
const jobStatus = contract('Job status')

/** More chunks than error_message says something of. */
const failingChunks = 5
/** A job that has not ended after these many polls is given up. */
const mostPolls = 600

export const isEnded = ({ status }: Job) => status === 'done' || status === 'failed'

/** Polls a job until it has ended, no faster than the contract allows. @returns all states that were seen */
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

/** A plan that the contract does not know has none. Assumption: planFeatures */
export const hasJobs = ({ planFeatures }: Answers, plan: Plan) =>
  (planFeatures[plan] as readonly string[] | undefined)?.includes('asyncBulk') ?? false

export interface JobScene {
  readonly context: Context
  readonly table: OwnTable
  readonly plan: Plan
}

export const jobRule = rulesOn('write', async (context): Promise<JobScene> => {
  const table = await context.own.table()
  const { plan } = (await context.seen.identity()).workspace
  if (!hasJobs(context.answers, plan)) throw new Unreachable(`plan ${plan} has no async bulk jobs`)
  return { context, table, plan }
})

/** Submits rows; where another job still runs, as it may in a workspace in use, its end is waited for. */
async function submit({ context, table }: JobScene, rows: readonly unknown[]) {
  const { job_id, ...rest } = await context.api.succeed('submitInsertJob', {
    params: { tableId: table.table.id },
    json: { rows },
  })
  return { jobId: job_id, ...rest }
}

async function runJob(scene: JobScene, rows: readonly unknown[]): Promise<{ seen: Job[]; end: Job }> {
  const { jobId } = await submit(scene, rows)
  const seen = await watchJob(scene.context.api, scene.context.wait, jobId)
  const end = seen.at(-1)
  if (!end) throw new Unreachable('the job was not seen')
  return { seen, end }
}

const markedRows = ({ context, table }: JobScene, count: number) => {
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
    'the rows are in the table once the job is done, all their values, in the order sent',
    async (scene) => {
      const { context, table } = scene
      const rows = await wholeRows(context, 3)
      await runJob(scene, rows)
      expectStored(await lastRows(context, table.table.id, 3), rows)
    },
  ),
  jobRule(
    'getJob',
    'chunk-errors',
    contract('Job'),
    'errors counts chunks, of which three say why in error_message',
    async (scene) => {
      const { chunkRows } = scene.context.answers.jobTimeline
      const rows = failingChunks * chunkRows
      if (rows > bulkRowsPerJob)
        throw new Unreachable(`${String(failingChunks)} chunks are more rows than a job takes`)
      const { end } = await runJob(scene, scene.context.own.badRows(scene.table, rows))
      const { errors } = end.metadata
      expectThat(errors < rows, 'errors that counts chunks, not rows', errors)
      expectSame('errors', errors, failingChunks, assumed('jobTimeline'))
      const messages = (end.error_message ?? '').split('; ')
      expectSame('messages in error_message', messages.length, 3, assumed('jobChunkErrors'))
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
      if (!first || isEnded(first)) throw new Unreachable('the job had ended before it was first polled')
      expectThat(first.metadata.progress < 1, 'a progress below 1', first.metadata.progress)
      expectSame('submitted', first.metadata.submitted, 2500)
    },
  ),
]

export const jobRules: readonly Rule[] = life

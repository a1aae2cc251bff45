// The rules of the life of async bulk jobs, from submission to the end.
import { bulkRowsPerJob, pollMs } from '../../contract/limits.ts'
import type { Job } from '../../contract/jobs.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Plan } from '../../contract/identity.ts'
import type { Client } from '../engine/client.ts'
import { expectFields, expectSame, expectThat, needed } from '../engine/expect.ts'
import type { Wait } from '../engine/transport.ts'
import { rulesOn, type Context, Unreachable } from '../engine/rule.ts'
import { expectStored, wholeRows } from './rows/bulk.ts'
import { lastRows } from './rows/consequences.ts'
import { ofTable } from './rows/creation.ts'

/** More chunks than error_message reports. */
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

async function withJobs(context: Context) {
  const table = await ofTable(context)
  const { plan } = (await context.seen.identity()).workspace
  if (!hasJobs(context.answers, plan)) throw new Unreachable(`plan ${plan} has no async bulk jobs`)
  return { ...table, plan }
}
export type WithJobs = Awaited<ReturnType<typeof withJobs>>
export const jobRules = rulesOn('write', withJobs)

const submit = ({ api }: WithJobs, rows: readonly unknown[]) =>
  api.succeed('submitInsertJob', { json: { rows } })

async function runJob(c: WithJobs, rows: readonly unknown[]): Promise<{ seen: Job[]; end: Job }> {
  const seen = await watchJob(c.api, c.wait, (await submit(c, rows)).job_id)
  return { seen, end: needed(seen.at(-1), 'the job was not seen') }
}

const markedRows = ({ own, text }: WithJobs, count: number) =>
  Array.from({ length: count }, () => ({ [text.id]: own.text() }))

const order = ['queued', 'processing', 'done', 'failed']

function expectForward(seen: readonly Job[]): void {
  for (const [index, job] of seen.slice(1).entries()) {
    const before = needed(seen[index], 'the job was not seen')
    const isForward = order.indexOf(job.status) >= order.indexOf(before.status)
    expectThat(isForward, `no way back from ${before.status}`, job.status)
    for (const name of ['progress', 'row_count'] as const) {
      const [now, old] = [job.metadata[name], before.metadata[name]]
      expectThat(now >= old, `${name} of ${String(old)} or more`, now)
    }
    expectThat(job.updated_at >= before.updated_at, 'an updated_at that does not go back', job.updated_at)
  }
}

/** Source: contract, Job status. Assumption: jobTimeline */
function expectMoving({ status, created_at, updated_at, completed_at, metadata }: Job): void {
  expectThat(updated_at >= created_at, 'an updated_at not before created_at', updated_at)
  const { row_count, progress } = metadata
  if (status === 'processing' && row_count > 0) expectThat(progress > 0, 'a progress above 0', progress)
  if (completed_at !== null)
    expectThat(
      updated_at >= completed_at,
      'an updated_at not before completed_at',
      updated_at,
      'assumption jobTimeline',
    )
}

/** While a job has not ended, it has no completed_at. */
function expectCompletion(seen: readonly Job[]): void {
  for (const job of seen) {
    expectSame('completed_at while it runs', job.completed_at === null, !isEnded(job))
    if (job.completed_at !== null)
      expectThat(job.completed_at >= job.created_at, 'a completed_at not before created_at', job.completed_at)
  }
}

export const jobLifeRules = jobRules('contract, Job status', {
  'submitInsertJob/accepted: responds with 202 and a job that is queued and the number of rows (contract, Jobs)':
    async (c) => {
      const { job_id, status, rows_submitted } = await submit(c, markedRows(c, 2))
      expectSame('status', status, 'queued')
      expectSame('rows_submitted', rows_submitted, 2)
      await watchJob(c.api, c.wait, job_id)
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
    const { seen } = await runJob(c, [...markedRows(c, 1), ...c.own.badRows(c, 2500)])
    expectForward(seen)
    for (const job of seen) expectMoving(job)
    expectCompletion(seen)
  },
  'getJob/some-rows-bad: counts chunks with bad rows in errors and says why (contract, Job)': async (c) => {
    const { metadata, error_message: message } = (
      await runJob(c, [...markedRows(c, 2), ...c.own.badRows(c, 1)])
    ).end
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
      const [first] = (await runJob(c, c.own.badRows(c, 2500))).seen
      if (!first || isEnded(first)) throw new Unreachable('the job had ended before it was first polled')
      expectThat(first.metadata.progress < 1, 'a progress below 1', first.metadata.progress)
      expectSame('submitted', first.metadata.submitted, 2500)
    },
})

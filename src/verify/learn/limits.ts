// Observes limits and features of the workspace's plan, as far as politeness allows.
import { pollMs } from '../../contract/limits.ts'
import type { LimitName } from '../../contract/errors.ts'
import { fileForm } from '../engine/bodies.ts'
import { requireValue, Forbidden, Unreachable } from '../engine/drift.ts'
import { ownTask, type Context } from '../engine/start.ts'
import { watchJob } from './jobs.ts'
import { reading, writing, type Observer } from './observer.ts'

/** Bulk requests that are sent in search of the limit of a minute. */
const mostBulkRequests = 400
const mostJobs = 20
const fileSizes = [1025, 1024 * 1024 + 1, 10 * 1024 * 1024 + 1]

/** A limit named by an error response, for the plan of the workspace. @param why it was not named */
async function namedLimit(context: Context, name: LimitName, why: string) {
  const limit = requireValue(context.api.judge.limits.get(name), why)
  const plan = await context.discovered.plan()
  return [
    { [plan]: limit },
    `a refusal named the limit ${String(limit)}; only plan ${plan} was seen`,
  ] as const
}

/** Submits a job. @returns its id; undefined where it was refused */
async function submitJob({ api }: Context, rows: readonly unknown[]): Promise<string | undefined> {
  const id = (await api.call('submitInsertJob', { json: { rows }, keepLimit: true })).field('job_id')
  return typeof id === 'string' ? id : undefined
}

/** Submits a job with too many rows, then jobs until one is refused, and watches them all to their end. */
async function exhaustJobs(context: Context): Promise<void> {
  const { own, wait } = context
  const table = await own.table()
  const large = await submitJob(context, own.badRows(table, 50_001))
  if (large !== undefined) await watchJob(context, large)
  const running: string[] = []
  while (running.length < mostJobs) {
    const id = await submitJob(context, own.badRows(table, 2500))
    if (id === undefined) break
    running.push(id)
  }
  for (const jobId of running) {
    await wait(pollMs)
    await watchJob(context, jobId)
  }
}

/** In this order: the last uses up the bulk requests of a minute. */
export const limitObservers: readonly Observer[] = [
  writing('planFeatures', async ({ api, discovered }) => {
    const plan = await discovered.plan()
    const reply = await api.call('submitInsertJob', { json: { rows: [] } })
    const hasJobs = reply.status !== 403
    if (!hasJobs && reply.field('limitReached') !== true)
      throw new Unreachable(`submitInsertJob: ${reply.summary}`)
    const how = `a job without rows got ${String(reply.status)}; only plan ${plan} was seen`
    return [{ [plan]: hasJobs ? ['api', 'asyncBulk'] : ['api'] }, how]
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
    await exhaustJobs(context)
    const names = ['bulkRowsPerJob', 'concurrentBulkJobs'] as const
    const found = names.flatMap((name) => {
      const limit = context.api.judge.limits.get(name)
      return limit === undefined ? [] : [[name, limit] as const]
    })
    if (found.length === 0) throw new Unreachable('no limit of jobs was met')
    return [Object.fromEntries(found), 'refusals of a job with 50,001 rows and of one job too many']
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
    for (let request = 0; request < mostBulkRequests; request += 1)
      if ((await context.api.call('bulkInsertRows', ask)).status === 429) break
    const why = `${String(mostBulkRequests)} bulk requests in a row met no limit`
    return namedLimit(context, 'bulkInsertPerMinute', why)
  }),
]

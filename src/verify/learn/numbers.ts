// Observes limits and features of the workspace's plan, as far as politeness allows.
import { pollMs } from '../../contract/limits.ts'
import type { LimitName } from '../../contract/errors.ts'
import { fileForm } from '../rules/bodies.ts'
import { watchJob } from '../rules/jobs.ts'
import { reading, writing, type Observer } from './observer.ts'
import { needed } from '../engine/expect.ts'
import { Forbidden, ownTask, Unreachable, type Context } from '../engine/rule.ts'

/** Bulk requests that are sent in search of the limit of a minute. */
const mostBulkRequests = 150
const mostJobs = 20
const fileSizes = [1025, 1024 * 1024 + 1, 10 * 1024 * 1024 + 1]

const planOf = async ({ seen }: Context) => (await seen.identity()).workspace.plan

/** A limit named by an error response, for the plan of the workspace. */
async function namedLimit(context: Context, name: LimitName, why: string) {
  const limit = needed(context.api.judge.limits.get(name), why)
  const plan = await planOf(context)
  const how = `a refusal named the limit ${String(limit)}; only plan ${plan} was seen`
  return { answer: { [plan]: limit }, how }
}

/** Submits jobs until one is refused, and sees them all to their end. */
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
export const numberObservers: readonly Observer[] = [
  writing('planFeatures', async (context) => {
    const plan = await planOf(context)
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
    const plan = await planOf(context)
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

// Observes limits and features of the workspace's plan, as far as politeness allows.
import { pollMs } from '../../../contract/limits.ts'
import type { LimitName } from '../../../contract/errors.ts'
import { makeFileForm } from '../engine/bodies.ts'
import { requireValue, Forbidden, Unreachable } from '../engine/drift.ts'
import { watchJob } from './jobs.ts'
import type { LiveWorkspace } from './live-workspace.ts'
import { reading, writing, type Observer } from './observer.ts'

const mostBulkRequests = 400
const mostJobs = 20
const jobLimits: ReadonlySet<string> = new Set<LimitName>(['bulkRowsPerJob', 'concurrentBulkJobs'])
const fileSizes = [1025, 1024 * 1024 + 1, 10 * 1024 * 1024 + 1]

/** A limit that a refusal named, for the plan of the workspace. @param why it was not named */
async function readNamedLimit(live: LiveWorkspace, name: LimitName, why: string) {
  const limit = requireValue(live.api.judge.limits.get(name), why)
  const plan = await live.readPlan()
  const how = `a refusal named the limit ${String(limit)}; only plan ${plan} was seen`
  return [{ [plan]: limit }, how] as const
}

/** Submits a job with too many rows, then jobs until one is refused, and watches them all to their end. */
async function exhaustJobs(live: LiveWorkspace): Promise<void> {
  const { api, context } = live
  const table = await live.chooseTable()
  const submit = async (count: number) => {
    const json = { rows: live.makeBadRows(table, count) }
    return (await api.call('submitInsertJob', { json, keepLimit: true })).field('job_id')
  }
  const large = await submit(50_001)
  if (typeof large === 'string') await watchJob(live, large)
  const running: string[] = []
  while (running.length < mostJobs) {
    const id = await submit(2500)
    if (typeof id !== 'string') break
    running.push(id)
  }
  for (const jobId of running) {
    await context.wait(pollMs)
    await watchJob(live, jobId)
  }
}

/** In this order: the last uses up the bulk requests of a minute. */
export const limitObservers: readonly Observer[] = [
  writing('planFeatures', async (live) => {
    const plan = await live.readPlan()
    const reply = await live.api.call('submitInsertJob', { json: { rows: [] } })
    const hasJobs = reply.status !== 403
    if (!hasJobs && reply.field('limitReached') !== true)
      throw new Unreachable(`submitInsertJob: ${reply.summary}`)
    const how = `a job without rows got ${String(reply.status)}; only plan ${plan} was seen`
    return [{ [plan]: hasJobs ? ['api', 'asyncBulk'] : ['api'] }, how]
  }),
  writing('maxFileBytes', async (live) => {
    const api = await live.createTaskClient()
    for (const size of fileSizes) {
      const { status } = await api.call('uploadTaskAttachment', { body: makeFileForm('x'.repeat(size)) })
      if (status === 413) break
    }
    const why = 'files of up to 10 MiB and a byte are taken, or their refusal does not name the limit'
    return readNamedLimit(live, 'maxFileBytes', why)
  }),
  writing('scalePlan', async (live) => {
    const plan = await live.readPlan()
    if (plan !== 'scale') throw new Unreachable(`the workspace is on plan ${plan}`)
    await exhaustJobs(live)
    const found = [...live.api.judge.limits].filter(([name]) => jobLimits.has(name))
    if (found.length === 0) throw new Unreachable('no limit of jobs was met')
    return [Object.fromEntries(found), 'refusals of a job with 50,001 rows and of one job too many']
  }),
  writing('spacesLimit', async (live) => {
    try {
      await live.makeSpace()
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error
    }
    return readNamedLimit(live, 'spaces', 'spaces cannot be deleted, so no more than one is made')
  }),
  writing('listsLimit', async (live) => {
    await live.api.call('createList', { json: { name: live.context.newText() } })
    return readNamedLimit(live, 'lists', 'lists cannot be deleted, so no more than one is made')
  }),
  reading('requestsPerMonth', (live) =>
    readNamedLimit(live, 'requestsPerMonth', 'it shows only once the requests of the month are used up'),
  ),
  writing('bulkInsertPerMinute', async (live) => {
    const ask = { json: { rows: [] }, keepLimit: true }
    for (let request = 0; request < mostBulkRequests; request += 1)
      if ((await live.api.call('bulkInsertRows', ask)).status === 429) break
    const why = `${String(mostBulkRequests)} bulk requests in a row met no limit`
    return readNamedLimit(live, 'bulkInsertPerMinute', why)
  }),
]

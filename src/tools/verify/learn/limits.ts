// Observes limits and features of the workspace's plan, as far as a reasonable number of requests shows them.
import { pollMs } from '../../../contract/limits.ts'
import type { LimitName } from '../../../contract/errors.ts'
import { requireValue, Stop } from '../../deployment/stop.ts'
import { getOwnSpace, makeBadRows } from '../scenarios/own.ts'
import { file, formOf } from '../scenarios/values.ts'
import { watchJob } from './jobs.ts'
import type { Learner } from './learner.ts'
import { reading, writing, type Observer } from './observer.ts'

const mostBulkRequests = 400
const mostJobs = 20
const jobLimits: ReadonlySet<string> = new Set<LimitName>(['bulkRowsPerJob', 'concurrentBulkJobs'])
const fileSizes = [1025, 1024 * 1024 + 1, 10 * 1024 * 1024 + 1]

/** Reads a limit of the workspace's plan that a refusal named. @param why the reason to give if no refusal named it */
function readNamedLimit(learner: Learner, name: LimitName, why: string) {
  const limit = requireValue(learner.judge.limits.get(name), why)
  const { plan } = learner
  const how = `a refusal named the limit ${String(limit)}; only plan ${plan} was seen`
  return [{ [plan]: limit }, how] as const
}

/** The order matters: the last observer uses up the per-minute limit for bulk requests. */
export const limitObservers: readonly Observer[] = [
  writing('planFeatures', async (learner) => {
    const { plan } = learner
    const reply = await learner.api.call('submitInsertJob', {
      params: { tableId: learner.table.id },
      json: { rows: [] },
    })
    const hasJobs = reply.status !== 403
    if (!hasJobs && reply.field('limitReached') !== true) throw new Stop(`submitInsertJob: ${reply.summary}`)
    const how = `a job without rows got status ${String(reply.status)}; only plan ${plan} was seen`
    return [{ [plan]: hasJobs ? ['api', 'asyncBulk'] : ['api'] }, how]
  }),
  writing('maxFileBytes', async (learner) => {
    const params = { taskId: await learner.createTask() }
    for (const size of fileSizes) {
      const body = formOf(file('verify.txt', 'x'.repeat(size)))
      if ((await learner.api.call('uploadTaskAttachment', { params, body })).status === 413) break
    }
    const why = 'files of up to 10 MiB plus one byte are accepted, or the refusal does not name the limit'
    return readNamedLimit(learner, 'maxFileBytes', why)
  }),
  writing('scalePlan', async (learner) => {
    const { api, plan } = learner
    if (plan !== 'scale') throw new Stop(`the workspace is on plan ${plan}`)
    const params = { tableId: learner.table.id }
    const submit = async (count: number) => {
      const json = { rows: makeBadRows(learner.makeProbe(), count) }
      return (await api.call('submitInsertJob', { params, json, keepLimit: true })).field('job_id')
    }
    const large = await submit(50_001)
    if (typeof large === 'string') await watchJob(learner, large)
    const running: string[] = []
    while (running.length < mostJobs) {
      const id = await submit(2500)
      if (typeof id !== 'string') break
      running.push(id)
    }
    for (const jobId of running) await watchJob(learner, jobId, [pollMs])
    const found = [...learner.judge.limits].filter(([name]) => jobLimits.has(name))
    if (found.length === 0) throw new Stop('the job limit was never reached')
    return [Object.fromEntries(found), 'refusals of a job with 50,001 rows and of one job too many']
  }),
  writing('spacesLimit', (learner) =>
    readNamedLimit(learner, 'spaces', 'spaces cannot be deleted, so no more than one is made'),
  ),
  writing('listsLimit', async (learner) => {
    const spaceId = learner.twin.mirror.ids.toTheirs(getOwnSpace(learner.makeProbe()))
    await learner.api.call('createList', { params: { spaceId }, json: { name: learner.context.newText() } })
    return readNamedLimit(learner, 'lists', 'lists cannot be deleted, so no more than one is made')
  }),
  reading('requestsPerMonth', (learner) =>
    readNamedLimit(learner, 'requestsPerMonth', "it shows only once the month's requests are used up"),
  ),
  writing('bulkInsertPerMinute', async (learner) => {
    const ask = { params: { tableId: learner.table.id }, json: { rows: [] }, keepLimit: true }
    for (let request = 0; request < mostBulkRequests; request += 1)
      if ((await learner.api.call('bulkInsertRows', ask)).status === 429) break
    const why = `${String(mostBulkRequests)} bulk requests in a row did not reach the per-minute limit`
    return readNamedLimit(learner, 'bulkInsertPerMinute', why)
  }),
]

// Scenarios for jobs: what holds between polls, how a job ends, and how many can run at once.
import { isObject, readField } from '../../../contract/data/objects.ts'
import type { LimitName } from '../../../contract/errors.ts'
import { pollMs } from '../../../contract/limits.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { quote } from '../../../contract/text/quote.ts'
import { Stop } from '../../deployment/stop.ts'
import type { Reply } from '../../deployment/reply.ts'
import { writing, type ScenarioContext, type Scenario } from '../twin/player.ts'
import { makeBadRows, makeMarkedRow, getOwnTable } from './own.ts'

const order = ['queued', 'processing', 'done', 'failed']
/** Maximum polls of a job, and the lower maximum after a job did not end. */
const [mostPolls, fewPolls] = [600, 30]
/** Job times and chunk sizes are up to the deployment. */
const ownPace = { loose: ['updated_at', 'completed_at', 'errors'] }

type State = JsonObject & { readonly metadata: JsonObject }
const isEnded = ({ status }: JsonObject) => status === 'done' || status === 'failed'

const fieldAt = (job: State, path: string): unknown => path.split('.').reduce<unknown>(readField, job)
const numberAt = (job: State, path: string) => Number(fieldAt(job, path))
const jobFieldOf = (path: string) => path.replace('metadata.', '')

type Invariant = readonly [path: string, holds: (now: State, was: State) => boolean]

const [rows, progress] = ['metadata.row_count', 'metadata.progress']
const fixed = 'id type created_at resource_id metadata.submitted metadata.total metadata.table_name'
const growing = ['updated_at', rows, progress, 'metadata.errors']

/** Invariants between consecutive states of a job, each with the field it concerns. */
const invariants: Readonly<Record<string, Invariant>> = {
  'a job goes from queued to processing, then to done or failed': [
    'status',
    (now, was) => order.indexOf(String(now.status)) >= order.indexOf(String(was.status)),
  ],
  ...Object.fromEntries(
    fixed
      .split(' ')
      .map((path): [string, Invariant] => [
        `${jobFieldOf(path)} does not change`,
        [path, (now, was) => fieldAt(now, path) === fieldAt(was, path)],
      ]),
  ),
  ...Object.fromEntries(
    growing.map((path): [string, Invariant] => [
      `${jobFieldOf(path)} never decreases`,
      [path, (now, was) => numberAt(now, path) >= numberAt(was, path)],
    ]),
  ),
  'updated_at is not before created_at': [
    'updated_at',
    (now) => Number(now.updated_at) >= Number(now.created_at),
  ],
  'completed_at is null until the job has ended': [
    'completed_at',
    (now) => isEnded(now) === (now.completed_at !== null),
  ],
  'completed_at is neither before created_at nor after updated_at': [
    'completed_at',
    ({ completed_at, created_at, updated_at }) =>
      completed_at === null ||
      (Number(completed_at) >= Number(created_at) && Number(completed_at) <= Number(updated_at)),
  ],
  'progress is 1 only at the end': [progress, (now) => isEnded(now) || numberAt(now, progress) < 1],
  'progress is above 0 once rows are inserted': [
    progress,
    (now) => now.status !== 'processing' || fieldAt(now, rows) === 0 || numberAt(now, progress) > 0,
  ],
  'row_count does not exceed the number of rows submitted': [
    rows,
    (now) => numberAt(now, rows) <= numberAt(now, 'metadata.submitted'),
  ],
}

/** Polls a job of the deployment until it ends. @returns the last response @throws {Stop} if it does not end */
async function watchJob(ctx: ScenarioContext, jobId: string, waitMs: number = pollMs) {
  const ask = { params: { jobId } }
  let was: State | undefined
  for (let poll = 0; poll < (ctx.twin.own.hasEndlessJob ? fewPolls : mostPolls); poll += 1) {
    const { theirs } = await ctx.sendToDeployment('getJob', ask)
    if (!theirs.isSuccess || !isObject(theirs.field('metadata')))
      throw new Stop(`getJob responds with ${theirs.summary}`, 'drift')
    const now = theirs.json as State
    if (!order.includes(String(now.status))) {
      ctx.differ('getJob', 'status', `one of ${order.join(', ')}`, now.status)
      throw new Stop('a job has a status that the contract does not name', 'drift')
    }
    was ??= now
    ctx.says('a job only moves forward', 'contract, Job status')
    for (const [says, [path, holds]] of Object.entries(invariants))
      if (!holds(now, was))
        ctx.differ('getJob', path, says, `${quote(fieldAt(now, path))} after ${quote(fieldAt(was, path))}`)
    was = now
    if (isEnded(now)) return { ask, end: theirs }
    await ctx.wait(waitMs)
  }
  ctx.twin.own.hasEndlessJob = true
  throw new Stop('a job had not ended by its last poll', 'unstable')
}

/** Submits a job. If the deployment accepts a job that should be refused, waits for its end. */
export async function submitJob(ctx: ScenarioContext, json: unknown) {
  const params = { tableId: getOwnTable(ctx).id }
  try {
    return await ctx.call('submitInsertJob', { params, json, keepLimit: true })
  } catch (error) {
    const id = ctx.latest?.theirs.field('job_id')
    if (error instanceof Stop && error.reason === 'parted' && typeof id === 'string') await watchJob(ctx, id)
    throw error
  }
}

/** Starts a job. @throws {Stop} if the plan has no jobs */
async function startJob(ctx: ScenarioContext, json: unknown): Promise<string> {
  const job = await submitJob(ctx, json)
  if (!job) throw new Stop('the plan has no async bulk jobs', 'plan')
  return job.job_id
}

async function submitToDeployment(ctx: ScenarioContext, json: unknown): Promise<Reply> {
  const params = { tableId: getOwnTable(ctx).id }
  return (await ctx.sendToDeployment('submitInsertJob', { params, json, keepLimit: true })).theirs
}

/** Starts a job while the run has no other, so a slot is free or soon will be. Assumption: retryAfter */
async function startInFreeSlot(ctx: ScenarioContext, json: unknown): Promise<string> {
  for (const waitMs of [1000, 10_000, 60_000])
    try {
      return await startJob(ctx, json)
    } catch (error) {
      if (!(error instanceof Stop && error.reason === 'limit')) throw error
      await ctx.wait(waitMs)
    }
  ctx.says('a job that has ended frees its slot', 'assumption retryAfter')
  const { status, summary } = await submitToDeployment(ctx, json)
  if (status === 429) ctx.differ('submitInsertJob', 'status', 202, status, 'status')
  throw new Stop(`the rate limit was reached: ${summary}`, 'limit')
}

/** Submits one row too many, then the maximum; all rows are invalid. The long job is polled less often. */
export async function submitMostRows(ctx: ScenarioContext): Promise<void> {
  const most = ctx.twin.getLimit('bulkRowsPerJob') ?? 0
  await submitJob(ctx, { rows: makeBadRows(ctx, most + 1) })
  if (most > 0) await watchJob(ctx, await startInFreeSlot(ctx, { rows: makeBadRows(ctx, most) }), 10 * pollMs)
}

/** Runs a job on both sides and compares the final states. */
export async function runJob(ctx: ScenarioContext, all: readonly unknown[]): Promise<Reply> {
  const { ask, end } = await watchJob(ctx, await startInFreeSlot(ctx, { rows: all }))
  ctx.says('a job that has ended reports what it inserted', 'contract, Job')
  await ctx.compareWith('getJob', ask, end, ownPace)
  return end
}

/** Enough rows to keep the job running until the next request. */
const longJob = 2500
/** Maximum duration of such a job, and maximum Retry-After. Assumption: retryAfter */
const longestRunMs = 60_000

/**
 * Checks the response that refuses a request beyond a limit. Assumption: limitFacts, retryAfter
 * @param known the limit; by default the one in the response
 */
export function compareLimit(
  ctx: ScenarioContext,
  operation: 'submitInsertJob' | 'bulkInsertRows',
  reply: Reply,
  resource: LimitName,
  known?: number,
): void {
  ctx.judged.add(operation)
  if (reply.status !== 429) {
    ctx.differ(operation, 'status', 429, reply.status, 'status')
    return
  }
  const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase() ?? ''
  const isExposed = ['retry-after', 'x-ratelimit-limit'].every((name) => exposed.includes(name))
  const after = reply.headers.get('retry-after')
  const shown = reply.headers.get('x-ratelimit-limit')
  const [named, current] = [reply.field('resource'), reply.field('current')]
  const limit = known ?? Number(shown ?? reply.field('limit'))
  // The count may include refused requests: for jobs only the one just refused, for bulk requests all of them.
  const mostCurrent = resource === 'concurrentBulkJobs' ? limit + 1 : Infinity
  const isCount =
    typeof current === 'number' && Number.isInteger(current) && current >= limit && current <= mostCurrent
  const facts: readonly (readonly [path: string, holds: boolean, expected: unknown, got: unknown])[] = [
    ['limitReached', reply.field('limitReached') === true, true, reply.field('limitReached')],
    ['resource', named === resource, resource, named],
    ['limit', reply.field('limit') === limit, limit, reply.field('limit')],
    ['current', isCount, limit + 1, current],
    ['x-ratelimit-limit', shown === String(limit), String(limit), shown],
    ['retry-after', /^[1-9]\d*$/.test(after?.trim() ?? ''), 'a whole number, 1 or more', after],
    [
      'access-control-expose-headers',
      exposed === '*' || isExposed,
      'Retry-After, X-RateLimit-Limit',
      exposed,
    ],
  ]
  for (const [path, holds, expected, got] of facts) if (!holds) ctx.differ(operation, path, expected, got)
}

/** Submits one job too many, submits it again after Retry-After, and waits for all jobs. */
async function submitTooMany(ctx: ScenarioContext): Promise<void> {
  const most = ctx.twin.getLimit('concurrentBulkJobs') ?? 0
  if (most === 0) throw new Stop('the plan has no async bulk jobs', 'plan')
  const running = [await startInFreeSlot(ctx, { rows: makeBadRows(ctx, longJob) })]
  while (running.length < most) running.push(await startJob(ctx, { rows: makeBadRows(ctx, longJob) }))
  let theirs: Reply
  try {
    theirs = await submitToDeployment(ctx, { rows: makeBadRows(ctx, longJob) })
  } catch (error) {
    // The refusal had a status that is retried, so the job was submitted again until a slot was free.
    const { trace, latest } = ctx.api.transport
    const refusal = trace.findLast(({ reply }) => reply?.field('limitReached') === true)
    if (!refusal?.reply) throw error
    compareLimit(ctx, 'submitInsertJob', refusal.reply, 'concurrentBulkJobs', most)
    for (const id of [...running, latest?.reply?.field('job_id')])
      if (typeof id === 'string') await watchJob(ctx, id)
    return
  }
  const first = await ctx.sendToDeployment('getJob', { params: { jobId: running[0] ?? '' } })
  const isRefused = theirs.status === 429
  if (!isRefused && isEnded({ status: first.theirs.field('status') })) {
    for (const id of running) await watchJob(ctx, id)
    throw new Stop('the first job had ended before the last was submitted', 'unstable')
  }
  compareLimit(ctx, 'submitInsertJob', theirs, 'concurrentBulkJobs', most)
  const askedMs = isRefused ? (theirs.retryAfterMs ?? 0) : 0
  if (askedMs > longestRunMs)
    ctx.differ('submitInsertJob', 'retry-after', 'at most 60', askedMs / 1000, 'header')
  await ctx.wait(Math.max(pollMs, Math.min(askedMs, longestRunMs)))
  const again = await submitToDeployment(ctx, { rows: makeBadRows(ctx, 1) })
  if (isRefused && theirs.retryAfterMs !== undefined && again.status !== 202) {
    ctx.says('a job that has ended frees its slot after the time in Retry-After', 'assumption retryAfter')
    ctx.differ('submitInsertJob', 'status', 202, again.status, 'status')
  }
  const more = [theirs, again].map((reply) => reply.field('job_id')).filter((id) => typeof id === 'string')
  for (const id of [...running, ...more]) await watchJob(ctx, id)
}

const [failingChunks, shownErrors] = [5, 3]

/** Errors are counted per chunk; three of them get a message. Assumption: jobTimeline, jobChunkErrors */
async function countErrors(ctx: ScenarioContext): Promise<void> {
  const rows = failingChunks * ctx.twin.context.answers.jobTimeline.chunkRows
  if (rows > (ctx.twin.getLimit('bulkRowsPerJob') ?? 0))
    throw new Stop('that many chunks have more rows than a job accepts', 'plan')
  const end = await runJob(ctx, makeBadRows(ctx, rows))
  const { errors } = Object(end.field('metadata')) as { errors?: unknown }
  const messages = String(end.field('error_message')).split('; ').length
  if (!(Number(errors) < rows)) ctx.differ('getJob', 'metadata.errors', 'chunks, not rows', errors)
  ctx.says('error_message says why three chunks failed', 'assumption jobChunkErrors')
  if (messages !== shownErrors) ctx.differ('getJob', 'error_message', shownErrors, messages, 'length')
}

export const jobScenarios: readonly Scenario[] = [
  ...writing('contract, Job', {
    'getJob submitInsertJob/chunk-errors: errors counts the chunks with errors': countErrors,
  }),
  ...writing('contract, Job status', {
    'getJob submitInsertJob/forward: states and progress of a job only move forward': (ctx) =>
      runJob(ctx, [makeMarkedRow(ctx), ...makeBadRows(ctx, longJob)]),
  }),
  ...writing('contract, Jobs', {
    'submitInsertJob getJob/too-many-jobs: one job more than can run at once is refused with 429':
      submitTooMany,
  }),
]

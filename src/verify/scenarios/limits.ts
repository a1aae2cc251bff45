// Scenarios of limits by time: jobs at once, and bulk requests in a minute.
import { pollMs } from '../../contract/limits.ts'
import { Unreachable } from '../engine/drift.ts'
import type { Reply } from '../engine/reply.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { isEnded, runJob, submitInFreeSlot, submitJob, submitToDeployment, watchJob } from './job.ts'
import { badRow, markedRow, repeat } from './own.ts'

/** Rows of a job that has not ended when the next request comes. */
const longJob = 2500
/** Such a job takes no longer, and Retry-After asks for no more. Assumption: retryAfter */
const longestRunMs = 60_000

const badRows = (play: Play, count: number) => ({ rows: repeat(count, () => badRow(play)) })

/** Compares a refusal with the limit of jobs at once. Assumption: limitFacts, retryAfter */
function compareLimit(play: Play, reply: Reply, limit: number): void {
  const differ = (path: string, expected: unknown, got: unknown) =>
    play.differ('submitInsertJob', path, expected, got)
  play.compared.add('submitInsertJob')
  if (reply.status !== 429) {
    play.differ('submitInsertJob', 'status', 429, reply.status, 'status')
    return
  }
  const named = { limitReached: true, resource: 'concurrentBulkJobs', limit }
  for (const [name, expected] of Object.entries(named))
    if (reply.field(name) !== expected) differ(name, expected, reply.field(name))
  const header = reply.headers.get('x-ratelimit-limit')
  if (header !== String(limit)) differ('x-ratelimit-limit', String(limit), header)
  const current = reply.field('current')
  // With or without the refused job.
  if (current !== limit && current !== limit + 1) differ('current', limit + 1, current)
  const after = reply.headers.get('retry-after')
  if (!(Number(after) >= 1)) differ('retry-after', '1 or more', after)
}

/** Submits one job more than can run at once, and again after Retry-After. All have ended afterwards. */
async function submitTooMany(play: Play): Promise<void> {
  const most = play.twin.limit('concurrentBulkJobs') ?? 0
  if (most === 0) throw new Unreachable('the plan has no async bulk jobs', 'plan')
  const running: string[] = []
  for (let job = 0; job < most; job += 1) {
    const submit = job === 0 ? submitInFreeSlot : submitJob
    const made = await submit(play, badRows(play, longJob))
    if (!made) throw new Unreachable('the plan has no async bulk jobs', 'plan')
    running.push(made.job_id)
  }
  const theirs = await submitToDeployment(play, badRows(play, longJob))
  const first = await play.twin.sendToDeployment('getJob', { params: { jobId: running[0] ?? '' } })
  const isRefused = theirs.status === 429
  if (!isRefused && isEnded({ status: first.theirs.field('status') })) {
    for (const id of running) await watchJob(play, id)
    throw new Unreachable('the first job had ended before the last was submitted', 'unstable')
  }
  compareLimit(play, theirs, most)
  const askedMs = isRefused ? (theirs.retryAfterMs ?? 0) : 0
  if (askedMs > longestRunMs)
    play.differ('submitInsertJob', 'retry-after', 'at most 60', askedMs / 1000, 'header')
  await play.wait(Math.max(pollMs, Math.min(askedMs, longestRunMs)))
  const again = await submitToDeployment(play, badRows(play, 1))
  if (isRefused && again.status !== 202) {
    play.says('a job that has ended frees its place, which Retry-After says', 'assumption retryAfter')
    play.differ('submitInsertJob', 'status', 202, again.status, 'status')
  }
  const more = [theirs, again].map((reply) => reply.field('job_id')).filter((id) => typeof id === 'string')
  for (const id of [...running, ...more]) await watchJob(play, id)
}

const [failingChunks, shownErrors] = [5, 3]

/** Errors are counted by chunk, of which three say why. Assumption: jobTimeline, jobChunkErrors */
async function countErrors(play: Play): Promise<void> {
  const rows = failingChunks * play.twin.context.answers.jobTimeline.chunkRows
  if (rows > (play.twin.limit('bulkRowsPerJob') ?? 0))
    throw new Unreachable('so many chunks are more rows than a job takes', 'plan')
  const end = await runJob(play, badRows(play, rows).rows)
  const { errors } = Object(end.field('metadata')) as { errors?: unknown }
  const messages = String(end.field('error_message')).split('; ').length
  if (!(Number(errors) < rows)) play.differ('getJob', 'metadata.errors', 'chunks, not rows', errors)
  play.says('error_message says why three chunks failed', 'assumption jobChunkErrors')
  if (messages !== shownErrors) play.differ('getJob', 'error_message', shownErrors, messages, 'length')
}

export const limitScenarios: readonly Scenario[] = [
  ...writing('contract, Job', {
    'getJob submitInsertJob/chunk-errors: errors counts the chunks with errors': countErrors,
  }),
  ...writing('contract, Job status', {
    'getJob submitInsertJob/forward: states and progress of a job move forward only': (play) =>
      runJob(play, [markedRow(play), ...badRows(play, longJob).rows]),
  }),
  ...writing('contract, Jobs', {
    'submitInsertJob getJob/too-many-jobs: one job more than can run at once is refused with 429':
      submitTooMany,
  }),
]

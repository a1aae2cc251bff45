// Scenarios of limits by time: jobs at once, and bulk requests in a minute.
import { pollMs } from '../../contract/limits.ts'
import { Unreachable } from '../engine/drift.ts'
import { writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { isEnded, runJob, submitInFreeSlot, submitJob, watchJob } from './job.ts'
import { badRow, markedRow, ownTable } from './own.ts'

/** Rows of a job that has not ended when the next request comes. */
const longJob = 2500
/** Such a job takes no longer, and Retry-After asks for no more. Assumption: retryAfter */
const longestRunMs = 60_000

const badRows = (play: Play, count: number) => {
  const row = badRow(play, ownTable(play))
  return { rows: Array.from({ length: count }, () => row) }
}

/** Submits one job more than can run at once, and again after Retry-After. All have ended afterwards. */
async function submitTooMany(play: Play): Promise<void> {
  if (play.twin.jobsAtOnce === 0) throw new Unreachable('the plan has no async bulk jobs', 'plan')
  const running: string[] = []
  for (let job = 0; job < play.twin.jobsAtOnce; job += 1) {
    const submit = job === 0 ? submitInFreeSlot : submitJob
    const made = await submit(play, badRows(play, longJob))
    if (!made) throw new Unreachable('the plan has no async bulk jobs', 'plan')
    running.push(made.job_id)
  }
  const { theirs } = await play.twin.sendToDeployment('submitInsertJob', {
    params: { tableId: ownTable(play).id },
    json: badRows(play, longJob),
    keepLimit: true,
  })
  const first = await play.twin.sendToDeployment('getJob', { params: { jobId: running[0] ?? '' } })
  const askedMs = theirs.status === 429 ? (theirs.retryAfterMs ?? 0) : 0
  if (theirs.status !== 429 && isEnded({ status: first.theirs.field('status') })) {
    for (const id of running) await watchJob(play, id)
    throw new Unreachable('the first job had ended before the last was submitted', 'unstable')
  }
  play.compareLimit('submitInsertJob', theirs, 'concurrentBulkJobs', play.twin.jobsAtOnce)
  if (askedMs > longestRunMs)
    play.report('submitInsertJob', {
      path: 'retry-after',
      kind: 'header',
      expected: 'at most 60',
      got: askedMs / 1000,
    })
  await play.wait(Math.max(pollMs, Math.min(askedMs, longestRunMs)))
  const again = await play.twin.sendToDeployment('submitInsertJob', {
    params: { tableId: ownTable(play).id },
    json: badRows(play, 1),
    keepLimit: true,
  })
  if (theirs.status === 429 && again.theirs.status !== 202) {
    play.says('a job that has ended frees its place, which Retry-After says', 'assumption retryAfter')
    play.report('submitInsertJob', {
      path: 'status',
      kind: 'status',
      expected: 202,
      got: again.theirs.status,
    })
  }
  const more = [theirs, again.theirs].flatMap((reply) =>
    typeof reply.field('job_id') === 'string' ? [String(reply.field('job_id'))] : [],
  )
  for (const id of [...running, ...more]) await watchJob(play, id)
}

/** More chunks than error_message reports, and how many it does. */
const [failingChunks, shownErrors] = [5, 3]

/** Errors are counted by chunk, of which three say why. Assumption: jobTimeline, jobChunkErrors */
async function countErrors(play: Play): Promise<void> {
  const rows = failingChunks * play.twin.context.answers.jobTimeline.chunkRows
  if (rows > play.twin.jobRows) throw new Unreachable('so many chunks are more rows than a job takes', 'plan')
  const end = await runJob(play, badRows(play, rows).rows)
  const { errors } = Object(end.field('metadata')) as { errors?: unknown }
  const messages = String(end.field('error_message')).split('; ').length
  if (!(Number(errors) < rows))
    play.report('getJob', {
      path: 'metadata.errors',
      kind: 'value',
      expected: 'chunks, not rows',
      got: errors,
    })
  play.says('error_message says why three chunks failed', 'assumption jobChunkErrors')
  if (messages !== shownErrors)
    play.report('getJob', { path: 'error_message', kind: 'length', expected: shownErrors, got: messages })
}

export const limitScenarios: readonly Scenario[] = [
  writing(
    'getJob submitInsertJob/chunk-errors',
    'contract, Job',
    'errors counts the chunks with errors',
    countErrors,
  ),
  writing(
    'getJob submitInsertJob/forward',
    'contract, Job status',
    'states and progress of a job move forward only',
    async (play) => {
      const { rows } = badRows(play, longJob)
      await runJob(play, [markedRow(play, ownTable(play)), ...rows])
    },
  ),
  writing(
    'submitInsertJob getJob/too-many-jobs',
    'contract, Jobs',
    'one job more than can run at once is refused with 429',
    submitTooMany,
  ),
]

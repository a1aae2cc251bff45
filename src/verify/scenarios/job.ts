// The life of a job: what holds between its polls, and how it ends on both sides.
import type { JsonObject } from '../../contract/schema/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import { pollMs } from '../../contract/limits.ts'
import { Unreachable } from '../engine/drift.ts'
import type { Reply } from '../engine/reply.ts'
import { quote } from '../../contract/text/quote.ts'
import { Parted, type Play } from '../twin/play.ts'
import { ownTable } from './own.ts'

const order = ['queued', 'processing', 'done', 'failed']
const mostPolls = 600
/** Each deployment has its own times of jobs and sizes of chunks. */
const ownPace = { loose: ['updated_at', 'completed_at', 'errors'] }

type State = JsonObject & { readonly metadata: JsonObject }
const isState = (value: unknown): value is State => isObject(value) && isObject(value.metadata)
export const isEnded = ({ status }: JsonObject) => status === 'done' || status === 'failed'

const fieldAt = (job: State, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), job)
const numberAt = (job: State, path: string) => Number(fieldAt(job, path))
const nameOf = (path: string) => path.replace('metadata.', '')

type Invariant = readonly [path: string, holds: (now: State, was: State) => boolean]

const [rows, progress] = ['metadata.row_count', 'metadata.progress']
const fixed = 'id type created_at resource_id metadata.submitted metadata.total metadata.table_name'
const growing = ['updated_at', rows, progress, 'metadata.errors']

/** What holds of each state of a job and the one before it, with the field that shows it. */
const invariants: Readonly<Record<string, Invariant>> = {
  'a job goes from queued to processing, then to done or failed': [
    'status',
    (now, was) => order.indexOf(String(now.status)) >= order.indexOf(String(was.status)),
  ],
  ...Object.fromEntries(
    fixed
      .split(' ')
      .map((path): [string, Invariant] => [
        `${nameOf(path)} stays as it is`,
        [path, (now, was) => fieldAt(now, path) === fieldAt(was, path)],
      ]),
  ),
  ...Object.fromEntries(
    growing.map((path): [string, Invariant] => [
      `${nameOf(path)} only grows`,
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
  'progress is 1 at the end alone': [progress, (now) => isEnded(now) || numberAt(now, progress) < 1],
  'progress is above 0 once rows are in': [
    progress,
    (now) => now.status !== 'processing' || fieldAt(now, rows) === 0 || numberAt(now, progress) > 0,
  ],
  'row_count is not above the rows submitted': [
    rows,
    (now) => numberAt(now, rows) <= numberAt(now, 'metadata.submitted'),
  ],
}

/** Polls a job of the deployment to its end. @returns the last response @throws {Unreachable} if it does not end */
export async function watchJob(play: Play, jobId: string) {
  const ask = { params: { jobId } }
  let was: State | undefined
  for (let poll = 0; poll < mostPolls; poll += 1) {
    const { theirs } = await play.twin.sendToDeployment('getJob', ask)
    const { json: now } = theirs
    if (!theirs.isSuccess || !isState(now))
      throw new Unreachable(`getJob responds with ${theirs.summary}`, 'drift')
    was ??= now
    play.says('a job moves forward only', 'contract, Job status')
    for (const [says, [path, holds]] of Object.entries(invariants))
      if (!holds(now, was))
        play.differ('getJob', path, says, `${quote(fieldAt(now, path))} after ${quote(fieldAt(was, path))}`)
    was = now
    if (isEnded(now)) return { ask, end: theirs }
    await play.wait(pollMs)
  }
  throw new Unreachable(`a job had not ended after ${String(mostPolls)} polls`, 'unstable')
}

/** Submits a job, and waits for the end of a job that should have been refused. */
export async function submitJob(play: Play, json: unknown) {
  const params = { tableId: ownTable(play).id }
  try {
    return await play.call('submitInsertJob', { params, json, keepLimit: true })
  } catch (error) {
    const id = play.exchanges.at(-1)?.theirs.field('job_id')
    if (error instanceof Parted && typeof id === 'string') await watchJob(play, id)
    throw error
  }
}

export async function submitToDeployment(play: Play, json: unknown): Promise<Reply> {
  const params = { tableId: ownTable(play).id }
  return (await play.twin.sendToDeployment('submitInsertJob', { params, json, keepLimit: true })).theirs
}

/** Submits a job while no other of the run is running: a slot is free, or will be. Assumption: retryAfter */
export async function submitInFreeSlot(play: Play, json: unknown) {
  const isFull = (error: unknown) => error instanceof Unreachable && error.reason === 'limit'
  for (const waitMs of [1000, 10_000, 60_000])
    try {
      return await submitJob(play, json)
    } catch (error) {
      if (!isFull(error)) throw error
      await play.wait(waitMs)
    }
  play.says('a job that has ended frees its place', 'assumption retryAfter')
  const { status, summary } = await submitToDeployment(play, json)
  if (status === 429) play.differ('submitInsertJob', 'status', 202, status, 'status')
  throw new Unreachable(`the rate limit was met: ${summary}`, 'limit')
}

/** Runs a job on both sides, and compares its ends. */
export async function runJob(play: Play, all: readonly unknown[]): Promise<Reply> {
  const job = await submitInFreeSlot(play, { rows: all })
  if (!job) throw new Unreachable('the plan has no async bulk jobs', 'plan')
  const { ask, end } = await watchJob(play, job.job_id)
  play.says('a job that has ended says what went in', 'contract, Job')
  await play.compareWith('getJob', ask, end, ownPace)
  return end
}

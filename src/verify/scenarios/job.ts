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
/** What a deployment decides for itself: how long a job takes, and how many rows make a chunk. */
const ownPace = { loose: ['updated_at', 'completed_at', 'errors'] }

type State = JsonObject & { readonly metadata: JsonObject }
const isState = (value: unknown): value is State => isObject(value) && isObject(value.metadata)
export const isEnded = ({ status }: JsonObject) => status === 'done' || status === 'failed'

/** What holds of each state of a job, and of two that follow each other: a name, a sentence, and whether it holds. */
const invariants: readonly (readonly [
  field: string,
  says: string,
  holds: (now: State, was: State) => boolean,
])[] = [
  [
    'status',
    'a job goes from queued to processing, then to done or failed',
    (now, was) => order.indexOf(String(now.status)) >= order.indexOf(String(was.status)),
  ],
  ...['id', 'type', 'created_at', 'resource_id'].map(
    (name) => [name, `${name} stays as it is`, (now: State, was: State) => now[name] === was[name]] as const,
  ),
  ...['submitted', 'total', 'table_name'].map(
    (name) =>
      [
        `metadata.${name}`,
        `${name} stays as it is`,
        (now: State, was: State) => now.metadata[name] === was.metadata[name],
      ] as const,
  ),
  ...['row_count', 'progress', 'errors'].map(
    (name) =>
      [
        `metadata.${name}`,
        `${name} only grows`,
        (now: State, was: State) => Number(now.metadata[name]) >= Number(was.metadata[name]),
      ] as const,
  ),
  [
    'updated_at',
    'updated_at does not go back',
    (now, was) => Number(now.updated_at) >= Number(was.updated_at),
  ],
  [
    'updated_at',
    'updated_at is not before created_at',
    (now) => Number(now.updated_at) >= Number(now.created_at),
  ],
  [
    'completed_at',
    'completed_at is null until the job has ended',
    (now) => isEnded(now) === (now.completed_at !== null),
  ],
  [
    'completed_at',
    'completed_at is neither before created_at nor after updated_at',
    ({ completed_at, created_at, updated_at }) =>
      completed_at === null ||
      (Number(completed_at) >= Number(created_at) && Number(completed_at) <= Number(updated_at)),
  ],
  [
    'metadata.progress',
    'progress is 1 at the end alone',
    (now) => isEnded(now) || Number(now.metadata.progress) < 1,
  ],
  [
    'metadata.progress',
    'progress is above 0 once rows are in',
    (now) => now.status !== 'processing' || now.metadata.row_count === 0 || Number(now.metadata.progress) > 0,
  ],
  [
    'metadata.row_count',
    'row_count is not above the rows submitted',
    ({ metadata }) => Number(metadata.row_count) <= Number(metadata.submitted),
  ],
]

/** Polls a job of the deployment to its end. @returns the last response @throws {Unreachable} if it does not end */
export async function watchJob(play: Play, jobId: string) {
  const ask = { params: { jobId } }
  let before: State | undefined
  for (let poll = 0; poll < mostPolls; poll += 1) {
    const { theirs } = await play.twin.sendToDeployment('getJob', ask)
    const { json: state } = theirs
    if (!theirs.isSuccess || !isState(state))
      throw new Unreachable(`getJob responds with ${theirs.summary}`, 'drift')
    const was = before ?? state
    play.says('a job moves forward only', 'contract, Job status')
    for (const [path, says, holds] of invariants)
      if (!holds(state, was)) {
        const at = (job: State) =>
          quote(
            path
              .split('.')
              .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), job),
          )
        play.report('getJob', { path, kind: 'value', expected: says, got: `${at(state)} after ${at(was)}` })
      }
    before = state
    if (isEnded(state)) return { ask, end: theirs }
    await play.wait(pollMs)
  }
  throw new Unreachable(`a job had not ended after ${String(mostPolls)} polls`, 'unstable')
}

/** Submits a job; where one was made although none should be, its end is awaited. */
export async function submitJob(play: Play, json: unknown) {
  try {
    return await play.call('submitInsertJob', {
      params: { tableId: ownTable(play).id },
      json,
      keepLimit: true,
    })
  } catch (error) {
    const id = play.exchanges.at(-1)?.theirs.field('job_id')
    if (error instanceof Parted && typeof id === 'string') await watchJob(play, id)
    throw error
  }
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
  const { theirs } = await play.twin.sendToDeployment('submitInsertJob', {
    params: { tableId: ownTable(play).id },
    json,
    keepLimit: true,
  })
  if (theirs.status === 429)
    play.report('submitInsertJob', { path: 'status', kind: 'status', expected: 202, got: 429 })
  throw new Unreachable(`the rate limit was met: ${theirs.summary}`, 'limit')
}

/** Runs a job on both sides, and compares its ends. */
export async function runJob(play: Play, rows: readonly unknown[]): Promise<Reply> {
  const job = await submitInFreeSlot(play, { rows })
  if (!job) throw new Unreachable('the plan has no async bulk jobs', 'plan')
  const { ask, end } = await watchJob(play, job.job_id)
  play.says('a job that has ended says what went in', 'contract, Job')
  await play.compareWith('getJob', ask, end, ownPace)
  return end
}

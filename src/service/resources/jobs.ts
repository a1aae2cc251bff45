// Async bulk jobs: submission, progress by the clock, and responses.
import type { JobRecord, Job } from '../../contract/jobs.ts'
import { assumedLimits } from '../../contract/limits.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { countItems, reportKeys } from '../rows/bulk.ts'
import { compileTable } from '../rows/columns.ts'
import { assertWithin, hasFeature } from '../../contract/plan-limits.ts'
import { assertUnlocked, prepareRow, storeRow, type RowData } from '../rows/rows.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import { ignoreBreach, type Store } from '../store/store.ts'
import type { Index } from '../store/collection.ts'
import { countSecondsUntil, type LimitUsage } from './rate-limits.ts'
import type { Handlers } from './request.ts'

const { messages: mostMessages } = assumedLimits.jobChunkErrors
const toSeconds = (ms: number) => Math.floor(ms / 1000)

const runningByWorkspace: Index<JobRecord> = {
  keysOf: ({ workspace_id, completed_ms }) => (completed_ms === null ? [workspace_id] : []),
}

/** When the n-th chunk of a job is inserted. Assumption: jobTimeline */
function dueMsOfChunk({ jobTimeline }: Answers, { created_ms }: JobRecord, chunk: number): number {
  return Math.min(created_ms + jobTimeline.queuedMs + chunk * jobTimeline.chunkMs, Number.MAX_SAFE_INTEGER)
}

/** A workspace's unfinished jobs, and when the first of them ends. */
export function findRunningJobs(store: Store, workspace: WorkspaceRecord): LimitUsage {
  const running = store.jobs.of(runningByWorkspace, workspace.id)
  if (running.length === 0) return { used: 0 }
  const { chunkRows } = store.answers.jobTimeline
  const ends = running.map((job) => dueMsOfChunk(store.answers, job, Math.ceil(job.submitted / chunkRows)))
  return { used: running.length, resetsAtMs: ends.reduce((first, end) => Math.min(first, end)) }
}

/** The chunk an unfinished job inserts next, counted from 1. */
function chunkOf({ jobTimeline }: Answers, { handled }: JobRecord): number {
  return Math.floor(handled / jobTimeline.chunkRows) + 1
}

/**
 * Checks and inserts rows from the first unhandled one up to, but not including, `to`. Assumption: jobChunkErrors
 * @returns the number inserted, and the first invalid row, by its index in the submission, with its error
 */
function handleChunk(store: Store, job: JobRecord, to: number, atSeconds: number) {
  const from = job.handled
  const record = store.tables.get(job.table_id)
  if (!record)
    return { inserted: 0, failure: `row ${String(from)}: datatable ${quote(job.table_id)} does not exist` }
  const table = compileTable(store, record)
  const rows = store.payloads.get(job.id) ?? []
  const faultyRow = job.planned_end?.how === 'errors' ? job.planned_end.after_rows : undefined
  const valid: RowData[] = []
  let failure: string | null = null
  for (let index = from; index < to; index++) {
    const prepared =
      index === faultyRow ? { error: 'injected by a fault' } : prepareRow(table, rows[index], ignoreBreach)
    if ('data' in prepared) valid.push(prepared.data)
    // Semicolons separate reasons.
    else failure ??= `row ${String(index)}: ${prepared.error.replaceAll('; ', ', ')}`
  }
  if (failure !== null && store.answers.jobChunkErrors === 'rejectChunk') return { inserted: 0, failure }
  for (const data of valid) storeRow(table, data, atSeconds)
  return { inserted: valid.length, failure }
}

/** Inserts the next chunk. Assumption: jobTransitions */
function advanceJob(store: Store, job: JobRecord, dueMs: number): JobRecord {
  const chunk = chunkOf(store.answers, job)
  const end = Math.min(job.submitted, chunk * store.answers.jobTimeline.chunkRows)
  const stop = job.planned_end?.how === 'failed' ? job.planned_end.after_rows : Infinity
  const to = Math.min(end, stop)
  const { inserted, failure } = handleChunk(store, job, to, toSeconds(dueMs))
  const messages = failure === null ? job.messages : [...job.messages, `chunk ${String(chunk)}: ${failure}`]
  const handled: JobRecord = {
    ...job,
    updated_ms: dueMs,
    handled: to,
    row_count: job.row_count + inserted,
    errors: job.errors + (failure === null ? 0 : 1),
    messages: messages.slice(0, mostMessages),
  }
  if (stop <= end) return stopJob(store.answers, handled, dueMs)
  if (to < job.submitted) return handled
  const isStrict = store.answers.jobTransitions === 'failedOnAnyChunk'
  const isFailed = isStrict ? handled.errors > 0 : handled.row_count === 0
  return { ...handled, status: isFailed ? 'failed' : 'done', completed_ms: dueMs }
}

/** The progress of jobs. Assumption: jobTimeline, lockedTable (a lock does not stop a running job) */
export const dueJob = {
  /** If the timeline changes, an unfinished job continues from where it stands. */
  dueMs({ answers, jobs }: Store, id: string): number | null {
    const job = jobs.get(id)
    if (job?.completed_ms !== null) return null
    const chunk = job.status === 'queued' ? 0 : chunkOf(answers, job)
    return Math.max(job.updated_ms, dueMsOfChunk(answers, job, chunk))
  },
  /** Advances a job by one step. */
  run(store: Store, id: string, dueMs: number) {
    const job = store.jobs.getOrThrow(id)
    const isQueued = job.status === 'queued'
    const next: JobRecord = isQueued
      ? { ...job, status: 'processing', updated_ms: dueMs }
      : advanceJob(store, job, dueMs)
    putJob(store, next)
    const { status, handled, submitted, table_name: name } = next
    return { id, name, job: { status, handled, submitted } }
  },
}

/** Reschedules unfinished jobs after the timeline has changed. */
export function rescheduleJobs(store: Store): void {
  for (const { kind, id } of store.schedule.entries())
    if (kind === 'job') store.schedule.set(kind, id, dueJob.dueMs(store, id))
}

/** Stores a job. Drops the submitted rows once it has ended. */
function putJob(store: Store, job: JobRecord): void {
  store.jobs.put(job)
  if (job.completed_ms === null) return
  store.payloads.delete(job.id)
  const at = toSeconds(job.completed_ms)
  store.emit('job.finished', () => ({ at, workspace_id: job.workspace_id, job: toJob(job) }))
}

function stopJob(answers: Answers, job: JobRecord, atMs: number): JobRecord {
  const message = `chunk ${String(chunkOf(answers, job))}: the job was stopped`
  return {
    ...job,
    status: 'failed',
    updated_ms: atMs,
    completed_ms: atMs,
    errors: job.errors + 1,
    messages: [...job.messages, message].slice(0, mostMessages),
  }
}

/** Ends a running job as failed; rows it already inserted stay. */
export function failJob(store: Store, job: JobRecord): JobRecord {
  // The clock may have been set back since the job was last updated.
  const nowMs = Math.max(store.clock.nowMs(), job.updated_ms)
  const failed = stopJob(store.answers, job, nowMs)
  putJob(store, failed)
  store.schedule.set('job', job.id, null)
  return failed
}

/** Source: contract, Job. */
export function toJob(job: JobRecord): Job {
  return {
    id: job.id,
    type: 'api_bulk_insert',
    status: job.status,
    resource_id: job.table_id,
    created_at: toSeconds(job.created_ms),
    updated_at: toSeconds(job.updated_ms),
    completed_at: job.completed_ms === null ? null : toSeconds(job.completed_ms),
    error_message: job.messages.length > 0 ? job.messages.join('; ') : null,
    metadata: {
      table_name: job.table_name,
      submitted: job.submitted,
      row_count: job.row_count,
      progress: job.submitted === 0 ? Number(job.completed_ms !== null) : job.handled / job.submitted,
      total: job.submitted,
      errors: job.errors,
    },
  }
}

export const jobHandlers = {
  submitInsertJob: {
    /** Source: contract, Jobs. Assumption: limitFacts */
    permit({ store, answers, workspace, at }) {
      if (!hasFeature(answers, workspace, 'asyncBulk'))
        throw new ApiError('asyncBulk', `plan ${workspace.plan} does not include async bulk jobs`, {
          limit: { limit: 0, current: 0 },
        })
      assertUnlocked(store, at.table, 'job')
    },
    /** Source: contract, Limits. */
    measure({ answers, workspace, json }) {
      const current = countItems(json, 'rows')
      const message = (limit: string) =>
        `rows must have at most ${limit} rows in a job on plan ${workspace.plan}; received ${String(current)}`
      assertWithin(answers, workspace, 'rowsPerJob', current, message)
    },
    /** Stores rows unchecked until their chunk is handled. Assumption: limitFacts, retryAfter */
    run({ store, answers, workspace, at, body: { rows }, jobFault, reportBreach }) {
      const nowMs = store.clock.nowMs()
      const { used, resetsAtMs = nowMs } = findRunningJobs(store, workspace)
      const message = (limit: string, wait: string) =>
        `concurrentBulkJobs allows ${limit} running jobs on plan ${workspace.plan}; ${String(used)} are running, retry in ${wait} s`
      const retryAfter = () => countSecondsUntil(resetsAtMs, nowMs)
      assertWithin(answers, workspace, 'concurrentJobs', used, message, retryAfter)
      reportKeys(compileTable(store, at.table), rows, reportBreach)
      // A fault ends the job halfway unless it specifies where.
      const { job: how = 'failed', afterRows = Math.floor(rows.length / 2) } = jobFault ?? {}
      const mostRows = how === 'errors' ? rows.length - 1 : rows.length
      const id = store.newId('jobs')
      store.payloads.set(id, rows)
      store.jobs.put({
        id,
        workspace_id: workspace.id,
        table_id: at.table.id,
        table_name: at.table.name,
        status: 'queued',
        created_ms: nowMs,
        updated_ms: nowMs,
        completed_ms: null,
        submitted: rows.length,
        handled: 0,
        row_count: 0,
        errors: 0,
        messages: [],
        planned_end: jobFault ? { how, after_rows: Math.min(afterRows, mostRows) } : null,
      })
      store.schedule.set('job', id, dueJob.dueMs(store, id))
      return { job_id: id, status: 'queued', rows_submitted: rows.length }
    },
  },

  getJob: ({ at }) => toJob(at.job),
} satisfies Partial<Handlers>

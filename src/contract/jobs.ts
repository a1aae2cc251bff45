// Contract of async bulk jobs.
import * as z from 'zod/mini'
import {
  Count,
  Id,
  NullableSeconds,
  NullableText,
  Text,
  UnixSeconds,
  Whole,
  objectOf,
} from './schema/common.ts'
import { field } from './schema/fields.ts'
import { operationsOf } from './operation.ts'
import type * as types from './types.d.ts'

export const JobStatus = z.enum(['queued', 'processing', 'done', 'failed'])
export type JobStatus = types.JobStatus

export const Job = objectOf(() => ({
  id: Id,
  type: z.literal('api_bulk_insert'),
  status: JobStatus,
  resource_id: Id,
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  completed_at: NullableSeconds,
  error_message: NullableText,
  metadata: z.object({
    table_name: z.string(),
    submitted: z.int(),
    row_count: z.int(),
    progress: z.number().check(z.gte(0), z.lte(1)),
    total: z.int(),
    errors: z.int(),
  }),
}))
export type Job = types.Job

/** How a fault ends a job after `after_rows` rows: `failed` stops it there, `errors` makes the next row fail. */
export const PlannedEnd = objectOf(() => ({ how: z.enum(['failed', 'errors']), after_rows: Count }))

/** The fields of a job. The store's payloads hold its submitted rows until it ends. */
export const jobFields = {
  id: field(Id),
  workspace_id: field(Id, { fixture: false }),
  table_id: field(Id, { fixture: 'required' }),
  table_name: field(Text),
  status: field(JobStatus, { initial: 'queued' }),
  /** In milliseconds, because progress moves within a second. */
  created_ms: field(Whole, { note: 'In milliseconds.', byDefault: '`clock`' }),
  updated_ms: field(Whole, { note: 'In milliseconds.', byDefault: '`created_ms`' }),
  completed_ms: field(z.nullable(Whole), { note: 'In milliseconds; null until it has ended.' }),
  submitted: field(Count, { byDefault: 'the number of `rows`' }),
  handled: field(Count, { note: 'Rows processed so far.' }),
  row_count: field(Count, { note: 'Rows inserted so far.' }),
  errors: field(Count, { note: 'Chunks with an error so far.', initial: 0 }),
  messages: field(z.array(Text), {
    note: 'The first messages of failed chunks, three at most.',
    initial: [],
  }),
  planned_end: field(z.nullable(PlannedEnd), {
    note: 'How a fault ends it after `after_rows` rows: `failed` stops it there, `errors` makes the next row fail.',
    initial: null,
  }),
}
export type JobRecord = types.JobRecord

/** At least one row. Too many rows get 413, but not from this schema. Source: contract, Jobs. */
export const InsertJob = objectOf(() => ({ rows: z.array(z.unknown()).check(z.minLength(1)) }))

export const jobOperations = operationsOf('Jobs', {
  submitInsertJob: {
    route: 'POST /datatables/{tableId}/jobs/insert',
    summary: 'Submit a background insert of many rows',
    body: { json: InsertJob },
    success: {
      status: 202,
      schema: () => z.object({ job_id: Id, status: z.literal('queued'), rows_submitted: z.int() }),
      description: 'The job is queued.',
    },
    documentedErrors: [400, 403, 413, 429],
    errors: ['asyncBulk', 'lockedTable', 'rowsPerJob', 'concurrentJobs'],
  },
  getJob: {
    route: 'GET /jobs/{jobId}',
    summary: 'Read the state of a job',
    advancesClock: true,
    partialOutcome: 'job',
    success: { schema: Job, description: 'The current state of the job.' },
    documentedErrors: [404],
  },
})

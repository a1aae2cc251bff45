// Owns the contract of async bulk jobs.
import * as z from 'zod/mini'
import { Id, UnixSeconds } from './common.ts'
import { defineOperation } from './operation.ts'

export const JobStatus = z.enum(['queued', 'processing', 'done', 'failed'])
export type JobStatus = z.infer<typeof JobStatus>

export const Job = z.object({
  id: Id,
  type: z.literal('api_bulk_insert'),
  status: JobStatus,
  resource_id: Id,
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  completed_at: z.nullable(UnixSeconds),
  error_message: z.nullable(z.string()),
  metadata: z.object({
    table_name: z.string(),
    submitted: z.int(),
    row_count: z.int(),
    progress: z.number().check(z.gte(0), z.lte(1)),
    total: z.int(),
    errors: z.int(),
  }),
})
export type Job = z.infer<typeof Job>

/** A job; the submitted rows are kept beside it, in the store's payloads, until it has ended. */
export const JobRecord = z.object({
  id: Id,
  workspace_id: Id,
  table_id: Id,
  table_name: z.string(),
  status: JobStatus,
  /** Moments in milliseconds, since progress moves within seconds. */
  created_ms: z.int(),
  updated_ms: z.int(),
  completed_ms: z.nullable(z.int()),
  submitted: z.int(),
  /** Rows looked at so far. */
  handled: z.int(),
  /** Rows inserted so far. */
  row_count: z.int(),
  /** Chunks with an error so far. */
  errors: z.int(),
  /** The first messages of errored chunks, three at most. */
  messages: z.array(z.string()),
})
export type JobRecord = z.infer<typeof JobRecord>

/** One row at least; too many rows are refused with 413, not by this schema. Source: contract, Jobs. */
export const InsertJob = z.object({ rows: z.array(z.unknown()).check(z.minLength(1)) })

export const submitInsertJob = defineOperation({
  id: 'submitInsertJob',
  method: 'POST',
  path: '/datatables/{tableId}/jobs/insert',
  tag: 'Jobs',
  summary: 'Submit a background insert of many rows',
  body: { json: InsertJob },
  success: {
    status: 202,
    schema: z.object({ job_id: Id, status: z.literal('queued'), rows_submitted: z.int() }),
    description: 'The job is queued.',
  },
  documentedErrors: [400, 403, 413, 429],
  errors: ['asyncBulk', 'lockedTable', 'rowsPerJob', 'concurrentJobs'],
})

export const getJob = defineOperation({
  id: 'getJob',
  method: 'GET',
  path: '/jobs/{jobId}',
  tag: 'Jobs',
  summary: 'Read the state of a job',
  success: { status: 200, schema: Job, description: 'The job as it stands now.' },
  documentedErrors: [404],
})

// Owns async bulk jobs: submission, their progress by the clock, and what they answer.
import * as z from 'zod/mini'
import { Id } from '../contract/common.ts'
import { JobStatus } from '../contract/jobs.ts'

/** A job; the submitted rows are kept beside it, in the world's payloads, until it has ended. */
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

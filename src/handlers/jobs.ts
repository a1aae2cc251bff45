// Handlers for async bulk jobs.
import type { OperationHandler } from '../core/context.ts'
import { assertAsyncBulk, measureJob, toJob, submitJob } from '../resources/jobs.ts'
import { assertUnlocked } from '../rows/rows.ts'

export const submitInsertJob: OperationHandler<'submitInsertJob'> = {
  permit({ store, answers, workspace, at }) {
    assertAsyncBulk(answers, workspace)
    assertUnlocked(store, at.tableId, 'job')
  },
  measure({ answers, workspace }, json) {
    measureJob(answers, workspace, json)
  },
  run({ store, workspace, at, body }) {
    const job = submitJob(store, workspace, at.tableId, body.rows)
    return { job_id: job.id, status: 'queued', rows_submitted: job.submitted }
  },
}

export const getJob: OperationHandler<'getJob'> = ({ at }) => toJob(at.jobId)

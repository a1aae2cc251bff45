// Answers for async bulk jobs.
import type { OperationHandler } from '../core/context.ts'
import { assertAsyncBulk, measureJob, presentJob, submitJob } from '../resources/jobs.ts'
import { assertUnlocked } from '../rows/rows.ts'

export const submitInsertJob: OperationHandler<'submitInsertJob'> = {
  permit({ world, answers, workspace, at }) {
    assertAsyncBulk(answers, workspace)
    assertUnlocked(world, at.tableId, 'job')
  },
  measure({ answers, workspace }, json) {
    measureJob(answers, workspace, json)
  },
  run({ world, workspace, at, body }) {
    const job = submitJob(world, workspace, at.tableId, body.rows)
    return { job_id: job.id, status: 'queued', rows_submitted: job.submitted }
  },
}

export const getJob: OperationHandler<'getJob'> = ({ at }) => presentJob(at.jobId)

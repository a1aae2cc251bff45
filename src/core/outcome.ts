// The outcome of a request as coverage counts it: successes that report a failure of rows are cases of their own.
import type { ApiResponse } from './call.ts'
import type { OutcomeCase } from './coverage-counts.ts'
import type { OpenExchange } from './exchange.ts'
import { findPartialSuccess } from './journal/partial-success.ts'

interface Outcome {
  readonly case: OutcomeCase
  /** Whether a fault or a disturbance planned the failure that it reports. */
  readonly isPlanned?: boolean
}

export function outcomeOf({ operation, route, store, call }: OpenExchange, response: ApiResponse): Outcome {
  const { refusal, status, body } = response
  if (refusal) return { case: refusal }
  if (operation === 'bulkInsertRows' && findPartialSuccess({ operation, status, responseBody: body }))
    return { case: 'partlyFailed', isPlanned: call.isDisturbed === true }
  const job = operation === 'getJob' ? store.jobs.get(route?.params.jobId ?? '') : undefined
  // A snapshot of an earlier version has no planned end.
  const isPlanned = (job?.planned_end ?? null) !== null
  if (job?.status === 'failed') return { case: 'jobFailed', isPlanned }
  if (job?.status === 'done' && job.errors > 0) return { case: 'jobErrors', isPlanned }
  return { case: 'success' }
}

// The numbers of the contract that no plan and no open question changes. Source: contract, Limits; Errors, rule 2.

/** Rows that one bulk request inserts at most. */
export const bulkRowsPerRequest = 250
/** Rows of one background job at most, on plans that have jobs. Assumption for plan scale: scalePlan */
export const bulkRowsPerJob = 50_000
/** Progress of a job moves no more often, and clients poll no faster. */
export const pollMs = 500
/** Waits before the first retry, the second and so on; a sixth attempt is one too many. */
export const retryScheduleMs: readonly number[] = [0, 1000, 2000, 4000, 8000]
const daySeconds = 86_400
/** Seconds for which a soft-deleted task can be recovered. */
export const recoverySeconds = 30 * daySeconds
/** Most entries of a page. */
export const mostPerPage = { rows: 500, tasks: 200, submissions: 200 } as const
/** Entries of a page that names no size. */
export const perPage = 50
/** Files that a task can be created with at most. */
export const filesPerTask = 10

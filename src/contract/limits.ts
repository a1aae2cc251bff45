// Numbers and names of the contract that several files need and that are the same on every plan, plus numbers that the
// mock assumes. Source: contract, Limits; Errors, rule 2.

/** The plans. Source: contract, Identity. */
export const plans = ['free', 'pro', 'business', 'scale'] as const
export const forEveryPlan = <T>(value: T) => ({ free: value, pro: value, business: value, scale: value })

/** Task priorities, lowest first. Source: contract, Tasks. */
export const priorities = ['low', 'normal', 'high', 'urgent'] as const

/** Status types. Source: contract, Status. */
export const statusTypes = ['active', 'done', 'archived'] as const

/** Operators of the structured query whose text comparison can ignore case. Assumption: queryText */
export const textOperators = [
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
] as const

export const bulkRowsPerRequest = 250
/** Maximum number of rows in a job, on plans that have jobs. Assumption for plan scale: scalePlan */
export const bulkRowsPerJob = 50_000
/** Minimum interval between updates of a job's progress, and between polls. */
export const pollMs = 500
/** Waits before the first retry, the second, and so on; there is no sixth retry. */
export const retryScheduleMs: readonly number[] = [0, 1000, 2000, 4000, 8000]
/** The waits after the first, immediate retry: `1, 2, 4 and 8`, in seconds. */
export const laterWaits = retryScheduleMs
  .slice(1)
  .map((ms) => ms / 1000)
  .join(', ')
  .replace(/, (\d+)$/, ' and $1')
/** Any number from here on must be milliseconds: as seconds it is in the year 5138, as milliseconds in 1973. */
export const firstMilliseconds = 100_000_000_000
/** Any number before this (September 2001) is not Unix seconds, unless the clock is earlier too. */
export const firstSeconds = 1_000_000_000
/** How long a soft-deleted task can be recovered, in seconds. */
export const recoverySeconds = 30 * 86_400
export const mostPerPage = { rows: 500, tasks: 200, submissions: 200 } as const
export const perPage = 50
export const filesPerTask = 10
/** Numbers the mock assumes, by open question. */
export const assumedLimits = {
  queryBody: { entries: 1000 },
  multipart: { bytes: 128 * 1024 ** 2 },
  bodyBytes: { bytes: 32 * 1024 ** 2, levels: 256 },
  maxFileBytes: { bytes: 10 * 1024 ** 2 },
  jobChunkErrors: { messages: 3 },
  /** `levels` limits the nesting of parentheses, of operators, and of formulas that use other formulas. */
  formulaLanguage: { characters: 10_000, levels: 256 },
  recurrence: { ofOneTask: 1000, ofAll: 10_000 },
} as const

// Errors of the contract: the kinds of error, and the exception that carries one.

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503

/** Limit names as used in the `resource` of error bodies, the option `limits` and fixtures. Source: contract, Limits */
export const limitNames = [
  'bulkRowsPerRequest',
  'bulkRowsPerJob',
  'concurrentBulkJobs',
  'bulkInsertPerMinute',
  'requestsPerMonth',
  'spaces',
  'lists',
  'maxFileBytes',
] as const
export type LimitName = (typeof limitNames)[number]

interface ErrorKindSpec {
  readonly status: ErrorStatus
  /** The condition, for the documentation. */
  readonly when: string
  /** The limit that the body reports (limitReached, resource, limit, current). Assumption: limitFacts */
  readonly limit?: LimitName
  /** Whether `current` counts only what is in use; otherwise it includes the request. Assumption: limitFacts */
  readonly inUse?: true
  /** Whether only a fault can cause it. */
  readonly injected?: true
}

/** Every kind of error; a status can have several. Source: contract, Errors and Limits. */
export const errorKinds = {
  validation: { status: 400, when: 'a parameter or a body field is missing or wrong' },
  storageKeyPrefix: { status: 400, when: 'the storage key does not belong to the row in the path' },
  unauthenticated: { status: 401, when: 'the API key is missing or unknown' },
  suspended: { status: 402, when: 'the API key is suspended' },
  billing: { status: 403, when: "the workspace's billing lapsed" },
  scope: { status: 403, when: 'the scoped key lacks the scope that the operation needs' },
  apiFeature: { status: 403, when: 'the plan does not include the API' },
  asyncBulk: { status: 403, when: 'the plan does not include async bulk jobs', limit: 'bulkRowsPerJob' },
  spacesLimit: { status: 403, when: "the plan's limit on spaces is reached", limit: 'spaces', inUse: true },
  listsLimit: {
    status: 403,
    when: "the plan's limit on lists in the space is reached",
    limit: 'lists',
    inUse: true,
  },
  lockedTable: { status: 403, when: 'the datatable is locked' },
  foreignComment: { status: 403, when: 'a scoped key edits a comment that is not its own' },
  runningEntry: { status: 403, when: 'the time entry is running' },
  notFound: { status: 404, when: 'an id in the path is unknown or not visible to the key' },
  unknownOperation: { status: 404, when: 'no operation matches the method and path' },
  rowsPerRequest: { status: 413, when: 'the bulk request has too many rows', limit: 'bulkRowsPerRequest' },
  rowsPerJob: { status: 413, when: 'the job has too many rows', limit: 'bulkRowsPerJob' },
  fileSize: { status: 413, when: 'a file is too large', limit: 'maxFileBytes' },
  bodySize: { status: 413, when: 'the body is too large' },
  monthlyRequests: {
    status: 429,
    when: "the plan's requests for this month are used up",
    limit: 'requestsPerMonth',
  },
  bulkRate: {
    status: 429,
    when: "the plan's bulk requests for this minute are used up",
    limit: 'bulkInsertPerMinute',
  },
  concurrentJobs: {
    status: 429,
    when: "the plan's limit on concurrent jobs is reached",
    limit: 'concurrentBulkJobs',
    inUse: true,
  },
  serverError: { status: 500, when: 'the server failed', injected: true },
  unavailable: { status: 503, when: 'the infrastructure failed temporarily', injected: true },
} as const satisfies Record<string, ErrorKindSpec>
export type ErrorKind = keyof typeof errorKinds

export function limitOfKind(kind: ErrorKind): LimitName | undefined {
  const spec = errorKinds[kind]
  return 'limit' in spec ? spec.limit : undefined
}

/** The kinds of errors every operation can have. Source: contract, Errors. Assumption: generalStatuses */
export const generalErrors = [
  'unauthenticated',
  'suspended',
  'billing',
  'scope',
  'apiFeature',
  'monthlyRequests',
  'serverError',
  'unavailable',
] as const satisfies readonly ErrorKind[]

export interface ErrorFacts {
  /** `current` is the number requested or in use, including this request if it counts. */
  readonly limit?: { readonly limit: number; readonly current: number }
  /** Whole seconds, at least 1; only on 429. */
  readonly retryAfter?: number
  /** Additional body fields, such as `errors` when no row of a bulk request was inserted. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whether a client rule other than client-error reports the cause. */
  readonly reported?: boolean
  /** The path of the wrong value, such as `data.col_cups`. The control API reports it; the API only mentions it in the message. */
  readonly field?: string
  /** Replaces `field` when several values are wrong; each has its message. */
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
  /** A hint for the developer, sent in `X-Mock-Hint`, never in the body. */
  readonly hint?: string
}

/** Thrown wherever the service refuses a request; turned into a response in one place. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly facts: ErrorFacts

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    // Skips the stack trace: responses do not show it, and collecting it takes a third of the time of a refused
    // request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.kind = kind
    this.facts = facts
  }

  /** The wrong values, in the form of a FixtureError's problems. */
  get problems(): NonNullable<ErrorFacts['problems']> {
    const { field, problems = [] } = this.facts
    return field === undefined ? problems : [{ path: field, message: this.message }]
  }
}

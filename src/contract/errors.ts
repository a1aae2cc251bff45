// Errors of the contract: the error body, the kinds of error, and the exception that carries one.
import * as z from 'zod/mini'
import { OptionalText, Text, objectOf } from './schema/common.ts'

export const ErrorBody = objectOf(() => ({
  error: Text,
  limitReached: z.optional(z.boolean()),
  resource: OptionalText,
  limit: z.optional(z.int()),
  current: z.optional(z.int()),
  transient: z.optional(z.boolean()),
}))
export type ErrorBody = z.infer<typeof ErrorBody>

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503

/** Names of the limits, as they appear in `resource` of an error body, in `limits` options and in fixtures. Source: contract, Limits */
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
  /** When it is answered, for the documentation. */
  readonly when: string
  /** The limit whose facts (limitReached, resource, limit, current) the body carries. Assumption: limitFacts */
  readonly limit?: LimitName
  /** Whether `current` is what is in use; in all others the request itself counts. Assumption: limitFacts */
  readonly inUse?: true
  /** Whether it can only be brought about by a fault, there being no natural way. */
  readonly injected?: true
}

/** Every kind of refusal the API knows. One status can have several kinds. Source: contract, Errors and Limits. */
export const errorKinds = {
  validation: { status: 400, when: 'a parameter or a body field is missing or wrong' },
  storageKeyPrefix: { status: 400, when: 'the storage key does not belong to the row of the path' },
  unauthenticated: { status: 401, when: 'the API key is missing or unknown' },
  suspended: { status: 402, when: 'the API key is suspended' },
  billing: { status: 403, when: "the workspace's billing lapsed" },
  scope: { status: 403, when: 'the scoped key lacks the scope of the operation' },
  apiFeature: { status: 403, when: 'the plan does not include the API' },
  asyncBulk: { status: 403, when: 'the plan does not include async bulk jobs', limit: 'bulkRowsPerJob' },
  spacesLimit: { status: 403, when: "the plan's number of spaces is in use", limit: 'spaces', inUse: true },
  listsLimit: {
    status: 403,
    when: "the plan's number of lists in the space is in use",
    limit: 'lists',
    inUse: true,
  },
  lockedTable: { status: 403, when: 'the datatable is locked' },
  foreignComment: { status: 403, when: 'a scoped key edits a comment that is not its own' },
  runningEntry: { status: 403, when: 'the time entry is running' },
  notFound: { status: 404, when: 'an id of the path names nothing the key can see' },
  unknownOperation: { status: 404, when: 'the method and path are no operation' },
  rowsPerRequest: { status: 413, when: 'the bulk request has too many rows', limit: 'bulkRowsPerRequest' },
  rowsPerJob: { status: 413, when: 'the job has too many rows', limit: 'bulkRowsPerJob' },
  fileSize: { status: 413, when: 'a file is too large', limit: 'maxFileBytes' },
  bodySize: { status: 413, when: 'the body is too large' },
  monthlyRequests: {
    status: 429,
    when: "the plan's requests of this month are used up",
    limit: 'requestsPerMonth',
  },
  bulkRate: {
    status: 429,
    when: "the plan's bulk requests of this minute are used up",
    limit: 'bulkInsertPerMinute',
  },
  concurrentJobs: {
    status: 429,
    when: "the plan's jobs are all running",
    limit: 'concurrentBulkJobs',
    inUse: true,
  },
  serverError: { status: 500, when: 'the server failed', injected: true },
  unavailable: { status: 503, when: 'the infrastructure failed for a moment', injected: true },
} as const satisfies Record<string, ErrorKindSpec>
export type ErrorKind = keyof typeof errorKinds

/** The kinds any operation can answer with, whatever its own list says. Source: contract, Errors. Assumption: generalStatuses */
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

export interface LimitFacts {
  readonly limit: number
  /** What was asked for or is in use, this request included where it counts. */
  readonly current: number
}

export interface ErrorFacts {
  readonly limit?: LimitFacts
  /** Whole seconds, at least 1; only on 429. */
  readonly retryAfter?: number
  /** Further body fields, as the `errors` of a bulk request in which no row went in. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Whether another client rule than client-error reports what the request is refused for. */
  readonly reported?: boolean
  /** A word to the developer, sent as `X-Mock-Hint`, never in the body. */
  readonly hint?: string
}

/** Thrown wherever the service refuses a request; answered in one place, `http/errors.ts`. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly facts: ErrorFacts

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.name = 'ApiError'
    this.kind = kind
    this.facts = facts
  }

  get status(): ErrorStatus {
    return errorKinds[this.kind].status
  }
}

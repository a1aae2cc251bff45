// The options of a fault, their validation, and the kind of error behind a status.
import * as z from 'zod/mini'
import { errorKinds, limitNames, type ErrorKind, type LimitName } from '../../contract/errors.ts'
import { operationList, operations, type OperationId, type Operation } from '../../contract/index.ts'
import type { OperationTypes } from '../../contract/types.d.ts'
import { isObject } from '../../contract/data/objects.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { operationIds } from '../../contract/scopes.ts'
import { errorKindsOf } from '../../contract/operation.ts'
import { quote } from '../../contract/text/quote.ts'
import { messageOf } from '../../contract/text/format.ts'
import { parseOrThrow } from '../parse-or-throw.ts'
import { ControlError } from '../control-error.ts'
import { depthRule, isTooDeep } from '../requests/json.ts'
import { assertCanMatch, requestPartSchema, type FaultMatch, type FaultPredicate } from './fault-match.ts'
import { anyKinds, faultKindOf } from './fault-kinds.ts'
import { parseEffect, type FaultEffect } from './effect-spec.ts'
import type { Store } from '../../service/store/store.ts'

/** The documented statuses of each operation; a fault can ask for any of them. */
export type FaultStatuses = { readonly [Id in OperationId]: OperationTypes[Id]['status'] }

export interface FaultSpec<Id extends OperationId = OperationId> {
  /** The operation to fail; any operation if absent. */
  operation?: Id
  /** Status of the response. Default 500. A success status lets the request through; with `delayMs` that makes a slow response. */
  status?: FaultStatuses[Id]
  /** Number of requests that trigger it. Default 1; null: all requests until the fault is removed. */
  times?: number | null
  /**
   * Counts `times` separately for each distinct request (method, path, query and JSON body): with `times` 1, every request
   * fails once and passes when repeated. Cannot be combined with `skip`, nor with an `effect` other than `respond`.
   */
  each?: boolean
  /** Number of matching requests to let pass first, including requests that other faults fail. Default 0. */
  skip?: number
  /**
   * `before` (default): nothing changes. `after`: the request is carried out, then fails. With `effect.act`, when the other
   * user acts: `before` the request, `after` its response (default), or `around` it, both before and after.
   */
  phase?: 'before' | 'after' | 'around'
  /**
   * Delay in milliseconds, on real (or fake) timers. If the client aborts or resets its connection, the wait ends; in phase
   * `before` the request is then not carried out. If the client merely closes its connection, the request is still carried
   * out.
   */
  delayMs?: number
  /** `clock`: the delay passes on a manual clock, like `clock.sleep`, and takes no real time. Default `timers`. Needs `delayMs`. */
  delayOn?: 'timers' | 'clock'
  /** Breaks the connection instead of responding. Cannot be combined with `status`, `resource` or `retryAfter`. */
  network?: boolean
  /** The limit that a 403, 413 or 429 names. */
  resource?: LimitName
  /** Retry-After of a 429, in whole seconds. Default 1; only with status 429. */
  retryAfter?: number
  /**
   * Only with `submitInsertJob`: the job that the request creates ends as failed, or as done with an error. The request
   * itself succeeds.
   */
  job?: 'failed' | 'errors'
  /** Number of rows the job inserts before it fails, or before the row with an error. Default half of them. */
  afterRows?: number
  /** Fields of the request, such as `params` or `body`; or a function that tells whether a request matches. */
  match?: FaultMatch
  /**
   * `all`: sets the fault in the main state and in every sandbox, including sandboxes created later. Each of them
   * counts `times` and `skip` separately. Removing the fault removes it everywhere.
   */
  sandboxes?: 'all'
  /**
   * What happens instead of a failure. Every effect allows `operation`, `skip`, `times`, `match` and `sandboxes`, with these
   * exceptions: `respond` also allows `each`, `phase`, `delayMs` and `delayOn`; `stop` allows `phase` but not `times`; `act`
   * allows `phase` but not `sandboxes`; `answers` and `extend` allow no other field.
   */
  effect?: FaultEffect
}

/** A fault as plain data. */
export type PlannedFault = Omit<FaultSpec, 'match'>

export type KnownFault = Omit<FaultSpec, 'status'> & { readonly status: FaultStatuses[OperationId] }

export const faultSpecSchema = z.lazy(() =>
  z.strictObject({
    operation: z.optional(z.string()),
    status: z.optional(z.int()),
    times: z.optional(z.nullable(z.int().check(z.gte(1)))),
    each: z.optional(z.boolean()),
    skip: z.optional(z.int().check(z.gte(0))),
    phase: z.optional(z.enum(['before', 'after', 'around'])),
    delayMs: z.optional(z.number().check(z.gte(0), z.lte(2_147_483_647))),
    delayOn: z.optional(z.enum(['timers', 'clock'])),
    network: z.optional(z.boolean()),
    resource: z.optional(z.enum(limitNames)),
    retryAfter: z.optional(z.int().check(z.gte(1))),
    job: z.optional(z.enum(['failed', 'errors'])),
    afterRows: z.optional(z.int().check(z.gte(0))),
    match: z.optional(
      z.union([
        requestPartSchema,
        z.custom<FaultPredicate>((given) => typeof given === 'function', 'must be a function'),
      ]),
    ),
    sandboxes: z.optional(z.literal('all')),
    effect: z.optional(z.unknown()),
  }),
)

const kindsOf = (operation: Operation | undefined): readonly ErrorKind[] =>
  operation ? errorKindsOf(operation) : anyKinds

export const findFaultKind = (
  operation: Operation | undefined,
  status: number,
  resource: LimitName | undefined,
): ErrorKind | undefined => faultKindOf(kindsOf(operation), status, resource)

/** The statuses that a fault can have, including success, in ascending order. */
export function allowedStatusesOf(operation: Operation | undefined): number[] {
  const errors = kindsOf(operation).map((kind) => errorKinds[kind].status)
  const successes = (operation ? [operation] : operationList).map(({ success }) => success.status)
  return [...new Set<number>([...successes, ...errors])].sort((a, b) => a - b)
}

/** @throws {ControlError} if one of the fields is set; `where` says when they have no meaning */
function assertLeftOut(where: string, fields: object): void {
  const [given] = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given) throw new ControlError(`${given[0]} must be left out when ${where}; received ${quote(given[1])}`)
}

function assertCombination(fault: z.infer<typeof faultSpecSchema>): void {
  const { network, status, resource, retryAfter, phase, job, afterRows, operation, each, skip } = fault
  const { delayMs, delayOn, effect } = fault
  const ofResponse = { status, resource, retryAfter }
  if (network === true) assertLeftOut('network is true: the connection breaks without a response', ofResponse)
  if (phase === 'around' && !(isObject(effect) && 'act' in effect))
    throw new ControlError('phase "around" needs effect.act; without it, phase must be "before" or "after"')
  if (each === true) assertLeftOut('each is true: every request is counted separately', { skip })
  if (delayMs === undefined && delayOn !== undefined)
    throw new ControlError(`delayOn needs delayMs; received ${quote(delayOn)} without it`)
  if (job === undefined && afterRows !== undefined)
    throw new ControlError(`afterRows needs job; received ${String(afterRows)} without it`)
  if (job !== undefined) {
    if (operation !== 'submitInsertJob')
      throw new ControlError(
        `job needs operation "submitInsertJob"; received ${operation === undefined ? 'no operation' : quote(operation)}`,
      )
    assertLeftOut('job is set: the request itself succeeds', { ...ofResponse, network, phase })
  }
  if (retryAfter !== undefined && status !== 429)
    throw new ControlError(
      `retryAfter needs status 429, the only one with a Retry-After; received status ${String(status ?? 500)}`,
    )
}

/** Makes a copy, because the caller may change the original. */
function cloneMatch(match: unknown): FaultMatch {
  if (typeof match === 'function') return match as FaultMatch
  if (isTooDeep(match)) throw new ControlError(`match ${depthRule}`)
  try {
    return structuredClone(match) as FaultMatch
  } catch (error) {
    throw new ControlError(`match must be plain data, or a function; ${messageOf(error)}`)
  }
}

export const completeFault = (fault: FaultSpec): KnownFault => {
  const status = fault.job === undefined ? 500 : operations.submitInsertJob.success.status
  return { ...fault, status: fault.status ?? status }
}

/** Says how to get a response with an undocumented status. */
const hintAtEffects = (status: number) =>
  status < 200 || status > 599
    ? ''
    : `; any response can be sent with effect: { respond: { status: ${String(status)} } }, a gateway's 502 with { rewrite: 'gateway before' } or { rewrite: 'gateway after' }`

/** @param store the state in which the effect must be possible */
export function parseFaultSpec(spec: unknown, store: Store): KnownFault {
  const given = parseOrThrow(faultSpecSchema, spec, 'fault')
  assertCombination(given)
  const { operation: id, resource, match } = given
  if (id !== undefined && !Object.hasOwn(operations, id))
    throw new ControlError(
      `operation ${quote(id)} does not exist${describeNearestName(id, operationIds) || `; allowed: ${operationIds.join(', ')}`}`,
    )
  const operation = id === undefined ? undefined : operations[id as OperationId]
  const effect = given.effect === undefined ? undefined : parseEffect(given, operation, store)
  const fault = completeFault(given as FaultSpec)
  const { status } = fault
  const statuses = allowedStatusesOf(operation)
  if (!statuses.includes(status))
    throw new ControlError(
      `status must be one of ${statuses.join(', ')}${id === undefined ? '' : ` for ${id}`}; received ${String(status)}${hintAtEffects(status)}`,
    )
  if (typeof match === 'object') assertCanMatch(match, operation)
  if (resource !== undefined && findFaultKind(operation, status, resource) === undefined)
    throw new ControlError(
      `resource ${resource} cannot be combined with status ${String(status)}${id === undefined ? '' : ` for ${id}`}`,
    )
  return { ...fault, ...(effect && { effect }), ...(match !== undefined && { match: cloneMatch(match) }) }
}

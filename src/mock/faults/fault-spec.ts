// The options of a fault, their check, and the kind of error behind a status.
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
import { assertCanMatch, requestPartSchema, type FaultMatch, type FaultPredicate } from './fault-match.ts'
import { anyKinds, faultKindOf } from './fault-kinds.ts'
import { parseEffect, type FaultEffect } from './effect-spec.ts'
import type { Store } from '../../service/store/store.ts'

/** The documented statuses of each operation, any of which a fault can ask for. */
export type FaultStatuses = { readonly [Id in OperationId]: OperationTypes[Id]['status'] }

export interface FaultSpec<Id extends OperationId = OperationId> {
  /** Any operation where absent. */
  operation?: Id
  /** Default 500. A success status lets the request through: with `delayMs`, a slow response. */
  status?: FaultStatuses[Id]
  /** How many requests it meets, default 1; null: all until it is removed. */
  times?: number | null
  /**
   * `times` counts for each request by itself, by method, path, query and JSON body: with `times` 1 every request fails
   * once, and passes when it is repeated. Not together with `skip`, nor with an `effect` other than `respond`.
   */
  each?: boolean
  /** How many matching requests pass before the first that fails, default 0. Requests that other faults fail count too. */
  skip?: number
  /**
   * `before` (default): nothing changes. `after`: the request is carried out, then fails. When the other user of
   * `effect.act` acts: `before` the request, `after` its response (default), or both, `around`.
   */
  phase?: 'before' | 'after' | 'around'
  /**
   * Milliseconds on real (or fake) timers. If the client aborts, or resets its connection, the wait ends; in phase
   * `before` the request is then not carried out. If it only closes its connection, the request is still carried out.
   */
  delayMs?: number
  /** `clock`: the delay passes on a manual clock, as `clock.sleep` does, and takes no real time. Default `timers`. */
  delayOn?: 'timers' | 'clock'
  /** Breaks the connection instead of responding; not together with `status`, `resource` or `retryAfter`. */
  network?: boolean
  /** Which limit a 403, 413 or 429 names. */
  resource?: LimitName
  /** Whole seconds in a 429's Retry-After, default 1; with status 429 only. */
  retryAfter?: number
  /**
   * With `submitInsertJob` alone: the job that the request makes ends as failed, or as done with an error. The request
   * itself succeeds.
   */
  job?: 'failed' | 'errors'
  /** How many rows of that job are inserted before it fails, or before the row with an error; default half of them. */
  afterRows?: number
  /** Fields of the request, such as `params` or `body`; or a function that returns whether it matches. */
  match?: FaultMatch
  /**
   * `all`: it is set in the main state and in every sandbox, those made later too; each counts `times` and `skip` by
   * itself. Removing it removes it everywhere.
   */
  sandboxes?: 'all'
  /**
   * What happens instead of a failure; goes with `operation`, `skip`, `times`, `match` and `sandboxes` alone, `respond`
   * with `each`, `phase`, `delayMs` and `delayOn` too, `stop` with `phase` but not with `times`, `act` with `phase` but
   * not with `sandboxes`, `answers` and `extend` with no other field.
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

/** The statuses that a fault can have, ascending; those of success too. */
export function allowedStatusesOf(operation: Operation | undefined): number[] {
  const errors = kindsOf(operation).map((kind) => errorKinds[kind].status)
  const successes = (operation ? [operation] : operationList).map(({ success }) => success.status)
  return [...new Set<number>([...successes, ...errors])].sort((a, b) => a - b)
}

/** @throws {ControlError} if one of the fields is given; `where` says when they have no meaning */
function assertLeftOut(where: string, fields: object): void {
  const [given] = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given)
    throw new ControlError(`${given[0]} must be left out where ${where}; received ${quote(given[1])}`)
}

function assertCombination(fault: z.infer<typeof faultSpecSchema>): void {
  const { network, status, resource, retryAfter, phase, job, afterRows, operation, each, skip, effect } =
    fault
  const ofResponse = { status, resource, retryAfter }
  if (network === true) assertLeftOut('network is true: the connection breaks without a response', ofResponse)
  if (phase === 'around' && !(isObject(effect) && 'act' in effect))
    throw new ControlError('phase "around" goes with effect.act alone; phase must be "before" or "after"')
  if (each === true) assertLeftOut('each is true: it counts each request by itself', { skip })
  if (job === undefined && afterRows !== undefined)
    throw new ControlError(`afterRows goes with job alone; received ${String(afterRows)} without it`)
  if (job !== undefined) {
    if (operation !== 'submitInsertJob')
      throw new ControlError(
        `job goes with operation "submitInsertJob" alone; received ${operation === undefined ? 'no operation' : quote(operation)}`,
      )
    assertLeftOut('job is given: the request itself succeeds', { ...ofResponse, network, phase })
  }
  if (retryAfter !== undefined && status !== 429)
    throw new ControlError(
      `retryAfter goes with status 429 only, the one status with a Retry-After; received status ${String(status ?? 500)}`,
    )
}

/** A copy: the caller can change its own. */
function cloneMatch(match: unknown): FaultMatch {
  if (typeof match === 'function') return match as FaultMatch
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

/** How to get a response with a status that is not documented. */
const hintAtEffects = (status: number) =>
  status < 200 || status > 599
    ? ''
    : `; any response can be sent with effect: { respond: { status: ${String(status)} } }, a gateway's 502 with { rewrite: 'gateway before' } or { rewrite: 'gateway after' }`

/** @param store the state in which an effect must be possible */
export function parseFaultSpec(spec: unknown, store: Store): KnownFault {
  const given = parseOrThrow(faultSpecSchema, spec, 'fault')
  assertCombination(given)
  const { operation: id, resource, match } = given
  if (id !== undefined && !Object.hasOwn(operations, id))
    throw new ControlError(
      `operation ${quote(id)} does not exist${describeNearestName(id, operationIds) || `; there are ${operationIds.join(', ')}`}`,
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
      `resource ${resource} does not go with status ${String(status)}${id === undefined ? '' : ` of ${id}`}`,
    )
  return { ...fault, ...(effect && { effect }), ...(match !== undefined && { match: cloneMatch(match) }) }
}

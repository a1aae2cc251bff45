// Faults: documented errors, broken connections and delays on demand.
import { TextMap } from '../contract/values/objects.ts'
import * as z from 'zod/mini'
import { errorKinds, generalErrors, limitNames, type ErrorKind, type LimitName } from '../contract/errors.ts'
import { operationList, operations, type OperationId, type Operations } from '../contract/index.ts'
import { nearest } from '../contract/values/nearest.ts'
import { errorKindsOf } from '../contract/operation.ts'
import { quote } from '../contract/values/quote.ts'
import { checked } from './checked.ts'
import { ControlError } from './control-error.ts'
import { limitOfKind } from './failures.ts'
import type { Operation } from './request/route.ts'

/** The part of a request that a fault's `match` sees. */
export interface FaultCandidate {
  readonly method: string
  /** Relative to the base address. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  /** The JSON body; undefined where there is none. */
  readonly body: unknown
}

/** Part of a request: objects match where every named field does. Or a function, in process only. */
export type FaultMatch = Partial<FaultCandidate> | ((request: FaultCandidate) => boolean)

type Kinds = typeof errorKinds
type StatusOf<Spec> =
  | (Spec extends { readonly success: { readonly status: infer Status } } ? Status : never)
  | Kinds[(typeof generalErrors)[number]]['status']
  | (Spec extends { readonly body: object } ? 400 | 413 : never)
  | (Spec extends { readonly query: object } ? 400 : never)
  | (Spec extends { readonly path: `${string}{${string}` } ? 404 : never)
  | (Spec extends { readonly errors: readonly (infer Kind)[] } ? Kinds[Kind & ErrorKind]['status'] : never)

/** The statuses that each operation can answer, which are those that a fault can ask for. */
export type FaultStatuses = { readonly [Id in OperationId]: StatusOf<Operations[Id]> }

export interface FaultSpec<Id extends OperationId = OperationId> {
  /** Any operation where absent. */
  operation?: Id
  /** Default 500. A success status lets the request through: with `delayMs`, a slow answer. */
  status?: FaultStatuses[Id]
  /** How many requests, default 1; null: until removed. */
  times?: number | null
  /** How many matching requests pass before the first that fails, default 0. Those that other faults fail count too. */
  skip?: number
  /** `before` (default): nothing changes. `after`: the request is carried out, then fails. */
  phase?: 'before' | 'after'
  /** Milliseconds on real (or fake) timers. A client that aborts or hangs up ends the wait: `before`, nothing was done. */
  delayMs?: number
  /** Breaks the connection instead of answering; not together with `status`, `resource` or `retryAfter`. */
  network?: boolean
  /** Which limit a 403, 413 or 429 names. */
  resource?: LimitName
  /** Whole seconds in a 429's Retry-After, default 1; with status 429 only. */
  retryAfter?: number
  match?: FaultMatch
}

/** The state of a fault; plain data. */
export interface FaultState extends Omit<FaultSpec, 'match'> {
  readonly id: string
  /** How many requests it has met. */
  readonly hits: number
  readonly match?: Partial<FaultCandidate>
}

/** A fault that was set. */
export interface FaultHandle {
  readonly id: string
  /** How many requests it has met. */
  readonly hits: number
  remove(): void
}

const Match = z.lazy(() =>
  z.strictObject({
    method: z.optional(z.string()),
    path: z.optional(z.string()),
    query: z.optional(TextMap),
    params: z.optional(TextMap),
    body: z.optional(z.unknown()),
  }),
)
const Spec = z.lazy(() =>
  z.strictObject({
    operation: z.optional(z.string()),
    status: z.optional(z.int()),
    times: z.optional(z.nullable(z.int().check(z.gte(1)))),
    skip: z.optional(z.int().check(z.gte(0))),
    phase: z.optional(z.enum(['before', 'after'])),
    delayMs: z.optional(z.number().check(z.gte(0), z.lte(2_147_483_647))),
    network: z.optional(z.boolean()),
    resource: z.optional(z.enum(limitNames)),
    retryAfter: z.optional(z.int().check(z.gte(1))),
    match: z.optional(
      z.union([
        Match,
        z.custom<(request: FaultCandidate) => boolean>(
          (value) => typeof value === 'function',
          'must be a function',
        ),
      ]),
    ),
  }),
)

/** Kinds of error of an operation, or of any. */
function kindsFor(operation: Operation | undefined): ErrorKind[] {
  if (operation) return errorKindsOf(operation, generalErrors)
  return [...generalErrors, ...(Object.keys(errorKinds) as ErrorKind[])]
}

/** The kind of error for a fault's status; a more specific kind of the operation takes precedence over a general one. */
export function faultKind(
  operation: Operation | undefined,
  status: number,
  resource: LimitName | undefined,
): ErrorKind | undefined {
  const kinds = kindsFor(operation).filter((kind) => errorKinds[kind].status === status)
  if (resource !== undefined) return kinds.find((kind) => limitOfKind(kind) === resource)
  if (status === 403) return kinds.find((kind) => kind === 'scope')
  return kinds.findLast((kind) => operation?.errors?.includes(kind)) ?? kinds[0]
}

function allowedStatuses(operation: Operation | undefined): number[] {
  const errors = kindsFor(operation).map((kind) => errorKinds[kind].status)
  const successes = (operation ? [operation] : operationList).map(({ success }) => success.status)
  return [...new Set<number>([...successes, ...errors])].sort((a, b) => a - b)
}

/** Checks that fields which only some faults use are left out of the others. */
function assertAnswered({ network, status, resource, retryAfter }: z.infer<typeof Spec>): void {
  if (network === true) {
    const [name, value] =
      Object.entries({ status, resource, retryAfter }).find(([, given]) => given !== undefined) ?? []
    if (name !== undefined)
      throw new ControlError(
        `${name} must be left out where network is true: the connection breaks, nothing is answered; received ${quote(value)}`,
      )
  }
  if (retryAfter !== undefined && status !== 429)
    throw new ControlError(
      `retryAfter goes with status 429 only, the one status with a Retry-After; received status ${String(status ?? 500)}`,
    )
}

/** @throws {ControlError} */
function checkedSpec(spec: unknown): KnownFault {
  const given = checked(Spec, spec, 'fault')
  assertAnswered(given)
  const { operation: id, status = 500, resource, ...rest } = given
  if (id !== undefined && !Object.hasOwn(operations, id))
    throw new ControlError(
      `operation ${JSON.stringify(id)} does not exist; the nearest is ${nearest(id, operationList, (known) => known.id)?.id ?? ''}`,
    )
  const operation = id === undefined ? undefined : operations[id as OperationId]
  const statuses = allowedStatuses(operation)
  if (!statuses.includes(status))
    throw new ControlError(
      `status must be one of ${statuses.join(', ')}${id === undefined ? '' : ` for ${id}`}; received ${String(status)}`,
    )
  if (resource !== undefined && faultKind(operation, status, resource) === undefined)
    throw new ControlError(
      `resource ${resource} does not go with status ${String(status)}${id === undefined ? '' : ` of ${id}`}`,
    )
  return {
    ...(rest as FaultSpec),
    status: status as FaultStatuses[OperationId],
    ...(id === undefined ? {} : { operation: id as OperationId }),
    ...(resource === undefined ? {} : { resource }),
  }
}

function matchesPart(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return false
  return Object.entries(expected).every(
    ([name, value]) =>
      Object.hasOwn(actual, name) && matchesPart((actual as Record<string, unknown>)[name], value),
  )
}

/** A fault that met a request: what to do with it. */
export interface Failure {
  readonly id: string
  readonly phase: 'before' | 'after'
  readonly delayMs: number
  readonly network: boolean
  /** Undefined if the request goes through. */
  readonly kind: ErrorKind | undefined
  readonly retryAfter: number
}

type KnownFault = Omit<FaultSpec, 'status'> & { readonly status: FaultStatuses[OperationId] }

interface Fault {
  readonly id: string
  readonly spec: KnownFault
  hits: number
  /** How many matching requests it has let through. */
  skipped: number
}

/** @throws {ControlError} for an invalid fault */
const newFault = (id: string, spec: unknown): Fault => ({ id, spec: checkedSpec(spec), hits: 0, skipped: 0 })

const isSuccess = (status: number) => status < 300

/** Faults that met a request and are gone. */
const mostUsed = 50

export class Faults {
  #faults: Fault[]
  #used: Fault[] = []
  #lastId = 0
  #removed = 0
  /** Faults of an exploration: not shown, and not removable. */
  readonly #planned: readonly Fault[]

  constructor(planned: readonly FaultSpec[] = []) {
    this.#planned = planned.map((spec, index) => newFault(`explored_${String(index + 1)}`, spec))
    this.#faults = [...this.#planned]
  }

  /** Whether every fault of the exploration has met a request. */
  get areMet(): boolean {
    return this.#planned.every(({ hits }) => hits > 0)
  }

  /** How often a fault was set. */
  get added(): number {
    return this.#lastId
  }

  /** How often faults were removed, other than by being used up. */
  get removed(): number {
    return this.#removed
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  /**
   * @throws {ControlError} for an unknown operation, or a status that neither it nor the Errors part documents
   */
  add(spec: unknown): FaultHandle {
    const fault = newFault(`fault_${String(this.#lastId + 1)}`, spec)
    this.#lastId += 1
    this.#faults.push(fault)
    return {
      id: fault.id,
      get hits() {
        return fault.hits
      },
      remove: () => void this.remove(fault.id),
    }
  }

  remove(id: string): boolean {
    this.#removed += 1
    return this.#drop(id)
  }

  #drop(id: string): boolean {
    const [dropped] = this.#faults.filter((fault) => fault.id === id)
    this.#keep(dropped ? [dropped] : [])
    this.#faults = this.#faults.filter((fault) => fault !== dropped)
    return dropped !== undefined
  }

  clear(): void {
    this.#removed += 1
    this.#keep(this.#faults)
    this.#faults = this.#faults.filter((fault) => this.#planned.includes(fault))
  }

  #keep(gone: readonly Fault[]): void {
    this.#used = [...this.#used, ...gone.filter(({ hits }) => hits > 0)].slice(-mostUsed)
  }

  /** Those that are set, in the order in which they are tried. */
  states(): FaultState[] {
    return this.#statesOf(this.#faults)
  }

  /** Those that met a request and are gone, the latest last. */
  used(): FaultState[] {
    return this.#statesOf(this.#used)
  }

  #statesOf(faults: readonly Fault[]): FaultState[] {
    const own = faults.filter((fault) => !this.#planned.includes(fault))
    return own.map(({ id, hits, spec }) => {
      const { match, status, ...rest } = spec
      return {
        id,
        hits,
        times: 1,
        phase: 'before',
        ...rest,
        ...(spec.network !== true && { status }),
        ...(typeof match === 'object' && { match }),
      }
    })
  }

  /** The first fault that meets the request; it is used up after its last time. */
  take(operation: Operation, candidate: FaultCandidate): Failure | undefined {
    const meeting = this.#faults.filter(({ spec }) => meets(spec, operation, candidate))
    const isDue = ({ skipped, spec: { skip = 0 } }: Fault) => skipped >= skip
    const fault = meeting.find(isDue)
    for (const other of meeting) if (other !== fault && !isDue(other)) other.skipped += 1
    if (!fault) return undefined
    fault.hits += 1
    const {
      status,
      times = 1,
      phase = 'before',
      delayMs = 0,
      network = false,
      resource,
      retryAfter = 1,
    } = fault.spec
    if (times !== null && fault.hits >= times) this.#drop(fault.id)
    const kind = isSuccess(status) ? undefined : faultKind(operation, status, resource)
    return { id: fault.id, phase, delayMs, network, kind, retryAfter }
  }
}

function meets(
  { operation: id, match, status, resource, network }: Fault['spec'],
  operation: Operation,
  candidate: FaultCandidate,
): boolean {
  if (id !== undefined && id !== operation.id) return false
  // A fault for any operation meets only those that document its status.
  if (!isSuccess(status) && network !== true && !faultKind(operation, status, resource)) return false
  return (
    match === undefined || (typeof match === 'function' ? match(candidate) : matchesPart(candidate, match))
  )
}

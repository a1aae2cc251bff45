// Faults: documented errors, broken connections and delays on demand.
import type { ErrorKind } from '../contract/errors.ts'
import {
  parseFaultSpec,
  faultKind,
  type FaultCandidate,
  type FaultSpec,
  type KnownFault,
} from './fault-spec.ts'
import type { Operation } from '../contract/index.ts'

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
export interface InjectedFailure {
  readonly id: string
  readonly phase: 'before' | 'after'
  readonly delayMs: number
  readonly network: boolean
  /** Undefined if the request goes through. */
  readonly kind: ErrorKind | undefined
  readonly retryAfter: number
}

interface Fault {
  readonly id: string
  readonly spec: KnownFault
  hits: number
  /** How many matching requests it has let through. */
  skipped: number
}

const newFault = (id: string, spec: KnownFault): Fault => ({ id, spec, hits: 0, skipped: 0 })

const isSuccess = (status: number) => status < 300

/** Most former faults that are kept. */
const mostUsed = 50

export class Faults {
  #faults: Fault[]
  #used: Fault[] = []
  #lastId = 0
  #removed = 0
  /** Faults of an exploration: not shown, and not removable. */
  readonly #planned: readonly Fault[]

  constructor(planned: readonly FaultSpec[] = []) {
    this.#planned = planned.map((spec, index) =>
      newFault(`explored_${String(index + 1)}`, { ...spec, status: spec.status ?? 500 }),
    )
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
    const fault = newFault(`fault_${String(this.#lastId + 1)}`, parseFaultSpec(spec))
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

  /** Former faults that met a request, used up or removed, the latest last. */
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
        ...(typeof match === 'object' && { match: structuredClone(match) }),
      }
    })
  }

  /** The first fault that meets the request; it is used up after its last time. */
  take(operation: Operation, candidateOf: () => FaultCandidate): InjectedFailure | undefined {
    let known: FaultCandidate | undefined
    const candidate = () => (known ??= candidateOf())
    const meeting = this.#faults.filter(({ spec }) => meetsMatch(spec, operation, candidate))
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

function meetsMatch(
  { operation: id, match, status, resource, network }: Fault['spec'],
  operation: Operation,
  candidate: () => FaultCandidate,
): boolean {
  if (id !== undefined) {
    if (id !== operation.id) return false
    // A fault for any operation meets only those that document its status.
  } else if (!isSuccess(status) && network !== true && !faultKind(operation, status, resource)) return false
  if (match === undefined) return true
  return typeof match === 'function' ? match(candidate()) : matchesPart(candidate(), match)
}

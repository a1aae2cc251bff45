// Faults: documented errors, broken connections and delays on demand.
import type { ErrorKind } from '../contract/errors.ts'
import { defaultStatus, parseFaultSpec, faultKind, type FaultSpec, type KnownFault } from './fault-spec.ts'
import type { Operation } from '../contract/index.ts'
import { isTemplate, type FaultCandidate } from './fault-match.ts'
import { Disturbances, parseDisturbance, type Disturbance } from './disturbances.ts'
import type { JobFault } from '../resources/request.ts'

/** The state of a fault; plain data. */
export interface FaultState extends Omit<FaultSpec, 'match'> {
  readonly id: string
  /** How many requests it has met. */
  readonly hits: number
  readonly match?: Partial<FaultCandidate>
  /** The disturbance, if it is one instead of a fault. */
  readonly disturbance?: Disturbance
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
  readonly job?: JobFault | undefined
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
  readonly #planned: readonly Fault[] = []
  readonly #isPlanned: boolean
  readonly disturbances = new Disturbances()

  /** @param planned the disturbance of a run of an exploration */
  constructor(planned?: Disturbance) {
    this.#isPlanned = planned !== undefined
    if (planned?.effect.do === 'fail')
      this.#planned = planned.effect.faults.map((spec, index) =>
        newFault(`explored_${String(index + 1)}`, { ...spec, status: spec.status ?? defaultStatus(spec) }),
      )
    else if (planned) this.disturbances.add(planned)
    this.#faults = [...this.#planned]
  }

  /** How many requests the disturbance of the exploration has met. */
  get plannedHits(): number {
    return [...this.#planned, ...this.disturbances.active].reduce((sum, { hits }) => sum + hits, 0)
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

  /**
   * Sets a disturbance: its faults, or what else it does.
   * @throws {ControlError}
   */
  disturb(given: unknown): FaultHandle {
    const disturbance = parseDisturbance(given)
    const { effect } = disturbance
    // All are checked before the first is set.
    if (effect.do === 'fail') effect.faults.forEach(parseFaultSpec)
    const set =
      effect.do === 'fail'
        ? effect.faults.map((spec) => this.add(spec))
        : [this.disturbances.add(disturbance)]
    return {
      id: set[0]?.id ?? '',
      get hits() {
        return set.reduce((sum, { hits }) => sum + hits, 0)
      },
      remove: () => set.forEach(({ id }) => this.remove(id)),
    }
  }

  remove(id: string): boolean {
    this.#removed += 1
    return this.#drop(id) || this.disturbances.remove(id)
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
    if (!this.#isPlanned) this.disturbances.clear()
  }

  #keep(gone: readonly Fault[]): void {
    this.#used = [...this.#used, ...gone.filter(({ hits }) => hits > 0)].slice(-mostUsed)
  }

  /** Those that are set, in the order in which they are tried. */
  states(): FaultState[] {
    return [...this.#statesOf(this.#faults), ...(this.#isPlanned ? [] : this.disturbances.states())]
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
        ...(spec.network !== true && spec.job === undefined && { status }),
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
    const { job, afterRows } = fault.spec
    return { id: fault.id, phase, delayMs, network, kind, retryAfter, job: job && { job, afterRows } }
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
  if (typeof match === 'function') return match(candidate())
  const { path, ...rest } = match
  if (path === undefined || !isTemplate(path)) return matchesPart(candidate(), match)
  return operation.path === path && matchesPart(candidate(), rest)
}

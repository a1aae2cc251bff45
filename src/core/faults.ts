// Faults: documented errors, broken connections and delays on demand.
import type { ErrorKind } from '../contract/errors.ts'
import { defaultStatus, parseFaultSpec, faultKind, type FaultSpec, type KnownFault } from './fault-spec.ts'
import type { Operation, OperationId } from '../contract/index.ts'
import { meetsMatch, type FaultCandidate } from './fault-match.ts'
import { parseDisturbance, type Disturbance } from './disturbances.ts'
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

/** What is set in a sandbox until it is removed or used up. */
interface Active {
  readonly id: string
  /** Whether an exploration set it: not shown, and not removable. */
  readonly isPlanned: boolean
  hits: number
  /** How many requests that match it have passed before those. */
  passed: number
}

interface Fault extends Active {
  readonly spec: KnownFault
}

/** A disturbance other than faults. */
export interface ActiveDisturbance extends Active {
  readonly disturbance: Disturbance
  /** Takes back what it arranged before the first request. */
  undo?: () => void
  /** The counters of ids before its first request. */
  idsBefore?: Readonly<Record<string, number>>
}

const sumHits = (set: readonly Active[]) => set.reduce((sum, { hits }) => sum + hits, 0)

const isSuccess = (status: number) => status < 300

/** Most former faults that are kept. */
const mostUsed = 50

function toState({ id, hits, spec }: Fault): FaultState {
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
}

/** The faults and disturbances of a sandbox. */
export class Faults {
  #faults: Fault[] = []
  #disturbances: ActiveDisturbance[] = []
  #used: Fault[] = []
  #added = 0
  #removed = 0
  #lastDisturbance = 0
  readonly #planned: readonly Active[]

  /** @param planned the disturbance of a run of an exploration */
  constructor(planned?: Disturbance) {
    this.#planned = planned ? this.#set(planned, true) : []
  }

  /** How many requests the disturbance of the exploration has met. */
  get plannedHits(): number {
    return sumHits(this.#planned)
  }

  /** How often a fault was set. */
  get added(): number {
    return this.#added
  }

  /** How often faults were removed, other than by being used up. */
  get removed(): number {
    return this.#removed
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  get hasDisturbances(): boolean {
    return this.#disturbances.length > 0
  }

  /**
   * @throws {ControlError} for an unknown operation, or a status that neither it nor the Errors part documents
   */
  add(spec: unknown): FaultHandle {
    return this.#handleOf([this.#addFault(parseFaultSpec(spec))])
  }

  /**
   * Sets a disturbance: its faults, or what else it does.
   * @throws {ControlError}
   */
  disturb(given: unknown): FaultHandle {
    return this.#handleOf(this.#set(parseDisturbance(given)))
  }

  #addFault(spec: KnownFault): Fault {
    const fault = { id: `fault_${String((this.#added += 1))}`, isPlanned: false, hits: 0, passed: 0, spec }
    this.#faults.push(fault)
    return fault
  }

  #set(disturbance: Disturbance, isPlanned = false): readonly Active[] {
    const { effect } = disturbance
    const news = { isPlanned, hits: 0, passed: 0 }
    if (effect.do !== 'fail') {
      const active = { ...news, id: `disturbance_${String((this.#lastDisturbance += 1))}`, disturbance }
      this.#disturbances.push(active)
      return [active]
    }
    // All are checked before the first is set; an exploration makes them itself.
    if (!isPlanned) return effect.faults.map(parseFaultSpec).map((spec) => this.#addFault(spec))
    const faults = effect.faults.map((spec, index) => ({
      ...news,
      id: `explored_${String(index + 1)}`,
      spec: { ...spec, status: spec.status ?? defaultStatus(spec) },
    }))
    this.#faults = [...faults]
    return faults
  }

  #handleOf(set: readonly Active[]): FaultHandle {
    return {
      id: set[0]?.id ?? '',
      get hits() {
        return sumHits(set)
      },
      remove: () => set.forEach(({ id }) => this.remove(id)),
    }
  }

  remove(id: string): boolean {
    this.#removed += 1
    return this.#drop((active) => active.id === id && !active.isPlanned)
  }

  clear(): void {
    this.#removed += 1
    this.#drop(({ isPlanned }) => !isPlanned)
  }

  /** @returns whether there was one */
  #drop(isGone: (active: Active) => boolean): boolean {
    const isLeft = (active: Active) => !isGone(active)
    const faults = this.#faults.filter(isGone)
    const disturbances = this.#disturbances.filter(isGone)
    this.#faults = this.#faults.filter(isLeft)
    this.#disturbances = this.#disturbances.filter(isLeft)
    const used = faults.filter(({ hits, isPlanned }) => hits > 0 && !isPlanned)
    this.#used = [...this.#used, ...used].slice(-mostUsed)
    for (const { undo } of disturbances) undo?.()
    return faults.length + disturbances.length > 0
  }

  /** Those that are set, in the order in which they are tried. */
  states(): FaultState[] {
    const isShown = ({ isPlanned }: Active) => !isPlanned
    const disturbances = this.#disturbances.filter(isShown).map(({ id, hits, disturbance }) => ({
      id,
      hits,
      disturbance: structuredClone(disturbance),
    }))
    return [...this.#faults.filter(isShown).map(toState), ...disturbances]
  }

  /** Former faults that met a request, used up or removed, the latest last. */
  used(): FaultState[] {
    return this.#used.map(toState)
  }

  /** Counts a request. @returns the disturbances that meet it */
  meet(operation: OperationId): readonly ActiveDisturbance[] {
    const met = this.#disturbances.filter((active) => {
      const { at } = active.disturbance
      return at === null || (at.operation === operation && active.passed++ === at.index)
    })
    for (const active of met) active.hits += 1
    return met
  }

  /** The first fault that meets the request; it is used up after its last time. */
  take(operation: Operation, candidateOf: () => FaultCandidate): InjectedFailure | undefined {
    let known: FaultCandidate | undefined
    const candidate = () => (known ??= candidateOf())
    const meeting = this.#faults.filter(
      ({ spec }) => concerns(spec, operation) && meetsMatch(spec.match, operation, candidate),
    )
    const isDue = ({ passed, spec: { skip = 0 } }: Fault) => passed >= skip
    const fault = meeting.find(isDue)
    for (const other of meeting) if (other !== fault && !isDue(other)) other.passed += 1
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
    if (times !== null && fault.hits >= times) this.#drop((active) => active === fault)
    const kind = isSuccess(status) ? undefined : faultKind(operation, status, resource)
    const { job, afterRows } = fault.spec
    return { id: fault.id, phase, delayMs, network, kind, retryAfter, job: job && { job, afterRows } }
  }
}

/** A fault for any operation concerns only those that document its status. */
function concerns({ operation: id, status, resource, network }: KnownFault, operation: Operation): boolean {
  if (id !== undefined) return id === operation.id
  return isSuccess(status) || network === true || faultKind(operation, status, resource) !== undefined
}

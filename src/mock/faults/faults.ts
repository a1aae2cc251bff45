// Faults: documented errors, broken connections and delays on demand.
import type { ErrorKind } from '../../contract/errors.ts'
import {
  defaultStatusOf,
  parseFaultSpec,
  findFaultKind,
  type FaultSpec,
  type KnownFault,
} from './fault-spec.ts'
import type { Operation, OperationId } from '../../contract/index.ts'
import { isMatch, type FaultCandidate } from './fault-match.ts'
import { parseDisturbance, type Disturbance } from './disturbances.ts'
import type { JobFault } from '../../service/resources/request.ts'

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

/** A fault or disturbance until it is removed or used up. */
interface Activation {
  readonly id: string
  /** Whether an exploration set it: not shown, and not removable. */
  readonly isPlanned: boolean
  hits: number
  /** How many matching requests it has let through. */
  passed: number
}

interface Fault extends Activation {
  readonly spec: KnownFault
}

/** A disturbance other than faults. */
export interface ActiveDisturbance extends Activation {
  readonly disturbance: Disturbance
  /** Reverts its changes before the first request. */
  undo?: () => void
  /** The counters of ids before its first request. */
  idsBefore?: Readonly<Record<string, number>>
}

const isFault = (active: Fault | ActiveDisturbance): active is Fault => 'spec' in active

const sumHits = (set: readonly Activation[]) => set.reduce((sum, { hits }) => sum + hits, 0)

const isSuccess = (status: number) => status < 300

function toState(active: Fault | ActiveDisturbance): FaultState {
  const { id, hits } = active
  if (!isFault(active)) return { id, hits, disturbance: structuredClone(active.disturbance) }
  const { match, status, ...rest } = active.spec
  return {
    id,
    hits,
    times: 1,
    phase: 'before',
    ...rest,
    ...(rest.network !== true && rest.job === undefined && { status }),
    ...(typeof match === 'object' && { match: structuredClone(match) }),
  }
}

export class Faults {
  #active: (Fault | ActiveDisturbance)[] = []
  #used: Fault[] = []
  /** How often a fault was set, and how often one was removed other than by being used up. */
  readonly changes = { added: 0, removed: 0 }
  #lastDisturbance = 0
  readonly #planned: readonly Activation[]

  /** @param planned the disturbance of a run of an exploration */
  constructor(planned?: Disturbance) {
    this.#planned = planned ? this.#set(planned, true) : []
  }

  /** How many requests the disturbance of the exploration has met. */
  get plannedHits(): number {
    return sumHits(this.#planned)
  }

  get hasFaults(): boolean {
    return this.#active.some(isFault)
  }

  get hasDisturbances(): boolean {
    return this.#active.some((active) => !isFault(active))
  }

  /** @throws {ControlError} */
  add(spec: unknown): FaultHandle {
    return this.#handleOf([this.#addFault(parseFaultSpec(spec))])
  }

  /** @throws {ControlError} */
  disturb(given: unknown): FaultHandle {
    return this.#handleOf(this.#set(parseDisturbance(given), false))
  }

  #addFault(spec: KnownFault): Activation {
    return this.#activate({ id: `fault_${String((this.changes.added += 1))}`, isPlanned: false, spec })
  }

  #set(disturbance: Disturbance, isPlanned: boolean): readonly Activation[] {
    const { effect } = disturbance
    if (effect.do !== 'fail') {
      const id = `disturbance_${String((this.#lastDisturbance += 1))}`
      return [this.#activate({ id, isPlanned, disturbance })]
    }
    // All are checked before the first is set. Explorations make theirs themselves, without mistakes to check for.
    if (!isPlanned) return effect.faults.map(parseFaultSpec).map((spec) => this.#addFault(spec))
    return effect.faults.map((given, index) => {
      const spec = { ...given, status: given.status ?? defaultStatusOf(given) }
      return this.#activate({ id: `explored_${String(index + 1)}`, isPlanned, spec })
    })
  }

  #activate(given: Omit<Fault, 'hits' | 'passed'> | Omit<ActiveDisturbance, 'hits' | 'passed'>): Activation {
    const active = { ...given, hits: 0, passed: 0 }
    this.#active.push(active)
    return active
  }

  #handleOf(set: readonly Activation[]): FaultHandle {
    return {
      id: set[0]?.id ?? '',
      get hits() {
        return sumHits(set)
      },
      remove: () => set.forEach(({ id }) => this.remove(id)),
    }
  }

  remove(id: string): boolean {
    this.changes.removed += 1
    return this.#drop((active) => active.id === id && !active.isPlanned)
  }

  clear(): void {
    this.changes.removed += 1
    this.#drop(({ isPlanned }) => !isPlanned)
  }

  #drop(isGone: (active: Activation) => boolean): boolean {
    const gone = this.#active.filter(isGone)
    this.#active = this.#active.filter((active) => !isGone(active))
    const used = gone.filter(isFault).filter(({ hits, isPlanned }) => hits > 0 && !isPlanned)
    this.#used = [...this.#used, ...used].slice(-50)
    for (const active of gone) if (!isFault(active)) active.undo?.()
    return gone.length > 0
  }

  /** Faults first, in the order in which they are tried. */
  listStates(): FaultState[] {
    const shown = this.#active.filter(({ isPlanned }) => !isPlanned)
    return [...shown.filter(isFault), ...shown.filter((active) => !isFault(active))].map(toState)
  }

  /** Former faults that met a request, used up or removed, the latest last. */
  listFormerStates(): FaultState[] {
    return this.#used.map(toState)
  }

  /** Counts a request. @returns the disturbances that meet it */
  meet(operation: OperationId): readonly ActiveDisturbance[] {
    const met: ActiveDisturbance[] = []
    for (const active of this.#active) {
      if (isFault(active)) continue
      const { at } = active.disturbance
      if (at !== null && (at.operation !== operation || active.passed++ !== at.index)) continue
      active.hits += 1
      met.push(active)
    }
    return met
  }

  /** The first fault that meets the request; it is used up after its last time. */
  take(operation: Operation, candidateOf: () => FaultCandidate): InjectedFailure | undefined {
    let known: FaultCandidate | undefined
    const candidate = () => (known ??= candidateOf())
    const meeting = this.#active
      .filter(isFault)
      .filter(({ spec }) => canMeet(spec, operation) && isMatch(spec.match, operation, candidate))
    const isDue = ({ passed, spec: { skip = 0 } }: Fault) => passed >= skip
    const fault = meeting.find(isDue)
    for (const other of meeting) if (other !== fault && !isDue(other)) other.passed += 1
    if (!fault) return undefined
    fault.hits += 1
    const { status, times = 1, phase = 'before', delayMs = 0, network = false } = fault.spec
    const { resource, retryAfter = 1, job, afterRows } = fault.spec
    if (times !== null && fault.hits >= times) this.#drop((active) => active === fault)
    const kind = isSuccess(status) ? undefined : findFaultKind(operation, status, resource)
    return { id: fault.id, phase, delayMs, network, kind, retryAfter, job: job && { job, afterRows } }
  }
}

/** A fault without an operation meets requests of those operations that document its status. */
function canMeet({ operation: id, status, resource, network }: KnownFault, operation: Operation): boolean {
  if (id !== undefined) return id === operation.id
  return isSuccess(status) || network === true || findFaultKind(operation, status, resource) !== undefined
}

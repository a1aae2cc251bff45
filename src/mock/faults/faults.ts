// Faults: documented errors, broken connections, delays and other effects on demand.
import {
  completeFault,
  findFaultKind,
  type FaultSpec,
  type KnownFault,
  type PlannedFault,
} from './fault-spec.ts'
import type { Operation } from '../../contract/index.ts'
import { messageOf } from '../../contract/text/format.ts'
import type { Store } from '../../service/store/store.ts'
import { AnswerEffects, questionsOf } from './answer-effects.ts'
import { bulkOperations, type FaultEffect } from './effect-spec.ts'
import { isMatch, type FaultCandidate } from './fault-match.ts'
import { toApiResponse } from './own-response.ts'
import type { InjectedFailure } from '../requests/exchange.ts'

/** A fault's state, as plain data. */
export interface FaultState extends Omit<FaultSpec, 'match'> {
  readonly id: string
  /** Number of requests that triggered it. */
  readonly hits: number
  /** Why its effect could not be carried out; the request then went on without it. Null otherwise. */
  readonly problem: string | null
  readonly match?: Partial<FaultCandidate>
}

/** A fault that was set. */
export interface FaultHandle {
  readonly id: string
  /** Number of requests that triggered it; for a fault set in all sandboxes, the total over the current sandboxes. */
  readonly hits: number
  remove(): void
}

/** A fault set in all sandboxes. */
export interface SharedFault {
  readonly id: string
  readonly spec: KnownFault
  /** Number of requests that triggered it, in all sandboxes together. */
  hits: number
}

/**
 * A fault that has not been removed or used up. A shared fault stays after it is used up; so does a fault whose effect
 * failed, with its problem. Plain data, except for a `match` that is a function.
 */
interface Fault {
  readonly id: string
  readonly shared?: SharedFault | undefined
  readonly spec: KnownFault
  hits: number
  /** Number of matching requests it has let pass. */
  passed: number
  /** Hits per request, if it counts each request separately. */
  readonly met: Map<string, number>
  problem: string | null
  /** The questions its effect currently answers; undefined until it begins. */
  answering?: readonly string[] | undefined
  /** Ids of the items its effect added to a listing; undefined until it has added them. */
  made?: readonly string[] | undefined
  /** The value of `made` in a state that has since been replaced. */
  madeBefore?: readonly string[] | undefined
  /** The id counters before its first request. */
  idsBefore?: Readonly<Record<string, number>> | undefined
}

/** Effects that replace the response, as a fault without an effect does. */
type FailureEffect = Extract<FaultEffect, { readonly stop: true } | { readonly respond: unknown }>
/** A fault whose effect changes calls and responses. */
export type EffectFault = Fault & { readonly spec: { readonly effect: Exclude<FaultEffect, FailureEffect> } }

/** A fault as plain data, with its counts. */
export interface SavedFault {
  readonly id: string
  /** Whether its match is a function. Functions cannot be saved, so the restored fault matches no request. */
  readonly hasFunction: boolean
  readonly spec: KnownFault
  readonly hits: number
  readonly passed: number
  readonly met: readonly (readonly [string, number])[]
  /** What its effect has done so far. */
  readonly done: Pick<Fault, 'problem' | 'answering' | 'made' | 'madeBefore' | 'idsBefore'>
}

export interface SavedFaults {
  readonly active: readonly SavedFault[]
  readonly used: readonly SavedFault[]
  readonly numbered: number
}

/** A fault's spec without a `match` that is a function. */
type SavedSpec = Pick<SavedFault, 'spec' | 'hasFunction'>

function saveSpec(spec: KnownFault): SavedSpec {
  const { match, ...rest } = spec
  return typeof match === 'function' ? { hasFunction: true, spec: rest } : { hasFunction: false, spec }
}

const readSpec = ({ spec, hasFunction }: SavedSpec): KnownFault =>
  hasFunction ? { ...spec, match: () => false } : spec

/** A shared fault as plain data. */
export type SavedSharedFault = Omit<SharedFault, 'spec'> & SavedSpec
export const saveSharedFault = (fault: SharedFault): SavedSharedFault => ({
  ...fault,
  ...saveSpec(fault.spec),
})
export const readSharedFault = (fault: SavedSharedFault): SharedFault => {
  const { id, hits } = fault
  return { id, hits, spec: readSpec(fault) }
}

function saveFault({ id, spec, hits, passed, met, ...fault }: Fault): SavedFault {
  const { problem, answering, made, madeBefore, idsBefore } = fault
  const done = { problem, answering, made, madeBefore, idsBefore }
  return { id, ...saveSpec(spec), hits, passed, met: [...met], done }
}

const isStop = ({ spec: { effect } }: Fault) => effect !== undefined && 'stop' in effect
const isFailureEffect = (effect: FaultEffect): effect is FailureEffect =>
  'stop' in effect || 'respond' in effect
const hasCallEffect = (fault: Fault): fault is EffectFault =>
  fault.spec.effect !== undefined && !isFailureEffect(fault.spec.effect)
/** Whether its effect begins with the next request and lasts until the fault is removed. */
export const isOfWholeState = ({ effect }: KnownFault) =>
  effect !== undefined && ('answers' in effect || 'extend' in effect)

/** Whether its effect applies to the current request: a lasting effect applies only to the first request. */
export const isFirstOrSingle = ({ spec, hits }: EffectFault) => hits === 1 || !isOfWholeState(spec)

function isUsedUp(fault: Fault): boolean {
  const { times = 1 } = fault.spec
  return times !== null && !isStop(fault) && !isOfWholeState(fault.spec) && fault.hits >= times
}

const isSuccess = (status: number) => status < 300

function toState({ id, hits, problem, spec }: Fault): FaultState {
  const { match, status, effect, ...rest } = spec
  const isFailure = effect === undefined
  return {
    id,
    hits,
    problem,
    ...(!isOfWholeState(spec) && !(effect && 'stop' in effect) && { times: 1 }),
    ...((isFailure || isFailureEffect(effect)) && { phase: 'before' as const }),
    ...rest,
    ...(isFailure && rest.network !== true && rest.job === undefined && { status }),
    ...(typeof match === 'object' && { match: structuredClone(match) }),
    ...(effect && { effect: structuredClone(effect) }),
  }
}

/** Whether a fault matches. A user's function that throws matches nothing. */
function hasMatch(fault: Fault, operation: Operation, candidate: () => FaultCandidate): boolean {
  try {
    return isMatch(fault.spec.match, operation, candidate)
  } catch (error) {
    fault.problem = `match threw: ${messageOf(error)}`
    return false
  }
}

/** Number of former faults to keep. */
const mostUsed = 50

export class Faults {
  /** By id, in the order they are tried. */
  readonly #active = new Map<string, Fault>()
  #used: Fault[] = []
  #numbered = 0
  /** How many faults were set, and how many were removed rather than used up. */
  readonly changes = { added: 0, removed: 0 }
  /** The fault of an exploration's run. It is not listed and cannot be removed. */
  readonly #planned: Fault | undefined
  #answers: AnswerEffects

  /**
   * @param planned the fault of an exploration's run; explorations generate valid faults, so it is not validated
   * @param shared the faults set in all sandboxes
   */
  constructor(store: Store, planned?: PlannedFault, shared: Iterable<SharedFault> = []) {
    this.#answers = new AnswerEffects(store)
    if (planned) this.#planned = this.#activate('explored', completeFault(planned))
    for (const fault of shared) this.#activate(fault.id, fault.spec, fault)
  }

  /** Number of requests that triggered the exploration's fault. */
  get plannedHits(): number {
    return this.#planned?.hits ?? 0
  }

  get areSet(): boolean {
    return this.#active.size > 0
  }

  /** The effects of faults on the answers to open questions. */
  get answers(): AnswerEffects {
    return this.#answers
  }

  /** Switches to the state that replaced the former one, and reapplies effects on answers. */
  moveTo(store: Store): void {
    for (const fault of this.#active.values()) {
      fault.madeBefore = fault.made ?? fault.madeBefore
      fault.made = undefined
      fault.answering &&= questionsOf(fault)
    }
    this.#answers = new AnswerEffects(store)
    this.#beginAnswers()
  }

  #beginAnswers(): void {
    const begun = [...this.#active.values()].filter(({ answering }) => answering)
    if (begun.length > 0) this.#answers.begin(begun)
  }

  save(): SavedFaults {
    const active = [...this.#active.values()].map(saveFault)
    return { active, used: this.#used.map(saveFault), numbered: this.#numbered }
  }

  /**
   * Restores a saved run's faults and reapplies their effects on answers, which the restored state lacks.
   * @param shared the faults set in all sandboxes
   */
  putBack({ active, used, numbered }: SavedFaults, shared: ReadonlyMap<string, SharedFault>): void {
    const revive = (saved: SavedFault): Fault => {
      const { id, hits, passed, met, done } = saved
      return { id, hits, passed, spec: readSpec(saved), ...done, met: new Map(met), shared: shared.get(id) }
    }
    this.#active.clear()
    for (const fault of active) this.#active.set(fault.id, revive(fault))
    this.#used = used.map(revive)
    this.#numbered = numbered
    this.#beginAnswers()
  }

  add(spec: KnownFault): FaultHandle {
    this.changes.added += 1
    const fault = this.#activate(`fault_${String((this.#numbered += 1))}`, spec)
    return {
      id: fault.id,
      get hits() {
        return fault.hits
      },
      remove: () => this.remove(fault.id),
    }
  }

  addShared(shared: SharedFault): void {
    this.changes.added += 1
    this.#activate(shared.id, shared.spec, shared)
  }

  #activate(id: string, spec: KnownFault, shared?: SharedFault): Fault {
    const fault: Fault = { id, spec, shared, hits: 0, passed: 0, met: new Map(), problem: null }
    this.#active.set(id, fault)
    return fault
  }

  remove(id: string): boolean {
    this.changes.removed += 1
    const fault = this.#active.get(id)
    if (!fault || fault === this.#planned) return false
    this.#drop([fault])
    return true
  }

  clear(): void {
    this.changes.removed += 1
    this.#drop([...this.#active.values()].filter((fault) => fault !== this.#planned))
  }

  #drop(gone: readonly Fault[]): void {
    for (const fault of gone) {
      this.#active.delete(fault.id)
      if (fault.hits > 0 && fault !== this.#planned) this.#used.push(fault)
    }
    if (this.#used.length > mostUsed) this.#used = this.#used.slice(-mostUsed)
    this.#answers.end(gone)
  }

  /** Records whether a fault's effect was carried out. A used-up fault whose effect failed is listed again. */
  note(fault: EffectFault, problem: string | null): void {
    fault.problem = problem
    if (problem === null || this.#active.has(fault.id) || !isUsedUp(fault)) return
    this.#used = this.#used.filter((used) => used !== fault)
    this.#active.set(fault.id, fault)
  }

  /** The faults in the order they are tried. */
  listStates(): FaultState[] {
    return [...this.#active.values()].filter((fault) => fault !== this.#planned).map(toState)
  }

  /** Faults without a problem that no request has triggered, here or in another sandbox. */
  listUnmetStates(): FaultState[] {
    const isUnmet = ({ hits, shared, problem }: Fault) => problem === null && (shared?.hits ?? hits) === 0
    const active = [...this.#active.values()]
    return active.filter((fault) => fault !== this.#planned && isUnmet(fault)).map(toState)
  }

  /** Faults with a problem. */
  listFailedStates(): FaultState[] {
    return this.listStates().filter(({ problem }) => problem !== null)
  }

  /** Former faults, used up or removed, that a request triggered; latest last. */
  listFormerStates(): FaultState[] {
    return this.#used.map(toState)
  }

  /** Finds the faults that match a request: those due now, and those that are still skipping or used up. */
  #findDue(
    isOfKind: (fault: Fault) => boolean,
    operation: Operation,
    candidate: () => FaultCandidate,
  ): { due: Fault[]; passing: Fault[] } {
    const meeting = [...this.#active.values()].filter(
      (fault) =>
        isOfKind(fault) &&
        ((isStop(fault) && fault.hits > 0) ||
          (canMeet(fault.spec, operation) && hasMatch(fault, operation, candidate))),
    )
    const isDue = (fault: Fault) => {
      const { skip = 0, times = 1, each } = fault.spec
      if (each === true) return (fault.met.get(keyOfRequest(candidate())) ?? 0) < (times ?? Infinity)
      return fault.passed >= skip && !isUsedUp(fault)
    }
    return { due: meeting.filter(isDue), passing: meeting.filter((fault) => !isDue(fault)) }
  }

  #hit(fault: Fault, candidate: () => FaultCandidate): void {
    fault.hits += 1
    if (fault.shared) fault.shared.hits += 1
    if (fault.spec.each === true) {
      const key = keyOfRequest(candidate())
      fault.met.set(key, (fault.met.get(key) ?? 0) + 1)
      return
    }
    if (isUsedUp(fault) && !fault.shared) this.#drop([fault])
  }

  /** Counts a request. @returns the faults whose effects apply to it */
  meet(operation: Operation, candidate: () => FaultCandidate): readonly EffectFault[] {
    const { due, passing } = this.#findDue(hasCallEffect, operation, candidate)
    for (const fault of passing) fault.passed += 1
    for (const fault of due) this.#hit(fault, candidate)
    return due.filter(hasCallEffect)
  }

  /** Triggers the first fault that fails the request. The fault is used up after its last request. */
  take(operation: Operation, candidate: () => FaultCandidate): InjectedFailure | undefined {
    const { due, passing } = this.#findDue((fault) => !hasCallEffect(fault), operation, candidate)
    for (const fault of passing) fault.passed += 1
    const [fault] = due
    if (!fault) return undefined
    const { spec, id } = fault
    const { status, resource, delayMs = 0, delayOn, retryAfter = 1, job, afterRows, effect } = spec
    const isLater = isStop(fault) && fault.hits > 0
    this.#hit(fault, candidate)
    return {
      id,
      phase: !isLater && spec.phase === 'after' ? 'after' : 'before',
      delayMs,
      isOnClock: delayOn === 'clock',
      network: spec.network === true || isStop(fault),
      kind: effect || isSuccess(status) ? undefined : findFaultKind(operation, status, resource),
      response: effect && 'respond' in effect ? toApiResponse(effect.respond) : undefined,
      retryAfter,
      job: job && { job, afterRows },
    }
  }
}

const keyOfRequest = ({ method, path, query, body }: FaultCandidate) =>
  JSON.stringify([method, path, query, body])

/** A fault without an operation applies only to operations that document its status. */
function canMeet(fault: KnownFault, operation: Operation): boolean {
  const { operation: id, status, resource, network, effect } = fault
  if (id !== undefined) return id === operation.id
  if (effect) return !('spoil' in effect) || bulkOperations.includes(operation.id)
  return isSuccess(status) || network === true || findFaultKind(operation, status, resource) !== undefined
}

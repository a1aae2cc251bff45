// Owns the findings of a report as they gather: one per rule and cause, repeats counted.
import { clientRules, type RuleId, type Severity } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'

/** One breach of a rule, however often it happened. */
export interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  /** What happened and what to do about it. */
  readonly message: string
  readonly operation: OperationId | null
  /** How often it happened. */
  readonly count: number
  /** Journal ids of the requests concerned, the first 20. */
  readonly requests: readonly number[]
}

/** Journal ids that a finding names at most. */
const requestsNamed = 20
/** Causes of one rule that are told apart; all others count for one finding together. */
const causesPerRule = 200

export interface Breach {
  readonly rule: RuleId
  /** What tells it from other breaches of the rule: the job, the column, the request … */
  readonly cause: string
  readonly operation: OperationId | null
  /** The request at fault last, before it those that it is judged by. */
  readonly requests: readonly number[]
  /** A sentence without its full stop; asked for at the first breach of a cause. */
  readonly what: () => string
}

interface Gathered {
  readonly rule: RuleId
  readonly what: string
  readonly operation: OperationId | null
  readonly requests: number[]
  count: number
  /** The request last at fault: what it does many times over counts once. */
  last: number
}

export function findingOf({ rule, what, operation, requests, count }: Omit<Gathered, 'last'>): Finding {
  const { severity, advice } = clientRules[rule]
  return { rule, severity, message: `${what}. ${advice}`, operation, count, requests: [...requests] }
}

export function nameRequests(named: number[], ids: readonly number[]): void {
  for (const id of ids) if (named.length < requestsNamed && !named.includes(id)) named.push(id)
}

export class Findings {
  /** By rule and cause, in order of first occurrence. */
  readonly #gathered = new Map<string, Gathered>()
  readonly #causes = new Map<RuleId, number>()
  readonly #lastAtFault = new Map<RuleId, number>()

  add({ rule, cause, operation, requests, what }: Breach): void {
    const at = requests.at(-1) ?? 0
    this.#lastAtFault.set(rule, at)
    const gathered = this.#gathered.get(`${rule} ${cause}`) ?? this.#newCause(rule, cause, operation, what)
    if (gathered.last === at) return
    gathered.last = at
    gathered.count += 1
    nameRequests(gathered.requests, requests)
  }

  /** Whether a rule has found fault with the request that is being judged. */
  isAtFault(rule: RuleId, request: number): boolean {
    return this.#lastAtFault.get(rule) === request
  }

  /** Takes back a breach that a later request has justified. */
  withdraw(rule: RuleId, cause: string, request: number): void {
    const key = `${rule} ${cause}`
    const gathered = this.#gathered.get(key)
    if (!gathered) return
    gathered.count -= 1
    const position = gathered.requests.indexOf(request)
    if (position !== -1) gathered.requests.splice(position, 1)
    if (gathered.count > 0) return
    this.#gathered.delete(key)
    this.#causes.set(rule, (this.#causes.get(rule) ?? 1) - 1)
  }

  list(): Finding[] {
    return [...this.#gathered.values()].map(findingOf)
  }

  #newCause(rule: RuleId, cause: string, operation: OperationId | null, what: () => string): Gathered {
    const causes = this.#causes.get(rule) ?? 0
    const isKept = causes < causesPerRule
    const key = isKept ? `${rule} ${cause}` : rule
    const known = this.#gathered.get(key)
    if (known) return known
    if (isKept) this.#causes.set(rule, causes + 1)
    const others = `There were more than ${String(causesPerRule)} causes; this counts all others`
    const made = { rule, what: isKept ? what() : others, operation, requests: [], count: 0, last: 0 }
    this.#gathered.set(key, made)
    return made
  }
}

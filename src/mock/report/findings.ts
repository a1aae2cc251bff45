// Findings of a report as they gather: one per rule and cause, repeats counted.
import { clientRules, type RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Exchange } from '../requests/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import type { Finding } from '../sandboxes/client-report.ts'

/** Journal ids that a finding names at most. */
const requestsNamed = 20
/** Causes of one rule that are distinguished; all others count as one finding. */
const causesPerRule = 200

export interface GatheredBreaches {
  readonly rule: RuleId
  readonly what: string
  readonly operation: OperationId | null
  /** Journal ids, and whether each is at fault. */
  readonly requests: Map<number, boolean>
  count: number
  /** The last request at fault: repeated breaches in one request count once. */
  last: number
}

export const createGathered = (
  rule: RuleId,
  what: string,
  operation: OperationId | null,
): GatheredBreaches => ({
  rule,
  what,
  operation,
  requests: new Map(),
  count: 0,
  last: 0,
})

export function toFinding(
  { rule, what, operation, requests, count }: GatheredBreaches,
  { firstId }: Journal,
): Finding {
  const { severity, advice } = clientRules[rule]
  const named = [...requests].filter(([id]) => id >= firstId).sort(([a], [b]) => a - b)
  return {
    rule,
    severity,
    message: `${what}. ${advice}`,
    operation,
    count,
    requests: named.map(([id]) => id),
    offending: named.filter(([, isAtFault]) => isAtFault).map(([id]) => id),
  }
}

/** The request at fault comes first, its context takes the remaining room. */
export function nameRequests(named: Map<number, boolean>, request: number, context: readonly number[]): void {
  if (named.has(request) || named.size < requestsNamed) named.set(request, true)
  for (const id of context) if (!named.has(id) && named.size < requestsNamed) named.set(id, false)
}

export class Findings {
  readonly #gathered = new Map<string, GatheredBreaches>()
  readonly #causes = new Map<RuleId, number>()

  /**
   * Adds a breach by a request.
   * @param cause distinguishes it from other breaches of the rule: the job, the column, the request …
   * @param what a sentence without its full stop; called at the first breach of a cause
   * @param context requests that it followed
   */
  add(
    { id, operation }: Exchange,
    rule: RuleId,
    cause: string,
    what: () => string,
    context: readonly number[] = [],
  ): void {
    const gathered = this.#gathered.get(`${rule} ${cause}`) ?? this.#newCause(rule, cause, operation, what)
    if (gathered.last === id) return
    gathered.last = id
    gathered.count += 1
    nameRequests(gathered.requests, id, context)
  }

  /** Withdraws a breach that a later request has justified. */
  withdraw(rule: RuleId, cause: string, request: number): void {
    const key = `${rule} ${cause}`
    const gathered = this.#gathered.get(key)
    if (!gathered) return
    gathered.count -= 1
    gathered.requests.delete(request)
    if (gathered.count > 0) return
    this.#gathered.delete(key)
    this.#causes.set(rule, (this.#causes.get(rule) ?? 1) - 1)
  }

  list(journal: Journal): Finding[] {
    return [...this.#gathered.values()].map((gathered) => toFinding(gathered, journal))
  }

  #newCause(
    rule: RuleId,
    cause: string,
    operation: OperationId | null,
    what: () => string,
  ): GatheredBreaches {
    const causes = this.#causes.get(rule) ?? 0
    const isKept = causes < causesPerRule
    const key = isKept ? `${rule} ${cause}` : rule
    const known = this.#gathered.get(key)
    if (known) return known
    if (isKept) this.#causes.set(rule, causes + 1)
    const others = `There were more than ${String(causesPerRule)} causes; this counts all others`
    const made = createGathered(rule, isKept ? what() : others, operation)
    this.#gathered.set(key, made)
    return made
  }
}

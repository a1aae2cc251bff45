// Findings of a report as they gather: one per rule and cause, repeats counted.
import { clientRules, type RuleId, type Severity } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems } from '../../contract/text/quote.ts'
import type { Exchange } from '../journal/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import type { Finding } from '../sandboxes/client-report.ts'

/** Causes of one rule that are distinguished; all others count as one finding. */
const causesPerRule = 200
/** Signs by which causes of one rule are known again. */
const signsPerRule = 2000
const itemsShown = 20
/** How many ids are held before those that the journal has dropped are removed. */
const fewIds = 2000

type JudgedRequest = Pick<Exchange, 'id' | 'operation'>

/** A sentence without its full stop, around the items that one cause consists of. */
export interface Sentence {
  /** The part that can differ within a cause, such as the field. */
  readonly item?: string
  readonly before: string
  /** Instead of `before` for several items; by default that with an s. */
  readonly beforeMany?: string
  readonly after?: string
}

interface RuleBreach {
  readonly rule: RuleId
  /** What breaches of one cause have in common: it is known again by any of them. The first belongs to the item. */
  readonly signs: readonly string[]
  /** Called where the cause or its item is new. */
  readonly describe: () => Sentence
  /** Requests that it followed. */
  readonly context?: readonly number[]
  /** Its severity, by default that of the rule. */
  readonly severity?: Severity
}

export interface GatheredBreaches {
  readonly rule: RuleId
  readonly severity: Severity
  readonly sentence: Sentence
  readonly items: string[]
  /** How many items are not in `items`. */
  moreItems: number
  /** The operations in the order in which they broke the rule; empty for a path that is not an operation. */
  readonly operations: Set<OperationId>
  /** Journal ids, and whether each is at fault. */
  readonly requests: Map<number, boolean>
  count: number
  /** The last request at fault: repeated breaches in one request count once. */
  last: number
}

export const createGathered = (
  rule: RuleId,
  sentence: Sentence,
  severity: Severity = clientRules[rule].severity,
): GatheredBreaches => ({
  rule,
  severity,
  sentence,
  items: sentence.item === undefined ? [] : [sentence.item],
  moreItems: 0,
  operations: new Set(),
  requests: new Map(),
  count: 0,
  last: 0,
})

/** Adds a request at fault. @returns false if it was the last one already */
export function addRequest(gathered: GatheredBreaches, { id, operation }: JudgedRequest): boolean {
  if (gathered.last === id) return false
  gathered.last = id
  gathered.count += 1
  gathered.requests.set(id, true)
  if (operation !== null) gathered.operations.add(operation)
  return true
}

function toMessage({ sentence, items, moreItems, operations: [, ...others] }: GatheredBreaches): string {
  const { before, beforeMany = `${before}s`, after = '' } = sentence
  const start = items.length > 1 ? beforeMany : before
  const more = moreItems > 0 ? ` and ${String(moreItems)} more` : ''
  const also = others.length > 0 ? `; ${listItems(others, String)} too` : ''
  return `${start}${items.length > 0 ? ' ' : ''}${items.join(', ')}${more}${after}${also}`
}

export function toFinding(gathered: GatheredBreaches, { firstId }: Journal): Finding {
  const { rule, severity, operations: all, requests, count } = gathered
  const operations = [...all]
  const [operation = null, ...others] = operations
  const named = [...requests].filter(([id]) => id >= firstId).sort(([a], [b]) => a - b)
  return {
    rule,
    severity,
    message: `${toMessage(gathered)}. ${clientRules[rule].advice}`,
    operation,
    ...(others.length > 0 && { operations }),
    count,
    requests: named.map(([id]) => id),
    offending: named.filter(([, isAtFault]) => isAtFault).map(([id]) => id),
  }
}

function addItem(gathered: GatheredBreaches, describe: () => Sentence): void {
  const { items } = gathered
  if (items.length === itemsShown) gathered.moreItems += 1
  else {
    const { item } = describe()
    if (item !== undefined && !items.includes(item)) items.push(item)
  }
}

interface Causes {
  readonly bySign: Map<string, GatheredBreaches>
  readonly list: GatheredBreaches[]
}

export class Findings {
  readonly #journal: Journal
  readonly #all = new Set<GatheredBreaches>()
  readonly #byRule = new Map<RuleId, Causes>()
  /** How many ids are held, and with how many the next removal is due. */
  #ids = 0
  #removeAt = fewIds

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** Adds a breach by a request. @param text a sentence without its full stop */
  add(
    exchange: JudgedRequest,
    rule: RuleId,
    cause: string,
    text: string,
    context: readonly number[] = [],
  ): void {
    this.addBreach(exchange, { rule, signs: [cause], describe: () => ({ before: text }), context })
  }

  addBreach(exchange: JudgedRequest, breach: RuleBreach): void {
    const { rule, signs, describe, context = [] } = breach
    const causes = getOrInsert(this.#byRule, rule, () => ({ bySign: new Map(), list: [] }))
    const { bySign } = causes
    const sign = signs.find((each) => bySign.has(each))
    const known = sign === undefined ? undefined : bySign.get(sign)
    const gathered = known ?? this.#newCause(breach, causes)
    if (known && sign !== signs[0]) addItem(known, describe)
    for (const each of signs) if (bySign.size < signsPerRule) bySign.set(each, gathered)
    const { requests } = gathered
    const before = requests.size
    if (!addRequest(gathered, exchange)) return
    // From the latest on: what stands before a known one was added with it.
    for (let index = context.length - 1; index >= 0; index--) {
      const id = context[index]
      if (id === undefined || requests.has(id)) break
      requests.set(id, false)
    }
    this.#ids += requests.size - before
    if (this.#ids >= this.#removeAt) this.#removeDropped()
  }

  /** Withdraws a breach that a later request has justified. */
  withdraw(rule: RuleId, sign: string, request: number): void {
    const causes = this.#byRule.get(rule)
    const gathered = causes?.bySign.get(sign)
    if (!causes || !gathered) return
    gathered.count -= 1
    gathered.requests.delete(request)
    if (gathered.count > 0) return
    this.#all.delete(gathered)
    causes.list.splice(causes.list.indexOf(gathered), 1)
    for (const [each, other] of causes.bySign) if (other === gathered) causes.bySign.delete(each)
  }

  list(): Finding[] {
    return [...this.#all].map((gathered) => toFinding(gathered, this.#journal))
  }

  #newCause({ rule, describe, severity }: RuleBreach, { list }: Causes): GatheredBreaches {
    const rest = list[causesPerRule]
    if (rest) return rest
    const others = { before: `There were more than ${String(causesPerRule)} causes; this counts all others` }
    const made = createGathered(rule, list.length < causesPerRule ? describe() : others, severity)
    this.#all.add(made)
    list.push(made)
    return made
  }

  /** A finding names the requests that the journal holds, so that their number has a bound. */
  #removeDropped(): void {
    this.#ids = 0
    for (const { requests } of this.#all) {
      for (const id of requests.keys()) if (id < this.#journal.firstId) requests.delete(id)
      this.#ids += requests.size
    }
    this.#removeAt = Math.max(fewIds, 2 * this.#ids)
  }
}

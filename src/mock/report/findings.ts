// Collects the findings of a report: one per rule and cause, with repeats counted.
import { clientRules, type RuleId, type Severity } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { listItems } from '../../contract/text/quote.ts'
import type { Exchange } from '../journal/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import type { Finding } from '../sandboxes/client-report.ts'

/** Number of causes to distinguish per rule; all further causes share one finding. */
const causesPerRule = 200
/** Number of signs to remember per rule; they identify known causes. */
const signsPerRule = 2000
const itemsShown = 20
/** Number of ids to hold before removing ids that the journal has dropped. */
const fewIds = 2000

type JudgedRequest = Pick<Exchange, 'id' | 'operation'>

/** A sentence without its full stop, split around the items of one cause. */
export interface Sentence {
  /** The part that varies within a cause, such as the field. */
  readonly item?: string
  readonly before: string
  /** Replaces `before` for several items; by default `before` with an s. */
  readonly beforeMany?: string
  readonly after?: string
}

interface RuleBreach {
  readonly rule: RuleId
  /** Signs that identify the cause; any of them is enough. The first also identifies the item. */
  readonly signs: readonly string[]
  /** Called when the cause or its item is new. */
  readonly describe: () => Sentence
  /** Earlier requests it relates to. */
  readonly context?: readonly number[]
  /** Overrides the rule's severity. */
  readonly severity?: Severity
}

export interface GatheredBreaches {
  readonly rule: RuleId
  readonly severity: Severity
  readonly sentence: Sentence
  readonly items: string[]
  /** Number of items that are not in `items`. */
  moreItems: number
  /** The operations, in the order they broke the rule; empty for a path that is not an operation. */
  readonly operations: Set<OperationId>
  /** Journal ids, each with whether it is at fault. */
  readonly requests: Map<number, boolean>
  count: number
  /** The last request at fault; several breaches in one request count once. */
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

/** Adds a request at fault. @returns false if it was already the last one */
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
  const also = others.length > 0 ? `; also in ${listItems(others, String)}` : ''
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
  /** Number of ids held, and the number at which the next removal is due. */
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
    // Goes backwards, since everything before a known request was added along with it.
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
    const others = {
      before: `There were more than ${String(causesPerRule)} causes; this finding counts the rest`,
    }
    const made = createGathered(rule, list.length < causesPerRule ? describe() : others, severity)
    this.#all.add(made)
    list.push(made)
    return made
  }

  /** Removes ids of requests that the journal has dropped, so that their number stays bounded. */
  #removeDropped(): void {
    this.#ids = 0
    for (const { requests } of this.#all) {
      for (const id of requests.keys()) if (id < this.#journal.firstId) requests.delete(id)
      this.#ids += requests.size
    }
    this.#removeAt = Math.max(fewIds, 2 * this.#ids)
  }
}

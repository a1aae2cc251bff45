// Judges every response of a run by the rules for all of them, and keeps what the responses showed: statuses, limits, refusals.
import { operations, type OperationId, type Operation } from '../../../contract/index.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { SentExchange } from '../engine/exchange.ts'
import type { Reply } from '../engine/reply.ts'
import { Stop } from '../engine/stop.ts'
import { sourceOf, toCheckName } from './difference.ts'
import type { Breach, Check, Difference, Subject } from './difference.ts'
import type { Note } from './report.ts'
import { judgeReply, rules, type RuleId } from './rules.ts'
import { ResponseSchemas } from './schemas.ts'

/** Differences of one operation and rule that are kept. */
const mostDifferences = 3

export class Judge {
  readonly #schemas: ResponseSchemas
  readonly #checks = new Map<string, { readonly check: Check; readonly found: Difference[] }>()
  readonly #statuses = new Map<OperationId, Set<number>>()
  readonly #notes = new Map<string, Note>()
  /** The limits by resource, as errors named them. Assumption: limitFacts */
  readonly limits = new Map<string, number>()
  /** Refusals for lack of a permission, as status and message. */
  readonly forbidden = new Map<OperationId, string>()

  constructor(answers: Answers) {
    this.#schemas = new ResponseSchemas(answers)
  }

  hasSucceeded(operation: Subject): boolean {
    if (operation === 'general') return false
    return this.#statuses.get(operation)?.has(operations[operation].success.status) === true
  }

  /** Whether the key has the permission: the rejection of an invalid request shows it, too. */
  isPermitted(operation: OperationId): boolean {
    const seen = this.#statuses.get(operation)
    return this.hasSucceeded(operation) || seen?.has(400) === true || seen?.has(404) === true
  }

  /** Records that a response broke a rule or, without breaches, kept it. */
  record(operation: Subject, rule: RuleId, breaches: readonly Breach[], exchange?: SentExchange): void {
    const [says, own] = rules[rule]
    const check = { operation, rule, says, source: sourceOf(own) }
    const { found } = getOrInsert(this.#checks, toCheckName(check), () => ({ check, found: [] }))
    const sent = exchange ? [exchange] : []
    for (const { source = own, ...breach } of breaches)
      if (found.length < mostDifferences && !found.some(({ expected }) => expected === breach.expected))
        found.push({ ...check, ...breach, source: sourceOf(source), sent })
  }

  /** @param operation undefined where a request called no operation */
  check(operation: OperationId | undefined, reply: Reply, exchange?: SentExchange): void {
    const spec: Operation | undefined = operation && operations[operation]
    const { status, isSuccess } = reply
    let extra: readonly string[] | undefined
    if (operation) {
      if (status === 403) this.forbidden.set(operation, reply.summary)
      getOrInsert(this.#statuses, operation, () => new Set()).add(status)
      extra = isSuccess ? this.#findUnknownFields(operation, reply) : undefined
      for (const path of extra ?? []) {
        const note = `has a field that the contract does not name: ${path}`
        this.#notes.set(`${operation} ${note}`, { operation, note })
      }
      if (isSuccess && spec && 'schema' in spec.success && reply.json === undefined) {
        const breach = { path: '', kind: 'rule', expected: 'a JSON body', got: quote(reply.text) } as const
        this.record(operation, 'readable', [breach], exchange)
      }
    }
    for (const [rule, breaches] of Object.entries(judgeReply(reply, spec, extra !== undefined)))
      this.record(operation ?? 'general', rule as RuleId, breaches, exchange)
    const [resource, limit] = [reply.field('resource'), reply.field('limit')]
    const isLimit = !isSuccess && reply.field('limitReached') === true
    if (isLimit && typeof resource === 'string' && typeof limit === 'number') this.limits.set(resource, limit)
  }

  #findUnknownFields(operation: OperationId, reply: Reply): readonly string[] | undefined {
    const { success }: Operation = operations[operation]
    return 'schema' in success
      ? this.#schemas.findUnknownFields(operation, success.schema, reply.json)
      : undefined
  }

  /** @throws {Stop} if the body of a success does not fit its schema, with whatever answers */
  assertShape(operation: OperationId, reply: Reply): void {
    if (this.#findUnknownFields(operation, reply)) return
    throw new Stop(`the response to ${operation} does not have the shape of the contract`, 'drift')
  }

  get notes(): Note[] {
    return [...this.#notes.values()]
  }

  get differences(): Difference[] {
    return [...this.#checks.values()].flatMap(({ found }) => found)
  }

  /** The rules that every response kept. */
  get passes(): Check[] {
    return [...this.#checks.values()].flatMap(({ check, found }) => (found.length > 0 ? [] : [check]))
  }
}

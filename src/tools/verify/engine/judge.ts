// Judges the responses of a run by the rules for all of them, and collects what they showed: drift, statuses, limits.
import { operations, type OperationId, type Operation } from '../../../contract/index.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { SentExchange } from './exchange.ts'
import { genericRules, type GenericRule, type GenericRuleId, type Judged } from './generic-rules.ts'
import { toRuleName, type Check, type Note } from './report.ts'
import type { Reply } from './reply.ts'
import { sourceOf, Unreachable, type Breach, type Drift, type Subject } from './drift.ts'
import { ResponseSchemas } from './schema-check.ts'

/** Drifts of one operation and rule that are kept. */
const mostDrifts = 3

/** Whether an operation may be sent to a deployment that is only read. */
export const isReadingOperation = ({ id, method }: Operation) => method === 'GET' || id === 'queryRows'
export const needsWriting = 'it needs writing (in code, write: true)'

export class Judge {
  readonly #schemas: ResponseSchemas
  readonly #checks = new Map<string, { readonly check: Check; readonly drifts: Drift[] }>()
  readonly #statuses = new Map<OperationId, Set<number>>()
  readonly #notes = new Map<string, Note>()
  /** The limits by resource, as errors named them. Assumption: limitFacts */
  readonly limits = new Map<string, number>()
  /** Refusals for lack of a permission, as status and message. */
  readonly forbidden = new Map<OperationId, string>()

  constructor(answers: Answers) {
    this.#schemas = new ResponseSchemas(answers)
  }

  hasSucceeded(operation: OperationId): boolean {
    return this.#statuses.get(operation)?.has(operations[operation].success.status) === true
  }

  /** Whether the key has the permission: the rejection of an invalid request shows it, too. */
  isPermitted(operation: OperationId): boolean {
    const seen = this.#statuses.get(operation)
    return this.hasSucceeded(operation) || seen?.has(400) === true || seen?.has(404) === true
  }

  /** Records that a response broke a rule or, without breaches, kept it. */
  record(
    operation: Subject,
    rule: GenericRuleId,
    breaches: readonly Breach[],
    exchange?: SentExchange,
  ): void {
    const { says, source: own } = genericRules[rule]
    const check = { operation, rule, says, source: sourceOf(own) }
    const { drifts } = getOrInsert(this.#checks, toRuleName(check), () => ({ check, drifts: [] }))
    const exchanges = exchange ? [exchange] : []
    for (const { source = own, ...breach } of breaches)
      if (drifts.length < mostDrifts && !drifts.some(({ expected }) => expected === breach.expected))
        drifts.push({ ...check, ...breach, source: sourceOf(source), exchanges })
  }

  check(operation: OperationId, reply: Reply, exchange?: SentExchange): void {
    const spec: Operation = operations[operation]
    const { status, isSuccess } = reply
    if (status === 403) this.forbidden.set(operation, reply.summary)
    getOrInsert(this.#statuses, operation, () => new Set()).add(status)
    const extra = isSuccess ? this.#findUnknownFields(operation, reply) : undefined
    if (isSuccess && 'schema' in spec.success && reply.json === undefined) {
      const breach = { path: '', kind: 'rule', expected: 'a JSON body', got: quote(reply.text) } as const
      this.record(operation, 'readable', [breach], exchange)
    }
    for (const path of extra ?? []) {
      const note = `has a field that the contract does not name: ${path}`
      this.#notes.set(`${operation} ${note}`, { operation, note })
    }
    this.#judge({ reply, spec, fits: extra !== undefined }, exchange)
  }

  #findUnknownFields(operation: OperationId, reply: Reply): readonly string[] | undefined {
    const { success }: Operation = operations[operation]
    return 'schema' in success
      ? this.#schemas.findUnknownFields(operation, success.schema, reply.json)
      : undefined
  }

  /** @throws {Unreachable} if the body of a success does not fit its schema, with whatever answers */
  assertShape(operation: OperationId, reply: Reply): void {
    if (this.#findUnknownFields(operation, reply)) return
    throw new Unreachable(`the response to ${operation} does not have the shape of the contract`, 'drift')
  }

  /** Judges the response to a request that calls no operation. */
  checkError(reply: Reply): void {
    this.#judge({ reply })
  }

  #judge(response: Judged, exchange?: SentExchange): void {
    const { reply, spec } = response
    for (const [id, { judge }] of Object.entries<GenericRule>(genericRules)) {
      const breaches = judge?.(response)
      if (breaches) this.record(spec?.id ?? 'general', id as GenericRuleId, breaches, exchange)
    }
    const [resource, limit] = [reply.field('resource'), reply.field('limit')]
    const isLimit = !reply.isSuccess && reply.field('limitReached') === true
    if (isLimit && typeof resource === 'string' && typeof limit === 'number') this.limits.set(resource, limit)
  }

  get notes(): Note[] {
    return [...this.#notes.values()]
  }

  get drifts(): Drift[] {
    return [...this.#checks.values()].flatMap(({ drifts }) => drifts)
  }

  /** The rules that every response kept. */
  get passes(): Check[] {
    return [...this.#checks.values()].flatMap(({ check, drifts }) => (drifts.length > 0 ? [] : [check]))
  }
}

// Checks every response against rules that comparisons with the mock do not cover. Records what responses reveal:
// statuses, limits, refusals.
import type * as z from 'zod/mini'
import { operations, type OperationId, type Operation, type SuccessFor } from '../../../contract/index.ts'
import { operationIds } from '../../../contract/scopes.ts'
import { resolveSchema } from '../../../contract/operation.ts'
import { listAnswers, questionsOf, type Answers } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import { getOrInsert, idsOf } from '../../../contract/data/maps.ts'
import type { SentExchange } from '../../deployment/exchange.ts'
import type { Watcher } from '../../deployment/client.ts'
import { charsetOf, type Reply } from '../../deployment/reply.ts'
import { origin } from '../../deployment/transport.ts'
import { findBreachesIn } from './clauses.ts'
import { toCheckName, toSource } from '../compare/difference.ts'
import type { Breach, Check, Difference, SourceText, Subject } from '../compare/difference.ts'
import type { Note } from './report.ts'
import { findExtraFields } from '../../deployment/fields.ts'

/** Rules for every response, whatever the operation. */
const rules = {
  readable: ['the response can be read', 'contract, Endpoints'],
  cors: ['browsers can read the response', 'contract, What the service does, 2'],
  'content-type': ['the content type matches the body', 'contract, opening paragraph'],
  values: [
    'a successful response has the values that the contract requires',
    'contract, Resources and their fields',
  ],
} as const satisfies Record<string, readonly [says: string, source: SourceText]>
type RuleId = keyof typeof rules

export const ruleNames = (['general', ...operationIds] as const).flatMap((operation) =>
  Object.keys(rules).map((rule) => ({ operation, rule })),
)

/** Maximum differences kept per operation and rule. */
const mostDifferences = 3

export class Judge implements Watcher {
  readonly #answers: Answers
  /** By operation: success schemas, first under the run's answers, then with one other answer each. */
  readonly #schemas = new Map<OperationId, z.core.$ZodType[]>()
  readonly #checks = new Map<string, { readonly check: Check; readonly found: Difference[] }>()
  readonly #statuses = new Map<OperationId, Set<number>>()
  readonly #notes = new Map<string, Note>()
  /** Ids of the workspace's members. */
  #members: ReadonlySet<string> | undefined
  /** Limits by resource, as named in error responses. Assumption: limitFacts */
  readonly limits = new Map<string, number>()
  /** Permission refusals, as status and message. */
  readonly forbidden = new Map<OperationId, string>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  hasSucceeded(operation: Subject): boolean {
    if (operation === 'general') return false
    return this.#statuses.get(operation)?.has(operations[operation].success.status) === true
  }

  /** Whether the key is known to have the permission; a 400 or 404 also shows that. */
  isPermitted(operation: OperationId): boolean {
    const seen = this.#statuses.get(operation)
    return this.hasSucceeded(operation) || seen?.has(400) === true || seen?.has(404) === true
  }

  /** Records that a response kept a rule or, with breaches, broke it. */
  record(operation: Subject, rule: RuleId, breaches: readonly Breach[], exchange?: SentExchange): void {
    const [says, own] = rules[rule]
    const check = { operation, rule, says, source: toSource(own) }
    const { found } = getOrInsert(this.#checks, toCheckName(check), () => ({ check, found: [] }))
    const sent = exchange ? [exchange] : []
    for (const { source = own, ...breach } of breaches)
      if (found.length < mostDifferences && !found.some(({ expected }) => expected === breach.expected))
        found.push({ ...check, ...breach, source: toSource(source), sent })
  }

  miss(operation: OperationId, got: string, exchange?: SentExchange): void {
    const breach = { path: '', kind: 'rule', expected: 'a readable response', got } as const
    this.record(operation, 'readable', [breach], exchange)
  }

  see(operation: OperationId | undefined, reply: Reply, exchange?: SentExchange): void {
    const { status, headers, isSuccess, json } = reply
    const success = operation && (operations[operation] as Operation).success
    const judgeHeader = (rule: RuleId, path: string, isKept: boolean, expected: string) => {
      const breach = { path, kind: 'header', expected, got: headers.get(path) } as const
      this.record(operation ?? 'general', rule, isKept ? [] : [breach], exchange)
    }
    let extra: readonly string[] | undefined
    if (operation) {
      if (status === 403) this.forbidden.set(operation, reply.summary)
      getOrInsert(this.#statuses, operation, () => new Set()).add(status)
      extra = isSuccess ? this.#findUnknownFields(operation, reply) : undefined
      for (const path of extra ?? []) {
        const note = `has a field that the contract does not name: ${path}`
        this.#notes.set(`${operation} ${note}`, { operation, note })
      }
      const lacksJson = status === success?.status && 'schema' in success && json === undefined
      const breaches = lacksJson
        ? [{ path: '', kind: 'rule', expected: 'a JSON body', got: quote(reply.text) } as const]
        : []
      this.record(operation, 'readable', breaches, exchange)
      const allowed = headers.get('access-control-allow-origin')
      const isAllowed = allowed === '*' || allowed === origin
      judgeHeader('cors', 'access-control-allow-origin', isAllowed, 'the origin, or *')
    }
    const type = headers.get('content-type') ?? ''
    const binary = isSuccess && success && 'binary' in success ? success.binary : undefined
    const isType =
      binary === undefined
        ? /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type) && /^utf-?8$/i.test(charsetOf(type))
        : type.startsWith(binary)
    judgeHeader('content-type', 'content-type', isType, binary ?? 'application/json')
    if (operation && extra) {
      if (operation === 'getIdentity')
        this.#members = new Set(idsOf((json as SuccessFor<'getIdentity'>).members))
      this.record(
        operation,
        'values',
        findBreachesIn(operation, json, this.#answers, this.#members),
        exchange,
      )
    }
    const [resource, limit] = [reply.field('resource'), reply.field('limit')]
    const isLimit = !isSuccess && reply.field('limitReached') === true
    if (isLimit && typeof resource === 'string' && typeof limit === 'number') this.limits.set(resource, limit)
  }

  /** Paths of fields that the schema does not have; undefined if the body is invalid for another reason. */
  #findUnknownFields(operation: OperationId, { json }: Reply): string[] | undefined {
    const { success }: Operation = operations[operation]
    if (!('schema' in success)) return undefined
    const { schema } = success
    const all = getOrInsert(this.#schemas, operation, () => [resolveSchema(schema, this.#answers)])
    const [first] = all
    const extra = first && findExtraFields(first, json)
    if (extra) return extra
    // Built once and kept, because a deployment with another shape needs it for every response.
    if (all.length === 1)
      for (const id of questionsOf(operation))
        for (const answer of listAnswers(id))
          all.push(resolveSchema(schema, { ...this.#answers, [id]: answer }))
    for (const other of all.slice(1)) {
      const found = findExtraFields(other, json)
      if (found) return found
    }
    return undefined
  }

  fits(operation: OperationId, reply: Reply): boolean {
    return this.#findUnknownFields(operation, reply) !== undefined
  }

  get notes(): Note[] {
    return [...this.#notes.values()]
  }

  get differences(): Difference[] {
    return [...this.#checks.values()].flatMap(({ found }) => found)
  }

  /** Rules that every response kept. */
  get passes(): Check[] {
    return [...this.#checks.values()].flatMap(({ check, found }) => (found.length > 0 ? [] : [check]))
  }
}

// Judges the responses of a run, and collects what they showed: drift by operation and rule, statuses, limits.
import { errorKinds } from '../../../contract/errors.ts'
import { operationList, operations, type OperationId, type Operation } from '../../../contract/index.ts'
import { errorKindsOf, type OperationSpec } from '../../../contract/operation.ts'
import type { Answers } from '../../../contract/questions/register.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { SentExchange } from './exchange.ts'
import {
  genericRules,
  checkTransientField,
  toOutcomeName,
  outcomesOf,
  statusOf,
  type GenericRule,
  type GenericRuleId,
  type Judged,
} from './generic-rules.ts'
import { toRuleName, type Evident, type Note, type VerifyFinding } from './report.ts'
import type { Reply } from './reply.ts'
import { sourceOf, type Difference, type Subject } from './drift.ts'
import { checkBody } from './schema-check.ts'

interface Seen {
  readonly pass: Evident
  readonly drifts: Evident[]
}

const shownDifferences = 3

/** Whether an operation may be sent to a deployment that is only read. */
export const isReadingOperation = ({ id, method }: Operation) => method === 'GET' || id === 'queryRows'
export const needsWriting = 'it needs writing (in code, write: true)'

export class Judge {
  readonly #answers: Answers
  readonly #seen = new Map<string, Seen>()
  readonly #statuses = new Map<OperationId, Set<number>>()
  readonly #notes = new Map<string, Note>()
  /** By resource, as errors named them. Assumption: limitFacts */
  readonly limits = new Map<string, number>()
  /** Refusals for lack of a permission, as status and message. */
  readonly forbidden = new Map<OperationId, string>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  hasSucceeded(operation: OperationId): boolean {
    return this.#statuses.get(operation)?.has(operations[operation].success.status) === true
  }

  /** Whether the key has the permission: the rejection of an invalid request shows it, too. */
  isPermitted(operation: OperationId): boolean {
    const seen = this.#statuses.get(operation)
    return this.hasSucceeded(operation) || seen?.has(400) === true || seen?.has(404) === true
  }

  /** Records that a response broke a rule or, without differences, kept it. */
  record(
    operation: Subject,
    rule: GenericRuleId,
    differences: readonly Difference[],
    exchange?: SentExchange,
  ): void {
    const { says, source: own } = genericRules[rule]
    const about = { operation, rule, says, source: sourceOf(own) }
    const { drifts } = getOrInsert(this.#seen, toRuleName(about), (): Seen => ({
      pass: { ...about, outcome: 'pass' },
      drifts: [],
    }))
    const exchanges = exchange ? [exchange] : []
    for (const { expected, got, source: broken = own } of differences) {
      if (drifts.length >= shownDifferences || drifts.some((other) => other.expected === expected)) continue
      const cause = `${rule} ${expected} ${got}`.replace(/\d+/g, '#')
      const source = sourceOf(broken)
      drifts.push({ ...about, source, expected, got, outcome: 'drift', cause, exchanges })
    }
  }

  /** Judges a response after which the request is sent again, if a proxy did not send it. */
  checkTransient(operation: OperationId, reply: Reply, exchange?: SentExchange): void {
    if (reply.status !== 503 || typeof reply.field('error') !== 'string') return
    const missing = checkTransientField(reply.field('transient'))
    if (missing.length > 0) this.record(operation, 'error-body', missing, exchange)
  }

  check(operation: OperationId, reply: Reply, exchange?: SentExchange): void {
    const spec: Operation = operations[operation]
    const { status, isSuccess } = reply
    if (status === 403) this.forbidden.set(operation, reply.summary)
    getOrInsert(this.#statuses, operation, () => new Set()).add(status)
    const body =
      isSuccess && 'schema' in spec.success
        ? checkBody(operation, spec.success.schema, this.#answers, reply.json)
        : undefined
    for (const path of body?.extra ?? []) {
      const note = `has a field that the contract does not name: ${path}`
      this.#notes.set(`${operation} ${note}`, { operation, note })
    }
    this.#judge({ reply, spec, body }, exchange)
  }

  /** Judges the response to a request that calls no operation. */
  checkError(reply: Reply): void {
    this.#judge({ reply })
  }

  #judge(response: Judged, exchange?: SentExchange): void {
    const { reply, spec } = response
    for (const [id, { judge }] of Object.entries<GenericRule>(genericRules)) {
      const differences = judge?.(response)
      if (differences) this.record(spec?.id ?? 'general', id as GenericRuleId, differences, exchange)
    }
    const [resource, limit] = [reply.field('resource'), reply.field('limit')]
    const isLimit = !reply.isSuccess && reply.field('limitReached') === true
    if (isLimit && typeof resource === 'string' && typeof limit === 'number') this.limits.set(resource, limit)
  }

  get notes(): Note[] {
    return [...this.#notes.values()]
  }

  findings(mayWrite: boolean): Evident[] {
    const rules = [...this.#seen.values()].flatMap(({ pass, drifts }) =>
      drifts.length > 0 ? drifts : [pass],
    )
    return [...rules, ...operationList.flatMap((spec) => this.#judgeOutcomes(spec, mayWrite))]
  }

  #judgeOutcomes(spec: Operation, mayWrite: boolean): VerifyFinding[] {
    const { id: operation } = spec
    const seen = this.#statuses.get(operation)
    return outcomesOf(spec).map((status) => {
      const says = `can respond with ${String(status)}`
      const about = { operation, rule: toOutcomeName(status), says, source: sourceOf('contract, Endpoints') }
      if (seen?.has(status)) return { ...about, outcome: 'pass' }
      const isTried = mayWrite || isReadingOperation(spec)
      const why = isTried ? explainUnseen(spec, status) : needsWriting
      return { ...about, outcome: 'not reachable', why, reason: isTried ? 'status' : 'writing' }
    })
  }
}

function explainUnseen(spec: OperationSpec, status: number): string {
  const causes = errorKindsOf(spec)
    .filter((kind) => statusOf(kind) === status)
    .map((kind) => errorKinds[kind].when)
  if (causes.length === 0) return 'no request of this run succeeded'
  return `no request of this run met it, which needs that ${causes.join('; or that ')}`
}

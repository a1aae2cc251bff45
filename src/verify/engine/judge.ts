// Rules for every response of any operation: status, body, headers.
import { ErrorBody, errorKinds, generalErrors, type ErrorKind } from '../../contract/errors.ts'
import { operationList, operations, type OperationId } from '../../contract/index.ts'
import { describeIssue } from '../../contract/schema/issues.ts'
import { errorKindsOf, type OperationSpec } from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/values/quote.ts'
import type { Exchange } from './exchange.ts'
import type { VerifyFinding, Note } from './report.ts'
import type { Reply } from './reply.ts'
import { assumed, contract, type Source, type Subject } from './rule.ts'
import { checkBody } from './schema-check.ts'

interface Difference {
  readonly expected: string
  readonly got: string
  readonly source: Source
  readonly exchange?: Exchange | undefined
}

/** A finding with the exchange that shows it. */
export type Evident = VerifyFinding & { readonly exchange?: Exchange | undefined }

interface Generic {
  readonly says: string
  readonly source: Source
}

/** The rules for every response. */
const genericRules = {
  readable: { says: 'answers with a response that can be read', source: contract('Endpoints') },
  status: { says: 'answers a status of the contract', source: contract('Endpoints') },
  schema: {
    says: 'a success has the fields and types of the contract',
    source: contract('Resources and their fields'),
  },
  seconds: { says: 'times are in Unix seconds', source: contract('opening paragraph') },
  'error-body': { says: 'an error has the body of the contract', source: contract('Errors') },
  'content-type': { says: 'the content type says what the body is', source: contract('opening paragraph') },
  cors: { says: 'browsers may read the answer', source: contract('What the service does, 2') },
  'rate-limit-headers': { says: 'a 429 has X-RateLimit-Limit and Retry-After', source: contract('Errors') },
  'rate-limit-exposed': { says: 'browsers may read both headers of a 429', source: assumed('retryAfter') },
} satisfies Record<string, Generic>
type GenericRule = keyof typeof genericRules

/** Names of the rules that every response is held to, and of the documented outcomes. */
export const genericNames = [
  ...Object.keys(genericRules),
  ...[200, 201, 202, 400, 401, 403, 404, 413, 429].map((status) => `outcome-${String(status)}`),
].map((rule) => ({ operation: 'general' as const, rule }))

const shownDifferences = 3

/** Sent with every request, as a browser would: some deployments send CORS headers for nothing else. */
export const origin = 'https://workspace-api-mock.test'

type Operation = OperationSpec & { readonly id: OperationId }

/** Whether an operation may be sent to a deployment that is only read. */
export const writesNothing = ({ id, method }: Operation) => method === 'GET' || id === 'queryRows'
export const needsWriting = 'it needs writing, which --write allows (in code, write: true)'

const isJson = (type: string | null) => /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')
const statusOf = (kind: ErrorKind) => errorKinds[kind].status

/** Every status that an operation can answer with. */
function possibleStatuses(operation: OperationSpec): Set<number> {
  return new Set([operation.success.status, ...errorKindsOf(operation, generalErrors).map(statusOf)])
}

const missingTransient = (transient: unknown) => ({
  expected: 'transient true in a 503',
  got: quote(transient),
})

/** Moments of the service, and those that a user sets, which may be long ago. */
const serviceTimes = new Set(['created_at', 'updated_at', 'completed_at', 'uploadedAt'])
const userTimes = new Set(['due_date', 'date_start', 'date_end'])

/** Times that are not in seconds: milliseconds lie beyond the year 5138, minutes before 2001. */
function wrongTimes(value: unknown, found: { expected: string; got: string }[] = []) {
  if (typeof value !== 'object' || value === null || found.length > 0) return found
  for (const [name, inner] of Object.entries(value)) {
    const isService = serviceTimes.has(name)
    if (typeof inner === 'number' && (isService || userTimes.has(name))) {
      if (inner >= 1e11 || (isService && inner < 1e9))
        found.push({ expected: `${name} in Unix seconds`, got: String(inner) })
    } else if (typeof inner === 'object' && name !== 'data' && name !== 'custom_data')
      wrongTimes(inner, found)
  }
  return found
}

export class Judge {
  readonly #answers: Answers
  /** Differences by operation and rule; an empty list is a rule that was seen to be kept. */
  readonly #seen = new Map<string, Difference[]>()
  readonly #statuses = new Map<Subject, Set<number>>()
  readonly #notes = new Map<string, Note>()
  /** Limits named by error responses, by resource. Assumption: limitFacts */
  readonly limits = new Map<string, number>()
  /** Operations refused for lack of a permission, with the message. */
  readonly forbidden = new Map<OperationId, string>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  hasSucceeded(operation: OperationId): boolean {
    return this.#statuses.get(operation)?.has(operations[operation].success.status) === true
  }

  /** Whether the key has the permission, as also the refusal of a wrong request shows. */
  isPermitted(operation: OperationId): boolean {
    const seen = this.#statuses.get(operation)
    return this.hasSucceeded(operation) || seen?.has(400) === true || seen?.has(404) === true
  }

  /** Records what a response does differently from a rule; no difference if it keeps the rule. */
  record(
    operation: Subject,
    rule: GenericRule,
    differences: readonly Partial<Difference>[],
    exchange?: Exchange,
  ): void {
    const key = `${operation} ${rule}`
    const known = this.#seen.get(key) ?? []
    this.#seen.set(key, known)
    for (const { expected = '', got = '', source = genericRules[rule].source } of differences)
      if (known.length < shownDifferences && !known.some((other) => other.expected === expected))
        known.push({ expected, got, source, exchange: exchange ?? this.#exchange })
  }

  /** The exchange that is being judged. */
  #exchange: Exchange | undefined

  /** Records whether a response keeps a rule. */
  #expect(operation: Subject, rule: GenericRule, isKept: boolean, expected: string, got: string): void {
    this.record(operation, rule, isKept ? [] : [{ expected, got }])
  }

  /** A response after which it is tried again: what lies between may have made it, so that its body is judged only where it is the API's. */
  checkTransient(operation: OperationId, reply: Reply, exchange?: Exchange): void {
    const transient = reply.field('transient')
    if (reply.status === 503 && typeof reply.field('error') === 'string' && transient !== true)
      this.record(operation, 'error-body', [missingTransient(transient)], exchange)
  }

  /** Judges a response by the declaration of its operation. */
  check(operation: OperationId, reply: Reply, exchange?: Exchange): void {
    this.#exchange = exchange
    const spec: OperationSpec = operations[operation]
    const { status } = reply
    if (status === 403) this.forbidden.set(operation, reply.summary)
    const statuses = this.#statuses.get(operation) ?? new Set()
    this.#statuses.set(operation, statuses.add(status))
    const possible = possibleStatuses(spec)
    const expected = `one of ${[...possible].sort().join(', ')}`
    this.#expect(operation, 'status', possible.has(status), expected, reply.summary)
    this.#checkHeaders(operation, reply)
    if (reply.isSuccess) this.#checkSuccess(operation, reply)
    else this.checkError(operation, reply)
  }

  #checkSuccess(operation: OperationId, reply: Reply): void {
    const { success }: OperationSpec = operations[operation]
    const type = reply.headers.get('content-type')
    if ('binary' in success) {
      const isRight = type?.startsWith(success.binary) === true
      this.#expect(operation, 'content-type', isRight, success.binary, quote(type))
      return
    }
    this.#expect(operation, 'content-type', isJson(type), 'application/json', quote(type))
    const { misfits, extra } = checkBody(operation, this.#answers, reply.json)
    for (const path of extra) this.note(operation, `has a field that the contract does not name: ${path}`)
    const differences = misfits.map(({ question, ...misfit }) => ({
      ...misfit,
      ...(question && { source: assumed(question) }),
    }))
    this.record(operation, 'schema', differences)
    this.record(operation, 'seconds', wrongTimes(reply.json))
  }

  /** Judges the body and content type of an error. */
  checkError(operation: Subject, reply: Reply): void {
    const { json, status, headers } = reply
    const type = headers.get('content-type')
    this.#expect(operation, 'content-type', isJson(type), 'application/json', quote(type))
    const checked = ErrorBody.safeParse(json)
    const differences = checked.success
      ? []
      : checked.error.issues.map((issue) => {
          const [expected = '', got] = describeIssue(issue, json, 'body').split('; received ')
          return { expected, got: got ?? 'nothing' }
        })
    if (checked.success && checked.data.error.trim() === '')
      differences.push({ expected: 'error holds a message', got: '""' })
    if (checked.success && status === 503 && checked.data.transient !== true)
      differences.push(missingTransient(checked.data.transient))
    if (checked.success) {
      const { limitReached, resource, limit } = checked.data
      if (limitReached === true && resource !== undefined && limit !== undefined)
        this.limits.set(resource, limit)
    }
    this.record(operation, 'error-body', differences)
    if (status === 429) this.#checkLimit(operation, reply)
  }

  #checkLimit(operation: Subject, { headers }: Reply): void {
    const wrong = ['Retry-After', 'X-RateLimit-Limit'].filter(
      (name) => !/^\d+$/.test(headers.get(name)?.trim() ?? ''),
    )
    const differences = wrong.map((name) => ({
      expected: `${name} with a whole number`,
      got: quote(headers.get(name)),
    }))
    this.record(operation, 'rate-limit-headers', differences)
    const exposed = headers.get('access-control-expose-headers')
    const names = (exposed ?? '').toLowerCase().split(/\s*,\s*/)
    const isExposed = ['retry-after', 'x-ratelimit-limit'].every((name) => names.includes(name))
    const expected = 'Access-Control-Expose-Headers with Retry-After and X-RateLimit-Limit'
    const isShown = isExposed || names.includes('*')
    this.#expect(operation, 'rate-limit-exposed', isShown, expected, quote(exposed))
  }

  #checkHeaders(operation: Subject, { headers }: Reply): void {
    const allowed = headers.get('access-control-allow-origin')
    const expected = 'Access-Control-Allow-Origin that admits the origin'
    const isAdmitted = allowed === '*' || allowed === origin
    this.#expect(operation, 'cors', isAdmitted, expected, quote(allowed))
  }

  note(operation: OperationId, note: string): void {
    this.#notes.set(`${operation} ${note}`, { operation, note })
  }

  get notes(): Note[] {
    return [...this.#notes.values()]
  }

  /** Findings about the responses of all operations, including their documented outcomes. */
  findings(mayWrite: boolean): Evident[] {
    const outcomes = operationList.flatMap((spec) =>
      this.#outcomeFindings(spec, mayWrite || writesNothing(spec)),
    )
    return [...this.#genericFindings(), ...outcomes]
  }

  #genericFindings(): Evident[] {
    return [...this.#seen].flatMap(([key, differences]): Evident[] => {
      const [operation, rule] = key.split(' ') as [Subject, GenericRule]
      const finding = { operation, rule, ...genericRules[rule] }
      if (differences.length === 0) return [{ ...finding, outcome: 'pass' }]
      return differences.map((difference) => ({ ...finding, ...difference, outcome: 'drift' }))
    })
  }

  #outcomeFindings(spec: Operation, wasAsked: boolean): VerifyFinding[] {
    const { id, success, documentedErrors } = spec
    const seen = this.#statuses.get(id)
    return [success.status, ...documentedErrors].map((status): VerifyFinding => {
      const finding = {
        operation: id,
        rule: `outcome-${String(status)}`,
        says: `can answer ${String(status)}`,
        source: contract('Endpoints'),
      }
      if (seen?.has(status)) return { ...finding, outcome: 'pass' }
      return { ...finding, outcome: 'not reachable', why: wasAsked ? whyUnseen(spec, status) : needsWriting }
    })
  }
}

function whyUnseen(spec: OperationSpec, status: number): string {
  const causes = errorKindsOf(spec, generalErrors)
    .filter((kind) => statusOf(kind) === status)
    .map((kind) => errorKinds[kind].when)
  if (causes.length === 0) return 'no request of this run succeeded'
  return `no request of this run met it, which needs that ${causes.join('; or that ')}`
}

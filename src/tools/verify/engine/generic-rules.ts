// Rules for every response of any operation: status, headers, body.
import { errorKinds, type ErrorKind } from '../../../contract/errors.ts'
import { ErrorBody } from '../../../contract/schema/error-body.ts'
import { operationList, type Operation } from '../../../contract/index.ts'
import { errorKindsOf } from '../../../contract/operation.ts'
import { operationIds } from '../../../contract/scopes.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { quote } from '../../../contract/text/quote.ts'
import { findBreachesIn } from './clauses.ts'
import type { Reply } from './reply.ts'
import type { Difference, SourceText } from './drift.ts'
import { differenceOf, type SchemaCheck } from './schema-check.ts'

export interface Judged {
  readonly reply: Reply
  /** Undefined where a request called no operation. */
  readonly spec?: Operation
  /** Of a success with a JSON body. */
  readonly body?: SchemaCheck | undefined
}

export interface GenericRule {
  readonly says: string
  readonly source: SourceText
  /** Undefined if the rule does not apply to the response. */
  readonly judge?: (judged: Judged) => readonly Difference[] | undefined
}

/** Sent with every request, as a browser would: some deployments send CORS headers for nothing else. */
export const origin = 'https://workspace-api-mock.test'

export const statusOf = (kind: ErrorKind) => errorKinds[kind].status
const isJson = (type: string | null) => /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')

export const parseNames = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/)

/** @param allowed the header `Access-Control-Allow-Origin` */
export const isOriginAllowed = (allowed: string | null) => allowed === '*' || allowed === origin

const differUnless = (isKept: boolean, expected: string, got: unknown): Difference[] =>
  isKept ? [] : [{ expected, got: quote(got) }]

/** Users can set times of long ago. */
const serviceTimes = new Set(['created_at', 'updated_at', 'completed_at', 'uploadedAt'])
const userTimes = new Set(['due_date', 'date_start', 'date_end'])

/** The first time that is not in seconds: milliseconds lie beyond the year 5138, minutes before 2001. */
function findWrongTime(value: unknown): Difference | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const isService = serviceTimes.has(name)
    const isTime = typeof inner === 'number' && (isService || userTimes.has(name))
    if (isTime && (inner >= 1e11 || (isService && inner < 1e9)))
      return { expected: `${name} in Unix seconds`, got: String(inner) }
    const below = name === 'data' || name === 'custom_data' ? undefined : findWrongTime(inner)
    if (below) return below
  }
  return undefined
}

function findRepeatedIds(body: unknown): Difference[] {
  return Object.entries(Object(body) as JsonObject).flatMap(([name, list]) => {
    if (!Array.isArray(list)) return []
    const ids = list.flatMap((record) =>
      isObject(record) && typeof record.id === 'string' ? [record.id] : [],
    )
    const known = new Set<string>()
    const twice = ids.find((id) => known.size === known.add(id).size)
    return differUnless(twice === undefined, `each id of ${name} once`, twice)
  })
}

export const checkTransientField = (transient: unknown) =>
  differUnless(transient === true, 'transient true in a 503', transient)

function judgeErrorBody({ json, status }: Reply): readonly Difference[] {
  const checked = ErrorBody.safeParse(json)
  if (!checked.success) return checked.error.issues.map((issue) => differenceOf(issue, json))
  const { error, transient } = checked.data
  const isEmpty = error.trim() === ''
  return [
    ...(isEmpty ? [{ expected: 'error holds a message', got: '""' }] : []),
    ...(status === 503 ? checkTransientField(transient) : []),
  ]
}

/** In the order of judgement. `readable` is recorded where a request got no response. */
export const genericRules = {
  readable: { says: 'responds with something that can be read', source: 'contract, Endpoints' },
  status: {
    says: 'responds with a status of the contract',
    source: 'contract, Endpoints',
    judge: ({ reply, spec }) => {
      if (!spec) return undefined
      const possible: number[] = [spec.success.status, ...errorKindsOf(spec).map(statusOf)]
      if (possible.includes(reply.status)) return []
      return [{ expected: `one of ${[...new Set(possible)].sort().join(', ')}`, got: reply.summary }]
    },
  },
  cors: {
    says: 'browsers can read the response',
    source: 'contract, What the service does, 2',
    judge: ({ reply: { headers }, spec }) => {
      const allowed = headers.get('access-control-allow-origin')
      const expected = 'Access-Control-Allow-Origin that admits the origin'
      return spec && differUnless(isOriginAllowed(allowed), expected, allowed)
    },
  },
  'content-type': {
    says: 'the content type says what the body is',
    source: 'contract, opening paragraph',
    judge: ({ reply: { headers, isSuccess }, spec }) => {
      const type = headers.get('content-type')
      if (isSuccess && spec && 'binary' in spec.success)
        return differUnless(type?.startsWith(spec.success.binary) === true, spec.success.binary, type)
      return differUnless(isJson(type), 'application/json', type)
    },
  },
  schema: {
    says: 'a success has the fields and types of the contract',
    source: 'contract, Resources and their fields',
    judge: ({ body }) => body?.differences,
  },
  values: {
    says: 'a success holds the values that the contract asks for',
    source: 'contract, Resources and their fields',
    judge: ({ body, reply, spec }) =>
      body?.differences.length === 0 && spec ? findBreachesIn(spec.id, reply.json) : undefined,
  },
  'unique-ids': {
    says: 'no two records of a listing have the same id',
    source: 'contract, Resources and their fields',
    judge: ({ body, reply }) => body && findRepeatedIds(reply.json),
  },
  seconds: {
    says: 'times are in Unix seconds',
    source: 'contract, opening paragraph',
    judge: ({ body, reply }) => body && [findWrongTime(reply.json)].filter((wrong) => wrong !== undefined),
  },
  'error-body': {
    says: 'an error has the body of the contract',
    source: 'contract, Errors',
    judge: ({ reply }) => (reply.isSuccess ? undefined : judgeErrorBody(reply)),
  },
  'rate-limit-headers': {
    says: 'a 429 has X-RateLimit-Limit and Retry-After',
    source: 'contract, Errors',
    judge: ({ reply: { status, headers } }) =>
      status === 429
        ? ['Retry-After', 'X-RateLimit-Limit'].flatMap((name) => {
            const value = headers.get(name)
            return differUnless(/^\d+$/.test(value?.trim() ?? ''), `${name} with a whole number`, value)
          })
        : undefined,
  },
  'rate-limit-exposed': {
    says: 'browsers can read both headers of a 429',
    source: 'assumption retryAfter',
    judge: ({ reply: { status, headers } }) => {
      if (status !== 429) return undefined
      const exposed = headers.get('access-control-expose-headers')
      const names = parseNames(exposed)
      const areExposed = ['retry-after', 'x-ratelimit-limit'].every((name) => names.includes(name))
      const expected = 'Access-Control-Expose-Headers with Retry-After and X-RateLimit-Limit'
      return differUnless(areExposed || names.includes('*'), expected, exposed)
    },
  },
} satisfies Record<string, GenericRule>
export type GenericRuleId = keyof typeof genericRules

export const outcomesOf = ({ success, documentedErrors }: Operation) => [success.status, ...documentedErrors]
export const toOutcomeName = (status: number) => `outcome-${String(status)}`

export const genericNames = [
  ...(['general', ...operationIds] as const).flatMap((operation) =>
    Object.keys(genericRules).map((rule) => ({ operation, rule })),
  ),
  ...operationList.flatMap((spec) =>
    outcomesOf(spec).map((status) => ({ operation: spec.id, rule: toOutcomeName(status) })),
  ),
]

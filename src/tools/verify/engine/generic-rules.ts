// Rules for every response of any operation, for what no comparison with the mock shows.
import type { Operation } from '../../../contract/index.ts'
import { operationIds } from '../../../contract/scopes.ts'
import { findBreachesIn } from './clauses.ts'
import type { Reply } from './reply.ts'
import type { Breach, Difference, SourceText } from './drift.ts'

export interface Judged {
  readonly reply: Reply
  /** Undefined where a request called no operation. */
  readonly spec?: Operation
  /** Whether it is a success whose body fits its schema. */
  readonly fits?: boolean
}

export interface GenericRule {
  readonly says: string
  readonly source: SourceText
  /** Undefined if the rule does not apply to the response. */
  readonly judge?: (judged: Judged) => readonly Breach[] | undefined
}

/** Sent with every request, as a browser would: some deployments send CORS headers for nothing else. */
export const origin = 'https://workspace-api-mock.test'

const isJson = (type: string | null) => /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')

export const parseNames = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/)

/** @param allowed the header `Access-Control-Allow-Origin` */
export const isOriginAllowed = (allowed: string | null) => allowed === '*' || allowed === origin

const expectHeader = (isKept: boolean, path: string, expected: string, got: string | null): Difference[] =>
  isKept ? [] : [{ path, kind: 'header', expected, got }]

/** In the order of judgement. `readable` is recorded where a request got no response. */
export const genericRules = {
  readable: { says: 'responds with something that can be read', source: 'contract, Endpoints' },
  cors: {
    says: 'browsers can read the response',
    source: 'contract, What the service does, 2',
    judge: ({ reply: { headers }, spec }) => {
      const name = 'access-control-allow-origin'
      const allowed = headers.get(name)
      return spec && expectHeader(isOriginAllowed(allowed), name, 'the origin, or *', allowed)
    },
  },
  'content-type': {
    says: 'the content type says what the body is',
    source: 'contract, opening paragraph',
    judge: ({ reply: { headers, isSuccess }, spec }) => {
      const type = headers.get('content-type')
      const binary = isSuccess && spec && 'binary' in spec.success ? spec.success.binary : undefined
      const isKept = binary === undefined ? isJson(type) : type?.startsWith(binary) === true
      return expectHeader(isKept, 'content-type', binary ?? 'application/json', type)
    },
  },
  values: {
    says: 'a success holds the values that the contract asks for',
    source: 'contract, Resources and their fields',
    judge: ({ fits, reply, spec }) =>
      fits === true && spec ? findBreachesIn(spec.id, reply.json) : undefined,
  },
  'rate-limit-headers': {
    says: 'a 429 has X-RateLimit-Limit and Retry-After, which browsers can read',
    source: 'contract, Errors',
    judge: ({ reply: { status, headers } }) => {
      if (status !== 429) return undefined
      const wanted = ['retry-after', 'x-ratelimit-limit']
      const exposed = headers.get('access-control-expose-headers')
      const names = parseNames(exposed)
      const isExposed = names.includes('*') || wanted.every((name) => names.includes(name))
      return [
        ...wanted.flatMap((name) => {
          const value = headers.get(name)
          return expectHeader(/^\d+$/.test(value?.trim() ?? ''), name, 'a whole number', value)
        }),
        ...expectHeader(isExposed, 'access-control-expose-headers', wanted.join(', '), exposed).map(
          (breach): Breach => ({ ...breach, source: 'assumption retryAfter' }),
        ),
      ]
    },
  },
} satisfies Record<string, GenericRule>
export type GenericRuleId = keyof typeof genericRules

export const genericNames = (['general', ...operationIds] as const).flatMap((operation) =>
  Object.keys(genericRules).map((rule) => ({ operation, rule })),
)

// Responses that no handler creates: errors, injected failures and preflights. Adds hints to any response.
import {
  ApiError,
  errorKinds,
  limitOfKind,
  type ErrorFacts,
  type ErrorKind,
  type LimitName,
} from '../../contract/errors.ts'
import { limitOf } from '../../contract/plan-limits.ts'
import type { ErrorBody } from '../../contract/schema/error-body.ts'
import { messageOf } from '../../contract/text/format.ts'
import { toPlainLines } from '../../contract/text/quote.ts'
import type { WorkspaceRecord } from '../../contract/workspaces.ts'
import { usageOf } from '../../service/resources/workspaces.ts'
import type { Store } from '../../service/store/store.ts'
import { principalOf } from './authenticate.ts'
import type { ApiResponse, Call } from './call.ts'
import type { OpenExchange } from './exchange.ts'

const exposedHeaders = 'X-RateLimit-Limit, Retry-After, Content-Disposition'

/** Sent with every response, so that browsers can call from any origin. Source: contract, What the service does (CORS). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
} as const

export const jsonHeaders = { 'content-type': 'application/json', ...corsHeaders } as const

const hintCharacters = 500

/** One line of ASCII, truncated if long, because clients refuse responses whose headers exceed about 16 KB. */
function toHintText(text: string): string {
  const cut = text.length > hintCharacters ? `${text.slice(0, hintCharacters)}...` : text
  return cut.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Headers that carry a hint and let browsers read it. Set only with a hint, or recorded pacts would expect them. */
const toHintHeaders = (text: string) => ({
  'x-mock-hint': toHintText(text),
  'access-control-expose-headers': `${exposedHeaders}, X-Mock-Hint`,
})

/** Source: contract, Errors. Assumption: limitFacts, retryAfter */
export function toErrorResponse(kind: ErrorKind, message: string, facts: ErrorFacts = {}): ApiResponse {
  const { status } = errorKinds[kind]
  const { limit } = facts
  const resource = limitOfKind(kind)
  const headers: Record<string, string> = { ...jsonHeaders }
  if (status === 429) {
    headers['retry-after'] = String(facts.retryAfter ?? 1)
    headers['x-ratelimit-limit'] = String(limit?.limit ?? 0)
  }
  if (facts.hint !== undefined) Object.assign(headers, toHintHeaders(facts.hint))
  const body: ErrorBody & Record<string, unknown> = {
    error: toPlainLines(message),
    ...(resource && limit && { limitReached: true, resource, limit: limit.limit, current: limit.current }),
    ...(status === 503 && { transient: true }),
    ...facts.body,
  }
  return { status, refusal: kind, reported: facts.reported ?? false, headers, body: JSON.stringify(body) }
}

/** Converts an error of the API, or of the mock itself, to a response. */
export function toFailureResponse(error: unknown): ApiResponse {
  if (error instanceof ApiError) return toErrorResponse(error.kind, error.message, error.facts)
  return toErrorResponse('serverError', `the mock failed: ${messageOf(error)}`)
}

export const withHint = (response: ApiResponse, hint: string | undefined): ApiResponse =>
  hint === undefined || 'x-mock-hint' in response.headers
    ? response
    : { ...response, headers: { ...response.headers, ...toHintHeaders(hint) } }

/** A limit that the plan does not set is reported as just used up. Assumption: limitFacts */
function limitFactsOf(store: Store, workspace: WorkspaceRecord, kind: ErrorKind, name: LimitName) {
  if (kind === 'asyncBulk') return { limit: 0, current: 0 }
  const used = usageOf(store, workspace)[name]?.used ?? 0
  const limit = limitOf(store.answers, workspace, name) ?? Math.max(1, used)
  return { limit, current: 'inUse' in errorKinds[kind] ? limit : limit + 1 }
}

/** Names the limits of the workspace that the sent key belongs to, or else of the first workspace. */
export function toInjectedResponse(
  { store, sentKey }: OpenExchange,
  kind: ErrorKind,
  retryAfter: number,
): ApiResponse {
  const { status, when } = errorKinds[kind]
  const workspace = principalOf(store, sentKey)?.workspace ?? store.workspaces.all()[0]
  const name = limitOfKind(kind)
  const limit = name && workspace && limitFactsOf(store, workspace, kind, name)
  return toErrorResponse(kind, `${when} (injected)`, {
    ...(limit && { limit }),
    ...(status === 429 && { retryAfter }),
  })
}

/** Responds to a request that no operation matches. */
export const respondToUnknownOperation = ({ method, path, outside, baseUrl }: Call): ApiResponse =>
  toErrorResponse(
    'unknownOperation',
    outside === undefined
      ? `No operation matches ${method} /v1${path}`
      : `No operation matches ${method} ${outside}: it is not under ${baseUrl}`,
  )

export const respondToPreflight = (call: Call): ApiResponse => ({
  status: 204,
  headers: {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      call.header('access-control-request-headers') ??
      'Authorization, Content-Type, Prefer, X-Mock-Sandbox, X-Mock-Label',
    'access-control-max-age': '86400',
  },
  body: null,
})

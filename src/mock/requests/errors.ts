// Builds error responses: body and headers.
import { errorKinds, limitOfKind, type ErrorKind, type ErrorFacts } from '../../contract/errors.ts'
import type { ErrorBody } from '../../contract/schema/error-body.ts'
import type { ApiResponse } from './call.ts'

const exposedHeaders = 'X-RateLimit-Limit, Retry-After, Content-Disposition'

/** Sent with every response: browsers can call from any origin. Source: contract, What the service does (CORS). */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
} as const

export const jsonHeaders = { 'content-type': 'application/json', ...corsHeaders } as const

const hintCharacters = 500

/** One line of ASCII, cut if long: clients refuse responses whose head exceeds some 16 KB. */
function toHintText(text: string): string {
  const cut = text.length > hintCharacters ? `${text.slice(0, hintCharacters)}...` : text
  return cut.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A hint, readable by browsers. Exposed only where it is sent: a recorded contract would ask the real API for it. */
export const toHintHeaders = (text: string) => ({
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
    error: message,
    ...(resource && limit && { limitReached: true, resource, limit: limit.limit, current: limit.current }),
    ...(status === 503 && { transient: true }),
    ...facts.body,
  }
  return { status, refusal: kind, reported: facts.reported ?? false, headers, body: JSON.stringify(body) }
}

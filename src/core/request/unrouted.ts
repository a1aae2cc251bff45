// Responses to requests that match no operation, and to preflights.
import type { Answer, Call } from '../call.ts'
import { corsHeaders, errorAnswer } from '../errors.ts'
import { isBareStorageKey, nearestOperation } from './route.ts'

export const preflightAnswer = (call: Call): Answer => ({
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

export function unknownAnswer(call: Call): Answer {
  const hint = isBareStorageKey(call.method, call.path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : `did you mean ${nearestOperation(call.method, call.path)}?`
  const message =
    call.outside === undefined
      ? `No operation matches ${call.method} /v1${call.path}`
      : `No operation matches ${call.method} ${call.outside}: it is not below ${call.baseUrl}`
  return errorAnswer('unknownOperation', message, { hint })
}

// Responses to requests that match no operation, and to preflights.
import type { ApiResponse, Call } from '../call.ts'
import { corsHeaders, errorResponse } from '../errors.ts'
import { isBareStorageKey, nearestOperation } from './route.ts'

export const preflightResponse = (call: Call): ApiResponse => ({
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

export function unknownOperationResponse(call: Call): ApiResponse {
  const hint = isBareStorageKey(call.method, call.path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : `did you mean ${nearestOperation(call.method, call.path)}?`
  const message =
    call.outside === undefined
      ? `No operation matches ${call.method} /v1${call.path}`
      : `No operation matches ${call.method} ${call.outside}: it is not below ${call.baseUrl}`
  return errorResponse('unknownOperation', message, { hint })
}

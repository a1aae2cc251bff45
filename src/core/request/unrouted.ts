// Responses to requests that match no operation, and to preflights.
import type { ApiResponse, Call } from '../call.ts'
import { corsHeaders, errorResponse } from '../errors.ts'
import { isBareStorageKey, suggestOperations } from './route.ts'

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
  const { method, path, outside, baseUrl } = call
  const nearest = `did you mean ${suggestOperations(method, path)}?`
  if (outside !== undefined) {
    const message = `No operation matches ${method} ${outside}: it is not below ${baseUrl}`
    return errorResponse('unknownOperation', message, { hint: `the API is at ${baseUrl}; ${nearest}` })
  }
  const hint = isBareStorageKey(method, path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : nearest
  return errorResponse('unknownOperation', `No operation matches ${method} /v1${path}`, { hint })
}

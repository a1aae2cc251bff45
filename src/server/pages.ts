// Requests that browsers make on their own: the start page, which redirects to the console, and an icon.
import type { IncomingMessage } from 'node:http'
import type { ApiResponse } from '../core/call.ts'
import { errorResponse } from '../core/errors.ts'

/** These requests are not recorded in journal and report, since they are not addressed to the API. */
export function pageResponse({ method = '', headers }: IncomingMessage, path: string): ApiResponse {
  const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '')
  if (path === '/' && (method === 'GET' || method === 'HEAD') && isBrowser)
    return { status: 302, headers: { location: '/__mock/', 'cache-control': 'no-store' }, body: null }
  const hint = 'the API is at /v1, the console at /__mock/'
  return errorResponse('unknownOperation', `No operation matches ${method} ${path}`, { hint })
}

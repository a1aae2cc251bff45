// Requests that browsers make by themselves: the start page, which leads to the console, and an icon.
import type { IncomingMessage } from 'node:http'
import type { Answer } from '../core/call.ts'
import { errorAnswer } from '../core/errors.ts'

/** Not requests of the API: journal and report do not record them. */
export function pageAnswer({ method = '', headers }: IncomingMessage, path: string): Answer {
  const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '')
  if (path === '/' && (method === 'GET' || method === 'HEAD') && isBrowser)
    return { status: 302, headers: { location: '/__mock/', 'cache-control': 'no-store' }, body: null }
  const hint = 'the API is at /v1, the console at /__mock/'
  return errorAnswer('unknownOperation', `No operation matches ${method} ${path}`, { hint })
}

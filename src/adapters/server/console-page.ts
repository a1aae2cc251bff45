// The console page: one self-contained HTML document that only sends requests to its own origin.
import type { ApiResponse } from '../../mock/requests/call.ts'
import { hashSource, readScript, toDocument } from '../page/document.ts'

/** The page; if its bundle is missing or cannot be read, a page that says so. */
export function toConsoleResponse(): ApiResponse {
  const script = readScript('console.js')
  const content =
    script === undefined
      ? '<p>The bundle of the console is missing or cannot be read. In a checkout, run <code>npm run build</code>.</p>'
      : `<noscript>The console needs JavaScript.</noscript>\n<script type="module">${script}</script>`
  // Nothing is loaded from elsewhere; other origins can neither frame nor open the page.
  const policy = [
    "default-src 'none'",
    `script-src ${script === undefined ? "'none'" : hashSource(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return { status: script === undefined ? 503 : 200, headers, body: toDocument('Mock console', content) }
}

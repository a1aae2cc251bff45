// The console page: one HTML document with everything in it, which sends requests to its own origin only.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { ApiResponse } from '../../mock/requests/call.ts'

/** Places of the console's bundle: next to the bundle of this file, or relative to the sources. */
const places = ['./console.js', '../../../dist/console.js']

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect x='2.8' y='2.8' " +
  "width='18.4' height='18.4' rx='5' fill='none' stroke='%232a55c8' stroke-width='2' stroke-dasharray='3.2 2.6'/%3E" +
  "%3Ccircle cx='12' cy='12' r='4' fill='%232a55c8'/%3E%3C/svg%3E"

/** The script of the console; undefined if its bundle is missing or cannot be read. */
function readBundle(): string | undefined {
  const file = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url))
  try {
    // The source of a script must not contain its end tag.
    return file && readFileSync(file, 'utf8').replaceAll('</script', '<\\/script')
  } catch {
    return undefined
  }
}

function documentOf(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mock console</title>
<link rel="icon" href="${icon}">
</head>
<body>
${content}
</body>
</html>
`
}

/** The page; if its bundle is missing or cannot be read, a page that says so. */
export function toConsoleResponse(): ApiResponse {
  const script = readBundle()
  const content =
    script === undefined
      ? '<p>The bundle of the console is missing, or cannot be read. In a checkout, run <code>npm run build:console</code>.</p>'
      : `<noscript>The console needs JavaScript.</noscript>\n<script type="module">${script}</script>`
  const hash = script === undefined ? undefined : createHash('sha256').update(script).digest('base64')
  // Nothing is loaded from elsewhere; other origins can neither frame nor open the page.
  const policy = [
    "default-src 'none'",
    `script-src ${hash === undefined ? "'none'" : `'sha256-${hash}'`}`,
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
  return { status: script === undefined ? 503 : 200, headers, body: documentOf(content) }
}

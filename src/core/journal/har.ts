// The journal as HAR 1.2, which browsers' developer tools open.
import { toBase64 } from '../../contract/values/base64.ts'
import { contentTypeOf } from './entry.ts'
import { addressOf } from './weight.ts'
import { isMultipart } from '../request/multipart.ts'
import type { Exchange } from '../exchange.ts'

/** The parts of HAR 1.2 that are made here. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
  }
}

interface HarPair {
  readonly name: string
  readonly value: string
}

interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: Readonly<Record<string, unknown>>
  readonly response: Readonly<Record<string, unknown>>
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
}

const pairs = (record: Iterable<readonly [string, string]>): HarPair[] =>
  [...record].map(([name, value]) => ({ name, value }))

type Body = Exchange['responseBody']

const encoder = new TextEncoder()

function sizeOf(body: Body): number {
  if (body === null) return 0
  if (typeof body === 'string') return encoder.encode(body).length
  return 'sizeBytes' in body ? body.sizeBytes : body.length
}

/** Of a multipart body only size and type are shown, as in the journal: its boundary differs from run to run. */
function postDataOf(body: Body, contentType: string | null) {
  if (!(body instanceof Uint8Array)) return {}
  const mimeType = contentType ?? 'application/octet-stream'
  if (isMultipart(mimeType)) return { postData: { mimeType, text: '' } }
  return { postData: { mimeType, text: new TextDecoder().decode(body) } }
}

function contentOf(body: Body): { readonly text: string; readonly encoding?: 'base64' } {
  if (typeof body === 'string') return { text: body }
  return body instanceof Uint8Array ? { text: toBase64(body), encoding: 'base64' } : { text: '' }
}

function harEntry(baseUrl: string, exchange: Exchange): HarEntry {
  const { atMs, method, queryText, requestBody, status, headers, responseBody } = exchange
  const contentType = contentTypeOf(exchange)
  return {
    startedDateTime: new Date(atMs).toISOString(),
    time: 0,
    request: {
      method,
      url: `${baseUrl}${addressOf(exchange)}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: contentType === null ? [] : [{ name: 'content-type', value: contentType }],
      queryString: pairs(new URLSearchParams(queryText)),
      ...postDataOf(requestBody, contentType),
      headersSize: -1,
      bodySize: sizeOf(requestBody),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(headers)),
      content: {
        size: sizeOf(responseBody),
        mimeType: headers['content-type'] ?? 'application/octet-stream',
        ...contentOf(responseBody),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: sizeOf(responseBody),
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  }
}

/** Times are on the mock's clock; keys are not in it. */
export function harOf(baseUrl: string, exchanges: readonly Exchange[]): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'workspace-api-mock', version: '1' },
      entries: exchanges.map((exchange) => harEntry(baseUrl, exchange)),
    },
  }
}

// The journal as HAR.
import { toBase64 } from '../../contract/data/base64.ts'
import { toHar, type Har, type HarExchange } from '../../contract/data/har.ts'
import { contentTypeOf } from './entry.ts'
import { addressOf } from './weight.ts'
import { isMultipart } from '../request/multipart.ts'
import type { Exchange } from '../exchange.ts'

type Body = Exchange['responseBody']

const unknownType = 'application/octet-stream'
const encoder = new TextEncoder()

function sizeOf(body: Body): number {
  if (body === null) return 0
  if (typeof body === 'string') return encoder.encode(body).length
  return 'sizeBytes' in body ? body.sizeBytes : body.length
}

/** Of a multipart body only size and type are shown, as in the journal: its boundary differs from run to run. */
function postDataOf(body: Body, mimeType: string) {
  if (!(body instanceof Uint8Array)) return {}
  return { postData: { mimeType, text: isMultipart(mimeType) ? '' : new TextDecoder().decode(body) } }
}

function contentOf(body: Body): { readonly text: string; readonly encoding?: 'base64' } {
  if (typeof body === 'string') return { text: body }
  return body instanceof Uint8Array ? { text: toBase64(body), encoding: 'base64' } : { text: '' }
}

function toHarExchange(baseUrl: string, exchange: Exchange): HarExchange {
  const { atMs, method, requestBody, status, headers, responseBody } = exchange
  const contentType = contentTypeOf(exchange)
  return {
    startedDateTime: new Date(atMs).toISOString(),
    request: {
      method,
      url: `${baseUrl}${addressOf(exchange)}`,
      headers: contentType === null ? [] : [['content-type', contentType]],
      ...postDataOf(requestBody, contentType ?? unknownType),
      bodySize: sizeOf(requestBody),
    },
    response: {
      status,
      headers: Object.entries(headers),
      content: {
        size: sizeOf(responseBody),
        mimeType: headers['content-type'] ?? unknownType,
        ...contentOf(responseBody),
      },
    },
  }
}

/** Times are on the mock's clock; keys are not in it. */
export const journalHar = (baseUrl: string, exchanges: readonly Exchange[]): Har =>
  toHar(
    'workspace-api-mock',
    exchanges.map((exchange) => toHarExchange(baseUrl, exchange)),
  )

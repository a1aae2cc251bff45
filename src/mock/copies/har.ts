// Converts the journal to HAR.
import { toBase64 } from '../../contract/data/base64.ts'
import { toHar, type Har, type HarExchange } from '../../contract/data/har.ts'
import { contentTypeOf, partsOf } from '../journal/entry.ts'
import { urlOf } from '../journal/weight.ts'
import { isMultipart } from '../requests/multipart.ts'
import type { Exchange } from '../journal/exchange.ts'

type CapturedBody = Exchange['responseBody']

const unknownType = 'application/octet-stream'
const encoder = new TextEncoder()

function sizeOf(body: CapturedBody): number {
  if (body === null) return 0
  if (typeof body === 'string') return encoder.encode(body).length
  return 'sizeBytes' in body ? body.sizeBytes : body.length
}

const tooLarge =
  'The body is left out: the journal keeps bodies up to 64 KiB each, and journalBytes in total.'

function postDataOf(exchange: Exchange, mimeType: string) {
  const { requestBody: body } = exchange
  if (body === null) return {}
  if (isMultipart(mimeType)) {
    const params = partsOf(exchange)?.map(({ name, filename, contentType }) => ({
      name: name ?? '',
      ...(filename !== undefined && { fileName: filename }),
      ...(contentType !== undefined && { contentType }),
    }))
    const comment =
      'The body is left out: a multipart boundary differs from run to run. params lists the parts.'
    return { postData: { mimeType, text: '', ...(params && { params }), comment } }
  }
  if (body instanceof Uint8Array) return { postData: { mimeType, text: new TextDecoder().decode(body) } }
  return { postData: { mimeType, text: '', comment: tooLarge } }
}

function harContentOf(body: CapturedBody) {
  if (typeof body === 'string') return { text: body }
  if (body instanceof Uint8Array) return { text: toBase64(body), encoding: 'base64' as const }
  return body === null ? { text: '' } : { text: '', comment: tooLarge }
}

function toHarExchange(baseUrl: string, exchange: Exchange): HarExchange {
  const { atMs, method, requestBody, status, headers, responseBody } = exchange
  const contentType = contentTypeOf(exchange)
  return {
    startedDateTime: new Date(atMs).toISOString(),
    waitMs: exchange.delayMs,
    request: {
      method,
      url: urlOf(baseUrl, exchange),
      headers: contentType === null ? [] : [['content-type', contentType]],
      ...postDataOf(exchange, contentType ?? unknownType),
      bodySize: sizeOf(requestBody),
    },
    response: {
      status,
      headers: Object.entries(headers),
      content: {
        size: sizeOf(responseBody),
        mimeType: headers['content-type'] ?? unknownType,
        ...harContentOf(responseBody),
      },
    },
  }
}

export const toJournalHar = (baseUrl: string, exchanges: readonly Exchange[]): Har =>
  toHar(
    'workspace-api-mock',
    exchanges.map((exchange) => toHarExchange(baseUrl, exchange)),
  )

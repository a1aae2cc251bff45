// Recognizes repeated requests without keeping their bodies.
import { hashOf } from '../store/hash.ts'
import { operations } from '../contract/index.ts'
import { isMultipart } from '../core/request/multipart.ts'
import type { OpenExchange } from '../core/exchange.ts'

/** The boundary of a multipart body: it differs from attempt to attempt, whatever else stays the same. */
function boundaryOf(contentType: string | null): Uint8Array | undefined {
  if (!isMultipart(contentType)) return undefined
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '') ?? []
  const boundary = quoted ?? bare
  return boundary === undefined ? undefined : new TextEncoder().encode(boundary)
}

/** A hash of the body, or the size of one that is too large; undefined if neither is known. */
function bodyOf({ operation, contentType, call, sent }: OpenExchange): string | undefined {
  if (sent instanceof Uint8Array) return hashOf([sent], boundaryOf(contentType))
  if (sent !== null) {
    // The size of one that was not read to its end is known only from its header.
    const size = sent.reason === 'too-large' ? call.header('content-length') : String(sent.sizeBytes)
    return size === null ? undefined : `not kept, ${size}`
  }
  const takesBody = operation === null || 'body' in operations[operation]
  return call.body === null || !takesBody ? '' : undefined
}

/** Distinguishes a client's requests to one target by body, and the error they ask for with `Prefer`; undefined if unknown. */
export function signatureOf(exchange: OpenExchange): string | undefined {
  const body = bodyOf(exchange)
  if (body === undefined) return undefined
  const askedFor = exchange.fault === 'prefer' ? exchange.status : ''
  return `${body} ${String(askedFor)}`
}

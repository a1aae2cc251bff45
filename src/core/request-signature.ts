// Owns telling whether two requests are the same without keeping their bodies.
import { operations } from '../contract/index.ts'
import type { Exchange } from './journal.ts'
import { clientOf, type Context } from '../client-report/context.ts'

const encoder = new TextEncoder()

/** The boundary of a multipart body: it differs from attempt to attempt, whatever else stays the same. */
function boundaryOf(contentType: string | null): Uint8Array | undefined {
  if (!/^\s*multipart\//i.test(contentType ?? '')) return undefined
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '') ?? []
  const boundary = quoted ?? bare
  return boundary === undefined ? undefined : encoder.encode(boundary)
}

function startsAt(bytes: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

/** Two FNV-1a hashes of the bytes, passing over every occurrence of `passedOver`. */
function hashOf(bytes: Uint8Array, passedOver: Uint8Array | undefined): string {
  let left = 0x811c9dc5
  let right = 0x1b873593
  let counted = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === passedOver?.[0] && startsAt(bytes, passedOver, at)) {
      at += passedOver.length - 1
      continue
    }
    left = Math.imul(left ^ byte, 0x01000193)
    right = Math.imul(right ^ byte, 0x85ebca6b) ^ (right >>> 13)
    counted += 1
  }
  return `${String(counted)}.${String(left)}.${String(right)}`
}

/** A stand-in for the body; undefined where it was not read, so that nothing can be said of it. */
function bodyOf({ operation, contentType }: Exchange, { call, sent }: Context): string | undefined {
  if (sent instanceof Uint8Array) return hashOf(sent, boundaryOf(contentType))
  if (sent === 'too-large') return `more than can be read, ${call.header('content-length') ?? ''}`
  if (sent !== null) return `${String(sent.sizeBytes)}.${hashOf(sent.head, boundaryOf(contentType))}`
  const takesBody = operation === null || 'body' in operations[operation]
  return call.body === null || !takesBody ? '' : undefined
}

/** Method and address of a request. */
export const targetOf = ({ method, path, query }: Exchange): string =>
  query === '' ? `${method} ${path}` : `${method} ${path}?${query}`

/**
 * What tells requests to one target apart: who sends them, what they carry, and which error they ask for with
 * `Prefer`. Undefined where the body is not known.
 */
export function signatureOf(exchange: Exchange, context: Context): string | undefined {
  const body = bodyOf(exchange, context)
  if (body === undefined) return undefined
  const askedFor = exchange.fault === 'prefer' ? exchange.status : ''
  return `${clientOf(context)} ${body} ${String(askedFor)}`
}

// What the report's rules read from a request.
import type { Exchange } from '../journal/exchange.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import { decodeSegment } from '../requests/locate.ts'
import { isHeld, paramsOf } from '../journal/weight.ts'

/** A decoded path parameter; empty if the path has no such part. */
export function idOf(exchange: Exchange | OpenExchange, name: string): string {
  const params = 'route' in exchange ? exchange.route?.params : paramsOf(exchange)
  return decodeSegment(params?.[name] ?? '')
}

export type Json = Readonly<Record<string, unknown>>

/** The JSON of a body; undefined if there is none or the journal no longer holds it. */
export function parseJsonObject(body: Exchange['responseBody']): Json | undefined {
  if (!isHeld(body)) return undefined
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

// Formats requests from the journal as text to paste: curl, fetch, a vitest test, or the faults that trigger their
// errors.
import { limitOfKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import { toCurlCommand, utf8Of } from '../../contract/text/curl.ts'
import type { OwnResponse } from '../faults/own-response.ts'
import { corsHeaders } from '../requests/responses.ts'
import type { FaultSpec, FaultStatuses } from '../faults/fault-spec.ts'
import type { Exchange } from '../journal/exchange.ts'
import { urlOf } from '../journal/weight.ts'
import type { Store } from '../../service/store/store.ts'
import { toBytesLiteral, toLiteral, toTextLiteral } from '../../contract/text/literal.ts'

export const copyFormats = ['curl', 'fetch', 'vitest', 'fault'] as const
export type CopyFormat = (typeof copyFormats)[number]

export interface CopySource {
  /** Provides the names of the keys and of the fixture. */
  readonly store: Store
  /** Undefined for the main sandbox. */
  readonly sandboxName: string | undefined
}

/** Stands for a key the mock does not know; the key itself is never shown. */
export const unknownKey = 'unknown-key'

/** The request headers that the mock reads, other than Authorization and Content-Type. */
export function otherHeadersOf(
  { label, fault, status, baseUrl }: Exchange,
  sandboxName?: string,
): HeaderList {
  const headers: [string, string][] = []
  const isInPath = sandboxName !== undefined && baseUrl.endsWith(`/sandboxes/${sandboxName}/v1`)
  if (sandboxName !== undefined && !isInPath) headers.push(['X-Mock-Sandbox', sandboxName])
  if (label !== null) headers.push(['X-Mock-Label', label])
  if (fault === 'prefer') headers.push(['Prefer', `code=${String(status)}`])
  return headers
}

type HeaderList = readonly (readonly [name: string, value: string])[]

export function headersOf(exchange: Exchange, key: string, sandboxName?: string): HeaderList {
  const { isKeySent, contentType } = exchange
  const headers: [string, string][] = isKeySent ? [['Authorization', `Bearer ${key}`]] : []
  if (contentType !== null) headers.push(['Content-Type', contentType])
  return [...headers, ...otherHeadersOf(exchange, sandboxName)]
}

/** The body as sent. Undefined if there was none, `omitted` if the journal does not hold it. */
export function sentBodyOf({ requestBody: body }: Exchange): Uint8Array | undefined | 'omitted' {
  if (body === null || (body instanceof Uint8Array && body.length === 0)) return undefined
  return body instanceof Uint8Array ? body : 'omitted'
}

/** Writes the second argument of `fetch`. @param authorization source code for that header's value, if it is not in `headers` */
export function toFetchOptions(exchange: Exchange, headers: HeaderList, authorization?: string): string {
  const body = sentBodyOf(exchange)
  const lines = exchange.method === 'GET' ? [] : [`method: ${toTextLiteral(exchange.method)}`]
  if (headers.length > 0) {
    const written = headers.map(([given, value]) => {
      const name = given.toLowerCase()
      const text = (name === 'authorization' ? authorization : undefined) ?? toTextLiteral(value)
      return `${/^\w+$/.test(name) ? name : toTextLiteral(name)}: ${text}`
    })
    lines.push(`headers: { ${written.join(', ')} }`)
  }
  if (body === 'omitted') lines.push('body: FILE')
  else if (body !== undefined) {
    const bytes = toBytesLiteral(body)
    // `fetch` would add a content type to a string.
    const isText = utf8Of(body) !== undefined && exchange.contentType === null
    lines.push(`body: ${isText ? `new TextEncoder().encode(${bytes})` : bytes}`)
  }
  return lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line},\n`).join('')}}`
}

const isFailed = ({ status }: Exchange) => status === 0 || status >= 400

/** A response set by the test, without the headers that every response has. */
function ownResponseOf({ status, headers: all, responseBody }: Exchange): OwnResponse {
  const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in corsHeaders)))
  return { status, headers, ...(typeof responseBody === 'string' && { body: responseBody }) }
}

/** The fault that causes the same error response, or a 503 for a request that succeeded. */
function faultOf(exchange: Exchange): FaultSpec {
  const { operation, status, refusal, isInjected, effects, headers } = exchange
  const phase = isInjected && effects.length > 0 ? ({ phase: 'after' } as const) : {}
  const of = operation === null ? {} : { operation }
  if (status === 0) return { ...of, network: true, ...phase }
  if (isInjected && refusal === null) return { ...of, effect: { respond: ownResponseOf(exchange) }, ...phase }
  const resource = refusal === null ? undefined : limitOfKind(refusal)
  return {
    ...of,
    status: isFailed(exchange) ? (status as FaultStatuses[OperationId]) : 503,
    ...(resource !== undefined && { resource }),
    ...(status === 429 && { retryAfter: Number(headers['retry-after'] ?? 1) }),
    ...phase,
  }
}

export const toFaultLine = (exchange: Exchange) => `mock.fault(${toLiteral(faultOf(exchange))})`

/** Writes a fault for each request that failed, or for all if none did. Requests that match no operation get none. */
function toFaultLines(exchanges: readonly Exchange[]): string {
  const matched = exchanges.filter(({ operation }) => operation !== null)
  const failed = matched.filter((exchange) => isFailed(exchange) || exchange.isInjected)
  return (failed.length > 0 ? failed : matched).map(toFaultLine).join('\n')
}

export function copyRequests(
  format: Exclude<CopyFormat, 'vitest'>,
  exchanges: readonly Exchange[],
  source: CopySource,
): string {
  if (format === 'fault') return toFaultLines(exchanges)
  const copy = (exchange: Exchange) => {
    const headers = headersOf(exchange, exchange.sender?.id ?? unknownKey, source.sandboxName)
    const url = urlOf(exchange.baseUrl, exchange)
    if (format === 'fetch') return `await fetch(${toTextLiteral(url)}${toFetchOptions(exchange, headers)})`
    const sent = sentBodyOf(exchange)
    const body = sent === 'omitted' ? { file: 'FILE' } : sent
    return toCurlCommand({ method: exchange.method, url, headers, body }, { separator: ' \\\n  ' })
  }
  return exchanges.map(copy).join('\n')
}

// Requests of the journal as text to paste: curl, fetch, a vitest test, or the faults that bring their errors about.
import { limitOfKind } from '../contract/errors.ts'
import type { OperationId } from '../contract/index.ts'
import { curlCommand, utf8Of } from '../contract/text/curl.ts'
import type { FaultSpec, FaultStatuses } from '../core/fault-spec.ts'
import type { Exchange } from '../core/exchange.ts'
import { urlOf } from '../core/journal/weight.ts'
import type { Store } from '../store/store.ts'
import { bytesLiteral, literal, textLiteral } from '../contract/text/literal.ts'

/** What requests can be copied as. */
export const copyFormats = ['curl', 'fetch', 'vitest', 'fault'] as const
export type CopyFormat = (typeof copyFormats)[number]

/** Where the exchanges come from. */
export interface CopySource {
  readonly store: Store
  /** Undefined for the main sandbox. */
  readonly sandboxName: string | undefined
}

/** Replaces a key that the mock does not know, which is never shown. */
export const unknownKey = 'unknown-key'

const keyOf = ({ store }: CopySource, sender: string | null) =>
  store.keys.all().find(({ name }) => name === sender)?.id ?? unknownKey

/** The headers that the mock evaluates, other than Authorization and Content-Type. */
export function otherHeaders({ label, fault, status, baseUrl }: Exchange, sandboxName?: string): Headers {
  const headers: [string, string][] = []
  const isInPath = sandboxName !== undefined && baseUrl.endsWith(`/sandboxes/${sandboxName}/v1`)
  if (sandboxName !== undefined && !isInPath) headers.push(['X-Mock-Sandbox', sandboxName])
  if (label !== null) headers.push(['X-Mock-Label', label])
  if (fault === 'prefer') headers.push(['Prefer', `code=${String(status)}`])
  return headers
}

type Headers = readonly (readonly [name: string, value: string])[]

/** All headers that the mock evaluates. */
export function headersOf(exchange: Exchange, key: string, sandboxName?: string): Headers {
  const { isKeySent, contentType } = exchange
  const headers: [string, string][] = isKeySent ? [['Authorization', `Bearer ${key}`]] : []
  if (contentType !== null) headers.push(['Content-Type', contentType])
  return [...headers, ...otherHeaders(exchange, sandboxName)]
}

/** The body as sent; undefined without one, `omitted` if the journal does not have it. */
export function sentBody({ requestBody: body }: Exchange): Uint8Array | undefined | 'omitted' {
  if (body === null || (body instanceof Uint8Array && body.length === 0)) return undefined
  return body instanceof Uint8Array ? body : 'omitted'
}

function toCurl(exchange: Exchange, source: CopySource): string {
  const { method, baseUrl } = exchange
  const body = sentBody(exchange)
  const request = {
    method,
    url: urlOf(baseUrl, exchange),
    headers: headersOf(exchange, keyOf(source, exchange.sender), source.sandboxName),
    body: body === 'omitted' ? { file: 'FILE' } : body,
  }
  return curlCommand(request, { separator: ' \\\n  ' })
}

/** The second argument of `fetch`. @param authorization source of the value of that header, if it is not as in `headers` */
export function fetchOptions(exchange: Exchange, headers: Headers, authorization?: string): string {
  const body = sentBody(exchange)
  const lines = exchange.method === 'GET' ? [] : [`method: ${textLiteral(exchange.method)}`]
  if (headers.length > 0) {
    const written = headers.map(([given, value]) => {
      const name = given.toLowerCase()
      const text = (name === 'authorization' ? authorization : undefined) ?? textLiteral(value)
      return `${/^\w+$/.test(name) ? name : textLiteral(name)}: ${text}`
    })
    lines.push(`headers: { ${written.join(', ')} }`)
  }
  if (body === 'omitted') lines.push('body: FILE')
  else if (body !== undefined) {
    const bytes = bytesLiteral(body)
    // A string would be sent with a content type.
    const isText = utf8Of(body) !== undefined && exchange.contentType === null
    lines.push(`body: ${isText ? `new TextEncoder().encode(${bytes})` : bytes}`)
  }
  return lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line},\n`).join('')}}`
}

function toFetch(exchange: Exchange, source: CopySource): string {
  const headers = headersOf(exchange, keyOf(source, exchange.sender), source.sandboxName)
  const url = textLiteral(urlOf(exchange.baseUrl, exchange))
  return `await fetch(${url}${fetchOptions(exchange, headers)})`
}

const isFailed = ({ status }: Exchange) => status === 0 || status >= 400

/** The fault that causes the same error response; 503 for a request that succeeded. */
function faultOf(exchange: Exchange): FaultSpec {
  const { operation, status, refusal, isInjected, effects, headers } = exchange
  const phase = isInjected && effects.length > 0 ? ({ phase: 'after' } as const) : {}
  const of = operation === null ? {} : { operation }
  if (status === 0) return { ...of, network: true, ...phase }
  const resource = refusal === null ? undefined : limitOfKind(refusal)
  return {
    ...of,
    status: isFailed(exchange) ? (status as FaultStatuses[OperationId]) : 503,
    ...(resource !== undefined && { resource }),
    ...(status === 429 && { retryAfter: Number(headers['retry-after'] ?? 1) }),
    ...phase,
  }
}

export const faultLine = (exchange: Exchange) => `mock.fault(${literal(faultOf(exchange))})`

/** A fault for each request that failed, or for all if none did. Requests outside the API have none. */
function faultLines(exchanges: readonly Exchange[]): string {
  const ours = exchanges.filter(({ operation }) => operation !== null)
  const failed = ours.filter(isFailed)
  return (failed.length > 0 ? failed : ours).map(faultLine).join('\n')
}

/** All formats except the test, which has a file of its own. */
export function copyRequests(
  format: Exclude<CopyFormat, 'vitest'>,
  exchanges: readonly Exchange[],
  source: CopySource,
): string {
  if (format === 'fault') return faultLines(exchanges)
  const write = format === 'curl' ? toCurl : toFetch
  return exchanges.map((exchange) => write(exchange, source)).join('\n')
}

// What a request is addressed to: surface, path, sandbox and host.
import type { IncomingMessage } from 'node:http'
import { quote } from '../../contract/text/quote.ts'
import { isHost } from './addresses.ts'

export interface Target {
  readonly surface: 'api' | 'control' | 'page'
  /** Relative to the surface's root, still encoded; as sent if it is outside all surfaces. */
  readonly path: string
  /** The query without the question mark. */
  readonly query: string
  readonly isOutside?: true
  /** The sandbox named by the path, still encoded; null if the path names no sandbox. */
  readonly sandbox: string | null
}

export const apiRoot = '/v1'
const controlRoot = '/__mock'
export const sandboxHeader = 'x-mock-sandbox'

/** Paths that browsers request on their own. */
const pages: readonly string[] = ['/', '/favicon.ico']

const isWithin = (path: string, root: string) =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/')

/** `/sandboxes/NAME` in front of a root is equivalent to the header `X-Mock-Sandbox: NAME`. */
const sandboxPath = /^\/sandboxes\/([^/]*)(\/(?:v1|__mock)(?:\/.*)?)$/

/** A path outside both surfaces becomes an API path that matches no operation, so that the API itself responds. */
export function targetOf(url: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = local.indexOf('?')
  const query = mark === -1 ? '' : local.slice(mark + 1)
  return findTarget(mark === -1 ? local : local.slice(0, mark), query, null)
}

function findTarget(path: string, query: string, sandbox: string | null): Target {
  if (isWithin(path, apiRoot))
    return { surface: 'api', path: path.slice(apiRoot.length) || '/', query, sandbox }
  if (isWithin(path, controlRoot))
    return { surface: 'control', path: path.slice(controlRoot.length) || '/', query, sandbox }
  const [, name, rest] = sandboxPath.exec(path) ?? []
  if (name !== undefined && rest !== undefined) return findTarget(rest, query, name)
  if (pages.includes(path)) return { surface: 'page', path, query, sandbox }
  return { surface: 'api', path, query, sandbox, isOutside: true }
}

/** The sandbox of a request, named by its path or its header; null if neither does. */
export const sandboxOf = (request: IncomingMessage, { sandbox }: Target): string | null =>
  sandbox ?? headerOf(request, sandboxHeader)

/** The error message if path and header name different sandboxes; undefined if they agree. */
export function findSandboxConflict(request: IncomingMessage, { sandbox }: Target): string | undefined {
  const sent = headerOf(request, sandboxHeader)
  if (sandbox === null || sent === null || sent === sandbox) return undefined
  return `the path and X-Mock-Sandbox must name the same sandbox; received ${quote(sandbox)} and ${quote(sent)}`
}

/** The base address that a request was sent to. @param own the server's origin, used if the Host header is invalid */
export function baseUrlOf({ headers: { host } }: IncomingMessage, { sandbox }: Target, own: string): string {
  const origin = host !== undefined && isHost(host) ? `http://${host}` : own
  return `${origin}${sandbox === null ? '' : `/sandboxes/${sandbox}`}${apiRoot}`
}

/** The address of the control API, as the request reached it. */
export const controlAddressOf = (request: IncomingMessage, target: Target): string =>
  baseUrlOf(request, target, 'http://localhost').slice(0, -apiRoot.length) + controlRoot

const withoutPort80 = (authority: string) => authority.toLowerCase().replace(/:80$/, '')

/** The error message if a request does not name exactly one host. Node joins repeated headers. Source: RFC 9112, 3.2 */
export function findHostConflict({ url = '/', headers: { host } }: IncomingMessage): string | undefined {
  if (host?.includes(',')) return `the request must have exactly one Host header; received ${quote(host)}`
  if (url.startsWith('/') || host === undefined) return undefined
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (authority === undefined || withoutPort80(authority) === withoutPort80(host)) return undefined
  return `the request's target and its Host header must name the same host; received ${quote(authority)} and ${quote(host)}`
}

/** The value of a header by its lower-case name; null if absent. */
export function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
}

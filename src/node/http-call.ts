// Owns the way from a node:http request to the core's plain call.
import type { IncomingMessage } from 'node:http'
import type { Call, CallBody } from '../http/call.ts'
import { hostName } from './addresses.ts'

/** Where a request is addressed to, and how it is called there. */
export interface Target {
  readonly surface: 'api' | 'control'
  /** Relative to the surface's root, still encoded; begins with a slash. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

const apiRoot = '/v1'
const controlRoot = '/__mock'

const isWithin = (path: string, root: string) =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/')

/**
 * The target of a request line. What lies outside both surfaces is a path out of the API's root, which is no
 * operation, so that the API itself says so.
 */
export function targetOf(url: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = local.indexOf('?')
  const path = mark === -1 ? local : local.slice(0, mark)
  const query = mark === -1 ? '' : local.slice(mark + 1)
  if (isWithin(path, apiRoot)) return { surface: 'api', path: path.slice(apiRoot.length) || '/', query }
  if (isWithin(path, controlRoot))
    return { surface: 'control', path: path.slice(controlRoot.length) || '/', query }
  return { surface: 'api', path: path.startsWith('/') ? `/..${path}` : `/../${path}`, query }
}

/** The value of a header by its lower-case name; null where absent. */
export function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
}

/** A request as the core takes it; what few operations need is worked out when it is asked for. */
export class HttpCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: CallBody
  readonly #request: IncomingMessage
  readonly #ownBaseUrl: string

  constructor(request: IncomingMessage, { path, query }: Target, body: CallBody, ownBaseUrl: string) {
    this.method = request.method ?? 'GET'
    this.path = path
    this.query = query
    this.body = body
    this.#request = request
    this.#ownBaseUrl = ownBaseUrl
  }

  get baseUrl(): string {
    const { host } = this.#request.headers
    return host !== undefined && hostName(host) !== null ? `http://${host}${apiRoot}` : this.#ownBaseUrl
  }

  header(name: string): string | null {
    return headerOf(this.#request, name)
  }
}

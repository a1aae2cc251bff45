// Owns the way from a node:http request to the core's plain call.
import type { IncomingMessage } from 'node:http'
import type { Call, CallBody } from '../core/call.ts'
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

/** The base address a request came to, from its Host header; the latest is kept, since most requests share it. */
export class BaseUrls {
  readonly #own: () => string
  #host = ''
  #baseUrl = ''

  /** @param own the server's, for requests without a usable Host header */
  constructor(own: () => string) {
    this.#own = own
  }

  of(host = ''): string {
    if (host === '' || host !== this.#host) {
      this.#baseUrl = hostName(host) === null ? this.#own() : `http://${host}${apiRoot}`
      this.#host = host
    }
    return this.#baseUrl
  }
}

/** A request as the core takes it. */
export class HttpCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: CallBody
  readonly #request: IncomingMessage
  readonly #baseUrls: BaseUrls

  constructor(request: IncomingMessage, { path, query }: Target, body: CallBody, baseUrls: BaseUrls) {
    this.method = request.method ?? 'GET'
    this.path = path
    this.query = query
    this.body = body
    this.#request = request
    this.#baseUrls = baseUrls
  }

  get baseUrl(): string {
    return this.#baseUrls.of(this.#request.headers.host)
  }

  header(name: string): string | null {
    return headerOf(this.#request, name)
  }
}

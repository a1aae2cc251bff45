// Converts between Fetch objects and the core's plain calls and responses.
import { maskAddress } from '../../contract/text/quote.ts'
import { Reception } from '../../mock/requests/reception.ts'
import { BodyCollector } from '../../mock/requests/body-collector.ts'
import {
  NetworkFault,
  UsedBodyError,
  type ApiResponse,
  type BodyLimits,
  type Call,
  type CallBody,
  type CallHandler,
} from '../../mock/requests/call.ts'
import { waitForTurn } from '../../mock/sandboxes/real-time.ts'
import { readSystemMs } from '../../service/store/clock.ts'
import { toFetchResponse } from './text-response.ts'

/**
 * Responds to a request.
 * @param url the request's address, passed in because every read of it is slow
 * @param source the copy whose body is read; by default the request itself
 * @param isKept whether the journal keeps headers and times for the console
 */
export type FetchAdapter = (
  request: Request,
  url: string,
  source?: Request,
  isKept?: boolean,
) => Promise<Response>

type WebStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** Platforms differ: Firefox has no `Request.body`; in node-fetch it is a Node stream, and the signal can be null. */
interface PlatformRequest {
  readonly body?: WebStream | object | null
  readonly bodyUsed?: boolean
  readonly signal?: AbortSignal | null
}

const signalOf = (request: PlatformRequest) => request.signal ?? undefined
const isWebStream = (body: PlatformRequest['body']): body is WebStream =>
  typeof (body as Partial<WebStream> | null | undefined)?.getReader === 'function'

/** The body as the platform exposes it: null if there is none, undefined if only reading it can tell. */
const platformBodyOf = (request: Request): PlatformRequest['body'] =>
  // Reading `body` is slow, and most requests are GET or HEAD.
  request.method === 'GET' || request.method === 'HEAD' ? null : (request as PlatformRequest).body

const isUsed = ({ bodyUsed }: PlatformRequest, body: PlatformRequest['body']) =>
  bodyUsed === true || (isWebStream(body) && body.locked)

/** Returns a request whose body can be read while the original keeps its own. */
export function copyBody(request: Request): Request {
  const body = platformBodyOf(request)
  return body === null || isUsed(request, body) ? request : request.clone()
}

/** True if a URL is below a base address: only a slash, a query, a fragment or nothing can follow the address. */
export function isBelow(baseUrl: string, url: string): boolean {
  if (!url.startsWith(baseUrl)) return false
  const next = url[baseUrl.length]
  return next === '/' || next === '?' || next === '#' || next === undefined
}

/** The request that `fetch` would send. An address without a scheme is relative to the base address. */
function toRequest(baseUrl: string, input: Request | URL | string, init?: RequestInit): Request {
  if (typeof input !== 'string' && !(input instanceof URL)) {
    // Not instanceof, because test environments can have a Request class of their own.
    if (typeof (input as Partial<Request> | null)?.url !== 'string')
      throw new TypeError(`mock.fetch takes a Request, a URL or a string; received ${typeof input}`)
    return init === undefined ? input : new Request(input, init)
  }
  const url = String(input)
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(url)
  return new Request(isAbsolute ? url : `${baseUrl}/${url.replace(/^\/+/, '')}`, init)
}

/** The error `fetch` rejects with when the connection breaks or the body cannot be read. */
const toFetchError = (cause: unknown) => new TypeError('fetch failed', { cause })

/** @throws {TypeError} if the stream fails or yields anything but bytes; the signal's reason once it is aborted */
async function readStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  limits: BodyLimits,
): Promise<CallBody> {
  const reader = stream.getReader()
  // Cancelling ends the pending read, even if the stream stalls.
  const cancel = () => void reader.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  const collector = new BodyCollector(limits)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      // Not instanceof, because in jest's jsdom the bytes of a form come from another realm.
      if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== '[object Uint8Array]')
        throw new TypeError('a chunk of the body is not a Uint8Array')
      if (collector.add(value)) continue
      cancel()
      break
    }
  } catch (error) {
    cancel()
    throw signal?.aborted ? signal.reason : toFetchError(error)
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  signal?.throwIfAborted()
  return collector.body
}

/** Reads the whole body at once, for platforms without a stream. @throws like `readStream` */
async function readWhole(
  request: Request,
  signal: AbortSignal | undefined,
  limits: BodyLimits,
): Promise<CallBody> {
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_, fail) => {
    abort = () => fail(signal?.reason as Error)
    signal?.addEventListener('abort', abort, { once: true })
  })
  try {
    const collector = new BodyCollector(limits)
    collector.add(new Uint8Array(await Promise.race([request.arrayBuffer(), aborted])))
    return collector.body
  } catch (error) {
    throw signal?.aborted ? signal.reason : toFetchError(error)
  } finally {
    if (abort) signal?.removeEventListener('abort', abort)
  }
}

class FetchCall implements Call {
  readonly method: string
  readonly path: string
  readonly outside: string | undefined
  readonly query: string
  readonly baseUrl: string
  readonly body: Call['body']
  readonly isBodyUsed: boolean
  readonly signal?: AbortSignal
  readonly reception: Reception | undefined
  /**
   * Keyed by lower-case name, which the Headers of some test environments do not provide. Read once, because reading
   * one header takes as long as reading them all.
   */
  readonly #headers = new Map<string, string>()

  constructor(baseUrl: string, request: Request, url: string, source: Request, reception?: Reception) {
    const signal = signalOf(request)
    const fragment = url.indexOf('#')
    const end = fragment === -1 ? url.length : fragment
    const question = url.indexOf('?')
    const pathEnd = question === -1 || question > end ? end : question
    const isInside = isBelow(baseUrl, url)
    this.method = request.method
    this.path = isInside ? url.slice(baseUrl.length, pathEnd) || '/' : new URL(url).pathname
    this.outside = isInside ? undefined : url.slice(0, pathEnd)
    this.query = url.slice(pathEnd + 1, end)
    this.baseUrl = baseUrl
    const body = platformBodyOf(source)
    this.isBodyUsed = body !== null && isUsed(source, body)
    this.body =
      body === null
        ? null
        : (limits) =>
            isWebStream(body) ? readStream(body, signal, limits) : readWhole(source, signal, limits)
    if (signal) this.signal = signal
    this.reception = reception
    request.headers.forEach((value, name) => this.#headers.set(name.toLowerCase(), value))
  }

  header(name: string): string | null {
    return this.#headers.get(name) ?? null
  }

  headers(): Iterable<readonly [string, string]> {
    return this.#headers
  }
}

/** Responses resolve in microtasks. After this many, timers such as a test's time limit get a turn. */
const responsesATurn = 200

// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as fetch rejects
const reject = (reason: unknown) => Promise.reject<Response>(reason)

/**
 * Responds to Fetch requests below a base address. Rejects like `fetch`: with the signal's reason if the request is
 * aborted, and with a TypeError if a fault breaks the connection, the body was already read, or its stream fails. A
 * rejected request has no effect, unless a fault broke its connection or it was aborted after its body had arrived.
 */
export function createFetchAdapter(baseUrl: string, handler: CallHandler): FetchAdapter {
  /** Requests in progress. Node links a request's signal to the caller's only while the request is referenced. */
  const open = new Set<Request>()
  let responses = 0
  let turn: Promise<void> | undefined
  /** All responses wait until the event loop has turned, so their order is kept. */
  const inTurn = <T extends Response | Promise<Response>>(respond: () => T): T | Promise<Response> => {
    responses += 1
    if (responses % responsesATurn === 0) turn ??= waitForTurn().then(() => void (turn = undefined))
    return turn ? turn.then(respond) : respond()
  }
  const deliver = (request: Request, response: ApiResponse) => {
    open.delete(request)
    signalOf(request)?.throwIfAborted()
    return toFetchResponse(response, request.method)
  }
  const fail = (request: Request, error: unknown): never => {
    open.delete(request)
    signalOf(request)?.throwIfAborted()
    if (error instanceof UsedBodyError)
      console.error(`[workspace-api-mock] ${request.method} ${maskAddress(request.url)}: ${error.message}`)
    throw error instanceof NetworkFault ? toFetchError(error) : error
  }
  // Not an async function, because each additional promise takes measurable time.
  return (request, url, source = request, isKept = false) => {
    const signal = signalOf(request)
    if (signal?.aborted) return inTurn(() => reject(signal.reason))
    open.add(request)
    const reception = isKept ? new Reception([...request.headers].flat(), readSystemMs()) : undefined
    return handler.handle(new FetchCall(baseUrl, request, url, source, reception)).then(
      (response) => {
        reception?.end(readSystemMs())
        return inTurn(() => deliver(request, response))
      },
      (error: unknown) => {
        reception?.end(readSystemMs())
        return inTurn(() => fail(request, error))
      },
    )
  }
}

export function createFetch(baseUrl: string, adapter: FetchAdapter) {
  const open = new Set<Request>()
  return (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    try {
      const request = toRequest(baseUrl, input, init)
      const response = adapter(request, request.url)
      if (typeof input === 'string' || input instanceof URL || input === request) return response
      // Keeps the original referenced, because the new request's signal follows the original's.
      open.add(input)
      return response.finally(() => open.delete(input))
    } catch (error) {
      return reject(error)
    }
  }
}

// The server on node:http: reads bodies within limits, writes responses, and ends connections.
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
// Imported, so that a test's fake timers do not affect the server.
import { clearTimeout, setTimeout } from 'node:timers'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Reception } from '../../mock/requests/reception.ts'
import { BodyCollector, type BodyBudget } from '../../mock/requests/body-collector.ts'
import { NetworkFault, type ApiResponse, type BodyLimits, type CallBody } from '../../mock/requests/call.ts'
import { toErrorResponse, toFailureResponse } from '../../mock/requests/responses.ts'
import { toRawResponse, writeResponse } from './write-response.ts'

/** The client closed the connection, so nobody is waiting for the response. */
const hungUp = new NetworkFault('the client hung up')

/** A response with data about its request. A map keyed by request would slow down every garbage collection. */
export class HostResponse extends ServerResponse {
  /** What the journal keeps about an API request for the console. */
  reception: Reception | undefined = undefined
  /** The body of the request, held until the response is sent. */
  collector: BodyCollector | undefined = undefined
}

interface Connection {
  /** The response to the latest request, sent or not. */
  latest: ServerResponse | undefined
  /** Settles once the latest request body has been read. */
  reading: Promise<unknown> | undefined
  /** True if the latest response is a stream that stays open until one side ends it. */
  isStream: boolean
}

interface HostOptions {
  /** Maximum bytes of API request bodies held at the same time. */
  readonly bytesInFlight: number
  respond(outgoing: HostResponse): Promise<ApiResponse>
  /** Called for each request once its response has been written; with null if the connection was broken instead. */
  onResponse(request: IncomingMessage, response: ApiResponse | null): void
}

/** Longer than the pauses of a test suite, so that no client reuses a connection that has just been closed. */
const keepAliveMs = 60_000
/** Maximum time for requests in progress to finish once the server is closing. */
const closingMs = 2000
/** Delay before a reset, because some clients treat bytes and a reset that arrive together as a normal end. */
const resetAfterMs = 10

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** True while a request is waiting for its response. */
const isBusy = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && !response.writableFinished && !response.destroyed

export class Host {
  readonly server: Server<typeof IncomingMessage, typeof HostResponse>
  readonly #options: HostOptions
  readonly #budget: BodyBudget
  readonly #connections = new Map<Duplex, Connection>()
  #isClosing = false

  constructor(options: HostOptions) {
    this.#options = options
    this.#budget = { freeBytes: options.bytesInFlight }
    this.server = createServer({
      IncomingMessage,
      ServerResponse: HostResponse,
      keepAliveTimeout: keepAliveMs,
      // The mock itself responds to a request without a Host header, with the API's error body.
      requireHostHeader: false,
      // As in a Headers object, repeated Authorization headers are joined and thus invalid.
      joinDuplicateHeaders: true,
      // Detects clients that disappeared and left half-open connections.
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    })
    // A client that half-closed its connection still waits for the response.
    Object.assign(this.server, { httpAllowHalfOpen: true })
    const listener = (request: IncomingMessage, outgoing: HostResponse) => this.#accept(request, outgoing)
    this.server.on('request', listener).on('checkContinue', listener).on('checkExpectation', listener)
    this.server.on('connection', (socket) => this.#follow(socket))
    this.server.on('clientError', (error, socket) => this.#refuse(socket, error.message))
    this.server.on('connect', ({ url = '' }, socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(
        toRawResponse(
          toErrorResponse('unknownOperation', `No operation matches CONNECT ${url}`),
          'Not Found',
        ),
      )
    })
  }

  #connectionOf(socket: Duplex): Connection {
    const none = () => ({ latest: undefined, reading: undefined, isStream: false })
    return getOrInsert(this.#connections, socket, none)
  }

  #follow(socket: Socket): void {
    this.#connectionOf(socket)
    socket.once('close', () => this.#connections.delete(socket))
    // The parser does not notice if the body of an upgrade request is cut off.
    socket.once('end', () => {
      const { latest } = this.#connectionOf(socket)
      if (!latest || latest.req.complete || latest.req.headers.upgrade === undefined) return
      if (latest.headersSent) socket.destroy()
      else this.#refuse(socket, 'the body is cut off')
    })
  }

  #accept({ socket }: IncomingMessage, outgoing: HostResponse): void {
    const connection = this.#connectionOf(socket)
    connection.latest = outgoing
    const { respond } = this.#options
    // Node emits a pipelined request before the previous request's body has been read.
    const response = connection.reading?.then(() => respond(outgoing)) ?? respond(outgoing)
    response.then(
      (result) => this.#finish(outgoing, result),
      (error: unknown) =>
        error instanceof NetworkFault
          ? this.#breakOff(outgoing, error)
          : this.#finish(outgoing, toFailureResponse(error)),
    )
  }

  #finish(outgoing: HostResponse, response: ApiResponse): void {
    const { req } = outgoing
    outgoing.collector?.release()
    // A client that has not received 100 Continue may or may not send its body.
    const isUnsent = req.headers.expect !== undefined && !req.complete
    if (this.#isClosing || isUnsent) outgoing.shouldKeepAlive = false
    try {
      writeResponse(outgoing, response)
      this.#end(outgoing, response)
    } catch (error) {
      if (outgoing.headersSent) req.socket.destroy()
      else this.#finish(outgoing, toFailureResponse(error))
    }
  }

  /**
   * Breaks the connection so that the program under test sees the failure. Many clients resend a request on their own
   * if a reused connection ends without a byte; half a status line prevents that in most of them. Bun and Deno resend
   * until they have received a whole head, but do not resend after an invalid one.
   */
  #breakOff(outgoing: HostResponse, error: NetworkFault): void {
    const { req } = outgoing
    outgoing.collector?.release()
    const isRepeated = /^(?:Bun|Deno)\//.test(req.headers['user-agent'] ?? '')
    const end = (socket: Socket) => {
      socket.write(isRepeated ? 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n' : 'HTTP/1.1 ')
      setTimeout(() => socket.resetAndDestroy(), resetAfterMs)
    }
    if (error === hungUp) req.socket.destroy()
    else if (outgoing.socket) end(outgoing.socket)
    // Responses to earlier requests on the connection are sent first.
    else outgoing.once('socket', end)
    this.#end(outgoing, null)
  }

  #end({ req, reception }: HostResponse, response: ApiResponse | null): void {
    reception?.end(Date.now())
    this.#options.onResponse(req, response)
  }

  /** Responds to input that is not valid HTTP, after the responses to earlier requests. */
  #refuse(socket: Duplex, reason: string): void {
    const respond = () => {
      const response = toErrorResponse('validation', `the request is not valid HTTP/1.1: ${reason}`)
      if (socket.writable) socket.end(toRawResponse(response, 'Bad Request'), () => socket.destroy())
      else socket.destroy()
    }
    const { latest } = this.#connectionOf(socket)
    // The response was sent before the rest of its request turned out to be malformed.
    if (latest?.req.complete === false && latest.headersSent) socket.destroy()
    else if (latest?.req.complete === true && isBusy(latest)) latest.once('close', respond)
    else respond()
  }

  /** Reads a request's body, or says why it was not kept. Rejects if the client hangs up before the end of the body. */
  readBody(outgoing: HostResponse, limits: BodyLimits, budget = this.#budget): CallBody | Promise<CallBody> {
    const { req } = outgoing
    if (limits.mostBytes === 0 || !hasBody(req)) return null
    const sizeBytes = Number(req.headers['content-length'] ?? 0)
    if (sizeBytes > limits.mostBytes) return { sizeBytes, isTooLarge: true }
    // Clients such as curl ask before they send a large body.
    if (/100-continue/i.test(req.headers.expect ?? '')) outgoing.writeContinue()
    const collector = new BodyCollector(limits, budget)
    outgoing.collector = collector
    const connection = this.#connectionOf(req.socket)
    const body = collectBody(req, collector)
    const end = () => {
      if (connection.reading === reading) connection.reading = undefined
    }
    const reading: Promise<void> = body.then(end, end)
    connection.reading = reading
    return body
  }

  /** Leaves a response open until one side ends it. */
  keepOpen({ req: { socket } }: ServerResponse): void {
    this.#connectionOf(socket).isStream = true
  }

  endStreams(): void {
    for (const [socket, { isStream }] of this.#connections) if (isStream) socket.destroy()
  }

  /** Ends idle connections, uploads and streams at once, other connections after their response, and all after 2 s. */
  close(): Promise<void> {
    this.#isClosing = true
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.server.closeAllConnections(), closingMs)
      this.server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      for (const [socket, { latest, isStream }] of this.#connections)
        if (isStream || !isBusy(latest) || !latest.req.complete) socket.destroy()
    })
  }
}

function collectBody(request: IncomingMessage, collector: BodyCollector): Promise<CallBody> {
  return new Promise((resolve, reject) => {
    let isRead = false
    const finish = () => {
      if (isRead) return
      isRead = true
      resolve(collector.body)
    }
    const giveUp = () => {
      if (!isRead) reject(hungUp)
    }
    // The rest of a body that is too large is received and dropped.
    request.on('data', (chunk: Buffer) => {
      if (!isRead && !collector.add(chunk)) finish()
    })
    request.on('end', finish).on('error', giveUp).on('close', giveUp)
    if (request.destroyed) giveUp()
  })
}

/** A signal that is aborted when the connection closes before the response has been sent. */
export function createHangUpSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const { socket } = outgoing.req
  const abort = () => controller.abort(hungUp)
  if (socket.destroyed) abort()
  socket.once('close', abort)
  outgoing.once('close', () => socket.off('close', abort))
  return controller.signal
}

// The standalone server: start, end, and responses to input that is not valid HTTP.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { quote } from '../contract/text/quote.ts'
import { assertFields } from '../core/parse-or-throw.ts'
import { errorResponse } from '../core/errors.ts'
import type { WorkspaceMock } from '../mock.ts'
import { isHostName, isLoopbackHost, urlHost } from './addresses.ts'
import { Connections } from './connections.ts'
import type { ControlApi } from './control-api.ts'
import { createGuard, type Guard } from './guard.ts'
import { BaseUrls } from './http-call.ts'
import { createListener, type ListenerContext, type LoggedRequest } from './listener.ts'
import { BodyBudget } from './read-body.ts'
import { rawResponse } from './send.ts'

export interface ServeOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Host names that can use the control API, in addition to this machine's own, such as `mock.internal`. */
  readonly allowHosts?: readonly string[] | undefined
  /**
   * The value of `X-Mock-Token` required on every request to the control API. Default: none if only this machine can
   * reach the server, else a generated one.
   */
  readonly controlToken?: string | undefined
  /** Maximum bytes of request bodies held at the same time; beyond this a request gets 503. Default 256 MiB. */
  readonly bytesInFlight?: number | undefined
  /** Called for every request once its response has been sent. */
  readonly log?: ((request: LoggedRequest) => void) | undefined
}

const optionNames = [
  'port',
  'host',
  'allowHosts',
  'controlToken',
  'bytesInFlight',
  'log',
] satisfies (keyof ServeOptions)[]

export interface RunningServer {
  /** Origin of the server, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** Base address of the API: `url` and `/v1`. */
  readonly baseUrl: string
  readonly port: number
  /** Whether only this machine can reach the server. */
  readonly isLoopback: boolean
  /** The value of `X-Mock-Token` that the control API requires; null if none. */
  readonly controlToken: string | null
  /** Address of the console page, with the token if there is one. */
  readonly consoleUrl: string
  /** Serves another mock from the next request on. Port and connections stay; requests in progress end on the former mock. */
  replaceMock(mock: WorkspaceMock): void
  /** Closes the server: idle connections at once, others after their response. Can be called more than once. */
  close(): Promise<void>
}

/** Longer than the pauses of a test suite: a client could try to reuse a connection that was closed meanwhile. */
const keepAliveMs = 60_000
/** Room for two of the largest uploads. */
const roomBytes = 256 * 1024 * 1024
/** How long requests in progress can take once the server closes. */
const closingMs = 2000

/**
 * Serves a mock over HTTP: the API under `/v1`, the control API under `/__mock`.
 * @throws {RangeError} for an invalid option
 * @throws {Error} if the port is in use, or the host is not an address of this machine
 */
export async function serve(mock: WorkspaceMock, options: ServeOptions = {}): Promise<RunningServer> {
  assertFields('options', options, optionNames)
  const { port = 0, host = '127.0.0.1', allowHosts = [], bytesInFlight = roomBytes, log } = options
  assertPlace(port, host)
  assertHostNames(allowHosts)
  assertOption(
    'bytesInFlight',
    typeof bytesInFlight === 'number' && bytesInFlight >= 0,
    'a number of bytes',
    bytesInFlight,
  )
  const token = controlTokenOf(options.controlToken, host)
  const server = createServer({
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
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = new Connections(server)
  let url = ''
  const guard = createGuard({ allowHosts, token })
  const baseUrls = new BaseUrls(() => `${url}/v1`)
  const context: ListenerContext = {
    mock,
    control: controlOf(mock, guard),
    connections,
    baseUrls,
    guard,
    room: new BodyBudget(bytesInFlight),
    log,
  }
  const listener = createListener(context)
  server.on('request', listener).on('checkContinue', listener).on('checkExpectation', listener)
  refuseInvalidInput(server, connections)
  await listen(server, port, host)
  // Later errors concern single connections and must not end the process.
  server.on('error', () => undefined)
  const taken = (server.address() as AddressInfo).port
  url = `http://${urlHost(host)}:${String(taken)}`
  let closed: Promise<void> | undefined
  return {
    url,
    baseUrl: `${url}/v1`,
    port: taken,
    isLoopback: isLoopbackHost(host),
    controlToken: token ?? null,
    consoleUrl: `${url}/__mock/${token === undefined ? '' : `#token=${encodeURIComponent(token)}`}`,
    replaceMock: (next) => {
      context.mock = next
      context.control = controlOf(next, guard)
      // Listeners of the former mock reconnect.
      connections.endStreams()
    },
    close: () => (closed ??= close(server, connections)),
  }
}

/** The control API; loaded on first use, since many servers never need it. */
function controlOf(mock: WorkspaceMock, guard: Guard): () => Promise<ControlApi> {
  let control: Promise<ControlApi> | undefined
  const load = async () => (await import('./control-api.ts')).createControlApi(mock, guard)
  return () => (control ??= load())
}

function controlTokenOf(given: string | undefined, host: string): string | undefined {
  if (given === undefined) return isLoopbackHost(host) ? undefined : crypto.randomUUID()
  if (/^[\x21-\x7e]{1,200}$/.test(given)) return given
  // The value itself is a secret.
  throw new RangeError(
    `controlToken (of the command line: --control-token or WORKSPACE_MOCK_TOKEN) must be 1 to 200 visible ASCII characters without spaces; received ${String(given.length)} characters`,
  )
}

function assertOption(name: string, isAllowed: boolean, allowed: string, received: unknown): void {
  if (!isAllowed) throw new RangeError(`${name} must be ${allowed}; received ${quote(received)}`)
}

function assertPlace(port: unknown, host: unknown): void {
  const isPort = Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535
  assertOption('port', isPort, 'an integer from 0 to 65535', port)
  // At an empty host Node would listen on all addresses.
  const isHost = typeof host === 'string' && host !== ''
  assertOption('host', isHost, 'a host name or address, such as 127.0.0.1, ::1 or 0.0.0.0 (all)', host)
}

function assertHostNames(names: readonly string[]): void {
  const invalid: unknown = Array.isArray(names) ? names.find((name) => !isHostName(name)) : names
  const allowed = 'a list of host names or addresses without a port, such as mock.internal'
  assertOption('allowHosts', Array.isArray(names) && names.every(isHostName), allowed, invalid)
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      reject(new Error(listenFailure(error, port, host), { cause: error }))
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

function listenFailure({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  const place = `port ${String(port)} on ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use; stop the program that listens there, or choose another port (0 takes any free one)`
    case 'EACCES':
      return `${place} requires more rights; choose a port from 1024 on`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `host ${host} is not an address of this machine; choose 127.0.0.1, ::1 or 0.0.0.0 (all)`
    default:
      return `${place} cannot be listened on: ${message}`
  }
}

/** Responds to input that is not valid HTTP with the API's error body, after the responses to earlier requests. */
function refuseInvalidInput(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refuse = () => {
      if (!socket.writable) {
        socket.destroy()
        return
      }
      const response = errorResponse('validation', `the request is not valid HTTP/1.1: ${error.message}`)
      socket.end(rawResponse(response, 'Bad Request'), () => socket.destroy())
    }
    const connection = connections.find(socket)
    const latest = connection?.latest
    if (!connection?.isBusy || !latest) refuse()
    else if (latest.req.complete) latest.once('close', refuse)
    else if (latest.headersSent) socket.destroy()
    else refuse()
  })
  // In a request for an upgrade the parser accepts a body that is cut off.
  server.on('connection', (socket) => {
    socket.once('end', () => {
      const latest = connections.find(socket)?.latest
      if (!latest || latest.req.complete || latest.req.headers.upgrade === undefined) return
      if (latest.headersSent) socket.destroy()
      else server.emit('clientError', new Error('the body is cut off'), socket)
    })
  })
  server.on('connect', (request, socket: Duplex) => {
    const message = `No operation matches CONNECT ${request.url ?? ''}`
    socket.on('error', () => socket.destroy())
    socket.end(rawResponse(errorResponse('unknownOperation', message), 'Not Found'))
  })
}

function close(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections()
    }, closingMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    connections.close()
  })
}

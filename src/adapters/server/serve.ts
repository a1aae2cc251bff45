// The standalone server: its options, start and shutdown.
import { once } from 'node:events'
import type { Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { isObject } from '../../contract/data/objects.ts'
import { quote } from '../../contract/text/quote.ts'
import { handlerOf } from '../../mock/internals.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { isHostName, isLoopbackHost, urlHostOf } from './addresses.ts'
import type { ServerTools } from './control-api.ts'
import { createGuard } from './guard.ts'
import { Host, type HostResponse } from './host.ts'
import { respond, toLoggedRequest, type LoggedRequest } from './respond.ts'

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
  /**
   * Called by `POST /__mock/stop` before it responds, for files that must be written while the client waits. If it
   * throws, the response is 500 with the error's message. The server closes after the response either way.
   */
  readonly onStop?: (() => void | Promise<void>) | undefined
}

export interface RunningServer {
  /** Origin of the server, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** Base address of the API: `url` followed by `/v1`. */
  readonly baseUrl: string
  readonly port: number
  /** True if only this machine can reach the server. */
  readonly isLoopback: boolean
  /** The value of `X-Mock-Token` that the control API requires; null if none. */
  readonly controlToken: string | null
  /** Address of the console page, with the token if there is one. */
  readonly consoleUrl: string
  /**
   * Serves another mock from the next request on. Keeps port and connections; the former mock finishes its requests.
   */
  replaceMock(mock: WorkspaceMock): void
  /** Resolves once the server has closed, by `close` or by `POST /__mock/stop`. */
  readonly closed: Promise<void>
  /** Closes the server: idle connections at once, others after their response. Can be called more than once. */
  close(): Promise<void>
}

/** Serves a mock, with tools for its control API. */
export async function serveWith(
  mock: WorkspaceMock,
  options: ServeOptions,
  tools: ServerTools,
): Promise<RunningServer> {
  assertOptions(options)
  // Throws for anything but a mock, before taking a port.
  handlerOf(mock)
  const { port = 0, host = '127.0.0.1', allowHosts = [], log } = options
  // Enough for two of the largest uploads.
  const { bytesInFlight = 256 * 1024 * 1024 } = options
  const token = controlTokenOf(options.controlToken, host)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= running.close())
  const prepareStop = async (outgoing: HostResponse) => {
    outgoing.once('close', () => void close())
    await options.onStop?.()
  }
  const context = { mock, tools, prepareStop, guard: createGuard({ allowHosts, token }), url: '' }
  const running: Host = new Host({
    bytesInFlight,
    respond: (outgoing) => respond(running, context, outgoing),
    onResponse: (request, response) => log?.(toLoggedRequest(request, response)),
  })
  const { server } = running
  await listen(server, port, host)
  const closed = new Promise<void>((resolve) => void server.once('close', resolve))
  // Later errors concern single connections and must not end the process.
  server.on('error', () => undefined)
  const taken = (server.address() as AddressInfo).port
  const url = `http://${urlHostOf(host)}:${String(taken)}`
  context.url = url
  return {
    url,
    baseUrl: `${url}/v1`,
    port: taken,
    isLoopback: isLoopbackHost(host),
    controlToken: token ?? null,
    consoleUrl: `${url}/__mock/${token === undefined ? '' : `#token=${encodeURIComponent(token)}`}`,
    replaceMock: (next) => {
      context.mock = next
      // Clients that listen to the former mock reconnect.
      running.endStreams()
    },
    closed,
    close,
  }
}

function controlTokenOf(given: string | undefined, host: string): string | undefined {
  if (given === undefined) return isLoopbackHost(host) ? undefined : crypto.randomUUID()
  if (/^[\x21-\x7e]{1,200}$/.test(given)) return given
  // Does not show the value, because it is a secret.
  throw new RangeError(
    `controlToken (on the command line: --control-token or WORKSPACE_MOCK_TOKEN) must be 1 to 200 visible ASCII characters without spaces; received ${String(given.length)} characters`,
  )
}

/** The allowed values of each option. Options with null are checked where they are used. */
const allowed: {
  readonly [Name in keyof ServeOptions]-?: readonly [string, (given: unknown) => boolean] | null
} = {
  port: [
    'an integer from 0 to 65535',
    (given) => Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 65_535,
  ],
  // With an empty host, Node would listen on all addresses.
  host: [
    'a host name or address, such as 127.0.0.1, ::1 or 0.0.0.0 (all)',
    (given) => typeof given === 'string' && given !== '',
  ],
  allowHosts: [
    'a list of host names or addresses without a port, such as mock.internal',
    (given) => Array.isArray(given) && given.every(isHostName),
  ],
  bytesInFlight: ['a number of bytes', (given) => typeof given === 'number' && given >= 0],
  controlToken: null,
  log: null,
  onStop: ['a function', (given) => typeof given === 'function'],
}

function assertOptions(options: ServeOptions): void {
  if (!isObject(options)) throw new RangeError(`options must be an object; received ${quote(options)}`)
  assertFields('options', options, Object.keys(allowed))
  for (const [name, rule] of Object.entries(allowed)) {
    const given: unknown = options[name as keyof ServeOptions]
    if (given === undefined || !rule || rule[1](given)) continue
    const received: unknown = Array.isArray(given) ? given.find((each) => !rule[1]([each])) : given
    throw new RangeError(`${name} must be ${rule[0]}; received ${quote(received)}`)
  }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(describeListenFailure(error as NodeJS.ErrnoException, port, host), { cause: error })
  }
}

function describeListenFailure({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  const place = `port ${String(port)} on ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use; stop the program that listens there, or choose another port (0 takes any free one)`
    case 'EACCES':
      return `${place} requires more privileges; choose port 1024 or above`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `host ${host} is not an address of this machine; choose 127.0.0.1, ::1 or 0.0.0.0 (all)`
    default:
      return `the server cannot listen on ${place}: ${message}`
  }
}

// The plain call and response exchanged by the core and its adapters: no Fetch objects, no MSW, no Node.
import type { ErrorKind } from '../../contract/errors.ts'
import type { Reception } from './reception.ts'

/** A body whose bytes were not kept. */
export interface UnkeptBody {
  /** Number of bytes announced or received. */
  readonly sizeBytes: number
  /** Whether it exceeds its operation's limit. Otherwise its key may not send it, or there was no room for it. */
  readonly isTooLarge: boolean
}

export type CallBody = Uint8Array | UnkeptBody | null

export interface BodyLimits {
  /** The operation's limit; larger bodies get 413. */
  readonly mostBytes: number
  /** Maximum number of bytes to keep; further bytes are only counted. */
  readonly keptBytes: number
}

export interface Call {
  readonly method: string
  /** The path as sent, still encoded, relative to the base address; begins with a slash. */
  readonly path: string
  /** The whole address, without query, if it is not under the base address. No operation matches it. */
  readonly outside?: string | undefined
  /** The query as sent, without the question mark. */
  readonly query: string
  /** Base address the request came to, ending with /v1. Attachment addresses begin with it. */
  readonly baseUrl: string
  /** Value of a header by its lower-case name; null if absent. */
  header(name: string): string | null
  /** All headers as received, for event listeners; none if omitted. */
  headers?(): Iterable<readonly [name: string, value: string]>
  /**
   * The body, or a function that starts reading it. The function is called once on arrival, and only if the operation takes
   * a body. If reading fails, the call is treated as never made, and `handle` rejects with the same error.
   */
  readonly body: CallBody | ((limits: BodyLimits) => CallBody | Promise<CallBody>)
  /** Whether something else has read the body. The call then fails, and the journal says so. */
  readonly isBodyUsed?: boolean
  /** Set if the call came over a connection, which keeps its requests in order; the call need not wait for others. */
  readonly isRemote?: true
  /** What the journal holds for the console; absent if no console will read it. */
  readonly reception?: Reception | undefined
  /** Set if the mock calls itself, for example to find examples for the greeting of `serve`; coverage ignores it. */
  readonly isInternal?: boolean
  /**
   * Set for an effect, such as another user's write; unset for a client's request. Limits and rate windows ignore it.
   */
  readonly isEffect?: true
  /** Aborted when the caller stops waiting. This ends a fault's delay, and with it the request. */
  readonly signal?: AbortSignal
}

export interface CallHandler {
  handle(call: Call): Promise<ApiResponse>
}

export interface ApiResponse {
  readonly status: number
  /** The kind of error; absent on success. */
  readonly refusal?: ErrorKind
  /** Whether a client rule other than client-error reports the cause of the error. */
  readonly reported?: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** Thrown by the core, in place of a response, when a fault breaks the connection. */
export class NetworkFault extends Error {
  /** Node's code for a connection that the other side broke. Clients use it to decide whether to retry. */
  readonly code = 'ECONNRESET'
  readonly errno = -104
  readonly syscall = 'read'
  override readonly name = 'NetworkFault'

  constructor(message = 'The connection was broken by a fault.') {
    super(message)
  }
}

/** Thrown by the core, in place of a response, when a request's body was read before the request arrived. */
export class UsedBodyError extends TypeError {
  readonly code = 'ERR_BODY_ALREADY_USED'
  override readonly name = 'TypeError'

  constructor() {
    super('an earlier handler has already read this body; let it read request.clone() instead')
  }
}

/** A request that the mock sends to itself, such as one from another user. */
export interface InternalRequest {
  readonly method: string
  /** Encoded, including the query. */
  readonly path: string
  readonly body?: unknown
}

/** Creates the call for a request that the mock sends to itself with one of its keys. */
export function createInternalCall(
  baseUrl: string,
  key: string,
  request: InternalRequest,
  sandbox?: string,
): Call {
  const { method, path: address, body } = request
  const [path = '', query = ''] = address.split('?')
  const headers = new Map([
    ['authorization', `Bearer ${key}`],
    ['content-type', 'application/json'],
    ...(sandbox === undefined ? [] : [['x-mock-sandbox', sandbox] as const]),
  ])
  return {
    method,
    path,
    query,
    baseUrl,
    isInternal: true,
    header: (name) => headers.get(name) ?? null,
    body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
  }
}

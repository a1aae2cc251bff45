// The plain call and response between the core and its adapters: no Fetch objects, no MSW, no Node.
import type { ErrorKind } from '../../contract/errors.ts'
import type { Reception } from './reception.ts'

/** A body whose bytes were not kept. */
export interface UnkeptBody {
  /** Bytes that were announced or received. */
  readonly sizeBytes: number
  /** Whether it is larger than its operation allows; otherwise its key cannot send it, or no room was left for it. */
  readonly isTooLarge: boolean
}

export type CallBody = Uint8Array | UnkeptBody | null

export interface BodyLimits {
  /** Larger bodies are too large for the operation. */
  readonly mostBytes: number
  /** Most bytes that are kept; the others are counted. */
  readonly keptBytes: number
}

export interface Call {
  readonly method: string
  /** The path as sent, still encoded, relative to the base address; begins with a slash. */
  readonly path: string
  /** The whole address, without query, if it is not below the base address: no operation matches then. */
  readonly outside?: string | undefined
  /** The query as sent, without the question mark. */
  readonly query: string
  /** Base address the request came to, ending with /v1: attachment addresses begin with it. */
  readonly baseUrl: string
  /** Value of a header by its lower-case name; null where absent. */
  header(name: string): string | null
  /** All headers as received, for listeners of events; none where left out. */
  headers?(): Iterable<readonly [name: string, value: string]>
  /**
   * The body, or a function that begins to read it. The function is called on arrival, once, and only if the operation
   * takes a body. If reading rejects, the call was never made, and `handle` rejects with the same error.
   */
  readonly body: CallBody | ((limits: BodyLimits) => CallBody | Promise<CallBody>)
  /** Whether something else has read its body: the call fails, and the journal says so. */
  readonly isBodyUsed?: boolean
  /** Whether it arrived over a connection, which keeps its requests in order: it waits for no other call. */
  readonly isRemote?: true
  /** What the journal holds of it for the console; absent where no console reads it later. */
  readonly reception?: Reception | undefined
  /** Whether the mock calls itself, as for a greeting: not counted in the coverage. */
  readonly isInternal?: boolean
  /** Whether it is no request of the client but an effect, such as one of another user: no limit refuses it, no window counts it. */
  readonly isEffect?: true
  /** Aborted when the caller waits no longer: ends the delay of a fault, and with it the request. */
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

/** Thrown by the core instead of a response when a fault breaks the connection. */
export class NetworkFault extends Error {
  /** How Node names a connection that the other side broke; clients decide by it whether to send again. */
  readonly code = 'ECONNRESET'
  readonly errno = -104
  readonly syscall = 'read'
  override readonly name = 'NetworkFault'

  constructor(message = 'The connection was broken by a fault.') {
    super(message)
  }
}

/** Thrown by the core instead of a response when the body of a request was read before it arrived. */
export class UsedBodyError extends TypeError {
  readonly code = 'ERR_BODY_ALREADY_USED'
  override readonly name = 'TypeError'

  constructor() {
    super('an earlier handler has read this body; read request.clone()')
  }
}

/** A request that the mock sends to itself, such as one of another user. */
export interface InternalRequest {
  readonly method: string
  /** Encoded, with the query. */
  readonly path: string
  readonly body?: unknown
}

/** The call of a request that the mock sends to itself with one of its keys. */
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

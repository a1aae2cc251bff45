// The plain call and response between the core and its adapters: no Fetch objects, no MSW, no Node.
import type { ErrorKind } from '../contract/errors.ts'

/** A body of which at most the beginning was kept: its call will be refused, or there is no room for it. */
export interface CutBody {
  readonly head: Uint8Array
  readonly sizeBytes: number
  /** Whether the adapter holds too many bytes of other bodies. */
  readonly isCrowdedOut?: true
}

/** A body, or why it was not read. `too-large`: larger than the adapter may read. */
export type CallBody = Uint8Array | CutBody | 'too-large' | null

export interface BodyLimits {
  /** Larger bodies are `too-large`. */
  readonly mostBytes: number
  /** Beyond this the bytes are counted but not kept: the result is a `CutBody`. At most `mostBytes`. */
  readonly keptBytes: number
}

export interface Call {
  readonly method: string
  /** As sent, still encoded, relative to the base address; begins with a slash. */
  readonly path: string
  /** The whole address, without query, if it is not below the base address: no operation matches then. */
  readonly outside?: string | undefined
  /** As sent, without the question mark. */
  readonly query: string
  /** Base address the request came to, ending with /v1: attachment addresses begin with it. */
  readonly baseUrl: string
  /** Value of a header by its lower-case name; null where absent. */
  header(name: string): string | null
  /** All headers as received, for listeners of events; none where left out. */
  headers?(): Iterable<readonly [name: string, value: string]>
  /**
   * The body if it is there already, or how to read it. A call belongs to the state in which it arrives, so an
   * adapter that passes a function need not wait for the body. If reading fails, the call was never made: `handle`
   * rejects with the same error.
   */
  readonly body: CallBody | ((limits: BodyLimits) => Promise<CallBody>)
  /** Whether the body comes over a network, so that it cannot be there within this tick. */
  readonly isRemote?: boolean
  /** Whether the mock calls itself, as for a greeting: not counted in the coverage. */
  readonly isInternal?: boolean
  /** Aborted when the caller waits no longer: ends the delay of a fault, and with it the request. */
  readonly signal?: AbortSignal
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
  /** As Node names a connection that the other side broke; clients decide by it whether to send again. */
  readonly code = 'ECONNRESET'
  readonly errno = -104
  readonly syscall = 'read'

  constructor(message = 'The connection was broken by a fault.') {
    super(message)
    this.name = 'NetworkFault'
  }
}

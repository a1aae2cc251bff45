// Owns the plain call and answer between the core and its adapters: no Fetch objects, no MSW, no Node.
import type { ErrorKind } from '../contract/errors.ts'

/** A body, or what kept it from being read. `too-large`: beyond what the adapter was told to hold. */
export type CallBody = Uint8Array | 'too-large' | null

export interface Call {
  readonly method: string
  /** As sent, still encoded, relative to the base address; begins with a slash. */
  readonly path: string
  /** As sent, without the question mark. */
  readonly query: string
  /** Base address the request came to, ending with /v1: attachment addresses begin with it. */
  readonly baseUrl: string
  /** Value of a header by its lower-case name; null where absent. */
  header(name: string): string | null
  /** The body where it is at hand already, or how to read it once the request's turn has come. */
  readonly body: CallBody | ((limitBytes: number) => Promise<CallBody>)
}

export interface Answer {
  readonly status: number
  /** What it was refused with; an answer that is none has none. */
  readonly refusal?: ErrorKind
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** Thrown by the core instead of an answer where a fault breaks the connection. */
export class NetworkFault extends Error {
  constructor() {
    super('The connection was broken by a fault.')
    this.name = 'NetworkFault'
  }
}

// One life of a client: its requests to a private state, until it ends or a disturbance stops it.
import { NetworkFault, type ApiResponse, type Call } from '../core/call.ts'
import type { Disturbance } from '../core/disturbances.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { keptBodyBytes } from '../core/journal/weight.ts'
import type { Sandbox } from '../core/sandbox.ts'

const addressOf = (path: string, query: URLSearchParams) => `${path}?${String(query)}`

export class Life {
  readonly sandbox: Sandbox
  readonly #stops: boolean
  readonly #largeBodies = new Map<string, string>()
  #stop: () => void = () => undefined
  /** Settles when the disturbance stops the client. */
  readonly stopped = new Promise<void>((resolve) => (this.#stop = resolve))
  isStopped = false
  isOver = false
  /** Number of requests without a response. */
  inFlight = 0
  /** Whether other requests were in flight when the disturbance met its first request; undefined before. */
  isInterleaved: boolean | undefined

  constructor(sandbox: Sandbox, disturbance: Disturbance | null) {
    this.sandbox = sandbox
    this.#stops = disturbance?.effect.do === 'fail' && disturbance.effect.stops === true
  }

  /** @throws {NetworkFault} also once the client has been stopped */
  async respond(call: Call): Promise<ApiResponse> {
    if (this.isStopped) throw new NetworkFault()
    this.inFlight += 1
    try {
      const response = await this.sandbox.handle(call)
      if (typeof response.body === 'string' && response.body.length > keptBodyBytes)
        this.#largeBodies.set(addressOf(call.path, new URLSearchParams(call.query)), response.body)
      return response
    } finally {
      if (this.sandbox.faults.plannedHits > 0) {
        this.isInterleaved ??= this.inFlight > 1
        this.isStopped = this.#stops
        if (this.#stops) this.#stop()
      }
      this.inFlight -= 1
    }
  }

  /** Method, address and body of a request of the journal. */
  sentAs(id: number): string {
    const exchange = this.sandbox.journal.find(id)
    if (!exchange) return ''
    const { method, path, queryText, requestBody } = exchange
    const body = requestBody instanceof Uint8Array ? new TextDecoder().decode(requestBody) : ''
    return `${method} ${path}?${queryText} ${body}`
  }

  /** The JSON of a response, also where it is too large for the journal. */
  responseOf({ path, query, responseBody }: JournalEntry): unknown {
    if (responseBody && 'json' in responseBody) return responseBody.json
    const large = this.#largeBodies.get(addressOf(path, new URLSearchParams(query)))
    return large === undefined ? undefined : (JSON.parse(large) as unknown)
  }
}

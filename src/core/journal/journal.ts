// The journal: requests and responses in a ring buffer, with times on the mock's clock.
import * as z from 'zod/mini'
import { operationIds } from '../../contract/scopes.ts'
import { CountOption } from '../parse-or-throw.ts'
import type { JournalBudget } from './budget.ts'
import type { Exchange } from '../exchange.ts'
import { dropBodies, makeLean, weightOf } from './weight.ts'

export const JournalFilter = z.lazy(() =>
  z.strictObject({
    operation: z.optional(z.enum(operationIds)),
    status: CountOption,
    /** Unix seconds on the mock's clock: only requests from then on. */
    since: CountOption,
    /** Journal id: only requests after that one. */
    after: CountOption,
    /** Journal id: only requests before that one. */
    before: CountOption,
    /** Id of a record: only requests that created, changed or deleted it. */
    record: z.optional(z.coerce.string()),
    /** Only requests with this text in a body, in any letter case. */
    text: z.optional(z.coerce.string()),
    /** Only the latest so many. */
    limit: CountOption,
  }),
)
export type JournalFilter = z.infer<typeof JournalFilter>

const decoder = new TextDecoder()

function hasText(body: Exchange['responseBody'], text: string): boolean {
  if (body === null || (typeof body === 'object' && 'sizeBytes' in body)) return false
  return (typeof body === 'string' ? body : decoder.decode(body)).toLowerCase().includes(text)
}

/** What a journal received since the start or the last `clear`. */
export interface JournalCounts {
  /** The latest label of a request, kept by `clear`. */
  label: string | null
  requests: number
  errors: number
  /** Requests that met a fault. */
  faults: number
  /** Time of the latest request on the mock's clock; null if there was none. */
  lastAtMs: number | null
}

const newCounts = (label: string | null): JournalCounts => ({
  label,
  requests: 0,
  errors: 0,
  faults: 0,
  lastAtMs: null,
})

/** A ring buffer of exchanges, oldest first. */
export class Journal {
  readonly #size: number
  #budget: JournalBudget | undefined
  /** The n-th exchange is at n modulo the size, and so is its weight. */
  #ring: Exchange[] = []
  #weights: number[] = []
  #added = 0
  /** How many exchanges had been added when all of them were last made lean. */
  #lean = 0
  #heldBytes = 0
  #lastId = 0
  #arrivals = 0
  #counts = newCounts(null)

  /** @param size may be infinite */
  constructor(size: number, budget?: JournalBudget) {
    this.#size = size
    this.#budget = budget
  }

  /** 0 if there was none. */
  get lastId(): number {
    return this.#lastId
  }

  /** Id of the oldest exchange still there, else of the next one. */
  get firstId(): number {
    return this.#ring[this.#oldest % this.#size]?.id ?? this.#lastId + 1
  }

  /** Bytes of bodies, effects, observations and long addresses, most of which can be dropped while the exchange stays. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  get #oldest(): number {
    return Math.max(0, this.#added - this.#size)
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** The number of a request that arrives: the id that it gets, unless a later one is answered first. */
  nextArrival(): number {
    return (this.#arrivals += 1)
  }

  /** Whether or not the requests are still kept. */
  get summary(): JournalCounts {
    return { ...this.#counts }
  }

  add(exchange: Exchange): void {
    const { label, status, fault, atMs } = exchange
    const counts = this.#counts
    counts.requests += 1
    if (status === 0 || status >= 400) counts.errors += 1
    if (fault !== null) counts.faults += 1
    if (label !== null) counts.label = label
    counts.lastAtMs = atMs
    if (this.#size === 0) return
    dropBodies(exchange)
    const place = this.#added % this.#size
    this.#added += 1
    this.#ring[place] = exchange
    this.#weigh(place, weightOf(exchange))
  }

  find(id: number): Exchange | undefined {
    return this.#ring.find((exchange) => exchange.id === id)
  }

  exchanges(filter: JournalFilter = {}): Exchange[] {
    const start = this.#oldest % this.#size || 0
    const ordered = [...this.#ring.slice(start), ...this.#ring.slice(0, start)]
    const { operation, status, since, after, before, record, limit } = filter
    const text = filter.text?.toLowerCase()
    const matching = ordered.filter(
      (exchange) =>
        (operation === undefined || exchange.operation === operation) &&
        (status === undefined || exchange.status === status) &&
        (since === undefined || exchange.atMs >= since * 1000) &&
        (after === undefined || exchange.id > after) &&
        (before === undefined || exchange.id < before) &&
        (record === undefined || exchange.effects.some(({ id }) => id === record)) &&
        (text === undefined || hasText(exchange.requestBody, text) || hasText(exchange.responseBody, text)),
    )
    return limit === undefined ? matching : matching.slice(Math.max(0, matching.length - limit))
  }

  clear(): void {
    const heldBytes = this.#heldBytes
    this.#ring = []
    this.#weights = []
    this.#added = 0
    this.#lean = 0
    this.#heldBytes = 0
    this.#counts = newCounts(this.#counts.label)
    this.#budget?.note(this, -heldBytes)
  }

  /** Makes the oldest exchanges lean until the journal holds at most `bytes`. */
  shrink(bytes: number): void {
    this.#lean = Math.max(this.#lean, this.#oldest)
    for (; this.#heldBytes > bytes && this.#lean < this.#added; this.#lean++) {
      const place = this.#lean % this.#size
      const exchange = this.#ring[place]
      if (!exchange || !this.#weights[place]) continue
      makeLean(exchange)
      this.#weigh(place, 0)
    }
  }

  /** Takes the journal out of the budget: nothing can reach it any more. */
  leave(): void {
    this.#budget?.leave(this)
    this.#budget = undefined
  }

  #weigh(place: number, bytes: number): void {
    const more = bytes - (this.#weights[place] ?? 0)
    this.#weights[place] = bytes
    if (more === 0) return
    this.#heldBytes += more
    this.#budget?.note(this, more)
  }
}

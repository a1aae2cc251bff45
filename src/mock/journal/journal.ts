// The journal: the latest requests and responses, with times on the mock's clock.
import * as z from 'zod/mini'
import { operationIds, type OperationId } from '../../contract/scopes.ts'
import { isSeconds } from '../../service/store/clock.ts'
import { CountOption } from '../parse-or-throw.ts'
import type { JournalBudget } from './budget.ts'
import type { Exchange } from './exchange.ts'
import { dropBodies, keptBodyBytes, makeLean, weightOf, hasText } from './weight.ts'

export const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
type StatusClass = (typeof statusClasses)[number]
const isStatus = (value: unknown) =>
  value === 0 || (Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600)
export const StatusFilter = z.custom<number | StatusClass>(
  (value) => isStatus(value) || statusClasses.includes(value as StatusClass),
  'must be a status such as 404, a class such as "4xx", or 0 for a broken connection',
)

export const SecondsFilter = z.custom<number>(isSeconds, 'must be whole Unix seconds')

export interface JournalFilter {
  operation?: OperationId | undefined
  /** A status, or a class such as `4xx`; 0 means a broken connection. */
  status?: number | StatusClass | undefined
  /** Only requests from this time on, in Unix seconds on the mock's clock. */
  since?: number | undefined
  /** Only requests after the one with this id. */
  after?: number | undefined
  /** Only requests before the one with this id. */
  before?: number | undefined
  /** Only requests that created, changed or deleted the record with this id. */
  record?: string | undefined
  /** Only requests with this text in a body, ignoring case. */
  text?: string | undefined
  /** Maximum number of requests to list; the latest ones win. */
  limit?: number | undefined
}
export const journalFilterSchema: z.ZodMiniType<JournalFilter> = z.lazy(() =>
  z.strictObject({
    operation: z.optional(z.enum(operationIds)),
    status: z.optional(StatusFilter),
    since: z.optional(SecondsFilter),
    after: CountOption,
    before: CountOption,
    record: z.optional(z.coerce.string()),
    text: z.optional(z.coerce.string()),
    limit: CountOption,
  }),
)

const classOf = ({ status }: Exchange) => `${String(Math.floor(status / 100))}xx`

const createCounts = (label: string | null) => ({
  /** The latest `X-Mock-Label` sent to the sandbox; null before the first. `clearRequests` keeps it. */
  label,
  /**
   * Number of requests since the sandbox was created or reset, or its journal cleared; excludes the console's requests.
   */
  requests: 0,
  /** How many of those requests got an error response or a broken connection. */
  errors: 0,
  /** How many of those requests triggered a fault. */
  faults: 0,
  /** Time of the latest of those requests, in milliseconds on the sandbox's clock; null before the first. */
  lastAtMs: null as number | null,
})
/** What a sandbox received. */
export type RequestCounts = Readonly<ReturnType<typeof createCounts>>

/** Figures that cannot be derived from a journal's exchanges. */
export type SavedJournal = Readonly<Pick<Journal, 'counts' | 'total' | 'lastId'>>

export class Journal {
  readonly #size: number
  #budget: JournalBudget | undefined
  /**
   * Each exchange is stored at its number modulo the size. A list that drops its first element is copied now and then, and
   * dead copies keep what they refer to alive, which doubles the cost of garbage collection.
   */
  #ring: Exchange[] = []
  /** Number of exchanges added to the ring since the start or the last `clear`. */
  #added = 0
  #total = 0
  /** Exchanges up to this number are lean, or have nothing to drop. */
  #lean = 0
  #heldBytes = 0
  #lastId = 0
  #arrivals = 0
  #counts = createCounts(null)
  /** The latest requests that handlers in front of the mock responded to, as text. */
  #elsewhere: readonly string[] = []

  /** @param size infinite in explorations; responses then keep their whole text */
  constructor(size: number, budget?: JournalBudget) {
    this.#size = size
    this.#budget = budget
  }

  /** Id of the latest exchange, even if it has been dropped; 0 before the first. */
  get lastId(): number {
    return this.#lastId
  }

  /** Id of the oldest exchange still held, or else of the next one. */
  get firstId(): number {
    return this.#ring[this.#oldest % this.#size]?.id ?? this.#lastId + 1
  }

  /** Number of exchanges still held. */
  get kept(): number {
    return this.#added - this.#oldest
  }

  /** Number of exchanges since the start or the last `clear`, including dropped ones and the console's. */
  get total(): number {
    return this.#total
  }

  /** Number of the oldest exchange still held. */
  get #oldest(): number {
    return Math.max(0, this.#added - this.#size)
  }

  /** Bytes of bodies, effects, breaches and long addresses. Most of them can be dropped while the exchange stays. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** Increases with each arriving request and each response. */
  get activity(): number {
    return this.#arrivals + this.#lastId
  }

  /** Returns a number for an arriving request: the id it will get, unless a later request is answered first. */
  nextArrival(): number {
    return (this.#arrivals += 1)
  }

  get elsewhere(): readonly string[] {
    return this.#elsewhere
  }

  noteElsewhere(request: string): void {
    this.#elsewhere = [...this.#elsewhere, request].slice(-10)
  }

  /** Includes dropped requests. */
  get counts(): RequestCounts {
    return { ...this.#counts }
  }

  add(exchange: Exchange): void {
    this.#total += 1
    if (!exchange.isConsole) this.#count(exchange)
    if (this.#size === 0) return
    exchange.reception?.keepBodies(exchange.requestBody, exchange.responseBody, keptBodyBytes)
    dropBodies(exchange, keptBodyBytes, this.#size === Infinity ? Infinity : keptBodyBytes)
    exchange.heldBytes = weightOf(exchange)
    const place = this.#added % this.#size
    const replaced = this.#ring[place]
    this.#ring[place] = exchange
    this.#added += 1
    this.#note(exchange.heldBytes - (replaced?.heldBytes ?? 0))
  }

  #count({ label, status, fault, atMs }: Exchange): void {
    const counts = this.#counts
    counts.requests += 1
    if (status === 0 || status >= 400) counts.errors += 1
    if (fault !== null) counts.faults += 1
    if (label !== null) counts.label = label
    counts.lastAtMs = atMs
  }

  /** Restores a saved run's requests, oldest first; later requests are numbered after `lastId`. */
  putBack(exchanges: readonly Exchange[], { counts, total, lastId }: SavedJournal): void {
    for (const exchange of exchanges) this.add(exchange)
    this.#counts = { ...counts }
    this.#total = total
    this.#lastId = this.#arrivals = lastId
  }

  find(id: number): Exchange | undefined {
    return this.#ring.find((exchange) => exchange.id === id)
  }

  exchanges(filter: JournalFilter = {}): Exchange[] {
    const { operation, status, since, after, before, record, limit } = filter
    const text = filter.text?.toLowerCase()
    const start = this.#oldest % this.#size || 0
    const matching = [...this.#ring.slice(start), ...this.#ring.slice(0, start)].filter(
      (exchange) =>
        (operation === undefined || exchange.operation === operation) &&
        (status === undefined ||
          status === (typeof status === 'number' ? exchange.status : classOf(exchange))) &&
        (since === undefined || exchange.atMs >= since * 1000) &&
        (after === undefined || exchange.id > after) &&
        (before === undefined || exchange.id < before) &&
        (record === undefined || exchange.effects.some(({ id }) => id === record)) &&
        (text === undefined || hasText(exchange.requestBody, text) || hasText(exchange.responseBody, text)),
    )
    return limit === undefined ? matching : matching.slice(Math.max(0, matching.length - limit))
  }

  clear(): void {
    this.#ring = []
    this.#added = this.#lean = this.#total = 0
    this.#counts = createCounts(this.#counts.label)
    this.#elsewhere = []
    this.#note(-this.#heldBytes)
  }

  /** Strips bodies and long texts from the oldest exchanges until the journal holds at most `bytes`. */
  shrink(bytes: number): void {
    this.#lean = Math.max(this.#lean, this.#oldest)
    for (; this.#heldBytes > bytes && this.#lean < this.#added; this.#lean++) {
      const exchange = this.#ring[this.#lean % this.#size]
      if (!exchange || exchange.heldBytes === 0) continue
      makeLean(exchange)
      const freed = exchange.heldBytes
      exchange.heldBytes = 0
      this.#note(-freed)
    }
  }

  /** Removes the journal from the budget, once nothing can reach it. */
  leave(): void {
    this.#budget?.leave(this)
    this.#budget = undefined
  }

  #note(moreBytes: number): void {
    if (moreBytes === 0) return
    this.#heldBytes += moreBytes
    this.#budget?.note(this, moreBytes)
  }
}

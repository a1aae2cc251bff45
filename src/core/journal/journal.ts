// The journal: requests and responses in a ring buffer, with times on the mock's clock.
import type { RuleId } from '../../contract/client-rules.ts'
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Moment } from '../../store/clock.ts'
import type { JournalBudget } from './budget.ts'
import {
  changeOf,
  detailedChange,
  withoutSides,
  type BoundedEffects,
  type DetailedChange,
  type RecordChange,
} from './changes.ts'
import { parseJson } from '../request/json.ts'

/** A breach of a client rule, seen while a request was handled. */
export interface Observation {
  readonly rule: RuleId
  readonly subject: string
}

/** What is kept of a body that is too large. */
export interface OmittedBody {
  readonly sizeBytes: number
}

/** One request with its response, as the core keeps it: bodies by reference, nothing parsed. */
export interface Exchange extends BoundedEffects {
  /** From 1; `clearRequests` does not start over, `reset` does. */
  readonly id: number
  readonly atMs: number
  /** The same moment, as the report measures waits. */
  readonly moment: Moment
  readonly method: string
  /** The base address that it came to. */
  readonly baseUrl: string
  /** Relative to the base address, as sent. */
  readonly path: string
  readonly query: string
  readonly operation: OperationId | null
  readonly params: Readonly<Record<string, string>>
  /** Name of the key, never the key. */
  readonly key: string | null
  /** Name of the key that was sent, whether or not it got as far as being checked; null where none or an unknown one was. */
  readonly sender: string | null
  readonly isKeySent: boolean
  readonly workspaceId: string | null
  /** Value of `X-Mock-Label`. */
  readonly label: string | null
  readonly contentType: string | null
  readonly requestBody: Uint8Array | OmittedBody | null
  readonly status: number
  /** The kind of error; null on success or where the connection was broken. */
  readonly refusal: ErrorKind | null
  readonly headers: Readonly<Record<string, string>>
  readonly responseBody: string | Uint8Array | OmittedBody | null
  /** How many effects were dropped. */
  readonly moreEffects?: number
  /** Distinct ones, the first 1,000. */
  readonly observations: readonly Observation[]
  /** How many there were in all. */
  readonly observed: number
  /** The fault that caused the response. */
  readonly fault: string | null
}

/** A body in the journal: JSON as a value, other text (and JSON that nests too deep) as text, binary and bodies beyond 64 KiB as size and type. */
export type JournalBody =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly sizeBytes: number; readonly contentType: string; readonly truncated?: true }
  | null

/** One request with its response, without the bodies. Plain data. */
export interface JournalSummary {
  readonly id: number
  /** Unix seconds on the mock's clock. */
  readonly at: number
  /** Milliseconds on the mock's clock. */
  readonly atMs: number
  readonly method: string
  /** Relative to the base address: `/tasks/tsk_1`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Null if no operation matches method and path. */
  readonly operation: OperationId | null
  readonly params: Readonly<Record<string, string>>
  /** Name of the key, never the key. */
  readonly key: string | null
  /** Value of `X-Mock-Label`, such as the name of a test. */
  readonly label?: string
  readonly status: number
  /** The kind of error behind the status, such as `scope` or `lockedTable` behind 403; null if there was none. */
  readonly refusal: ErrorKind | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** What the request created, changed and deleted. */
  readonly changes: readonly RecordChange[]
  /** How many changes there were beyond these: where its bytes run out, the journal keeps 250. */
  readonly moreChanges?: number
  /** Id of the fault that caused the response. */
  readonly fault: string | null
}

/** One request with its response. Plain data; bodies are copies. */
export interface JournalEntry extends JournalSummary {
  /** The same, each with its fields before and after. */
  readonly changes: readonly DetailedChange[]
  readonly requestBody: JournalBody
  readonly responseBody: JournalBody
}

export interface JournalFilter {
  readonly operation?: OperationId | undefined
  readonly status?: number | undefined
  /** Unix seconds on the mock's clock: only requests from then on. */
  readonly since?: number | undefined
  /** Journal id: only requests after that one. */
  readonly after?: number | undefined
  /** Journal id: only requests before that one. */
  readonly before?: number | undefined
  /** Id of a record: only requests that created, changed or deleted it. */
  readonly record?: string | undefined
  /** Only the latest so many. */
  readonly limit?: number | undefined
}

/** Bodies are kept up to this size. */
const bodyBytes = 64 * 1024

const isText = (contentType: string) => /^(?:text\/|application\/(?:[\w.+-]+\+)?json)/i.test(contentType)

function journalBody(body: Exchange['responseBody'], contentType: string | null): JournalBody {
  if (body === null) return null
  const type = contentType ?? 'application/octet-stream'
  if (typeof body === 'object' && 'sizeBytes' in body)
    return { sizeBytes: body.sizeBytes, contentType: type, truncated: true }
  if (body.length === 0) return null
  if (typeof body !== 'string' && !isText(type)) return { sizeBytes: body.length, contentType: type }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    return { json: parseJson(text, 'body') }
  } catch {
    return { text }
  }
}

/**
 * The content type of a request as the journal shows it: without the boundary of a multipart body, which clients choose
 * at random, so that two runs leave the same journal.
 */
export function contentTypeOf({ contentType }: Exchange): string | null {
  if (contentType === null || !/^multipart\//i.test(contentType)) return contentType
  return contentType.replace(/;.*$/s, '').trim()
}

/** An exchange as users see it, without the bodies. */
export function journalSummary(exchange: Exchange): JournalSummary {
  const { id, atMs, method, path, operation, params, key, label, status, refusal, headers, fault } = exchange
  return {
    id,
    at: Math.floor(atMs / 1000),
    atMs,
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(exchange.query)),
    operation,
    params: { ...params },
    key,
    ...(label === null ? {} : { label }),
    status,
    refusal,
    responseHeaders: { ...headers },
    changes: exchange.effects.map(changeOf),
    ...(exchange.moreEffects === undefined ? {} : { moreChanges: exchange.moreEffects }),
    fault,
  }
}

/** An exchange as users see it. */
export const journalEntry = (exchange: Exchange): JournalEntry => ({
  ...journalSummary(exchange),
  changes: exchange.effects.map(detailedChange),
  requestBody: journalBody(exchange.requestBody, contentTypeOf(exchange)),
  responseBody: journalBody(exchange.responseBody, exchange.headers['content-type'] ?? null),
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
  #requests = 0
  #errors = 0
  #label: string | null = null

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

  /** Requests since the start or the last `clear`, whether or not they are still kept. */
  get summary(): { readonly label: string | null; readonly requests: number; readonly errors: number } {
    return { label: this.#label, requests: this.#requests, errors: this.#errors }
  }

  add(exchange: Exchange): void {
    const { label, status } = exchange
    this.#requests += 1
    if (status === 0 || status >= 400) this.#errors += 1
    if (label !== null) this.#label = label
    if (this.#size === 0) return
    const fitting = withinSize(exchange)
    const place = this.#added % this.#size
    this.#added += 1
    this.#ring[place] = fitting
    this.#weigh(place, weightOf(fitting))
  }

  find(id: number): Exchange | undefined {
    return this.#ring.find((exchange) => exchange.id === id)
  }

  exchanges(filter: JournalFilter = {}): Exchange[] {
    const start = this.#oldest % this.#size || 0
    const ordered = [...this.#ring.slice(start), ...this.#ring.slice(0, start)]
    const { operation, status, since, after, before, record, limit } = filter
    const matching = ordered.filter(
      (exchange) =>
        (operation === undefined || exchange.operation === operation) &&
        (status === undefined || exchange.status === status) &&
        (since === undefined || exchange.atMs >= since * 1000) &&
        (after === undefined || exchange.id > after) &&
        (before === undefined || exchange.id < before) &&
        (record === undefined || exchange.effects.some(({ id }) => id === record)),
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
    this.#requests = 0
    this.#errors = 0
    this.#budget?.note(this, -heldBytes)
  }

  /** Makes the oldest exchanges lean until the journal holds at most `bytes`. */
  shrink(bytes: number): void {
    this.#lean = Math.max(this.#lean, this.#oldest)
    for (; this.#heldBytes > bytes && this.#lean < this.#added; this.#lean++) {
      const place = this.#lean % this.#size
      const exchange = this.#ring[place]
      if (!exchange || !this.#weights[place]) continue
      this.#ring[place] = lean(exchange)
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

type Body = Exchange['responseBody']

function kept<B extends Body>(body: B, mostBytes: number): B | OmittedBody {
  if (body === null || (typeof body === 'object' && 'sizeBytes' in body)) return body
  return body.length > mostBytes ? { sizeBytes: body.length } : body
}

/** Keeps only the size of large bodies. */
function withinSize(exchange: Exchange, mostBytes = bodyBytes): Exchange {
  const requestBody = kept(exchange.requestBody, mostBytes)
  const responseBody = kept(exchange.responseBody, mostBytes)
  if (requestBody === exchange.requestBody && responseBody === exchange.responseBody) return exchange
  return { ...exchange, requestBody, responseBody }
}

const sizeOf = (body: Body) =>
  body === null || (typeof body === 'object' && 'sizeBytes' in body) ? 0 : body.length

/** Bytes of an effect or an observation without its values and texts. */
const itemBytes = 100
const shownItems = 250
const shownCharacters = 1000

/** An estimate of the bytes that an exchange can drop. */
function weightOf(exchange: Exchange): number {
  const { effects, effectBytes, observations, path, query } = exchange
  let bytes = sizeOf(exchange.requestBody) + sizeOf(exchange.responseBody)
  bytes += itemBytes * effects.length + effectBytes
  for (const { subject } of observations) bytes += itemBytes + subject.length
  const addressCharacters = path.length + query.length
  return addressCharacters > shownCharacters ? bytes + addressCharacters : bytes
}

/** A copy, since a slice of a text keeps the whole text in memory. */
const shortText = (text: string) =>
  text.length > shownCharacters ? Array.from(text.slice(0, shownCharacters)).join('') : text

/** An exchange with what is needed to recognize it: no bodies, and long lists and texts cut. */
const lean = (exchange: Exchange): Exchange => ({
  ...withinSize(exchange, 0),
  path: shortText(exchange.path),
  query: shortText(exchange.query),
  params: Object.fromEntries(Object.entries(exchange.params).map(([name, text]) => [name, shortText(text)])),
  effects: withoutSides(exchange.effects, shownItems),
  effectBytes: 0,
  ...(exchange.effects.length > shownItems && { moreEffects: exchange.effects.length - shownItems }),
  observations: exchange.observations.slice(0, shownItems),
})

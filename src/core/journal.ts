// Owns the journal: what was asked and answered, in a ring buffer, with times on the mock's clock.
import type { RuleId } from '../contract/client-rules.ts'
import type { ErrorKind } from '../contract/errors.ts'
import type { OperationId } from '../contract/index.ts'
import type { Moment } from '../store/clock.ts'
import type { Effect } from '../store/overlay.ts'
import { parseJson } from './json.ts'

/** A breach of a client rule that was seen while a request was handled. */
export interface Observation {
  readonly rule: RuleId
  readonly subject: string
}

/** What is kept of a body that is too large to keep. */
export interface OmittedBody {
  readonly sizeBytes: number
}

/** One request with its answer, as the core keeps it: bodies by reference, nothing parsed. */
export interface Exchange {
  /** From 1; `clearRequests` does not start over, `reset` does. */
  readonly id: number
  readonly atMs: number
  /** The same moment as the report measures waiting by. */
  readonly moment: Moment
  readonly method: string
  /** Relative to the base address, as sent. */
  readonly path: string
  readonly query: string
  readonly operation: OperationId | null
  readonly params: Readonly<Record<string, string>>
  /** Name of the key, never the key. */
  readonly key: string | null
  readonly workspaceId: string | null
  /** Value of `X-Mock-Label`. */
  readonly label: string | null
  readonly contentType: string | null
  readonly requestBody: Uint8Array | OmittedBody | null
  readonly status: number
  /** The kind of refusal it was answered with; null where it was not refused, or the connection broken. */
  readonly refusal: ErrorKind | null
  readonly headers: Readonly<Record<string, string>>
  readonly responseBody: string | Uint8Array | OmittedBody | null
  readonly effects: readonly Effect[]
  /** Distinct ones, the first 1,000. */
  readonly observations: readonly Observation[]
  /** How many there were in all. */
  readonly observed: number
  /** The fault that answered it. */
  readonly fault: string | null
}

/** A body in the journal: JSON as a value, other text (and what nests too deep) as text, binary and what is beyond 64 KiB as size and type. */
export type JournalBody =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly sizeBytes: number; readonly contentType: string; readonly truncated?: true }
  | null

/** One request with its answer, without the bodies. Plain data. */
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
  /** Null where method and path are no operation. */
  readonly operation: OperationId | null
  readonly params: Readonly<Record<string, string>>
  /** Name of the key, never the key. */
  readonly key: string | null
  /** What `X-Mock-Label` said, such as the name of a test. */
  readonly label?: string
  readonly status: number
  /** Why it was refused: the kind behind the status, such as `scope` or `lockedTable` behind 403; null where it was not. */
  readonly refusal: ErrorKind | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** What the request created, changed and deleted. */
  readonly changes: readonly Effect[]
  /** Id of the fault that answered it. */
  readonly fault: string | null
}

/** One request with its answer. Plain data; bodies are copies. */
export interface JournalEntry extends JournalSummary {
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
 * The type of a request's body as it is told: without the boundary of a multipart one, which clients draw by lot, so
 * that two runs leave the same journal.
 */
export function toldType({ contentType }: Exchange): string | null {
  if (contentType === null || !/^multipart\//i.test(contentType)) return contentType
  return contentType.replace(/;.*$/s, '').trim()
}

/** Exchange as users see it, without the bodies. */
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
    changes: exchange.effects.map((effect) => ({ ...effect })),
    fault,
  }
}

/** Exchange as users see it. */
export const journalEntry = (exchange: Exchange): JournalEntry => ({
  ...journalSummary(exchange),
  requestBody: journalBody(exchange.requestBody, toldType(exchange)),
  responseBody: journalBody(exchange.responseBody, exchange.headers['content-type'] ?? null),
})

/** A ring buffer of exchanges, oldest first. */
export class Journal {
  readonly #size: number
  #ring: Exchange[] = []
  #start = 0
  #lastId = 0
  #requests = 0
  #errors = 0
  #label: string | null = null

  constructor(size: number) {
    this.#size = size
  }

  /** 0 before the first. */
  get lastId(): number {
    return this.#lastId
  }

  /** Id of the oldest exchange that is still there; where there is none, of the next. */
  get firstId(): number {
    return this.#ring[this.#start]?.id ?? this.#lastId + 1
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** What went through since the start or the last `clear`, whether or not it is still kept. */
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
    if (this.#ring.length < this.#size) {
      this.#ring.push(fitting)
      return
    }
    this.#ring[this.#start] = fitting
    this.#start = (this.#start + 1) % this.#size
  }

  find(id: number): Exchange | undefined {
    return this.#ring.find((exchange) => exchange.id === id)
  }

  exchanges(filter: JournalFilter = {}): Exchange[] {
    const ordered = [...this.#ring.slice(this.#start), ...this.#ring.slice(0, this.#start)]
    const { operation, status, since, after, limit } = filter
    const matching = ordered.filter(
      (exchange) =>
        (operation === undefined || exchange.operation === operation) &&
        (status === undefined || exchange.status === status) &&
        (since === undefined || exchange.atMs >= since * 1000) &&
        (after === undefined || exchange.id > after),
    )
    return limit === undefined ? matching : matching.slice(Math.max(0, matching.length - limit))
  }

  clear(): void {
    this.#ring = []
    this.#start = 0
    this.#requests = 0
    this.#errors = 0
  }
}

function kept<B extends string | Uint8Array | OmittedBody | null>(body: B): B | OmittedBody {
  if (body === null || (typeof body === 'object' && 'sizeBytes' in body)) return body
  return body.length > bodyBytes ? { sizeBytes: body.length } : body
}

/** Large bodies are let go: the journal holds their size alone. */
function withinSize(exchange: Exchange): Exchange {
  const requestBody = kept(exchange.requestBody)
  const responseBody = kept(exchange.responseBody)
  if (requestBody === exchange.requestBody && responseBody === exchange.responseBody) return exchange
  return { ...exchange, requestBody, responseBody }
}

// One request with its response as users see it.
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import { changeOf, detailedChange, type DetailedChange, type RecordChange } from './changes.ts'
import type { Exchange } from '../exchange.ts'
import { paramsOf } from './weight.ts'
import { isMultipart } from '../request/multipart.ts'
import { parseJson } from '../request/json.ts'

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
  if (contentType === null || !isMultipart(contentType)) return contentType
  return contentType.replace(/;.*$/s, '').trim()
}

/** An exchange as users see it, without the bodies. */
export function journalSummary(exchange: Exchange): JournalSummary {
  const { id, atMs, method, path, operation, label, status, refusal, headers, fault } = exchange
  return {
    id,
    at: Math.floor(atMs / 1000),
    atMs,
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(exchange.queryText)),
    operation,
    params: { ...paramsOf(exchange) },
    key: exchange.principal?.key.name ?? null,
    ...(label === null ? {} : { label }),
    status,
    refusal,
    responseHeaders: { ...headers },
    changes: exchange.effects.map(changeOf),
    ...(exchange.moreEffects === 0 ? {} : { moreChanges: exchange.moreEffects }),
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

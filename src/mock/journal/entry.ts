// A request and its response as users see them.
import { parseQueryText } from '../../contract/data/query-text.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import { changeOf, toDetailedChange, type DetailedChange, type RecordChange } from './changes.ts'
import type { Exchange } from './exchange.ts'
import { findPartialSuccess, type PartialSuccess } from './partial-success.ts'
import { paramsOf } from './weight.ts'
import { isMultipart, listParts, type BodyPart } from '../requests/multipart.ts'
import { parseJson } from '../requests/json.ts'

/** JSON as a value; other text, and JSON nested too deeply, as a string; binary or beyond 64 KiB, as size and type. */
export type JournalBody =
  | { readonly json: unknown }
  | { readonly text: string }
  | {
      readonly sizeBytes: number
      readonly contentType: string
      readonly truncated?: true
      /** The parts of a multipart body, at most 100. */
      readonly parts?: readonly BodyPart[]
    }
  | null

/** A request and its response, without the bodies. Plain data. */
export interface JournalSummary {
  readonly id: number
  /** Unix seconds on the mock's clock. */
  readonly at: number
  /** Milliseconds on the mock's clock. */
  readonly atMs: number
  readonly method: string
  /** Relative to the base address: `/tasks/tsk_1`. */
  readonly path: string
  /** The whole address, without query, if it is not under the base address; `path` is then its full path. */
  readonly outside?: string
  readonly query: Readonly<Record<string, string>>
  /** Null if no operation matches method and path. */
  readonly operation: OperationId | null
  readonly params: Readonly<Record<string, string>>
  /** Name of the key, never the key. */
  readonly key: string | null
  /** Value of `X-Mock-Label`, such as the name of a test. */
  readonly label?: string
  readonly status: number
  /** The kind of error behind the status, such as `scope` or `lockedTable` behind 403; null if the API sent no error. */
  readonly refusal: ErrorKind | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** What the request created, changed and deleted. */
  readonly changes: readonly RecordChange[]
  /** Number of changes not listed: beyond `journalBytes`, the journal keeps 250 per request. */
  readonly moreChanges?: number
  /** Id of the fault that caused, changed or delayed the response, broke the connection, or let another user act. */
  readonly fault: string | null
  /** Set if the response or the broken connection comes from that fault rather than from the service. */
  readonly injected?: true
  /** Milliseconds by which that fault delayed it; absent without a delay. */
  readonly delayMs?: number
  /** Set if the console itself sent it; report, coverage and faults ignore such requests. */
  readonly console?: true
  /** The client rules that this request alone broke; rules about several requests are in the report. Absent if none. */
  readonly breaches?: readonly RuleId[]
  /** Failed rows of a bulk request or a job whose response is 200 nevertheless. */
  readonly partial?: PartialSuccess
}

/** A request and its response. Plain data; bodies are copies. */
export interface JournalEntry extends JournalSummary {
  /** The changes, each with its fields before and after. */
  readonly changes: readonly DetailedChange[]
  readonly requestBody: JournalBody
  readonly responseBody: JournalBody
}

function toJournalBody(body: Exchange['responseBody'], contentType: string | null): JournalBody {
  if (body === null) return null
  const type = contentType ?? 'application/octet-stream'
  if (typeof body === 'object' && 'sizeBytes' in body)
    return { sizeBytes: body.sizeBytes, contentType: type, truncated: true }
  if (body.length === 0) return null
  const isText = typeof body === 'string' || /^(?:text\/|application\/(?:[\w.+-]+\+)?json)/i.test(type)
  if (!isText) return { sizeBytes: body.length, contentType: type }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    return { json: parseJson(text, 'body') }
  } catch {
    return { text }
  }
}

/** The content type without a multipart boundary. Clients choose boundaries at random, and two runs must leave the same journal. */
export function contentTypeOf({ contentType }: Exchange): string | null {
  if (contentType === null || !isMultipart(contentType)) return contentType
  return contentType.replace(/;.*$/s, '').trim()
}

export function toJournalSummary(exchange: Exchange): JournalSummary {
  const partial = findPartialSuccess(exchange)
  const breaches = new Set(exchange.breaches.map(({ rule }) => rule))
  const { id, atMs, method, path, outside, operation, label, status, refusal, headers, fault } = exchange
  return {
    id,
    at: Math.floor(atMs / 1000),
    atMs,
    method,
    path,
    ...(outside === undefined ? {} : { outside }),
    query: Object.fromEntries(parseQueryText(exchange.query)),
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
    ...(exchange.isInjected && { injected: true }),
    ...(exchange.delayMs === 0 ? {} : { delayMs: exchange.delayMs }),
    ...(exchange.isConsole ? { console: true } : {}),
    ...(breaches.size > 0 && { breaches: [...breaches] }),
    ...(partial && { partial }),
  }
}

/** The parts of a multipart request body; undefined for other bodies, or if the parts are not known. */
export function partsOf({ parts, contentType, requestBody }: Exchange): readonly BodyPart[] | undefined {
  if (parts || !isMultipart(contentType) || !(requestBody instanceof Uint8Array)) return parts
  return listParts(requestBody, contentType ?? '')
}

export function toJournalEntry(exchange: Exchange): JournalEntry {
  const requestBody = toJournalBody(exchange.requestBody, contentTypeOf(exchange))
  const parts = requestBody && 'sizeBytes' in requestBody ? partsOf(exchange) : undefined
  return {
    ...toJournalSummary(exchange),
    changes: exchange.effects.map(toDetailedChange),
    requestBody: requestBody && parts ? { ...requestBody, parts } : requestBody,
    responseBody: toJournalBody(exchange.responseBody, exchange.headers['content-type'] ?? null),
  }
}

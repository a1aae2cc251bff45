// One request with its response as the journal keeps it: what it weighs, and what is left of it where bytes run out.
import type { RuleId } from '../../contract/client-rules.ts'
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import { findOperation } from '../request/route.ts'
import { withoutSides, type BoundedEffects } from './changes.ts'

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
  readonly method: string
  /** The base address that it came to. */
  readonly baseUrl: string
  /** Relative to the base address, as sent. */
  readonly path: string
  readonly query: string
  readonly operation: OperationId | null
  /** Kept where the path was cut; else `paramsOf` finds them in it. */
  readonly params?: Readonly<Record<string, string>>
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

/** The path parameters as sent, still encoded. */
export const paramsOf = ({ params, method, path }: Exchange): Readonly<Record<string, string>> =>
  params ?? findOperation(method, path)?.params ?? {}

/** Bodies are kept up to this size. */
const bodyBytes = 64 * 1024

type Body = Exchange['responseBody']

function kept<B extends Body>(body: B, mostBytes: number): B | OmittedBody {
  if (body === null || (typeof body === 'object' && 'sizeBytes' in body)) return body
  return body.length > mostBytes ? { sizeBytes: body.length } : body
}

/** Keeps only the size of large bodies. */
export function withinSize(exchange: Exchange, mostBytes = bodyBytes): Exchange {
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
export function weightOf(exchange: Exchange): number {
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
export const lean = (exchange: Exchange): Exchange => ({
  ...withinSize(exchange, 0),
  path: shortText(exchange.path),
  query: shortText(exchange.query),
  ...(exchange.path.length > shownCharacters && {
    params: Object.fromEntries(
      Object.entries(paramsOf(exchange)).map(([name, text]) => [name, shortText(text)]),
    ),
  }),
  effects: withoutSides(exchange.effects, shownItems),
  effectBytes: 0,
  ...(exchange.effects.length > shownItems && { moreEffects: exchange.effects.length - shownItems }),
  observations: exchange.observations.slice(0, shownItems),
})

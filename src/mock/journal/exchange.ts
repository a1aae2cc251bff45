// A request and its response, as the journal keeps them.
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'
import type { Effect } from '../../service/store/overlay.ts'
import { principalOf, type Principal } from '../requests/authenticate.ts'
import type { CallBody } from '../requests/call.ts'
import { noEffects, type Breach, type OpenExchange } from '../requests/exchange.ts'
import type { BodyPart } from '../requests/multipart.ts'
import type { Reception } from '../requests/reception.ts'
import { limitEffects } from './changes.ts'

interface OmittedBody {
  readonly sizeBytes: number
}

const labelCharacters = 200

/** A request and its response as the journal keeps them: bodies by reference, nothing parsed. */
export interface Exchange {
  /** Its number in the journal, from 1. `reset` starts over; `clearRequests` does not. */
  readonly id: number
  /** When its handling began, in milliseconds on the mock's clock. */
  readonly atMs: number
  readonly method: string
  readonly baseUrl: string
  path: string
  /** As sent, without the question mark. */
  query: string
  readonly outside: string | undefined
  readonly operation: OperationId | null
  /** The path parameters if the stored path was truncated; otherwise `paramsOf` reads them from the path. */
  params: Readonly<Record<string, string>> | undefined
  /** Undefined if the key was not checked or is not valid. */
  readonly principal: Principal | undefined
  /** The key that was sent, even if the request failed before the key was checked; null for no key or an unknown one. */
  readonly sender: Principal['key'] | null
  readonly isKeySent: boolean
  readonly label: string | null
  readonly contentType: string | null
  requestBody: Uint8Array | OmittedBody | null
  /** 0 if the connection was broken. */
  readonly status: number
  /** The kind of error; null on success or if the connection was broken. */
  readonly refusal: ErrorKind | null
  readonly headers: Readonly<Record<string, string>>
  responseBody: string | Uint8Array | OmittedBody | null
  effects: readonly Effect[]
  /** Total size of the old and new values in all effects, in bytes. */
  effectBytes: number
  /** Number of bytes the journal can drop from it. */
  heldBytes: number
  /** Number of effects that were dropped. */
  moreEffects: number
  /** The first 1,000 distinct breaches. */
  breaches: readonly Breach[]
  /** Id of the fault that caused, changed or delayed the response, broke the connection, or let another user act. */
  readonly fault: string | null
  /** Whether the response or the broken connection comes from the fault rather than from the service. */
  readonly isInjected: boolean
  readonly delayMs: number
  /** Whether the console itself sent it, with `X-Mock-Console: 1`. */
  readonly isConsole: boolean
  parts: readonly BodyPart[] | undefined
  /** What the server or worker knows about it; only the console uses this. */
  reception: Reception | undefined
}

function toStoredBody(body: CallBody): Exchange['requestBody'] {
  if (body === null || !('isTooLarge' in body)) return body
  return body.isTooLarge ? null : { sizeBytes: body.sizeBytes }
}

const nothingHeld = { effects: noEffects, effectBytes: 0 }

/** What the journal keeps of a request that has a response. */
export function toExchange(open: OpenExchange): Exchange {
  const { call, principal, response, failure } = open
  const { effects, effectBytes } = open.effects.length > 0 ? limitEffects(open.effects) : nothingHeld
  return {
    id: open.id,
    atMs: open.atMs,
    method: call.method,
    baseUrl: call.baseUrl,
    path: call.path,
    query: call.query,
    outside: call.outside,
    operation: open.operation,
    params: undefined,
    principal,
    sender: (principal ?? principalOf(open.store, open.sentKey))?.key ?? null,
    isKeySent: open.authorization !== null,
    label: call.header('x-mock-label')?.slice(0, labelCharacters) ?? null,
    contentType: open.contentType,
    requestBody: toStoredBody(open.sent),
    status: response.status,
    refusal: response.refusal ?? null,
    headers: response.headers,
    responseBody: response.body,
    effects,
    effectBytes,
    heldBytes: 0,
    moreEffects: 0,
    breaches: open.breaches,
    fault: open.fault,
    isInjected: open.isInjected,
    delayMs: failure?.delayMs ?? 0,
    isConsole: open.isConsole,
    parts: open.parts,
    reception: call.reception,
  }
}

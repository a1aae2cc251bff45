// Conditions on a request and its response, as far as the journal holds them.
import type { RuleId } from '../contract/client-rules.ts'
import type { ErrorKind } from '../contract/errors.ts'
import type { OperationId } from '../contract/index.ts'
import { isObject } from '../contract/data/objects.ts'
import type { Exchange } from '../core/exchange.ts'
import { jsonIn, type Json } from './request.ts'
import type { Store } from '../store/store.ts'

/** An exchange, with its bodies if the journal still holds them. */
export interface Evidence {
  readonly exchange: Exchange
  readonly store: Store
  readonly isDone: boolean
  readonly query: URLSearchParams
  /** The JSON object sent, empty if there was no body; undefined if it is not known. */
  readonly sent: Json | undefined
  /** The JSON object of the response; undefined if it is not known. */
  readonly response: Json | undefined
}

export type Condition = (evidence: Evidence) => boolean

export function toEvidence(exchange: Exchange, store: Store): Evidence {
  const { status, queryText, requestBody, responseBody } = exchange
  return {
    exchange,
    store,
    isDone: status >= 200 && status < 300,
    query: new URLSearchParams(queryText),
    sent: requestBody === null ? {} : jsonIn(requestBody),
    response: jsonIn(responseBody),
  }
}

export const isDone: Condition = (evidence) => evidence.isDone
export const isRefused: Condition = ({ exchange }) => exchange.status >= 400
export const hasRefusal =
  (...kinds: ErrorKind[]): Condition =>
  ({ exchange }) =>
    exchange.refusal !== null && kinds.includes(exchange.refusal)
export const isInvalid = hasRefusal('validation')
export const hasBreach =
  (...rules: RuleId[]): Condition =>
  ({ exchange }) =>
    exchange.observations.some(({ rule }) => rules.includes(rule))
export const meetsAny =
  (...conditions: Condition[]): Condition =>
  (evidence) =>
    conditions.some((condition) => condition(evidence))
export const meetsAll =
  (...conditions: Condition[]): Condition =>
  (evidence) =>
    conditions.every((condition) => condition(evidence))
export const isOperation =
  (...ids: OperationId[]): Condition =>
  ({ exchange }) =>
    exchange.operation !== null && ids.includes(exchange.operation)

/** Whether the body has one of these fields with a value for which `holds` is true; true if the body is not known. */
export const hasField =
  (fields: readonly string[], holds: (value: unknown) => boolean = () => true): Condition =>
  ({ sent }) =>
    sent === undefined || fields.some((field) => Object.hasOwn(sent, field) && holds(sent[field]))
export const hasParameter =
  (...names: string[]): Condition =>
  ({ query }) =>
    names.some((name) => query.has(name))

export const hasItems = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length > 0

/** Whether a response shows something for which `holds` is true under one of these names, alone or in a list. */
export const hasShown =
  (names: readonly string[], holds: (shown: Json) => boolean = () => true): Condition =>
  (evidence) => {
    const { response } = evidence
    if (!evidence.isDone) return false
    if (response === undefined) return true
    const named = names.filter((name) => name in response).flatMap((name) => response[name])
    const shown: unknown[] = named.length > 0 || names.some((name) => name in response) ? named : [response]
    return shown.filter(isObject).some(holds)
  }

// Conditions on a request and its response, as far as the journal holds them.
import type { RuleId } from '../contract/client-rules.ts'
import type { ErrorKind } from '../contract/errors.ts'
import type { OperationId } from '../contract/index.ts'
import { isObject } from '../contract/data/objects.ts'
import type { Exchange } from '../core/exchange.ts'
import { jsonIn, type Json } from './request.ts'
import type { Store } from '../store/store.ts'

/** An exchange, with its bodies if the journal still holds them. */
export interface Seen {
  readonly exchange: Exchange
  readonly store: Store
  readonly isDone: boolean
  readonly query: URLSearchParams
  /** The JSON object sent, empty if there was no body; undefined if it is not known. */
  readonly sent: Json | undefined
  /** The JSON object of the response; undefined if it is not known. */
  readonly response: Json | undefined
}

export type Depends = (seen: Seen) => boolean

export function seenOf(exchange: Exchange, store: Store): Seen {
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

export const never: Depends = () => false
export const isDone: Depends = (seen) => seen.isDone
export const isRefused: Depends = ({ exchange }) => exchange.status >= 400
export const refusedAs =
  (...kinds: ErrorKind[]): Depends =>
  ({ exchange }) =>
    exchange.refusal !== null && kinds.includes(exchange.refusal)
export const isInvalid = refusedAs('validation')
export const breached =
  (...rules: RuleId[]): Depends =>
  ({ exchange }) =>
    exchange.observations.some(({ rule }) => rules.includes(rule))
export const either =
  (...conditions: Depends[]): Depends =>
  (seen) =>
    conditions.some((condition) => condition(seen))
export const both =
  (...conditions: Depends[]): Depends =>
  (seen) =>
    conditions.every((condition) => condition(seen))
export const of =
  (...ids: OperationId[]): Depends =>
  ({ exchange }) =>
    exchange.operation !== null && ids.includes(exchange.operation)

/** Whether the body has one of these fields with a value for which `holds` is true; true if the body is not known. */
export const sends =
  (fields: readonly string[], holds: (value: unknown) => boolean = () => true): Depends =>
  ({ sent }) =>
    sent === undefined || fields.some((field) => Object.hasOwn(sent, field) && holds(sent[field]))
export const asks =
  (...names: string[]): Depends =>
  ({ query }) =>
    names.some((name) => query.has(name))

export const hasItems = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length > 0

/** Whether a response shows something for which `holds` is true under one of these names, alone or in a list. */
export const shows =
  (names: readonly string[], holds: (shown: Json) => boolean = () => true): Depends =>
  (seen) => {
    const { response } = seen
    if (!seen.isDone) return false
    if (response === undefined) return true
    const named = names.filter((name) => name in response).flatMap((name) => response[name])
    const shown: unknown[] = named.length > 0 || names.some((name) => name in response) ? named : [response]
    return shown.filter(isObject).some(holds)
  }

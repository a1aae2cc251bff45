// The address of an exchange, its size in the journal, and its reduced form beyond the budget.
import { copyStart } from '../../contract/text/quote.ts'
import type { Call } from '../requests/call.ts'
import type { Exchange } from './exchange.ts'
import { findOperation } from '../requests/route.ts'
import { changeOf } from './changes.ts'

type Address = Pick<Call, 'path' | 'outside' | 'query'>

/** Path and query as sent, relative to the base address; the whole address if it is not under the base address. */
export function addressOf({ path, outside, query }: Address): string {
  const address = outside ?? path
  return query === '' ? address : `${address}?${query}`
}

export const urlOf = (baseUrl: string, exchange: Address): string =>
  (exchange.outside === undefined ? baseUrl : '') + addressOf(exchange)

/** The path parameters as sent, still encoded. */
export const paramsOf = ({ params, method, path, operation }: Exchange): Readonly<Record<string, string>> =>
  params ?? (operation === null ? undefined : findOperation(method, path)?.params) ?? {}

/** Whether a body was sent and not dropped. */
export const isHeld = (body: Exchange['responseBody']): body is string | Uint8Array =>
  body !== null && !(typeof body === 'object' && 'sizeBytes' in body)

const decoder = new TextDecoder()

/** Whether a held body contains a text, ignoring the body's case; the text must be in lower case. */
export const hasText = (body: Exchange['responseBody'], text: string): boolean =>
  isHeld(body) && (typeof body === 'string' ? body : decoder.decode(body)).toLowerCase().includes(text)

export const keptBodyBytes = 64 * 1024

/** Replaces bodies beyond `mostBytes`, and response texts beyond `mostText` characters, with their size. */
export function dropBodies(exchange: Exchange, mostBytes: number, mostText = mostBytes): void {
  const { requestBody, responseBody } = exchange
  if (isHeld(requestBody) && requestBody.length > mostBytes)
    exchange.requestBody = { sizeBytes: requestBody.length }
  if (isHeld(responseBody) && responseBody.length > (typeof responseBody === 'string' ? mostText : mostBytes))
    exchange.responseBody = { sizeBytes: responseBody.length }
}

const heldSizeOf = (body: Exchange['responseBody']) => (isHeld(body) ? body.length : 0)

/** Estimated size of an effect, a breach or a part, without its values and texts. */
const itemBytes = 100
const shownItems = 250
const weighedCharacters = 1000

export function weightOf(exchange: Exchange): number {
  const { effects, effectBytes, breaches, path, query } = exchange
  let bytes = heldSizeOf(exchange.requestBody) + heldSizeOf(exchange.responseBody)
  bytes += itemBytes * effects.length + effectBytes
  for (const { subject } of breaches) bytes += itemBytes + subject.length
  bytes += itemBytes * (exchange.parts?.length ?? 0) + (exchange.reception?.heldBytes ?? 0)
  const addressCharacters = path.length + query.length
  return addressCharacters > weighedCharacters ? bytes + addressCharacters : bytes
}

/** Keeps only what identifies an exchange: drops bodies, and cuts long lists and texts. */
export function makeLean(exchange: Exchange): void {
  const { path, effects } = exchange
  dropBodies(exchange, 0)
  exchange.parts = undefined
  exchange.reception = undefined
  if (path.length > weighedCharacters) {
    const params = Object.entries(paramsOf(exchange))
    exchange.params = Object.fromEntries(
      params.map(([name, text]) => [name, copyStart(text, weighedCharacters)]),
    )
    exchange.path = copyStart(path, weighedCharacters)
  }
  exchange.query = copyStart(exchange.query, weighedCharacters)
  exchange.moreEffects = Math.max(0, effects.length - shownItems)
  exchange.effects = effects.slice(0, shownItems).map(changeOf)
  exchange.effectBytes = 0
  exchange.breaches = exchange.breaches.slice(0, shownItems)
}

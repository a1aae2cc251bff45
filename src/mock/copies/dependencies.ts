// Finds the earlier requests that a request in the journal depends on, and names the ids they created.
import { limitOfKind } from '../../contract/errors.ts'
import { isObject } from '../../contract/data/objects.ts'
import { isHeld } from '../journal/weight.ts'
import type { Exchange } from '../journal/exchange.ts'

const decoder = new TextDecoder()

const bodyTextOf = (body: Exchange['responseBody']) =>
  isHeld(body) ? (typeof body === 'string' ? body : decoder.decode(body)) : ''

const wordsOf = (...texts: readonly string[]) => texts.flatMap((text) => text.match(/[\w-]{3,}/g) ?? [])

const sentWords = ({ path, query, requestBody }: Exchange) => wordsOf(path, query, bodyTextOf(requestBody))

const isSuccess = ({ status }: Exchange) => status > 0 && status < 400

/** Whether an earlier request counts towards the limit that refused a later one. */
function isCounted(earlier: Exchange, { refusal, operation }: Exchange): boolean {
  const limit = refusal === null ? undefined : limitOfKind(refusal)
  if (limit === undefined || !isSuccess(earlier)) return false
  return limit === 'requestsPerMonth' || earlier.operation === operation
}

/**
 * Adds the earlier requests that the chosen requests depend on: they created or changed a record that a chosen request
 * names, or counted towards the limit that refused it.
 */
export function withDependencies(all: readonly Exchange[], chosen: readonly Exchange[]): readonly Exchange[] {
  const isChosen = new Set(chosen)
  const named = new Set<string>()
  const later: Exchange[] = []
  const found = all.toReversed().filter((exchange) => {
    const isWanted = isChosen.has(exchange)
    const isNeeded =
      isWanted ||
      exchange.effects.some(({ id }) => named.has(id)) ||
      later.some((refused) => isCounted(exchange, refused))
    if (!isNeeded) return false
    for (const word of sentWords(exchange)) named.add(word)
    if (isWanted) for (const word of wordsOf(bodyTextOf(exchange.responseBody))) named.add(word)
    if (isWanted && exchange.refusal !== null && limitOfKind(exchange.refusal) !== undefined)
      later.push(exchange)
    return true
  })
  return found.toReversed()
}

/** Finds the path to a value in JSON as source code, such as `.attachment.id`; undefined if it is absent. */
function findWay(json: unknown, value: string): string | undefined {
  if (json === value) return ''
  if (typeof json !== 'object' || json === null) return undefined
  for (const [name, item] of Object.entries(json)) {
    const way = findWay(item, value)
    if (way !== undefined) return (isObject(json) ? `.${name}` : `[${name}]`) + way
  }
  return undefined
}

/** Maps each word that requests send or receive to the index of the last request that contains it. */
export const indexWords = (exchanges: readonly Exchange[]): ReadonlyMap<string, number> =>
  new Map(
    exchanges.flatMap((exchange, index) =>
      [...sentWords(exchange), ...wordsOf(bodyTextOf(exchange.responseBody))].map(
        (word) => [word, index] as const,
      ),
    ),
  )

/** Finds ids of records that one request created and a later one names, each with its path in the response. */
export function findCreatedIds(
  { effects, responseBody }: Exchange,
  isNamedLater: (id: string) => boolean,
): readonly (readonly [id: string, way: string])[] {
  const created = effects.filter(({ change, id }) => change === 'created' && isNamedLater(id))
  if (created.length === 0 || typeof responseBody !== 'string') return []
  const json: unknown = JSON.parse(responseBody)
  return created.flatMap(({ id }) => {
    const way = findWay(json, id)
    return way === undefined ? [] : [[id, way] as const]
  })
}

/** Rewrites source code so that every text containing an id uses the id's variable. */
export function withVariables(source: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return source
  return source.replaceAll(/'((?:[^'\\\n]|\\.)*)'/g, (literal, inner: string) => {
    const whole = names.get(inner)
    if (whole !== undefined) return whole
    const escaped = inner.replaceAll(/`|\$\{/g, '\\$&')
    const written = escaped.replaceAll(/[\w-]+/g, (word) => {
      const name = names.get(word)
      return name === undefined ? word : `\${${name}}`
    })
    return written === escaped ? literal : `\`${written}\``
  })
}

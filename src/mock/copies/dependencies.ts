// Which earlier requests a request of the journal depends on, and how a test names the ids that they created.
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
 * The chosen requests, and before them those that created or changed a record that one of them names, or that counted
 * towards a limit that refused it.
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

/** The way to a value within JSON, as source: `.attachment.id`; undefined if it is not there. */
function findWay(json: unknown, value: string): string | undefined {
  if (json === value) return ''
  if (typeof json !== 'object' || json === null) return undefined
  for (const [name, item] of Object.entries(json)) {
    const way = findWay(item, value)
    if (way !== undefined) return (isObject(json) ? `.${name}` : `[${name}]`) + way
  }
  return undefined
}

/** Each word that requests send or receive, with the index of the last one that does. */
export const indexWords = (exchanges: readonly Exchange[]): ReadonlyMap<string, number> =>
  new Map(
    exchanges.flatMap((exchange, index) =>
      [...sentWords(exchange), ...wordsOf(bodyTextOf(exchange.responseBody))].map(
        (word) => [word, index] as const,
      ),
    ),
  )

/** The ids of records that a request created and a later one names, each with the way to it in the response. */
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

/** Source in which each text that contains an id is written with the variable of the id. */
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

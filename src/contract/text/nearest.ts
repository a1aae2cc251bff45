// The name nearest to a misspelled one.
import { quote, shownCharacters, shorten } from './quote.ts'

/** Two texts without the beginning and the end that they share. */
function cutCommonEnds(left: string, right: string): [string, string] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)]
}

/** Edit distance, ignoring case; two swapped neighbours are one edit. */
function measureDistance(left: string, right: string): number {
  const [from, to] = cutCommonEnds(left.toLowerCase(), right.toLowerCase())
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}

/** More names than these are not compared: a table can have thousands of rows. */
export const mostCompared = 2000

/** The part of a text that is compared: time grows with its length, and a hostile text is long. */
const cutForComparison = (text: string) => text.slice(0, shownCharacters)

/** The candidate nearest to the received name, and the edits between both; `letters` has the longer of them. */
function findClosest<T>(received: string, candidates: readonly T[], textOf: (candidate: T) => string) {
  const name = cutForComparison(received)
  let closest: { readonly candidate: T; readonly edits: number; readonly letters: number } | undefined
  for (const candidate of candidates.slice(0, mostCompared)) {
    const text = cutForComparison(textOf(candidate))
    const least = closest?.edits ?? Infinity
    // Two texts differ at least by the difference of their lengths.
    if (Math.abs(text.length - name.length) >= least) continue
    const edits = measureDistance(name, text)
    if (edits < least) closest = { candidate, edits, letters: Math.max(name.length, text.length) }
  }
  return closest
}

/** The nearest of the first 2,000 candidates; `textOf` gives the text to compare. */
export const findNearest = <T>(
  received: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
): T | undefined => findClosest(received, candidates, textOf)?.candidate

/** The nearest candidate, if at most half of its letters differ from the received name. */
function findNearBy<T>(received: unknown, candidates: readonly T[], textOf: (candidate: T) => string) {
  const found = typeof received === 'string' ? findClosest(received, candidates, textOf) : undefined
  return found && 2 * found.edits <= found.letters ? found.candidate : undefined
}

export const findNear = (received: unknown, names: readonly string[]): string | undefined =>
  findNearBy(received, names, String)

/** `, the nearest is high`, to end a message about an unknown name; empty if it is not a text, or no name is near. */
export function describeNearestName(received: unknown, names: readonly string[]): string {
  const found = findNear(received, names)
  return found === undefined ? '' : `, the nearest is ${shorten(found)}`
}

/** The name that was probably meant: up to a quarter of its letters differ. */
export function suggestNearest(received: string, names: readonly string[]): string | undefined {
  const found = findClosest(received, names, String)
  return found && 4 * found.edits <= found.candidate.length + 1 ? found.candidate : undefined
}

/** The id that was probably meant. Ids with one prefix differ in few letters, and one letter makes another id. */
export function suggestId(received: string, ids: readonly string[]): string | undefined {
  const found = findClosest(received, ids, String)
  if (!found) return undefined
  const { candidate, edits } = found
  const [prefix = ''] = /^[a-z]+_/.exec(candidate) ?? []
  const shared = received.startsWith(prefix) ? prefix.length : 0
  return 4 * edits < Math.max(received.length, candidate.length) - shared ? candidate : undefined
}

/** A record with an id and perhaps a name, or a name alone. */
export type NamedRecord =
  string | { readonly id: string; readonly name?: string | undefined; readonly title?: string | undefined }

/** The record that was probably meant, by id or name. */
function findNearRecord<T extends NamedRecord>(received: unknown, records: readonly T[]): T | undefined {
  const names = records.slice(0, mostCompared / 2).flatMap((record: T) => {
    if (typeof record === 'string') return { text: record, record }
    const { id, name = record.title ?? id } = record
    return [id, name].map((text) => ({ text, record }))
  })
  return findNearBy(received, names, ({ text }) => text)?.record
}

/** The records, the one that was probably meant first. */
export function sortNearestFirst<T extends NamedRecord>(
  received: unknown,
  records: readonly T[],
): readonly T[] {
  const found = findNearRecord(received, records)
  return found === undefined ? records : [found, ...records.filter((record) => record !== found)]
}

/** `, the nearest is "tbl_1" (Orders)`, by id or name; empty if the value is not a text, or no record is near. */
export function describeNearestRecord(received: unknown, records: readonly NamedRecord[]): string {
  const found = findNearRecord(received, records)
  return found === undefined ? '' : `, the nearest is ${describeRecord(found)}`
}

/** `"tbl_1" (Orders)` */
export function describeRecord(record: NamedRecord): string {
  if (typeof record === 'string') return quote(record)
  const { id, name = record.title } = record
  return quote(id) + (name === undefined ? '' : ` (${shorten(name)})`)
}

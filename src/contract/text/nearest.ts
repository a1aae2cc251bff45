// Finds the name nearest to a misspelled one.
import { listItems, quote, shownCharacters, shorten } from './quote.ts'

/** Strips the common prefix and suffix of two strings. */
function cutCommonEnds(left: string, right: string): [string, string] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)]
}

/**
 * The edit distance between two lower-case strings; swapping two neighbours counts as one edit. Infinity if it exceeds
 * `most`, which is usually clear after a few letters.
 */
function countEdits(left: string, right: string, most: number): number {
  const [from, to] = cutCommonEnds(left, right)
  // One edit cannot fix both ends unless it swaps two letters.
  if (most === 1 && Math.min(from.length, to.length) > 1)
    return to.length === 2 && from === to.charAt(1) + to.charAt(0) ? 1 : Infinity
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  let leastBefore = 0
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity
      const edits = Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      least = Math.min(least, edits)
      next.push(edits)
    }
    if (least > most && leastBefore >= most) return Infinity
    leastBefore = least
    before = row
    row = next
  }
  const edits = row[to.length] ?? 0
  return edits > most ? Infinity : edits
}

/** The set of letters in a string, as bits; several letters share a bit. */
function lettersOf(text: string): number {
  let letters = 0
  for (let index = 0; index < text.length; index++) letters |= 1 << text.charCodeAt(index)
  return letters
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/** Maximum number of names compared, because a table can have thousands of rows. */
export const mostCompared = 1000

/** Truncates a string for comparison, because the cost grows with length and hostile strings are long. */
const cutForComparison = (text: string) => text.slice(0, shownCharacters).toLowerCase()

/**
 * The candidate with the fewest edits.
 * @param mostOf returns the maximum number of edits for a candidate, given both lengths
 */
function findClosest<T>(
  received: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
  mostOf: (candidateLength: number, length: number) => number,
): T | undefined {
  const name = cutForComparison(received)
  const letters = lettersOf(name)
  let closest: T | undefined
  let least = Infinity
  for (const candidate of candidates.slice(0, mostCompared)) {
    const text = cutForComparison(textOf(candidate))
    const most = Math.min(mostOf(text.length, name.length), least - 1)
    // The distance is at least the difference in length.
    if (Math.abs(text.length - name.length) > most) continue
    // A letter that occurs in only one of the two needs an edit; most comparisons end here.
    const others = lettersOf(text)
    if (countBits(letters & ~others) > most || countBits(others & ~letters) > most) continue
    const edits = countEdits(name, text, most)
    if (edits > most) continue
    closest = candidate
    least = edits
  }
  return closest
}

/** The nearest of the first 1,000 candidates. `textOf` gives the text to compare. */
export const findNearest = <T>(
  received: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
): T | undefined => findClosest(received, candidates, textOf, () => Infinity)

/** The nearest candidate, if at most half of its letters differ from the received name. */
const findNearBy = <T>(received: unknown, candidates: readonly T[], textOf: (candidate: T) => string) =>
  typeof received === 'string'
    ? findClosest(received, candidates, textOf, (one, other) => Math.floor(Math.max(one, other) / 2))
    : undefined

export const findNear = (received: unknown, names: readonly string[]): string | undefined =>
  findNearBy(received, names, String)

/** Writes `, the nearest is high` to end a message about an unknown name; empty if it is not a string or no name is near. */
export function describeNearestName(received: unknown, names: readonly string[]): string {
  const found = findNear(received, names)
  return found === undefined ? '' : `, the nearest is ${shorten(found)}`
}

/** The name that was probably meant: at most a quarter of its letters differ. */
export const suggestNearest = (received: string, names: readonly string[]): string | undefined =>
  findClosest(received, names, String, (letters) => Math.floor((letters + 1) / 4))

/** The id that was probably meant. Stricter than for names, because ids with a common prefix differ in only a few letters. */
export function suggestId(received: string, ids: readonly string[]): string | undefined {
  const [prefix = ''] = /^[a-z]+_/.exec(ids[0] ?? '') ?? []
  const shared = received.startsWith(prefix) ? prefix.length : 0
  return findClosest(
    received,
    ids,
    String,
    (one, other) => Math.ceil((Math.max(one, other) - shared) / 4) - 1,
  )
}

/** A record with an id and perhaps a name, or a name alone. */
export type NamedRecord =
  string | { readonly id: string; readonly name?: string | undefined; readonly title?: string | undefined }

/** The record that was probably meant, found by id or name. */
function findNearRecord<T extends NamedRecord>(received: unknown, records: readonly T[]): T | undefined {
  const names = records.slice(0, mostCompared / 2).flatMap((record: T) => {
    if (typeof record === 'string') return { text: record, record }
    const { id, name = record.title ?? id } = record
    return [id, name].map((text) => ({ text, record }))
  })
  return findNearBy(received, names, ({ text }) => text)?.record
}

/** Moves the record that was probably meant to the front. */
export function sortNearestFirst<T extends NamedRecord>(
  received: unknown,
  records: readonly T[],
): readonly T[] {
  const found = findNearRecord(received, records)
  return found === undefined ? records : [found, ...records.filter((record) => record !== found)]
}

/** Describes the records, the one that was probably meant first; long lists are truncated. */
export const listNearestFirst = (received: unknown, records: readonly NamedRecord[], most?: number): string =>
  listItems(sortNearestFirst(received, records), describeRecord, most)

/** Writes `, the nearest is "tbl_1" (Orders)`, found by id or name; empty if the value is not a string or no record is near. */
export function describeNearestRecord(received: unknown, records: readonly NamedRecord[]): string {
  const found = findNearRecord(received, records)
  return found === undefined ? '' : `, the nearest is ${describeRecord(found)}`
}

/** Writes `"tbl_1" (Orders)`. */
function describeRecord(record: NamedRecord): string {
  if (typeof record === 'string') return quote(record)
  const { id, name = record.title } = record
  return quote(id) + (name === undefined ? '' : ` (${shorten(name)})`)
}

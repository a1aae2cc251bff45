// The name nearest to a misspelled one.
import { quote, shownCharacters, shorten } from './quote.ts'

/** Edit distance, ignoring case; two swapped neighbours are one edit. */
function distance(left: string, right: string): number {
  const [from, to] = [left.toLowerCase(), right.toLowerCase()]
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

/** The candidate nearest to the received name; `textOf` gives the text to compare. */
export function nearest<T>(
  received: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
): T | undefined {
  // Without the cut a hostile name would cost time in proportion to its length.
  const name = received.slice(0, shownCharacters)
  let best: T | undefined
  let least = Infinity
  for (const candidate of candidates) {
    const apart = distance(name, textOf(candidate))
    if (apart >= least) continue
    least = apart
    best = candidate
  }
  return best
}

/** More candidates than these are not compared: a table can have thousands of rows. */
const mostCompared = 1000

/** `, the nearest is high`, to end a message about an unknown name; empty if it is not a text, or without names. */
export function nearestNote(received: unknown, names: readonly string[]): string {
  const found =
    typeof received === 'string' ? nearest(received, names.slice(0, mostCompared), String) : undefined
  return found === undefined ? '' : `, the nearest is ${shorten(found)}`
}

/** The name that was probably meant: up to a quarter of its letters differ. */
export function suggestNearest(received: string, names: readonly string[]): string | undefined {
  const found = nearest(received, names.slice(0, mostCompared), String)
  const isClose =
    found !== undefined && 4 * distance(received.slice(0, shownCharacters), found) <= found.length + 1
  return isClose ? found : undefined
}

/** A record with an id and perhaps a name, or a name alone. */
export type NamedRecord =
  string | { readonly id: string; readonly name?: string | undefined; readonly title?: string | undefined }

/** `, the nearest is "tbl_1" (Orders)`, by id or name; empty if it is not a text, or without records. */
export function nearestRecord(received: unknown, records: readonly NamedRecord[]): string {
  const names = records.slice(0, mostCompared).flatMap((record) => {
    if (typeof record === 'string') return { text: record, shown: quote(record) }
    const name = record.name ?? record.title
    if (name === undefined) return { text: record.id, shown: quote(record.id) }
    return [record.id, name].map((text) => ({ text, shown: `${quote(record.id)} (${shorten(name)})` }))
  })
  const found = typeof received === 'string' ? nearest(received, names, ({ text }) => text) : undefined
  return found ? `, the nearest is ${found.shown}` : ''
}

// Quotes a received value in messages.

/** Most characters of a text in a message. */
export const shownCharacters = 120

/** A value as JSON, except for what JSON cannot express, such as the Infinity that a literal 1e999 becomes. */
function toJsonText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** The text, cut if it is long. */
export const shorten = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text

/** A value as JSON, cut if it is long. */
export const quote = (value: unknown): string => shorten(toJsonText(value))

/** Most characters of a list in a message; its first item is shown whatever its length. */
const shownListCharacters = 1000

/** The texts of the first items, and the number of the others. */
export function listItems<T>(items: readonly T[], textOf: (item: T) => string, most = 20): string {
  const texts: string[] = []
  let length = 0
  for (const item of items.slice(0, most)) {
    const text = textOf(item)
    length += text.length + 2
    if (texts.length > 0 && length > shownListCharacters) break
    texts.push(text)
  }
  const rest = items.length - texts.length
  return texts.join(', ') + (rest > 0 ? ` and ${String(rest)} more` : '')
}

/** A copy of the first characters: a slice alone keeps the whole text in memory. */
export const copyStart = (text: string, most: number): string => Array.from(text.slice(0, most)).join('')

// Quotes a received value in messages.

const shownCharacters = 120

/** As JSON, except for what JSON cannot express, such as the Infinity that a literal 1e999 becomes. */
function asText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number') return String(value)
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** The text, cut if it is long. */
export const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text

/** A value as JSON, cut if it is long. */
export const quote = (value: unknown): string => shortened(asText(value))

const shownNames = 20

/** The first of the names, separated by commas. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, shownNames).map(shortened).join(', ') + (names.length > shownNames ? ', …' : '')

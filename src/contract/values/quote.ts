// Quotes a received value in messages.

const shownCharacters = 120

/** What JSON would show of it, save what JSON has no word for, such as the Infinity that a literal 1e999 becomes. */
function asText(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
}

/** Cut where it is long. */
export const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text

/** A value as JSON, cut where it is long. */
export const quote = (value: unknown): string => shortened(asText(value))

const shownNames = 20

/** Names that somebody sent, the first ones. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, shownNames).map(shortened).join(', ') + (names.length > shownNames ? ', …' : '')

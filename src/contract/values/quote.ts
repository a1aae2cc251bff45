// Quotes a received value in messages.

const shownCharacters = 120

/** What JSON would show of it, save what JSON has no word for, such as the Infinity that a literal 1e999 becomes. */
function asText(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
}

/** A value as JSON, cut where it is long. */
export function quote(value: unknown): string {
  const text = asText(value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

// Advice for a moment that is not in Unix seconds, the unit of all times of the API.

const isoMoment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Milliseconds of a date, or of a text in ISO 8601; without a zone it is taken as UTC. NaN for all else. */
export function parseMomentMs(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  const match = typeof value === 'string' ? isoMoment.exec(value) : null
  if (!match) return NaN
  const [text, zone] = match
  return Date.parse(text.length > 10 && zone === undefined ? `${text}Z` : text)
}

/** `, times are Unix seconds: 1767225600` for a date or a text in ISO 8601; empty for all else. */
export function toSecondsNote(received: unknown): string {
  const ms = parseMomentMs(received)
  return Number.isNaN(ms) ? '' : `, times are Unix seconds: ${String(Math.floor(ms / 1000))}`
}

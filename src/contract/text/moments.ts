// Advice for a moment that is not in Unix seconds, the API's only unit of time.
import { compareText } from './format.ts'

const isoMoment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Whether an ISO date's day exists; engines read 2026-02-30 as 2 March. */
const hasDay = (date: string) => new Date(`${date}T00:00Z`).getUTCDate() === Number(date.slice(8, 10))

/** Milliseconds of a Date or an ISO 8601 string, in UTC if it has no zone. NaN for anything else, including dates that do not exist. */
export function parseMomentMs(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  const match = typeof value === 'string' ? isoMoment.exec(value) : null
  if (!match || !hasDay(match[0].slice(0, 10))) return NaN
  const [text, zone] = match
  return Date.parse(text.length > 10 && zone === undefined ? `${text}Z` : text)
}

/** Whole seconds, and the fraction's digits without trailing zeros. */
export type Instant = readonly [seconds: number, fraction: string]

/** The instant of an ISO 8601 string, to any number of digits; undefined for anything else. */
export function parseInstant(value: unknown): Instant | undefined {
  if (typeof value !== 'string') return undefined
  const [fraction = '', digits = ''] = /\.(\d+)/.exec(value) ?? []
  const ms = parseMomentMs(value.trim().replace(fraction, ''))
  return Number.isNaN(ms) ? undefined : [ms / 1000, digits.replace(/0+$/, '')]
}

export const compareInstants = ([a, aFraction]: Instant, [b, bFraction]: Instant): number =>
  compareText(a, b) || compareText(aFraction, bFraction)

/** `, times are Unix seconds: 1767225600` for a Date or an ISO 8601 string; empty for anything else. */
export function toSecondsNote(received: unknown): string {
  const ms = parseMomentMs(received)
  return Number.isNaN(ms) ? '' : `, times are Unix seconds: ${String(Math.floor(ms / 1000))}`
}

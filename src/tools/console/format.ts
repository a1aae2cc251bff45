// Formats moments, durations, numbers, sizes and names. Moments are in UTC, as in the API.
export { formatDuration } from '../../contract/text/format.ts'

/** The furthest moment a Date can hold, in milliseconds before or after 1970. */
const mostMs = 8.64e15

/** `2026-01-05T10:00:05.250Z`. */
export const formatIso = (ms: number) => new Date(Math.max(-mostMs, Math.min(mostMs, ms))).toISOString()
/** `2026-01-05`. */
export const formatDate = (ms: number) => formatIso(ms).slice(0, -14)
/** `10:00:05`. */
export const formatTime = (ms: number) => formatIso(ms).slice(-13, -5)
/** `10:00:05.250`. */
export const formatPreciseTime = (ms: number) => formatIso(ms).slice(-13, -1)
/** `2026-01-05 10:00:05`. */
export const formatMoment = (ms: number) => `${formatDate(ms)} ${formatTime(ms)}`
/** `2026-01-05 10:00:05.250`. */
export const formatPreciseMoment = (ms: number) => `${formatDate(ms)} ${formatPreciseTime(ms)}`
/** `10:00:05.250` in this machine's time zone, for times on a system clock. */
export const formatOwnTime = (ms: number) => formatPreciseTime(ms - new Date(ms).getTimezoneOffset() * 60_000)

/** `2026-01-05 11:00 Europe/Berlin`. */
export const formatInZone = (ms: number, timeZone: string) => {
  // The Swedish format is that of ISO 8601.
  const moment = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    ms,
  )
  return `${moment} ${timeZone}`
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `50,000`. */
export const { format: numberText } = new Intl.NumberFormat('en')

/** `1 row`, `2 rows`. */
export const formatQuantity = (count: number, singular: string, plural = `${singular}s`) =>
  `${numberText(count)} ${count === 1 ? singular : plural}`

/** `640 B`, `12.4 KiB`, `10 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`
  const isMebi = bytes >= 1024 * 1024
  const value = bytes / (isMebi ? 1024 * 1024 : 1024)
  return `${String(Math.round(value * 10) / 10)} ${isMebi ? 'MiB' : 'KiB'}`
}

/** Whether a text contains another one, ignoring case. */
export const hasText = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())

/** Turns `lockedTable` into `locked table`. */
export const wordsOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

// Ordering of strings and numbers, case folding for searches, number formats for sentences, and messages of thrown values.
import { quote } from './quote.ts'

/** Compares strings by code units, like the default sort, and numbers by value. */
export const compareText = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

export const foldCase = (text: string): string => text.toLowerCase()

/** Returns how searches fold text before comparing it. Assumption: queryText */
export const foldOf = ({ queryText }: { readonly queryText: 'insensitive' | 'sensitive' }) =>
  queryText === 'sensitive' ? (text: string): string => text : foldCase

/** Formats 50000 as 50,000. `toLocaleString` would load locale data, which takes a fifth of the import time. */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 row`, `2 rows`. */
export const countText = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`

export const formatMebibytes = (bytes: number): string => `${String(bytes / 1024 ** 2)} MiB`

/** The message of any thrown value, including Errors from another realm; other objects as JSON. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : quote(thrown)
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats a duration in its two largest units: `2 d 4 h`, `1.5 s`, `250 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${String(Math.round(ms))} ms`
  if (ms < 60_000) return `${String(Math.round(ms / 100) / 10)} s`
  let rest = ms
  const parts: string[] = []
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs)
    rest -= count * unitMs
    if (count > 0 || parts.length > 0) parts.push(`${String(count)} ${unit}`)
    if (parts.length === 2) break
  }
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

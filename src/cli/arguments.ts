// Parsers of option values.
import { InvalidArgumentError } from 'commander'
import { nearestNote } from '../contract/text/nearest.ts'
import { quote } from '../contract/text/quote.ts'
import { families, type Family } from '../core/disturbances.ts'
import { isHostName } from '../server/addresses.ts'
import { isSeconds, latestSeconds } from '../store/clock.ts'

export function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
  return port
}

/** The start of a fixture. */
export function startOf(text: string): 'now' | number {
  const seconds = /^\d+$/.test(text) ? Number(text) : text
  if (seconds === 'now' || isSeconds(seconds)) return seconds
  throw new InvalidArgumentError(`It must be now, or whole Unix seconds from 0 to ${String(latestSeconds)}.`)
}

export function urlOf(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:4010.')
  return url
}

export function countOf(text: string): number {
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count === 0) throw new InvalidArgumentError('It must be an integer from 1.')
  return count
}

/** Timers support little more. */
const mostMilliseconds = 35_000 * 60_000

export function millisecondsOf(text: string): number {
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const milliseconds = Number(amount) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
  if (amount === '' || milliseconds > mostMilliseconds)
    throw new InvalidArgumentError('It must be a length of time such as 30s, 500ms or 2m, at most 35000m.')
  return milliseconds
}

export function bytesOf(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(k|M|G|)B?$/i.exec(text) ?? []
  const bytes =
    Number(amount) * { k: 1e3, m: 1e6, g: 1e9 }[unit.toLowerCase() as 'k' | 'm' | 'g'] || Number(amount)
  if (!(bytes >= 1))
    throw new InvalidArgumentError('It must be a number of bytes such as 100MB, 500kB or 2GB.')
  return Math.floor(bytes)
}

/** The name of a file or folder. */
export function pathOf(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

/** Of an option with several values: repeated, or separated by commas. */
export const listOption = (text: string, names: readonly string[] = []) => [
  ...names,
  ...text.split(',').map((name) => name.trim()),
]

/** Families of disturbances. */
export function familiesArgument(text: string): readonly Family[] | 'all' {
  const names = listOption(text)
  if (names.length === 1 && names[0] === 'all') return 'all'
  const unknown = names.find((name) => !families.some((family) => family === name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `It must be all, or names of ${families.join(', ')}; received ${quote(unknown)}${nearestNote(unknown, families)}.`,
    )
  return families.filter((family) => names.includes(family))
}

export function refuseDepth(): never {
  throw new InvalidArgumentError(
    'Pairs of failures are not tried any more: --families errors,outage finds the same in fewer runs.',
  )
}

export function hostNamesOf(text: string, names?: readonly string[]): string[] {
  const all = listOption(text, names)
  if (!all.every(isHostName))
    throw new InvalidArgumentError(
      'It must be a host name or an address without a port, such as mock.internal.',
    )
  return all
}

export function shareOf(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1, or a percentage.')
  return share
}

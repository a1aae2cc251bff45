// Parses option values.
import { InvalidArgumentError } from 'commander'
import { assertEncoding } from '../../adapters/control-api/encodings.ts'
import { messageOf } from '../../contract/text/format.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { families, type Family } from '../explore/families.ts'
import { isHostName } from '../../adapters/server/addresses.ts'
import { isSeconds, latestSeconds } from '../../service/store/clock.ts'

/** Rejects texts for which `parse` returns undefined. */
const makeParser =
  <T>(expected: string, parse: (text: string) => T | undefined) =>
  (text: string): T => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`It must ${expected}.`)
    return value
  }

/** @param factors the multiplier of each unit */
function readAmount(text: string, factors: Readonly<Record<string, number>>): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text) ?? []
  return Number(amount) * (factors[unit] ?? NaN)
}

const parseInteger = (text: string, least: number, most: number) =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined

export const parsePort = makeParser('be an integer from 0 to 65535', (text) => parseInteger(text, 0, 65_535))
export const parseCount = makeParser('be an integer from 1 to 999999999', (text) =>
  parseInteger(text, 1, 999_999_999),
)

export const parseStart = makeParser(
  `be now, or whole Unix seconds from 0 to ${String(latestSeconds)}`,
  (text): 'now' | number | undefined => {
    const seconds = /^\d+$/.test(text) ? Number(text) : text
    return seconds === 'now' || isSeconds(seconds) ? seconds : undefined
  },
)

export const parseUrl = makeParser('be an address such as http://127.0.0.1:4010', (text) => {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
})

/** Just below the maximum of a timer, 2^31 - 1 ms (35,791 minutes). */
const mostMilliseconds = 35_000 * 60_000

export const parseMilliseconds = makeParser(
  'be a length of time such as 30s, 500ms or 2m, at most 35000m',
  (text) => {
    const milliseconds = readAmount(text, { ms: 1, '': 1000, s: 1000, m: 60_000 })
    return milliseconds <= mostMilliseconds ? milliseconds : undefined
  },
)

export const parseTimeout = (text: string): number =>
  makeParser('be more than 0', () => parseMilliseconds(text) || undefined)(text)

export const parseBytes = makeParser('be a number of bytes such as 100MB, 500kB or 2GB', (text) => {
  const bytes = readAmount(text.toLowerCase().replace(/b$/, ''), { '': 1, k: 1e3, m: 1e6, g: 1e9 })
  return bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER ? Math.floor(bytes) : undefined
})

export const parsePath = makeParser('not be empty', (text) => text || undefined)

/** Collects the values of an option that can be repeated or take a comma-separated list. */
export const parseNames = (text: string, names: readonly string[] = []) => [
  ...names,
  ...text.split(',').map((name) => name.trim()),
]

export function parseFamilies(text: string): readonly Family[] | 'all' {
  const names = parseNames(text)
  if (names.length === 1 && names[0] === 'all') return 'all'
  const unknown = names.find((name) => !families.some((family) => family === name))
  if (unknown !== undefined) {
    const received = quote(unknown) + describeNearestName(unknown, families)
    throw new InvalidArgumentError(
      `It must be all, or a list of ${families.join(', ')}; received ${received}.`,
    )
  }
  return families.filter((family) => names.includes(family))
}

export const parseHostNames = (text: string, names?: readonly string[]): string[] =>
  makeParser('be a host name or an address without a port, such as mock.internal', () => {
    const all = parseNames(text, names)
    return all.every(isHostName) ? all : undefined
  })(text)

export const parsePercent = makeParser('be a percentage from 0 to 100, such as 80', (text) => {
  const percent = /^\d+(?:\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : NaN
  return percent <= 100 ? percent : undefined
})

export const parseShare = makeParser('be a number from 0 to 1, or a percentage', (text) => {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  return text.trim() !== '' && share >= 0 && share <= 1 ? share : undefined
})

export interface RowsFile {
  /** The table's id or name. */
  readonly table: string
  readonly file: string
}

/** @throws {InvalidArgumentError} naming the nearest encoding */
export function parseEncoding(text: string): string {
  try {
    assertEncoding(text)
    return text
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

/** Collects the values of a repeatable option. */
export function parseRowsFile(text: string, before: readonly RowsFile[] = []): RowsFile[] {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError(
      `It must be TABLE=FILE, such as Coffees=coffees.csv; received ${quote(text)}.`,
    )
  return [...before, { table: text.slice(0, at), file: text.slice(at + 1) }]
}

// Parses cells by column type, in the formats that spreadsheets and other tools export.
import { isMomentType, isNumberType } from '../../../contract/column-types.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { Member } from '../../../contract/schema/common.ts'
import { parseMomentMs } from '../../../contract/text/moments.ts'
import { describeNearestName } from '../../../contract/text/nearest.ts'
import { listItems, quote } from '../../../contract/text/quote.ts'
import { readNumber } from './numbers.ts'
import { Refusal } from './refusal.ts'

/** Parses a non-empty cell; returns a Refusal if it cannot. */
export type CellReader = (text: string) => unknown

const trueWords = new Set(['true', 't', 'yes', 'y', '1', 'x', 'on', 'checked', '✓', '✔', '☑', '✅'])
const falseWords = new Set(['false', 'f', 'no', 'n', '0', 'off', 'unchecked', '☐', '✗', '✘'])

export const isFalseWord = (text: string): boolean => falseWords.has(text.trim().toLowerCase())

function readCheckbox(text: string): boolean | Refusal {
  const word = text.trim().toLowerCase()
  if (trueWords.has(word)) return true
  return falseWords.has(word) ? false : new Refusal('must be true or false')
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const time = String.raw`(?:,?(?: at)? +(\d{1,2}):(\d\d)(?::(\d\d))?(?: *([ap])\.?m\.?)?(?: *(?:Z|UTC|GMT))?)?`
const monthFirst = new RegExp(
  String.raw`^(?:[a-z]+, *)?(?<month>[a-z]{3,})\.? +(?<day>\d{1,2})(?:st|nd|rd|th)?,? +(?<year>\d{4})${time}$`,
  'i',
)
const dayFirst = new RegExp(
  String.raw`^(?:[a-z]+, *)?(?<day>\d{1,2})(?:st|nd|rd|th)?\.?[ -]+(?<month>[a-z]{3,})\.?,?[ -]+(?<year>\d{4})${time}$`,
  'i',
)

const pad = (part: string | number) => String(part).padStart(2, '0')

/** Converts a date with a month name to ISO 8601; undefined for anything else. */
function toIsoDate(text: string): string | undefined {
  const match = monthFirst.exec(text) ?? dayFirst.exec(text)
  const { month: name = '', day = '', year = '' } = match?.groups ?? {}
  const word = name.toLowerCase()
  const month = months.findIndex((each) => each.startsWith(word) || (word === 'sept' && each === 'september'))
  if (!match || month < 0) return undefined
  const date = `${year}-${pad(month + 1)}-${pad(day)}`
  const [hours, minutes = '00', seconds = '00', half] = match.slice(-4)
  if (hours === undefined) return date
  if (half === undefined) return `${date}T${pad(hours)}:${minutes}:${seconds}Z`
  if (Number(hours) < 1 || Number(hours) > 12) return undefined
  return `${date}T${pad((Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0))}:${minutes}:${seconds}Z`
}

/** Suggests unambiguous dates for one whose day and month could be swapped. */
function describeDayOrMonth(text: string): string {
  const [, first = '', second = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)/.exec(text) ?? []
  const choices = [
    [first, second],
    [second, first],
  ]
  const written = choices
    .map(([month = '', day = '']) => `${year}-${pad(month)}-${pad(day)}`)
    .filter((date) => !Number.isNaN(parseMomentMs(date)))
  return written.length === 0 ? '' : `: write ${[...new Set(written)].join(' or ')}`
}

function readDate(given: string): number | Refusal {
  const text = given.trim()
  const rule = 'must be a date such as 2026-01-05, or Unix seconds'
  if (/^-?\d+$/.test(text)) {
    const number = Number(text)
    // 46027 is a spreadsheet's day number, 20260105 a date without hyphens.
    if (Math.abs(number) < 1e8) return new Refusal(rule, ', which is too small for Unix seconds')
    const seconds = String(Math.floor(number / 1000))
    return Math.abs(number) < 1e12
      ? number
      : new Refusal(rule, `, which is in milliseconds: write ${seconds}`)
  }
  const [, year = '', month = '', day = ''] = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text) ?? []
  const iso = year === '' ? (toIsoDate(text) ?? text) : `${year}-${pad(month)}-${pad(day)}`
  const ms = parseMomentMs(iso)
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000)
  const isDate = iso !== text || /^\d{4}-\d\d-\d\d/.test(text)
  return new Refusal(rule, isDate ? ', which does not exist' : describeDayOrMonth(text))
}

/** Finds ids of options or members by id, label or name. */
class Names {
  readonly #ids = new Map<string, string>()
  readonly #shared = new Set<string>()
  readonly #names: readonly string[]

  constructor(named: readonly Member[], areUnique: boolean) {
    this.#names = named.map(({ name }) => name)
    for (const { id, name } of named.toReversed()) {
      if (areUnique && this.#ids.has(name)) this.#shared.add(name)
      this.#ids.set(name, id)
    }
    for (const { id } of named) this.#ids.set(id, id)
  }

  has(name: string): boolean {
    return this.#ids.has(name)
  }

  idOf(name: string): string | Refusal {
    if (this.#shared.has(name))
      return new Refusal('must be an id, since several members have this name', '', name)
    const rule =
      this.#names.length === 0
        ? 'must be empty, since there is nothing to choose from'
        : `must be one of ${listItems(this.#names, quote)}`
    return this.#ids.get(name) ?? new Refusal(rule, describeNearestName(name, this.#names), name)
  }

  /** Splits at commas and finds each id; a name may contain commas and be quoted. */
  idsOf(text: string): readonly string[] | Refusal {
    const parts = text.split(',')
    const ids: string[] = []
    for (let at = 0; at < parts.length;) {
      const nameUpTo = (end: number) =>
        parts
          .slice(at, end)
          .join(',')
          .trim()
          .replace(/^"(.*)"$/s, '$1')
      let end = parts.length
      while (end > at + 1 && !this.has(nameUpTo(end))) end -= 1
      const name = nameUpTo(end)
      at = end
      if (name === '') continue
      const id = this.idOf(name)
      if (id instanceof Refusal) return id
      if (!ids.includes(id)) ids.push(id)
    }
    return ids
  }
}

const splitNames = (text: string) => text.split(',').flatMap((name) => name.trim() || [])

/** @param decimal the file's decimal sign, if known */
export function createCellReader(
  { type, options = [] }: Column,
  members: readonly Member[],
  decimal: '.' | ',' | undefined,
): CellReader {
  if (type === 'checkbox') return readCheckbox
  if (isNumberType(type)) return (text) => readNumber(text, decimal, type === 'currency')
  if (isMomentType(type)) return readDate
  if (type === 'datatable') return splitNames
  if (type === 'people') {
    const names = new Names(members, true)
    return (text) => names.idsOf(text)
  }
  if (type !== 'dropdown' && type !== 'tags') return (text) => text
  const labels = options.map(({ id, label }) => ({ id, name: label }))
  const names = new Names(labels, false)
  return type === 'tags' ? (text) => names.idsOf(text) : (text) => names.idOf(text.trim())
}

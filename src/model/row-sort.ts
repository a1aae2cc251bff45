// Owns how rows are put in order: each sort column as numbers that order like its values, text behind them. Assumption: emptyValues
import { textOf, type ColumnKind } from './column-kinds.ts'
import type { TableColumn } from './columns.ts'
import { LazyOrder, type Compare } from './lazy-order.ts'
import type { StoredRow } from './row-table.ts'
import { isEmpty } from './values.ts'

export interface SortBy {
  readonly column: TableColumn
  readonly kind: ColumnKind
  readonly isDescending: boolean
}

/** What a sort column knows of the row at an index. */
interface SortKey {
  /** Orders like the value as far as it can tell; Infinity where there is none. */
  readonly number: (index: number) => number
  /** Decides where two rows have one number; null where their values are equal then. */
  readonly text: ((index: number) => string) | null
  /** Whether values of this number are equal after all. */
  readonly isExact?: (number: number) => boolean
}

const packedCharacters = 7
const lastAscii = 126

/** The first characters of a text, in lower case, as one number that orders as they do; the rest it cannot tell. */
function packed(text: string): number {
  let number = 0
  for (let i = 0; i < packedCharacters; i++) {
    let code: number = i < text.length ? text.charCodeAt(i) : 0
    if (code > lastAscii) return packedLowerCase(text.toLowerCase())
    if (code >= 65 && code <= 90) code += 32
    number = number * 128 + code
  }
  return number
}

/** Everything beyond ASCII counts as one and the same: what follows it is left to the text. */
function packedLowerCase(text: string): number {
  let number = 0
  let isAscii = true
  for (let i = 0; i < packedCharacters; i++) {
    const code: number = isAscii && i < text.length ? text.charCodeAt(i) : 0
    isAscii &&= code <= lastAscii
    number = number * 128 + Math.min(code, lastAscii + 1)
  }
  return number
}

/** Lists order by the first item that differs. */
const listSeparator = '\u0000'

function sortText(kind: ColumnKind, value: unknown): string {
  return Array.isArray(value) ? value.map((item) => textOf(kind, item)).join(listSeparator) : textOf(kind, value)
}

type ReadAt = (index: number) => unknown

const byText = (read: ReadAt, kind: ColumnKind): SortKey => ({
  number: (index) => {
    const value = read(index)
    if (isEmpty(value)) return Infinity
    return packed(typeof value === 'string' && kind.kind === 'text' ? value : sortText(kind, value))
  },
  text: (index) => sortText(kind, read(index)).toLowerCase(),
})

const byNumber = (read: ReadAt): SortKey => ({
  number: (index) => {
    const value = read(index)
    const number = isEmpty(value) ? NaN : Number(value)
    return Number.isNaN(number) ? Infinity : number
  },
  text: null,
})

/** Labels by their rank among all labels: few stand behind many values. An id without a label ranks between two. */
function byLabel(read: ReadAt, kind: ColumnKind): SortKey {
  const labels = [...new Set([...kind.names.values()].map((name) => name.toLowerCase()))].sort(compareTexts)
  const ranks = new Map<unknown, number>()
  const rankOf = (value: unknown) => {
    const text = sortText(kind, value).toLowerCase()
    const rank = labels.findIndex((label) => label >= text)
    if (rank === -1) return labels.length - 0.5
    return labels[rank] === text ? rank : rank - 0.5
  }
  const number = (index: number) => {
    const value = read(index)
    if (isEmpty(value)) return Infinity
    let rank = ranks.get(value)
    if (rank === undefined) ranks.set(value, (rank = rankOf(value)))
    return rank
  }
  return { number, text: (index) => sortText(kind, read(index)).toLowerCase(), isExact: Number.isInteger }
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const typeOrder = ['boolean', 'number', 'string']

/** A formula may give numbers in one row and text in another: truth values come first, then numbers, then text. */
function byType(read: ReadAt, kind: ColumnKind, length: number): SortKey {
  const values = Array.from({ length }, (_, index) => read(index))
  const known = (index: number) => values[index]
  const given = [...new Set(values.filter((value) => !isEmpty(value)))]
  const types = new Set(given.map((value) => typeof value))
  if (types.size <= 1) return types.has('string') ? byText(known, kind) : byNumber(known)
  const fold = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : Number(value))
  const inOrder = given
    .map((value) => ({ type: typeOrder.indexOf(typeof value), key: fold(value) }))
    .sort((a, b) => a.type - b.type || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const ranks = new Map(inOrder.map(({ type, key }, rank) => [`${String(type)} ${String(key)}`, rank]))
  const rankOf = (value: unknown) => ranks.get(`${String(typeOrder.indexOf(typeof value))} ${String(fold(value))}`)
  return { number: (index) => (isEmpty(values[index]) ? Infinity : (rankOf(values[index]) ?? Infinity)), text: null }
}

function sortKey({ column, kind }: SortBy, rows: readonly StoredRow[]): SortKey {
  const read: ReadAt = (index) => column.read(rows[index] as StoredRow)
  if (kind.kind === 'number' || kind.kind === 'checkbox') return byNumber(read)
  if (kind.kind === 'dynamic') return byType(read, kind, rows.length)
  return kind.kind === 'named' && !kind.isList ? byLabel(read, kind) : byText(read, kind)
}

/** One column's part in the order; numbers and texts are worked out when first compared. */
class KeyColumn {
  readonly #key: SortKey
  readonly #sign: 1 | -1
  /** NaN where not yet worked out; in descending order with the sign turned. */
  readonly numbers: Float64Array
  readonly #texts: (string | undefined)[] = []

  constructor(by: SortBy, rows: readonly StoredRow[]) {
    this.#key = sortKey(by, rows)
    this.#sign = by.isDescending ? -1 : 1
    this.numbers = new Float64Array(rows.length).fill(NaN)
  }

  /** Works all numbers out: every row is compared by the first column. */
  fill(): Float64Array {
    for (let index = 0; index < this.numbers.length; index++) this.numbers[index] = this.#worked(index)
    return this.numbers
  }

  readonly compare: Compare = (a, b) => {
    const first = this.#numberAt(a)
    const second = this.#numberAt(b)
    if (first !== second) return first < second ? -1 : 1
    return this.compareTies(first, a, b)
  }

  /** Compares two rows of one number. */
  compareTies(number: number, a: number, b: number): number {
    const { text, isExact } = this.#key
    if (!text || number === Infinity || isExact?.(number * this.#sign)) return 0
    return this.#sign * compareTexts(this.#textAt(text, a), this.#textAt(text, b))
  }

  #worked(index: number): number {
    const number = this.#key.number(index)
    return number === Infinity ? number : this.#sign * number
  }

  #numberAt(index: number): number {
    const number = this.numbers[index] ?? NaN
    return Number.isNaN(number) ? (this.numbers[index] = this.#worked(index)) : number
  }

  #textAt(text: (index: number) => string, index: number): string {
    return (this.#texts[index] ??= text(index))
  }
}

/** The indexes of the rows in order; equals stay in insertion order. */
export function orderRows(rows: readonly StoredRow[], sort: readonly SortBy[]): LazyOrder {
  const [first, ...others] = sort.map((by) => new KeyColumn(by, rows))
  if (!first) return new LazyOrder(rows.length, (a, b) => a - b)
  const numbers = first.fill()
  const compareTies = (number: number, a: number, b: number) => {
    let order = first.compareTies(number, a, b)
    for (let i = 0; order === 0 && i < others.length; i++) order = others[i]?.compare(a, b) ?? 0
    return order === 0 ? a - b : order
  }
  return new LazyOrder(rows.length, (a, b) => {
    const number = numbers[a] as number
    const other = numbers[b] as number
    return number < other ? -1 : number > other ? 1 : compareTies(number, a, b)
  })
}

// Sorts rows: each sort column becomes numbers that order like its values, with text for ties. Assumption: emptyValues
import { compareText } from '../../contract/text/format.ts'
import { textOfValue, type ColumnKind } from './column-kinds.ts'
import { columnValues } from './column-values.ts'
import type { TableColumn } from './columns.ts'
import { LazyOrder, type Compare } from './lazy-order.ts'
import type { RowTable } from '../store/table.ts'
import { isEmpty } from '../../contract/data/objects.ts'

export interface SortBy {
  readonly column: TableColumn
  readonly isDescending: boolean
}

/** How a column's values are ordered. */
interface SortKey {
  /** A number that orders like the value, as far as a number can; Infinity for no value. */
  readonly number: (value: unknown) => number
  /** The text that orders values with the same number; null if such values are equal. */
  readonly text: ((value: unknown) => string) | null
  /** Whether values with this number are equal regardless of their texts. */
  readonly isExact?: (number: number) => boolean
  /** Whether the numbers depend only on the value and are worth caching. */
  readonly isCached?: boolean
}

const packedCharacters = 7
const lastAscii = 126

/**
 * Packs the first characters of a text, lower-cased, into a number with the same order. Packing stops at a non-ASCII
 * character; all of these get the same code, so comparing the texts breaks ties.
 */
function packText(text: string, isFolded = false): number {
  let number = 0
  let length = Math.min(text.length, packedCharacters)
  for (let i = 0; i < packedCharacters; i++) {
    let code: number = i < length ? text.charCodeAt(i) : 0
    if (code > lastAscii) {
      if (!isFolded) return packText(text.toLowerCase(), true)
      code = lastAscii + 1
      length = i
    } else if (code >= 65 && code <= 90) code += 32
    number = number * 128 + code
  }
  return number
}

/** Sorts before any other character, so that lists are ordered by the first item that differs. */
const listSeparator = '\u0000'

function toSortText(kind: ColumnKind, value: unknown): string {
  return Array.isArray(value)
    ? value.map((item) => textOfValue(kind, item)).join(listSeparator)
    : textOfValue(kind, value)
}

const createTextKey = (kind: ColumnKind, isCached: boolean): SortKey => ({
  isCached,
  number: (value) => {
    if (typeof value === 'string' && kind.kind === 'text') return value === '' ? Infinity : packText(value)
    return isEmpty(value) ? Infinity : packText(toSortText(kind, value))
  },
  text: (value) => toSortText(kind, value).toLowerCase(),
})

const numberKey: SortKey = {
  number: (value) => {
    if (typeof value === 'number') return value
    return typeof value === 'boolean' ? Number(value) : Infinity
  },
  text: null,
}

/** Values without a number follow all numbers, ordered as text. */
const withoutNumber = Number.MAX_VALUE

/** Orders values by the rank of their option's label, because many values share few options. Every value is an option. */
function createLabelKey({ names }: ColumnKind): SortKey {
  const labels = new Set([...names.values()].map((name) => name.toLowerCase()))
  const rankOf = new Map([...labels].sort(compareText).map((label, rank) => [label, rank]))
  const ranks = new Map([...names].map(([id, name]) => [id, rankOf.get(name.toLowerCase())]))
  return { number: (value) => ranks.get(value) ?? Infinity, text: null }
}

const typeOrder = ['boolean', 'number', 'string']

/** A formula can return numbers in one row and text in another; booleans come first, then numbers, then text. */
function createDynamicKey(kind: ColumnKind, values: readonly unknown[]): SortKey {
  const types = new Set<string>()
  for (const value of values) if (!isEmpty(value)) types.add(typeof value)
  if (types.size <= 1) return types.has('string') ? createTextKey(kind, false) : numberKey
  const given = [...new Set(values)].filter((value) => !isEmpty(value))
  const foldValue = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : Number(value))
  const name = (value: unknown) => `${typeof value} ${String(foldValue(value))}`
  const inOrder = given
    .map((value) => ({ name: name(value), type: typeOrder.indexOf(typeof value), key: foldValue(value) }))
    .sort((a, b) => a.type - b.type || compareText<string | number>(a.key, b.key))
  const ranks = new Map<string, number>()
  for (const { name } of inOrder) if (!ranks.has(name)) ranks.set(name, ranks.size)
  return { number: (value) => ranks.get(name(value)) ?? Infinity, text: null }
}

function createSortKey(kind: ColumnKind, values: readonly unknown[]): SortKey {
  if (kind.kind === 'number' || kind.kind === 'checkbox') return numberKey
  if (kind.kind === 'dynamic') return createDynamicKey(kind, values)
  if (kind.kind === 'numbered')
    return {
      ...createTextKey(kind, true),
      number: (value) => (isEmpty(value) ? Infinity : (kind.numberIn(value) ?? withoutNumber)),
      isExact: (number) => number !== withoutNumber,
    }
  return kind.kind === 'named' && !kind.isList ? createLabelKey(kind) : createTextKey(kind, true)
}

/** A column's sort keys for some rows, indexed by their place among these rows. */
class KeyColumn {
  readonly #values: readonly unknown[]
  readonly #slots: Uint32Array
  readonly #key: SortKey
  readonly #sign: 1 | -1
  /** Cached numbers by slot; 0 if not computed yet. */
  readonly #cached: Float64Array | null
  /** Lower comes first; NaN until computed. */
  readonly numbers: Float64Array
  readonly #texts: (string | undefined)[] = []

  constructor(table: RowTable, slots: Uint32Array, { column, isDescending }: SortBy) {
    const values = columnValues(table, column)
    this.#values = values.get()
    this.#slots = slots
    this.#key = createSortKey(column.kind, this.#values)
    this.#cached = this.#key.isCached ? values.numbers() : null
    this.#sign = isDescending ? -1 : 1
    this.numbers = new Float64Array(slots.length).fill(NaN)
  }

  /** Computes all numbers at once rather than on first comparison. */
  computeAll(): this {
    for (let index = 0; index < this.numbers.length; index++) this.numbers[index] = this.#compute(index)
    return this
  }

  readonly compare: Compare = (a, b) => {
    const first = this.#numberAt(a)
    const second = this.#numberAt(b)
    if (first !== second) return first < second ? -1 : 1
    return this.compareTies(first, a, b)
  }

  /** Compares two rows with the same number. */
  compareTies(number: number, a: number, b: number): number {
    const { text, isExact } = this.#key
    if (!text || number === Infinity || isExact?.(number * this.#sign)) return 0
    if (this.#valueAt(a) === this.#valueAt(b)) return 0
    return this.#sign * compareText(this.#textAt(text, a), this.#textAt(text, b))
  }

  #valueAt(index: number): unknown {
    return this.#values[this.#slots[index] ?? -1]
  }

  /** Empty values come last in either direction. */
  #compute(index: number): number {
    const cached = this.#cached
    const slot = this.#slots[index] ?? -1
    let number = cached?.[slot] ?? 0
    if (number === 0) {
      number = this.#key.number(this.#values[slot])
      if (cached) cached[slot] = number
    }
    return number === Infinity ? number : this.#sign * number
  }

  #numberAt(index: number): number {
    const number = this.numbers[index] ?? NaN
    return Number.isNaN(number) ? (this.numbers[index] = this.#compute(index)) : number
  }

  #textAt(text: (value: unknown) => string, index: number): string {
    return (this.#texts[index] ??= text(this.#valueAt(index)))
  }
}

/** Orders some rows of a table, as indexes into `slots`. Equal rows keep their order. */
export function orderRows(table: RowTable, slots: Uint32Array, sort: readonly SortBy[]): LazyOrder {
  const [first, ...others] = sort.map((by) => new KeyColumn(table, slots, by))
  if (!first) return new LazyOrder(slots.length, (a, b) => a - b)
  // The first column decides for most rows.
  const { numbers } = first.computeAll()
  const compareTies = (number: number, a: number, b: number) => {
    let order = first.compareTies(number, a, b)
    for (let i = 0; order === 0 && i < others.length; i++) order = others[i]?.compare(a, b) ?? 0
    return order === 0 ? a - b : order
  }
  return new LazyOrder(slots.length, (a, b) => {
    const number = numbers[a] ?? 0
    const other = numbers[b] ?? 0
    return number < other ? -1 : number > other ? 1 : compareTies(number, a, b)
  })
}

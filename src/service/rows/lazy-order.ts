// Sorting on demand: rows are sorted only as far as they are read.

/** Below this number of elements, everything is sorted at once. */
const eagerSortSize = 256
const mostSamples = 256
const goldenRatio = 0.618_033_988_749_895

/** Negative if element `a` comes before `b`, positive if after, 0 only for the same element. */
export type Compare = (a: number, b: number) => number

/** Sorts the numbers below `length` as they are read. Numbers not read yet can be in any order. */
export class LazyOrder {
  readonly #order: Uint32Array
  readonly #compare: Compare
  #sortedTo = 0

  constructor(length: number, compare: Compare) {
    this.#order = new Uint32Array(length)
    for (let i = 0; i < length; i++) this.#order[i] = i
    this.#compare = compare
  }

  slice(from: number, to: number): Uint32Array {
    const end = Math.min(to, this.#order.length)
    while (this.#sortedTo < end) this.#sortNextPart(end - this.#sortedTo)
    return this.#order.subarray(from, end)
  }

  /** Chunks double from page to page, so that all pages together take as long as one sort. */
  #sortNextPart(wanted: number): void {
    const { length } = this.#order
    const from = this.#sortedTo
    const size = Math.max(wanted, from)
    // If more than a quarter of the unsorted elements are wanted, sorting all of them is cheapest.
    const isRest = length - from < eagerSortSize || size * 4 > length - from
    this.#sortedTo = isRest ? length : this.#partition(from, size)
    this.#order.subarray(from, this.#sortedTo).sort(this.#compare)
  }

  /** Moves roughly the first `size` unsorted elements to the front, at least one. @returns where the others begin */
  #partition(from: number, size: number): number {
    const order = this.#order
    const compare = this.#compare
    const rest = order.length - from
    const sample = new Uint32Array(Math.min(mostSamples, rest >> 4))
    // Golden-ratio steps spread evenly, whatever pattern the rows follow.
    for (let i = 0; i < sample.length; i++)
      sample[i] = order[from + Math.floor(((i * goldenRatio) % 1) * rest)] ?? 0
    sample.sort(compare)
    // The rank is chosen so that slightly more elements than wanted should come before the pivot.
    const rank = Math.ceil((size / rest) * sample.length) + 2
    const pivot = sample[Math.min(rank, sample.length - 2)] ?? 0
    let bound = from
    for (let i = from; i < order.length; i++) {
      const element = order[i] ?? 0
      if (compare(element, pivot) > 0) continue
      order[i] = order[bound] ?? 0
      order[bound++] = element
    }
    return bound
  }
}

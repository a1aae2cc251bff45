// Sorting on demand: rows are sorted only as far as they are read.

/** Most elements that are sorted at once. */
const eagerSortSize = 256
const mostSamples = 128
const goldenRatio = 0.618_033_988_749_895

/** Whether the element `a` comes before (negative) or after (positive) `b`; 0 for the same element only. */
export type Compare = (a: number, b: number) => number

/**
 * The numbers below `length`, in order. What was read is sorted; the rest is partitioned, further with each read.
 */
export class LazyOrder {
  readonly #order: Uint32Array
  readonly #compare: Compare
  #sortedTo = 0
  /** Ends of the parts after the sorted one, the nearest last: all elements of a part come before those of the next. */
  readonly #bounds: number[]

  constructor(length: number, compare: Compare) {
    this.#order = new Uint32Array(length)
    for (let i = 0; i < length; i++) this.#order[i] = i
    this.#compare = compare
    this.#bounds = [length]
  }

  slice(from: number, to: number): Uint32Array {
    const end = Math.min(to, this.#order.length)
    // For a far page, sorting in parts costs more than sorting all.
    while (this.#sortedTo < end) this.#sortNextPart(end - this.#sortedTo)
    return this.#order.subarray(from, end)
  }

  #sortNextPart(wanted: number): void {
    const from = this.#sortedTo
    const to = this.#bounds.at(-1) ?? this.#order.length
    const size = to - from
    // A part of which most is wanted gains nothing from partitioning.
    const isSmall = size <= eagerSortSize || wanted * 4 > size
    const bound = isSmall ? to : this.#partition(from, to, this.#findPivot(from, size, wanted))
    if (bound < to) {
      this.#bounds.push(bound)
      return
    }
    this.#order.subarray(from, to).sort(this.#compare)
    this.#sortedTo = to
    this.#bounds.pop()
  }

  /**
   * An element that, judged by a sample, follows slightly more elements than are wanted. Parts double from page to page,
   * so that all pages together cost what one sort does.
   */
  #findPivot(from: number, size: number, wanted: number): number {
    const aim = Math.max(wanted, this.#sortedTo)
    const sampleSize = Math.min(mostSamples, size >> 4)
    const sample = new Uint32Array(sampleSize)
    // Steps of the golden ratio spread evenly, whatever pattern the rows have.
    for (let i = 0; i < sampleSize; i++)
      sample[i] = this.#order[from + Math.floor(((i * goldenRatio) % 1) * size)] ?? 0
    sample.sort(this.#compare)
    const rank = Math.ceil((aim / size) * sampleSize) + 2
    return sample[Math.min(rank, sampleSize - 2)] ?? 0
  }

  /** Puts what does not come after the pivot in front. @returns where the rest begins */
  #partition(from: number, to: number, pivot: number): number {
    const order = this.#order
    const compare = this.#compare
    let bound = from
    for (let i = from; i < to; i++) {
      const element = order[i] ?? 0
      if (compare(element, pivot) > 0) continue
      order[i] = order[bound] ?? 0
      order[bound++] = element
    }
    return bound
  }
}

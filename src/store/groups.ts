// Groups of records, such as the tasks of each list, updated with every write.
import { getOrInsert } from '../contract/data/maps.ts'
import type { TableWatcher } from './table.ts'

/** How records are grouped. Declared once, in a constant: a collection builds its groups on first use. */
export interface Index<T> {
  /** The groups a record belongs to. */
  keysOf(record: T): readonly string[]
  /** A total order within a group. Default: order of creation. */
  compare?(a: T, b: T): number
}

/** The groups of records that are in order of creation. */
export function groupedBy<T>(
  { keysOf, compare }: Index<T>,
  records: Iterable<T>,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const record of records)
    for (const key of keysOf(record)) getOrInsert(groups, key, (): T[] => []).push(record)
  if (compare) for (const group of groups.values()) group.sort(compare)
  return groups
}

/** Groups over those of a base: one is copied when it first changes. */
export class Groups<T extends object> implements TableWatcher<T> {
  readonly #index: Index<T>
  readonly #base: ReadonlyMap<string, readonly T[]>
  readonly #compare: (a: T, b: T) => number
  readonly #own = new Map<string, T[]>()

  /** @param byCreation the order where the index has none of its own */
  constructor(index: Index<T>, base: ReadonlyMap<string, readonly T[]>, byCreation: (a: T, b: T) => number) {
    this.#index = index
    this.#base = base
    this.#compare = index.compare ?? byCreation
  }

  of(key: string): readonly T[] {
    return this.#own.get(key) ?? this.#base.get(key) ?? []
  }

  changed(_slot: number, before: T | null, after: T | null): void {
    const left = before ? this.#index.keysOf(before) : []
    const entered = after ? this.#index.keysOf(after) : []
    const isInPlace = before !== null && after !== null && this.#compare(before, after) === 0
    if (before)
      for (const key of left) {
        const group = this.#ownGroup(key)
        const near = this.#placeIn(group, before)
        // A record that was removed and added again no longer tells its former place.
        const place = group[near] === before ? near : group.indexOf(before)
        if (isInPlace && entered.includes(key)) group[place] = after
        else group.splice(place, 1)
      }
    if (after)
      for (const key of entered) {
        if (isInPlace && left.includes(key)) continue
        const group = this.#ownGroup(key)
        group.splice(this.#placeIn(group, after), 0, after)
      }
  }

  #ownGroup(key: string): T[] {
    return getOrInsert(this.#own, key, () => [...(this.#base.get(key) ?? [])])
  }

  /** Where a record is in a group, or belongs. */
  #placeIn(group: readonly T[], record: T): number {
    const last = group.at(-1)
    // Most records enter at the end, as they are created.
    if (last === undefined || this.#compare(last, record) < 0) return group.length
    return findFirstIndex(group, (other) => this.#compare(other, record) >= 0)
  }
}

/** The first index at which a condition holds, else the length. From there on it must hold for all items. */
export function findFirstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(items[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

// A store's records of one resource, found by id and by group, such as the tasks of each list.
import { ownerKeyOf, resourceNames, type Entity } from '../../contract/resources.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { Table, type TableWatcher } from './table.ts'

/**
 * How records are grouped. Declare each index once, as a constant: collections keep the groups that they built for it.
 */
export interface Index<T> {
  /** The groups a record belongs to. */
  keysOf(record: T): readonly string[]
  /** A total order within a group. Default: order of creation. */
  compare?(a: T, b: T): number
}

type GroupedRecords<T> = ReadonlyMap<string, readonly T[]>

function groupRecords<T>(records: readonly T[], index: Index<T>): GroupedRecords<T> {
  const groups = new Map<string, T[]>()
  for (const record of records)
    for (const key of index.keysOf(record)) getOrInsert(groups, key, (): T[] => []).push(record)
  if (index.compare) for (const group of groups.values()) group.sort(index.compare)
  return groups
}

/** Groups on top of a base's groups; each is copied on its first change. */
class Groups<T extends object> implements TableWatcher<T> {
  readonly #index: Index<T>
  readonly #base: GroupedRecords<T>
  readonly #compare: (a: T, b: T) => number
  readonly #own = new Map<string, T[]>()

  /** @param byCreation the order if the index has none */
  constructor(index: Index<T>, base: GroupedRecords<T>, byCreation: (a: T, b: T) => number) {
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
        // A record that was removed and added again has a new position in creation order.
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

  #placeIn(group: readonly T[], record: T): number {
    const last = group.at(-1)
    // Most records are added at the end.
    if (last === undefined || this.#compare(last, record) < 0) return group.length
    return findFirstIndex(group, (other) => this.#compare(other, record) >= 0)
  }
}

/** The first index where a condition holds, or the length. It must hold for all later items too. */
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

/** The indexes of records by owner, for each resource. */
const ownerIndexes = new Map(
  resourceNames.map((name): [string, Index<object>] => {
    const owner = ownerKeyOf(name) ?? 'id'
    return [name, { keysOf: (record) => [String(Reflect.get(record, owner))] }]
  }),
)

/** Records are immutable: to change one, put another with the same id. The undo log records every write. */
export class ResourceCollection<T extends Entity> extends Table<T> {
  readonly #groups = new Map<Index<T>, Groups<T>>()

  /** A record that must exist, because another record refers to it. */
  getOrThrow(id: string): T {
    const record = this.get(id)
    if (!record) throw new Error(`${this.resource} has no record ${id}, but another record refers to it`)
    return record
  }

  /** A group's records, in its order. Read them immediately, because the next write can change the array. */
  of(index: Index<T>, key: string): readonly T[] {
    return getOrInsert(this.#groups, index, () => this.#createGroups(index)).of(key)
  }

  /** The records owned by a record of another resource, in creation order. Read these immediately too. */
  ownedBy(ownerId: string): readonly T[] {
    const index = ownerIndexes.get(this.resource)
    return index ? this.of(index, ownerId) : []
  }

  #createGroups(index: Index<T>): Groups<T> {
    const slotOf = ({ id }: T) => this.slotOf(id) ?? NaN
    const ofBase = this.base.derive(index, (records) => groupRecords(records, index))
    const groups = new Groups(index, ofBase, (a, b) => slotOf(a) - slotOf(b))
    // Removals come first: a record that was removed and added again has a new position, and would be out of order in a
    // group that still holds its old one.
    for (const isThere of [false, true])
      for (const [slot, record] of this.differences())
        if ((record !== null) === isThere) groups.changed(slot, this.base.records[slot] ?? null, record)
    this.watchers.add(groups)
    return groups
  }
}

// The records of one resource in one store, found by id and by group.
import { ownerKeyOf, resourceNames, type Entity } from '../contract/resources.ts'
import { getOrInsert } from '../contract/data/maps.ts'
import { groupedBy, Groups, type Index } from './groups.ts'
import { Table, type BaseTable } from './table.ts'

/** By resource, the index of its records by their owner. */
const ownerIndexes = new Map(
  resourceNames.map((name): [string, Index<object>] => {
    const owner = ownerKeyOf(name) ?? 'id'
    return [name, { keysOf: (record) => [String(Reflect.get(record, owner))] }]
  }),
)

type GroupedBase<T> = Map<Index<T>, ReadonlyMap<string, readonly T[]>>
const newGroupedBase = (): GroupedBase<never> => new Map()

/** The groups of a base, made once for all stores over it. */
function groupsOf<T extends Entity>(base: BaseTable<T>, index: Index<T>): ReadonlyMap<string, readonly T[]> {
  const groups = base.derived.get(newGroupedBase) as GroupedBase<T>
  return getOrInsert(groups, index, () => groupedBy(index, base.records))
}

/** Records are immutable: to change one, put another of the same id. Every write goes into the undo log. */
export class ResourceCollection<T extends Entity> extends Table<T> {
  readonly #groups = new Map<Index<T>, Groups<T>>()

  /** A record that others refer to; an error if it does not exist. */
  getOrThrow(id: string): T {
    const record = this.get(id)
    if (!record) throw new Error(`${this.resource} has no record ${id}, which another one refers to`)
    return record
  }

  /** The records of a group, in its order. Read them at once: the next write can change the array. */
  of(index: Index<T>, key: string): readonly T[] {
    return getOrInsert(this.#groups, index, () => this.#grouped(index)).of(key)
  }

  /** The records that belong to one of another resource, in order of creation. Read them at once too. */
  ownedBy(ownerId: string): readonly T[] {
    const index = ownerIndexes.get(this.resource)
    return index ? this.of(index, ownerId) : []
  }

  #grouped(index: Index<T>): Groups<T> {
    const slotOf = ({ id }: T) => this.slotOf(id) ?? NaN
    const groups = new Groups(index, groupsOf(this.base, index), (a, b) => slotOf(a) - slotOf(b))
    // What was removed leaves first: added again it has another place, by which its group is not in order.
    for (const isThere of [false, true])
      for (const [slot, record] of this.differences())
        if ((record !== null) === isThere) groups.changed(slot, this.base.records[slot] ?? null, record)
    this.watch(groups)
    return groups
  }
}

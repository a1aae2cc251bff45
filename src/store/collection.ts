// The records of one resource in one store: an overlay over those of the fixture, found by id and by group.
import type { Schema } from '../contract/operation.ts'
import { resources, type Entity } from '../contract/resources.ts'
import { entryOf } from '../contract/values/entries.ts'
import { groupedBy, Groups, type Index } from './groups.ts'
import { OverlayMap, type UndoLog } from './overlay.ts'

/** By resource, how its records are grouped by what they belong to. */
const ownerIndexes = new Map(
  Object.entries(resources).map(([name, resource]): [string, Index<object>] => {
    const owner = 'owner' in resource ? resource.owner : 'id'
    return [name, { keysOf: (record) => [String(Reflect.get(record, owner))] }]
  }),
)

/** Records of a fixture: loaded once, never changed, shared by every store made from it. */
export class BaseRecords<T extends Entity> {
  readonly schema: Schema<T>
  readonly byId: ReadonlyMap<string, T>
  #positions: ReadonlyMap<string, number> | undefined
  readonly #groups = new Map<Index<T>, ReadonlyMap<string, readonly T[]>>()

  constructor(schema: Schema<T>, records: readonly T[]) {
    this.schema = schema
    this.byId = new Map(records.map((record) => [record.id, record]))
  }

  get positions(): ReadonlyMap<string, number> {
    return (this.#positions ??= new Map([...this.byId.keys()].map((id, position) => [id, position])))
  }

  groups(index: Index<T>): ReadonlyMap<string, readonly T[]> {
    return entryOf(this.#groups, index, () => groupedBy(index, this.byId.values()))
  }
}

/** Records are immutable: to change one, put another of the same id. Every write goes into the undo log. */
export class ResourceCollection<T extends Entity> {
  readonly resource: string
  readonly base: BaseRecords<T>
  readonly #undo: UndoLog
  readonly #byId: OverlayMap<T>
  readonly #groups = new Map<Index<T>, Groups<T>>()
  /** Numbers the records that the base does not have, in order of creation. */
  readonly #added = new Map<string, number>()
  #lastAdded = 0

  constructor(resource: string, base: BaseRecords<T>, undo: UndoLog, changes?: Map<string, T | null>) {
    this.resource = resource
    this.base = base
    this.#undo = undo
    this.#byId = new OverlayMap(base.byId, undo, changes)
    for (const id of this.changes.keys()) this.#number(id)
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** A record that others refer to; an error if it does not exist. */
  referred(id: string): T {
    const record = this.get(id)
    if (!record) throw new Error(`${this.resource} has no record ${id}, which another one refers to`)
    return record
  }

  isDeleted(id: string): boolean {
    return this.changes.get(id) === null
  }

  /** What differs from the fixture; `null` is deleted. */
  get changes(): ReadonlyMap<string, T | null> {
    return this.#byId.changes
  }

  /** Adds the record, or replaces the one of its id. */
  put(record: T): T {
    this.#write(record.id, record)
    return record
  }

  remove(id: string): void {
    this.#write(id, null)
  }

  /** All records in order of creation. */
  all(): T[] {
    return [...this.#byId.entries()].map(([, record]) => record)
  }

  /** The records of a group, in its order. To be read at once: the next write may change it. */
  of(index: Index<T>, key: string): readonly T[] {
    return entryOf(this.#groups, index, () => this.#grouped(index)).of(key)
  }

  /** The records that belong to one of another resource, in order of creation. To be read at once too. */
  ownedBy(ownerId: string): readonly T[] {
    const index = ownerIndexes.get(this.resource)
    return index ? this.of(index, ownerId) : []
  }

  #grouped(index: Index<T>): Groups<T> {
    const byCreation = (a: T, b: T) => this.#position(a) - this.#position(b)
    const groups = new Groups(index, this.base.groups(index), byCreation)
    for (const [id, record] of this.changes) groups.replace(this.base.byId.get(id) ?? null, record)
    return groups
  }

  #write(id: string, after: T | null): void {
    const before = this.#byId.get(id) ?? null
    const isFirst = !this.changes.has(id)
    if (isFirst) this.#number(id)
    const change = !after ? 'deleted' : before ? 'changed' : 'created'
    const effect = { resource: this.resource, id, change, before, after } as const
    if (after) this.#byId.set(id, after, effect)
    else this.#byId.delete(id, effect)
    for (const groups of this.#groups.values()) groups.replace(before, after)
    this.#undo.push(() => {
      for (const groups of this.#groups.values()) groups.replace(after, before)
      if (isFirst) this.#added.delete(id)
    })
  }

  #number(id: string): void {
    if (!this.base.byId.has(id)) this.#added.set(id, ++this.#lastAdded)
  }

  #position({ id }: T): number {
    return this.base.positions.get(id) ?? this.base.byId.size + (this.#added.get(id) ?? 0)
  }
}

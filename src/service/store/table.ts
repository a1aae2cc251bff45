// Tables of immutable records in insertion order, stored as changes over a base. Resets, snapshots and sandboxes therefore
// cost in proportion to the changes, not to the data.
import { getOrInsert } from '../../contract/data/maps.ts'
import type { Entity } from '../../contract/resources.ts'
import type { UndoLog } from './overlay.ts'
import { SlotIndex } from './slot-index.ts'

/** A stored row: values by column id, without empty or computed ones. */
export interface StoredRow extends Entity {
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A fixture's records, in order, shared by every store created from it. */
export class BaseTable<T extends Entity> {
  #records: readonly T[] | (() => readonly T[])
  #slots: SlotIndex | undefined
  readonly #derived = new Map<unknown, unknown>()

  constructor(records: readonly T[] | (() => readonly T[])) {
    this.#records = records
  }

  get records(): readonly T[] {
    if (typeof this.#records === 'function') this.#records = this.#records()
    return this.#records
  }

  slotOf(id: string): number | undefined {
    return (this.#slots ??= new SlotIndex(this.records)).of(id)
  }

  /**
   * Caches what depends only on the records, shared by all stores over them. A key must always come with the same
   * `make`.
   */
  derive<D>(key: unknown, make: (records: readonly T[]) => D): D {
    return getOrInsert(this.#derived, key, () => make(this.records)) as D
  }
}

/** The differences from the base; can be shared, since records are immutable. */
export interface TableChanges<T> {
  /** Records the base does not have, as first written. */
  readonly added: T[]
  /** Replaced records by slot; null if a record was removed. */
  readonly changed: Map<number, T | null>
}

export interface TableWatcher<T> {
  /** Called when a record is added (`before` is null), replaced or removed (`after` is null), and when such a write is rolled back. */
  changed(slot: number, before: T | null, after: T | null): void
}

/** Each record has a slot, its position in insertion order. Removing a record leaves its slot empty. */
export class Table<T extends Entity> {
  readonly resource: string
  readonly base: BaseTable<T>
  readonly #undo: UndoLog
  readonly #added: T[]
  readonly #addedSlots: SlotIndex
  readonly #changed: Map<number, T | null>
  /** Notified of every write. */
  readonly watchers = new Set<TableWatcher<T>>()
  #slots: (T | null)[] | undefined
  #count: number
  #revision = 0

  /** @param changes used as is, not copied */
  constructor(
    resource: string,
    base: BaseTable<T>,
    undo: UndoLog,
    changes: TableChanges<T> = { added: [], changed: new Map() },
  ) {
    this.resource = resource
    this.base = base
    this.#undo = undo
    this.#added = changes.added
    this.#addedSlots = new SlotIndex(this.#added)
    this.#changed = changes.changed
    this.#count = this.#length
    for (const record of this.#changed.values()) if (!record) this.#count -= 1
  }

  get count(): number {
    return this.#count
  }

  /** Changes with every write; data derived from the records is valid until then. */
  get revision(): number {
    return this.#revision
  }

  get isUnchanged(): boolean {
    return this.#added.length === 0 && this.#changed.size === 0
  }

  /** A copy of the changes that shares the records. */
  changes(): TableChanges<T> {
    return { added: this.#added.slice(), changed: new Map(this.#changed) }
  }

  /** Slots that differ from the base, with their records (null if removed); added records in order. */
  *differences(): Generator<readonly [slot: number, record: T | null, id: string]> {
    const { records } = this.base
    for (const [slot, record] of this.#changed) {
      const replaced = records[slot]
      if (replaced) yield [slot, record, replaced.id]
    }
    for (const [index, { id }] of this.#added.entries()) {
      const slot = records.length + index
      yield [slot, this.at(slot), id]
    }
  }

  get(id: string): T | undefined {
    const slot = this.slotOf(id)
    return slot === undefined ? undefined : (this.at(slot) ?? undefined)
  }

  readonly has = (id: string): boolean => this.get(id) !== undefined

  isDeleted(id: string): boolean {
    const slot = this.slotOf(id)
    return slot !== undefined && this.at(slot) === null
  }

  /** The record in a slot, null if it was removed. */
  at(slot: number): T | null {
    const changed = this.#changed.size === 0 ? undefined : this.#changed.get(slot)
    if (changed !== undefined) return changed
    const { records } = this.base
    return (slot < records.length ? records[slot] : this.#added[slot - records.length]) ?? null
  }

  all(): readonly T[] {
    return this.isUnchanged ? this.base.records : this.slots().filter((record) => record !== null)
  }

  /** The records of all slots, null if removed. Read them immediately, because the next write changes the array. */
  slots(): readonly (T | null)[] {
    if (this.isUnchanged) return this.base.records
    if (!this.#slots) {
      this.#slots = [...this.base.records, ...this.#added]
      for (const [slot, record] of this.#changed) this.#slots[slot] = record
    }
    return this.#slots
  }

  /** A page of records; its cost depends only on `offset` and `limit`. */
  slice(offset: number, limit: number): T[] {
    const slots = this.slots()
    if (slots.length === this.#count) return slots.slice(offset, offset + limit) as T[]
    const records: T[] = []
    let passed = 0
    for (const record of slots) {
      if (!record) continue
      if (passed++ < offset) continue
      records.push(record)
      if (records.length === limit) break
    }
    return records
  }

  /** The slot of a record that the table has or had; the last slot if it was removed and added again. */
  slotOf(id: string): number | undefined {
    const slot = this.base.slotOf(id)
    // A record that was removed may have been added again.
    if (this.#added.length === 0 || (slot !== undefined && this.#changed.get(slot) !== null)) return slot
    const added = this.#addedSlots.of(id)
    return added === undefined ? slot : this.base.records.length + added
  }

  /** Replaces the record with this id, or adds it at the end. Also adds at the end if a record with this id was removed. */
  put(record: T): T {
    const slot = this.slotOf(record.id)
    if (slot === undefined || !this.at(slot)) return this.add(record)
    this.#replace(slot, record.id, record)
    return record
  }

  remove(id: string): void {
    const slot = this.slotOf(id)
    if (slot !== undefined && this.at(slot)) this.#replace(slot, id, null)
  }

  get #length(): number {
    return this.base.records.length + this.#added.length
  }

  /** Adds a record with a new id. Unlike `put`, it does not look the id up. */
  add(record: T): T {
    const { resource } = this
    const slot = this.#length
    this.#added.push(record)
    this.#notify(slot, null, record)
    if (!this.#undo.isOpen) return record
    const undo = () => {
      this.#notify(slot, record, null)
      this.#added.pop()
      this.#addedSlots.removed(record)
      if (this.#slots) this.#slots.length = slot
    }
    this.#undo.push(undo, { resource, id: record.id, change: 'created', before: null, after: record })
    return record
  }

  #replace(slot: number, id: string, after: T | null): void {
    const { resource } = this
    const before = this.at(slot)
    const known = this.#changed.get(slot)
    this.#changed.set(slot, after)
    this.#notify(slot, before, after)
    const undo = () => {
      if (known === undefined) this.#changed.delete(slot)
      else this.#changed.set(slot, known)
      this.#notify(slot, after, before)
    }
    this.#undo.push(undo, { resource, id, change: after ? 'changed' : 'deleted', before, after })
  }

  #notify(slot: number, before: T | null, after: T | null): void {
    this.#count += (after ? 1 : 0) - (before ? 1 : 0)
    this.#revision += 1
    if (this.#slots) this.#slots[slot] = after
    for (const watcher of this.watchers) watcher.changed(slot, before, after)
  }
}

export type RowTable = Table<StoredRow>

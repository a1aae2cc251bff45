// The rows of a datatable: an insertion-ordered table of immutable rows, copied on write.
import type { UndoLog } from './overlay.ts'
import { SlotIndex } from './slot-index.ts'

/** A stored row: values by column id, empty ones left out; computed columns are not stored. */
export interface StoredRow {
  readonly id: string
  readonly version: number
  /** Unix seconds. */
  readonly created_at: number
  /** Unix seconds. */
  readonly updated_at: number
  readonly data: Readonly<Record<string, unknown>>
}

/** The rows of a fixture, in order, shared by every store made from it. */
export class BaseRows {
  #rows: readonly StoredRow[] | (() => readonly StoredRow[])
  #slots: SlotIndex | undefined

  /** @param rows or what makes them on first use */
  constructor(rows: readonly StoredRow[] | (() => readonly StoredRow[])) {
    this.#rows = rows
  }

  get rows(): readonly StoredRow[] {
    if (typeof this.#rows === 'function') this.#rows = this.#rows()
    return this.#rows
  }

  slotOf(id: string): number | undefined {
    return (this.#slots ??= new SlotIndex(this.rows)).of(id)
  }
}

/** What differs from the base. */
export interface RowChanges {
  /** Rows that the base does not have, as first written. */
  readonly added: StoredRow[]
  /** By slot, rows that replace others; null where one was removed. */
  readonly changed: Map<number, StoredRow | null>
}

/** Keeps data derived from the rows of a table up to date. */
export interface RowWatcher {
  /** A row was added (`before` is null), replaced or removed (`after` is null), or such a write was rolled back. */
  changed(slot: number, before: StoredRow | null, after: StoredRow | null): void
}

/** Each row has a slot, its place in insertion order. A removed row leaves its slot empty. */
export class RowTable {
  readonly base: BaseRows
  readonly #undo: UndoLog
  readonly #added: StoredRow[]
  readonly #addedSlots: SlotIndex
  readonly #changed: Map<number, StoredRow | null>
  readonly #watchers = new Set<RowWatcher>()
  #slots: (StoredRow | null)[] | undefined
  #count: number
  #revision = 0

  /** @param changes used as they are, not copied */
  constructor(base: BaseRows, undo: UndoLog, changes: RowChanges = { added: [], changed: new Map() }) {
    this.base = base
    this.#undo = undo
    this.#added = changes.added
    this.#addedSlots = new SlotIndex(this.#added)
    this.#changed = changes.changed
    this.#count = this.#length
    for (const row of this.#changed.values()) if (!row) this.#count -= 1
  }

  get count(): number {
    return this.#count
  }

  /** Changes with every write: data derived from the rows is valid while it stays the same. */
  get revision(): number {
    return this.#revision
  }

  get isUnchanged(): boolean {
    return this.#added.length === 0 && this.#changed.size === 0
  }

  /** A copy that shares the rows. */
  changes(): RowChanges {
    return { added: this.#added.slice(), changed: new Map(this.#changed) }
  }

  /** Slots that differ from the base with their rows, null where one was removed; added rows in order. */
  *differences(): Generator<readonly [slot: number, row: StoredRow | null, id: string]> {
    const { rows } = this.base
    for (const [slot, row] of this.#changed) {
      const replaced = rows[slot]
      if (replaced) yield [slot, row, replaced.id]
    }
    for (const [index, { id }] of this.#added.entries()) {
      const slot = rows.length + index
      yield [slot, this.at(slot), id]
    }
  }

  get(id: string): StoredRow | undefined {
    const slot = this.slotOf(id)
    return slot === undefined ? undefined : (this.at(slot) ?? undefined)
  }

  readonly has = (id: string): boolean => this.get(id) !== undefined

  isDeleted(id: string): boolean {
    const slot = this.slotOf(id)
    return slot !== undefined && this.at(slot) === null
  }

  /** The row in a slot, null if it was removed. */
  at(slot: number): StoredRow | null {
    const changed = this.#changed.size === 0 ? undefined : this.#changed.get(slot)
    if (changed !== undefined) return changed
    const { rows } = this.base
    return (slot < rows.length ? rows[slot] : this.#added[slot - rows.length]) ?? null
  }

  /** Whether a slot does not hold what the base has there. */
  differs(slot: number): boolean {
    return slot >= this.base.rows.length || this.#changed.has(slot)
  }

  /** Rows in insertion order. */
  all(): readonly StoredRow[] {
    return this.isUnchanged ? this.base.rows : this.slots().filter((row) => row !== null)
  }

  /** Rows in insertion order, null where one was removed. Read it at once: the next write changes it. */
  slots(): readonly (StoredRow | null)[] {
    if (this.isUnchanged) return this.base.rows
    if (!this.#slots) {
      this.#slots = [...this.base.rows, ...this.#added]
      for (const [slot, row] of this.#changed) this.#slots[slot] = row
    }
    return this.#slots
  }

  /** A page of rows in insertion order; the cost grows with `offset` and `limit` alone. */
  slice(offset: number, limit: number): StoredRow[] {
    const slots = this.slots()
    if (slots.length === this.#count) return slots.slice(offset, offset + limit) as StoredRow[]
    const rows: StoredRow[] = []
    let passed = 0
    for (const row of slots) {
      if (!row) continue
      if (passed++ < offset) continue
      rows.push(row)
      if (rows.length === limit) break
    }
    return rows
  }

  /** The slot of a row that this table has or had. */
  slotOf(id: string): number | undefined {
    const slot = this.base.slotOf(id)
    if (slot !== undefined || this.#added.length === 0) return slot
    const added = this.#addedSlots.of(id)
    return added === undefined ? undefined : this.base.rows.length + added
  }

  /** Notifies the watcher of every write from now on. @returns a function that unsubscribes */
  watch(watcher: RowWatcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Adds the row, or replaces the one of its id. */
  put(row: StoredRow): void {
    const slot = this.slotOf(row.id)
    if (slot === undefined) this.#add(row)
    else this.#replace(slot, row.id, row)
  }

  remove(id: string): void {
    const slot = this.slotOf(id)
    if (slot !== undefined && this.at(slot)) this.#replace(slot, id, null)
  }

  get #length(): number {
    return this.base.rows.length + this.#added.length
  }

  #add(row: StoredRow): void {
    const slot = this.#length
    this.#added.push(row)
    this.#notify(slot, null, row)
    if (!this.#undo.isOpen) return
    const undo = () => {
      this.#added.pop()
      this.#addedSlots.removed(row)
      this.#notify(slot, row, null)
    }
    this.#undo.push(undo, { resource: 'row', id: row.id, change: 'created', before: null, after: row })
  }

  #replace(slot: number, id: string, after: StoredRow | null): void {
    const before = this.at(slot)
    const known = this.#changed.get(slot)
    this.#changed.set(slot, after)
    this.#notify(slot, before, after)
    const undo = () => {
      if (known === undefined) this.#changed.delete(slot)
      else this.#changed.set(slot, known)
      this.#notify(slot, after, before)
    }
    const change = !after ? 'deleted' : before ? 'changed' : 'created'
    this.#undo.push(undo, { resource: 'row', id, change, before, after })
  }

  #notify(slot: number, before: StoredRow | null, after: StoredRow | null): void {
    this.#count += (after ? 1 : 0) - (before ? 1 : 0)
    this.#revision += 1
    if (this.#slots) {
      this.#slots[slot] = after
      this.#slots.length = this.#length
    }
    for (const watcher of this.#watchers) watcher.changed(slot, before, after)
  }
}

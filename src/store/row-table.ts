// The rows of a datatable: an insertion-ordered table of immutable rows, copied on write.
import type { Effect, UndoLog } from './overlay.ts'
import { OverlayMap } from './overlay.ts'

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
  #byId: ReadonlyMap<string, StoredRow> | undefined
  #positions: ReadonlyMap<string, number> | undefined

  /** @param rows or what makes them when they are first asked for */
  constructor(rows: readonly StoredRow[] | (() => readonly StoredRow[])) {
    this.#rows = rows
  }

  get rows(): readonly StoredRow[] {
    if (typeof this.#rows === 'function') this.#rows = this.#rows()
    return this.#rows
  }

  get byId(): ReadonlyMap<string, StoredRow> {
    return (this.#byId ??= new Map(this.rows.map((row) => [row.id, row])))
  }

  /** The position of each row. Made when a store first changes one of them. */
  get positions(): ReadonlyMap<string, number> {
    this.#positions ??= new Map(this.rows.map((row, position) => [row.id, position]))
    return this.#positions
  }
}

/** Keeps data that was derived from the rows of a table up to date. */
export interface RowWatcher {
  /** A row was added (`before` is null), replaced or removed (`after` is null). */
  changed(id: string, before: StoredRow | null, after: StoredRow | null): void
  /** Writes were rolled back. */
  reset(): void
}

/**
 * Each row has a slot, which is its place in insertion order. A removed row leaves its slot empty, so that slots
 * stay valid until writes are rolled back.
 */
export class RowTable {
  readonly base: BaseRows
  readonly #undo: UndoLog
  readonly #index: OverlayMap<StoredRow>
  readonly #watchers = new Set<RowWatcher>()
  #all: readonly StoredRow[] | undefined
  #slots: (StoredRow | null)[] | undefined
  /** Ids of the rows written since the slots were last read: the next read places them. */
  #unplaced: string[] = []
  /** Slots of the rows that the base does not have. */
  #added = new Map<string, number>()
  #count: number
  #revision = 0

  constructor(base: BaseRows, undo: UndoLog, changes?: Map<string, StoredRow | null>) {
    this.base = base
    this.#undo = undo
    this.#index = new OverlayMap(base.byId, undo, changes)
    this.#count = this.#counted()
  }

  get count(): number {
    return this.#count
  }

  /** Changes with every write: data derived from the rows is valid while it stays the same. */
  get revision(): number {
    return this.#revision
  }

  get changes(): ReadonlyMap<string, StoredRow | null> {
    return this.#index.changes
  }

  get(id: string): StoredRow | undefined {
    return this.#index.get(id)
  }

  /** Rows in insertion order; must not be changed. */
  all(): readonly StoredRow[] {
    this.#all ??= this.changes.size === 0 ? this.base.rows : this.slots().filter((row) => row !== null)
    return this.#all
  }

  /** Rows in insertion order, null where one was removed. Read it at once: the next write changes it. */
  slots(): readonly (StoredRow | null)[] {
    if (this.changes.size === 0) return this.base.rows
    if (!this.#slots) this.#slots = this.#laidOut()
    else if (this.#unplaced.length > 0) this.#place(this.#slots)
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
    this.slots()
    return this.#placeOf(id)
  }

  /** Notifies the watcher of every write from now on. @returns a function that unsubscribes */
  watch(watcher: RowWatcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Adds the row, or replaces the one with its id, which a caller that knows it can pass as `before`. */
  put(row: StoredRow, before: StoredRow | null = this.#index.get(row.id) ?? null): void {
    this.#index.set(row.id, row, effect(row.id, before, row))
    this.#changed(row.id, before, row)
  }

  remove(id: string): void {
    const before = this.#index.get(id)
    if (!before) return
    this.#index.delete(id, effect(id, before, null))
    this.#changed(id, before, null)
  }

  #changed(id: string, before: StoredRow | null, after: StoredRow | null): void {
    const by = (after ? 1 : 0) - (before ? 1 : 0)
    this.#count += by
    this.#all = undefined
    this.#revision += 1
    if (this.#slots) this.#unplaced.push(id)
    for (const watcher of this.#watchers) watcher.changed(id, before, after)
    this.#undo.push(() => {
      this.#count -= by
      this.#all = undefined
      this.#revision += 1
      this.#slots = undefined
      for (const watcher of this.#watchers) watcher.reset()
    })
  }

  #placeOf(id: string): number | undefined {
    return this.base.positions.get(id) ?? this.#added.get(id)
  }

  #place(slots: (StoredRow | null)[]): void {
    for (const id of this.#unplaced) {
      let slot = this.#placeOf(id)
      if (slot === undefined) this.#added.set(id, (slot = slots.length))
      slots[slot] = this.get(id) ?? null
    }
    this.#unplaced = []
  }

  #laidOut(): (StoredRow | null)[] {
    const slots: (StoredRow | null)[] = this.base.rows.slice()
    this.#added = new Map()
    this.#unplaced = []
    for (const [id, row] of this.changes) {
      const position = this.base.positions.get(id)
      if (position === undefined) this.#added.set(id, slots.push(row) - 1)
      else slots[position] = row
    }
    return slots
  }

  #counted(): number {
    let count = this.base.rows.length
    for (const [id, row] of this.changes) {
      if (this.base.byId.has(id)) count -= row ? 0 : 1
      else count += row ? 1 : 0
    }
    return count
  }
}

function effect(id: string, before: StoredRow | null, after: StoredRow | null): Effect {
  const change = !after ? 'deleted' : before ? 'changed' : 'created'
  return { resource: 'row', id, change, before, after }
}

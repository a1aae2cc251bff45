// Owns where the rows of a datatable live: an insertion-ordered table of immutable rows, copied on write.
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

/** The rows a fixture laid down, in order, shared by every world made from it. */
export class BaseRows {
  readonly rows: readonly StoredRow[]
  readonly byId: ReadonlyMap<string, StoredRow>

  constructor(rows: readonly StoredRow[]) {
    this.rows = rows
    this.byId = new Map(rows.map((row) => [row.id, row]))
  }
}

export class RowTable {
  readonly base: BaseRows
  readonly #undo: UndoLog
  readonly #index: OverlayMap<StoredRow>
  #all: readonly StoredRow[] | undefined
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

  /** Changes with every write: what was derived from the rows holds while it stays the same. */
  get revision(): number {
    return this.#revision
  }

  get changes(): ReadonlyMap<string, StoredRow | null> {
    return this.#index.changes
  }

  get(id: string): StoredRow | undefined {
    return this.#index.get(id)
  }

  /** Rows in insertion order. Not to be changed. */
  all(): readonly StoredRow[] {
    this.#all ??= this.changes.size === 0 ? this.base.rows : [...this.#index.entries()].map(([, row]) => row)
    return this.#all
  }

  /** Adds the row, or replaces the one of its id. */
  put(row: StoredRow): void {
    const exists = this.#index.has(row.id)
    this.#index.set(row.id, row, effect(row.id, exists ? 'changed' : 'created'))
    this.#changed(exists ? 0 : 1)
  }

  remove(id: string): void {
    if (!this.#index.has(id)) return
    this.#index.delete(id, effect(id, 'deleted'))
    this.#changed(-1)
  }

  #changed(by: number): void {
    this.#count += by
    this.#all = undefined
    this.#revision += 1
    this.#undo.push(() => {
      this.#count -= by
      this.#all = undefined
      this.#revision += 1
    })
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

const effect = (id: string, change: Effect['change']): Effect => ({ resource: 'row', id, change })

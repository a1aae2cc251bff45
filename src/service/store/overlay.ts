// The undo log, and a map that stores only its changes over a shared base.

/** A write to a record. */
export interface Effect {
  readonly resource: string
  readonly id: string
  readonly change: 'created' | 'changed' | 'deleted'
  /** The record before the write; null if there was none, undefined if unknown. */
  readonly before?: object | null
  /** The record after the write; null if it was deleted, undefined if unknown. */
  readonly after?: object | null
}

/** The writes since a transaction began. */
interface Writes {
  readonly undos: (() => void)[]
  readonly effects: Effect[]
}

/** Collects how to undo a transaction's writes until it is known to succeed. */
export class UndoLog {
  #open: Writes | undefined

  /** Whether a transaction is in progress. Writes outside one cannot be undone. */
  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Starts collecting writes. @returns the outer transaction, for `commit` or `rollback` */
  begin(): Writes | undefined {
    const outer = this.#open
    this.#open = { undos: [], effects: [] }
    return outer
  }

  /** @param effect the effect of a write to a record; files and counters have none */
  push(undo: () => void, effect?: Effect): void {
    if (!this.#open) return
    this.#open.undos.push(undo)
    if (effect) this.#open.effects.push(effect)
  }

  /** Stops collecting writes; they then belong to the outer transaction. @returns the writes since `begin` */
  commit(outer: Writes | undefined): Writes {
    const writes = this.#open ?? { undos: [], effects: [] }
    this.#open = outer
    for (const undo of writes.undos) outer?.undos.push(undo)
    for (const effect of writes.effects) outer?.effects.push(effect)
    return writes
  }

  rollback(outer: Writes | undefined): void {
    const { undos } = this.commit(undefined)
    for (const undo of undos.reverse()) undo()
    this.#open = outer
  }
}

/** A map over a base that never changes; null marks an entry as deleted. Values are immutable. */
export class OverlayMap<V extends object> {
  readonly #base: ReadonlyMap<string, V>
  readonly #undo: UndoLog
  readonly #changes: Map<string, V | null>

  /** @param changes used as is, not copied */
  constructor(base: ReadonlyMap<string, V>, undo: UndoLog, changes = new Map<string, V | null>()) {
    this.#base = base
    this.#undo = undo
    this.#changes = changes
  }

  get(id: string): V | undefined {
    const change = this.#changes.get(id)
    return change === undefined ? this.#base.get(id) : (change ?? undefined)
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** The changed entries, in the order in which they first differed from the base. */
  get changes(): ReadonlyMap<string, V | null> {
    return this.#changes
  }

  delete(id: string): void {
    this.set(id, null)
  }

  /** @param value null deletes */
  set(id: string, value: V | null): void {
    const changes = this.#changes
    const before = changes.get(id)
    changes.set(id, value)
    this.#undo.push(() => {
      if (before === undefined) changes.delete(id)
      else changes.set(id, before)
    })
  }

  *entries(): Generator<[string, V]> {
    for (const id of this.#base.keys()) {
      const value = this.get(id)
      if (value) yield [id, value]
    }
    for (const [id, value] of this.#changes) if (value && !this.#base.has(id)) yield [id, value]
  }
}

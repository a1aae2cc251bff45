// Owns the state primitive of the model: a map over a shared base that keeps only what changed,
// so that reset, snapshot and sandboxes cost what changed and not what is held.

/** What a change did, as the journal tells it. */
export interface Effect {
  readonly resource: string
  readonly id: string
  readonly change: 'created' | 'changed' | 'deleted'
}

/** Collects how to take back what a request did until it is known to succeed. */
export class UndoLog {
  #undos: (() => void)[] = []
  #effects: Effect[] = []
  #active = false

  begin(): void {
    this.#active = true
    this.#undos = []
    this.#effects = []
  }

  push(undo: () => void, effect?: Effect): void {
    if (!this.#active) return
    this.#undos.push(undo)
    if (effect) this.#effects.push(effect)
  }

  /** Ends the request and answers what it did. */
  commit(): readonly Effect[] {
    this.#active = false
    this.#undos = []
    return this.#effects
  }

  rollback(): void {
    this.#active = false
    for (const undo of this.#undos.reverse()) undo()
    this.#undos = []
    this.#effects = []
  }
}

/** A map of which a base never changes; `null` marks a base entry as deleted. Values are immutable. */
export class OverlayMap<V extends object> {
  readonly base: ReadonlyMap<string, V>
  readonly #undo: UndoLog
  readonly #changes: Map<string, V | null>

  constructor(base: ReadonlyMap<string, V>, undo: UndoLog, changes = new Map<string, V | null>()) {
    this.base = base
    this.#undo = undo
    this.#changes = changes
  }

  get(id: string): V | undefined {
    const change = this.#changes.get(id)
    return change === undefined ? this.base.get(id) : (change ?? undefined)
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** What differs from the base, in the order in which it first differed. */
  get changes(): ReadonlyMap<string, V | null> {
    return this.#changes
  }

  set(id: string, value: V, effect?: Effect): void {
    this.#change(id, value, effect)
  }

  delete(id: string, effect?: Effect): void {
    this.#change(id, null, effect)
  }

  #change(id: string, value: V | null, effect?: Effect): void {
    const changes = this.#changes
    const before = changes.get(id)
    changes.set(id, value)
    this.#undo.push(() => {
      if (before === undefined) changes.delete(id)
      else changes.set(id, before)
    }, effect)
  }

  *entries(): Generator<[string, V]> {
    for (const [id, value] of this.base) {
      const current = this.#changes.size === 0 ? value : this.get(id)
      if (current) yield [id, current]
    }
    for (const [id, value] of this.#changes) if (value && !this.base.has(id)) yield [id, value]
  }
}

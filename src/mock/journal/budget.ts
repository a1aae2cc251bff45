// A byte budget shared by all journals of a mock. Beyond it, the largest journals drop bodies.

interface Holder {
  /** Number of bytes that `shrink` can free. */
  readonly heldBytes: number
  /** Drops the oldest bodies until at most `bytes` are held. */
  shrink(bytes: number): void
}

export class JournalBudget {
  readonly #mostBytes: number
  #usedBytes = 0
  readonly #holders = new Set<Holder>()

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Records a change in the number of bytes that a journal holds; `bytes` is negative if it holds fewer. */
  note(holder: Holder, bytes: number): void {
    this.#usedBytes += bytes
    if (holder.heldBytes === 0) this.#holders.delete(holder)
    else this.#holders.add(holder)
    if (bytes > 0 && this.#usedBytes > this.#mostBytes) this.#shrink()
  }

  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#usedBytes -= holder.heldBytes
  }

  /** Frees a sixteenth of the budget, so that it rarely runs; the largest journals shrink first. */
  #shrink(): void {
    let level = 0
    for (const { heldBytes } of this.#holders) level = Math.max(level, heldBytes)
    while (this.#usedBytes > this.#mostBytes - this.#mostBytes / 16) {
      level *= 0.9
      for (const holder of [...this.#holders]) if (holder.heldBytes > level) holder.shrink(level)
    }
  }
}

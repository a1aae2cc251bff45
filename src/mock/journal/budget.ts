// A budget of bytes for all journals of a mock. Beyond it bodies are dropped, from the journals that hold most.

interface Holder {
  /** Bytes that `shrink` can free. */
  readonly heldBytes: number
  /** Drops its oldest bodies until it holds at most `bytes`. */
  shrink(bytes: number): void
}

export class JournalBudget {
  readonly #mostBytes: number
  #usedBytes = 0
  readonly #holders = new Set<Holder>()

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Adds to the bytes that a journal holds; `bytes` can be negative. */
  note(holder: Holder, bytes: number): void {
    this.#usedBytes += bytes
    if (holder.heldBytes === 0) this.#holders.delete(holder)
    else this.#holders.add(holder)
    if (bytes > 0 && this.#usedBytes > this.#mostBytes) this.#shrink()
  }

  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#usedBytes -= holder.heldBytes
  }

  /** Frees a sixteenth at once, so that it rarely runs; the journals that hold most shrink first. */
  #shrink(): void {
    let level = 0
    for (const { heldBytes } of this.#holders) level = Math.max(level, heldBytes)
    while (this.#usedBytes > this.#mostBytes - this.#mostBytes / 16) {
      level *= 0.9
      for (const holder of [...this.#holders]) if (holder.heldBytes > level) holder.shrink(level)
    }
  }
}

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

  /** Stops counting a journal. */
  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#usedBytes -= holder.heldBytes
  }

  /** Frees a sixteenth at once, so that all journals are rarely searched. */
  #shrink(): void {
    const level = this.#levelFor(this.#mostBytes - this.#mostBytes / 16)
    for (const holder of [...this.#holders]) if (holder.heldBytes > level) holder.shrink(level)
  }

  /** Most bytes of each journal for all together to hold `bytes`. */
  #levelFor(bytes: number): number {
    const held = [...this.#holders].map(({ heldBytes }) => heldBytes).sort((a, b) => b - a)
    let excess = this.#usedBytes - bytes
    for (const [index, heldBytes] of held.entries()) {
      const step = (heldBytes - (held[index + 1] ?? 0)) * (index + 1)
      if (step >= excess) return heldBytes - excess / (index + 1)
      excess -= step
    }
    return 0
  }
}

// The bytes that all journals of a mock hold together. Beyond the budget bodies go, from the journals that hold most.

/** What a budget needs to know of a journal. */
interface Holder {
  /** Bytes that `shrink` can let go. */
  readonly heldBytes: number
  /** Lets its oldest bodies go until it holds at most so many bytes. */
  shrink(bytes: number): void
}

export class JournalBudget {
  readonly #mostBytes: number
  #usedBytes = 0
  /** Those that hold anything. */
  readonly #holders = new Set<Holder>()

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Notes that a journal holds so many bytes more, or less. */
  note(holder: Holder, bytes: number): void {
    this.#usedBytes += bytes
    if (holder.heldBytes === 0) this.#holders.delete(holder)
    else this.#holders.add(holder)
    if (bytes > 0 && this.#usedBytes > this.#mostBytes) this.#shrink()
  }

  /** Counts a journal no more. */
  leave(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#usedBytes -= holder.heldBytes
  }

  /** Frees a sixteenth at once, so that the search among all journals is seldom. */
  #shrink(): void {
    const level = this.#levelFor(this.#mostBytes - this.#mostBytes / 16)
    for (const holder of [...this.#holders]) if (holder.heldBytes > level) holder.shrink(level)
  }

  /** The bytes that each journal can hold at most for all together to hold so many. */
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

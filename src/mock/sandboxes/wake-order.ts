// Sleepers in wake order, as a binary heap: cheap even for a hundred thousand of them.

interface Sleeping {
  readonly wakeMs: number
}

export class WakeOrder<Sleeper extends Sleeping> {
  readonly #heap: { readonly sleeper: Sleeper; readonly number: number }[] = []
  #numbered = 0

  get size(): number {
    return this.#heap.length
  }

  get first(): Sleeper | undefined {
    return this.#heap[0]?.sleeper
  }

  add(sleeper: Sleeper): void {
    let index = this.#heap.push({ sleeper, number: this.#numbered++ }) - 1
    for (
      let parent = (index - 1) >> 1;
      index > 0 && this.#isBefore(index, parent);
      parent = (index - 1) >> 1
    ) {
      this.#swap(index, parent)
      index = parent
    }
  }

  /** Removes the first. */
  shift(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    for (let index = 0; ;) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      const child = right < this.#heap.length && this.#isBefore(right, left) ? right : left
      if (child >= this.#heap.length || this.#isBefore(index, child)) return
      this.#swap(index, child)
      index = child
    }
  }

  clear(): void {
    this.#heap.length = 0
  }

  /** Sleepers with the same time wake in the order they were added. */
  #isBefore(index: number, other: number): boolean {
    const [a, b] = [this.#heap[index], this.#heap[other]]
    if (!a || !b) return false
    return (
      a.sleeper.wakeMs < b.sleeper.wakeMs || (a.sleeper.wakeMs === b.sleeper.wakeMs && a.number < b.number)
    )
  }

  #swap(index: number, other: number): void {
    const [a, b] = [this.#heap[index], this.#heap[other]]
    if (a && b) [this.#heap[index], this.#heap[other]] = [b, a]
  }
}

// A map of bounded size that drops its oldest entries.

export class BoundedMap<V> {
  readonly #most: number
  readonly #entries = new Map<string, V>()

  constructor(most: number) {
    this.#most = most
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)
  }

  /** The entry becomes the newest. */
  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  [Symbol.iterator](): Iterator<[string, V]> {
    return this.#entries[Symbol.iterator]()
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}

// Collects the bytes of a request body within limits, for every adapter.
import type { BodyLimits, CallBody } from './call.ts'

/** Number of body bytes that a server can still hold across all requests. */
export interface BodyBudget {
  freeBytes: number
}

export class BodyCollector {
  readonly #limits: BodyLimits
  readonly #budget: BodyBudget
  #chunks: Uint8Array[] = []
  #heldBytes = 0
  #sizeBytes = 0
  #isKept = true

  constructor(limits: BodyLimits, budget: BodyBudget = { freeBytes: Infinity }) {
    this.#limits = limits
    this.#budget = budget
  }

  /** @returns whether to keep reading */
  add(chunk: Uint8Array): boolean {
    const { mostBytes, keptBytes } = this.#limits
    this.#sizeBytes += chunk.length
    if (this.#sizeBytes > keptBytes || chunk.length > this.#budget.freeBytes) this.#isKept = false
    if (!this.#isKept) {
      this.release()
      return this.#sizeBytes <= mostBytes
    }
    this.#budget.freeBytes -= chunk.length
    this.#heldBytes += chunk.length
    this.#chunks.push(chunk)
    return true
  }

  release(): void {
    this.#budget.freeBytes += this.#heldBytes
    this.#heldBytes = 0
    this.#chunks = []
  }

  get body(): CallBody {
    if (!this.#isKept)
      return { sizeBytes: this.#sizeBytes, isTooLarge: this.#sizeBytes > this.#limits.mostBytes }
    const [first = new Uint8Array(), second] = this.#chunks
    if (!second) return first
    const bytes = new Uint8Array(this.#heldBytes)
    let offset = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    return bytes
  }
}

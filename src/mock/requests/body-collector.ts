// Collects the bytes of a request body within limits, for every way in.
import type { BodyLimits, CallBody, UnkeptBody } from './call.ts'

/** Bytes of bodies that can still be held at the same time, over all requests of a server. */
export interface BodyBudget {
  freeBytes: number
}

export class BodyCollector {
  readonly #limits: BodyLimits
  readonly #budget: BodyBudget
  #chunks: Uint8Array[] = []
  #heldBytes = 0
  #sizeBytes = 0
  #reason: UnkeptBody['reason'] | undefined

  constructor(limits: BodyLimits, budget: BodyBudget = { freeBytes: Infinity }) {
    this.#limits = limits
    this.#budget = budget
  }

  /** @returns whether the rest is needed */
  add(chunk: Uint8Array): boolean {
    const { mostBytes, keptBytes } = this.#limits
    this.#sizeBytes += chunk.length
    if (this.#sizeBytes > mostBytes) this.#reason = 'too-large'
    else if (this.#sizeBytes > keptBytes) this.#reason ??= 'refused'
    else if (chunk.length > this.#budget.freeBytes) this.#reason ??= 'crowded'
    if (this.#reason !== undefined) {
      this.release()
      return this.#reason !== 'too-large'
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
    if (this.#reason !== undefined) return { sizeBytes: this.#sizeBytes, reason: this.#reason }
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

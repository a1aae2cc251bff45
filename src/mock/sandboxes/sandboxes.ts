// The sandboxes of a mock: the main one, and those by name, made on first use.
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../control-error.ts'
import type { Sandbox } from './sandbox.ts'
import type { Signals } from './signals.ts'

export class Sandboxes {
  readonly main: Sandbox
  readonly #named = new Map<string, Sandbox>()
  /** Names of sandboxes that neither a valid key nor a control had used when last checked, oldest first. */
  readonly #unused = new Set<string>()
  readonly #make: (name: string | null) => Sandbox
  readonly #most: number
  readonly #signals: Signals

  constructor(make: (name: string | null) => Sandbox, most: number, signals: Signals) {
    this.#make = make
    this.#most = most
    this.#signals = signals
    this.main = make(null)
  }

  entries(): (readonly [string, Sandbox])[] {
    return [...this.#named]
  }

  /**
   * The sandbox of a request, made if it is new. Any page can send a request without a key, so if there are too many,
   * sandboxes that never saw a valid key are removed.
   * @throws {ControlError} for an invalid name, or beyond the maximum
   */
  get(name: string): Sandbox {
    const known = this.#named.get(name)
    if (known) return known
    if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw new ControlError(
        `X-Mock-Sandbox must be 1 to 64 letters, digits, _ or -; received ${quote(name)}`,
      )
    if (this.#named.size >= this.#most && !this.#dropUnused())
      throw new ControlError(
        `there are ${String(this.#most)} sandboxes already; delete one or raise maxSandboxes`,
      )
    const made = this.#make(name)
    this.#named.set(name, made)
    this.#signals.emit(name, () => ({ event: 'sandbox', change: 'created' }))
    this.#unused.add(name)
    return made
  }

  /** The sandbox of a control, which is never removed automatically. */
  getForControl(name: string): Sandbox {
    const sandbox = this.get(name)
    this.#unused.delete(name)
    return sandbox
  }

  /** @returns whether there was one */
  delete(name: string): boolean {
    this.#named.get(name)?.journal.leave()
    this.#unused.delete(name)
    const isDeleted = this.#named.delete(name)
    if (isDeleted) this.#signals.emit(name, () => ({ event: 'sandbox', change: 'deleted' }))
    return isDeleted
  }

  #dropUnused(): boolean {
    for (const name of this.#unused) {
      this.#unused.delete(name)
      if (this.#named.get(name)?.isUsed === false) return this.delete(name)
    }
    return false
  }
}

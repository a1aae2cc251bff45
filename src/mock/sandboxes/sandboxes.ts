// The sandboxes of a mock: the main one, the named ones created on first use, and the faults they share.
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../control-error.ts'
import type { KnownFault } from '../faults/fault-spec.ts'
import type { FaultHandle, SharedFault } from '../faults/faults.ts'
import type { Sandbox } from './sandbox.ts'
import type { Listener, Signals, WatchOptions } from './signals.ts'

export class Sandboxes {
  readonly main: Sandbox
  readonly #named = new Map<string, Sandbox>()
  /** Names of sandboxes that neither a valid key nor a control had used when last checked, oldest first. */
  readonly #unused = new Set<string>()
  readonly #make: (name: string | null) => Sandbox
  /** Faults set in all sandboxes, by id. */
  readonly #sharedFaults = new Map<string, SharedFault>()
  #faultsSet = 0
  /** Number of requests received by sandboxes that were deleted since the main one was last reset. */
  deletedRequests = 0
  readonly #most: number
  readonly #signals: Signals

  constructor(
    make: (name: string | null, sharedFaults: ReadonlyMap<string, SharedFault>) => Sandbox,
    most: number,
    signals: Signals,
  ) {
    this.#make = (name) => make(name, this.#sharedFaults)
    this.#most = most
    this.#signals = signals
    this.main = this.#make(null)
  }

  #all(): Sandbox[] {
    return [this.main, ...this.#named.values()]
  }

  /**
   * Sets a fault in all sandboxes, including those created later.
   * @param setIn the sandbox where it was requested
   * @throws {ControlError} in a boundary or a run, which are not named sandboxes
   */
  addFault(spec: KnownFault, setIn: Sandbox): FaultHandle {
    if (!this.#all().includes(setIn))
      throw new ControlError(
        'sandboxes must be left out in a boundary or an exploration, which has its own faults; received "all"',
      )
    const fault = { id: `fault_all_${String((this.#faultsSet += 1))}`, spec, hits: 0 }
    this.#sharedFaults.set(fault.id, fault)
    for (const sandbox of this.#all()) sandbox.change(({ faults }) => faults.addShared(fault))
    return {
      id: fault.id,
      get hits() {
        return fault.hits
      },
      remove: () => this.removeFault(fault.id, this.main),
    }
  }

  get sharedFaults(): ReadonlyMap<string, SharedFault> {
    return this.#sharedFaults
  }

  /** Restores a fault of a saved run. */
  putBackSharedFault(fault: SharedFault): void {
    this.#sharedFaults.set(fault.id, fault)
    this.#faultsSet = Math.max(this.#faultsSet, Number(fault.id.replace('fault_all_', '')))
  }

  /** Removes a fault from a sandbox; a shared fault is removed everywhere. @returns whether a fault had this id */
  removeFault(id: string, from: Sandbox): boolean {
    if (!this.#sharedFaults.has(id) || !this.#all().includes(from))
      return from.change(({ faults }) => faults.remove(id))
    this.#sharedFaults.delete(id)
    for (const sandbox of this.#all()) sandbox.change(({ faults }) => faults.remove(id))
    return true
  }

  /** Resets a sandbox. Resetting the main one removes the shared faults; any other sandbox gets them again. */
  reset(sandbox: Sandbox): void {
    if (sandbox === this.main) {
      this.#clearSharedFaults()
      this.#faultsSet = 0
      this.deletedRequests = 0
    }
    sandbox.reset()
  }

  /** Removes a sandbox's faults. On the main one, also removes the shared faults from every sandbox. */
  clearFaults(sandbox: Sandbox): void {
    if (sandbox === this.main) this.#clearSharedFaults()
    sandbox.change(({ faults }) => faults.clear())
  }

  #clearSharedFaults(): void {
    for (const id of [...this.#sharedFaults.keys()]) this.removeFault(id, this.main)
  }

  /** @returns a function that unsubscribes */
  watch(listener: Listener, options?: WatchOptions): () => void {
    const stop = this.#signals.on(listener, options)
    if (options?.pending === true)
      for (const [name, sandbox] of [[null, this.main] as const, ...this.#named])
        this.#signals.repeat(listener, name, sandbox.pendingSignals())
    return stop
  }

  entries(): (readonly [string, Sandbox])[] {
    return [...this.#named]
  }

  /** Undefined for the main sandbox, and for that of a boundary or an exploration. */
  nameOf(sandbox: Sandbox): string | undefined {
    return this.entries().find(([, each]) => each === sandbox)?.[0]
  }

  /**
   * The sandbox of a request, created if it is new. At the maximum, a sandbox that never saw a valid key is removed,
   * because any page can send requests without a key.
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
        `there are already ${String(this.#most)} sandboxes; delete one or raise maxSandboxes`,
      )
    const made = this.#make(name)
    this.#named.set(name, made)
    this.#signals.emit(name, { event: 'sandbox', change: 'created' })
    this.#unused.add(name)
    return made
  }

  /** The sandbox of a control; it is never removed automatically. */
  getForControl(name: string): Sandbox {
    const sandbox = this.get(name)
    this.#unused.delete(name)
    return sandbox
  }

  /** @returns whether it existed */
  delete(name: string): boolean {
    const journal = this.#named.get(name)?.journal
    if (!journal) return false
    journal.leave()
    this.deletedRequests += journal.counts.requests
    this.#unused.delete(name)
    this.#named.delete(name)
    this.#signals.emit(name, { event: 'sandbox', change: 'deleted' })
    return true
  }

  #dropUnused(): boolean {
    for (const name of this.#unused) {
      this.#unused.delete(name)
      if (this.#named.get(name)?.isUsed === false) return this.delete(name)
    }
    return false
  }
}

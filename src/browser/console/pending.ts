// Requests without a response: from their arrival until their response is listed.
import type { Signal } from '../../core/signals.ts'
import type { PendingRow, RequestRow, SandboxName } from './live-state.ts'

type Of<Event extends Signal['event']> = Extract<Signal, { readonly event: Event }>

const keyOf = (sandbox: SandboxName, id: number) => `${String(id)} ${sandbox ?? ''}`

export class PendingRequests {
  readonly #rows = new Map<string, PendingRow>()
  /** Those that have a response, until it is listed. */
  readonly #answered = new Set<string>()

  get rows(): readonly PendingRow[] {
    return [...this.#rows.values()]
  }

  get answered(): readonly string[] {
    return [...this.#answered]
  }

  take(signal: Of<'pending' | 'abandoned'>): void {
    const key = keyOf(signal.sandbox, signal.id)
    const arrivedMs = this.#rows.get(key)?.arrivedMs ?? Date.now()
    if (signal.event === 'abandoned') this.#rows.delete(key)
    else this.#rows.set(key, { ...signal, arrivedMs })
  }

  /** The row of a request that got its response, with the times that the console saw. */
  answer({ request, pending, headers, sandbox }: Of<'request'>): RequestRow {
    const key = keyOf(sandbox, pending)
    const now = Date.now()
    const arrivedMs = this.#rows.get(key)?.arrivedMs
    this.#answered.add(key)
    const times = { arrivedMs: arrivedMs ?? now, ...(arrivedMs !== undefined && { tookMs: now - arrivedMs }) }
    return { ...request, sandbox, headers, ...times }
  }

  /** Removes those whose responses are listed. */
  drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.#rows.delete(key)
      this.#answered.delete(key)
    }
  }

  clear(): void {
    this.#rows.clear()
    this.#answered.clear()
  }
}

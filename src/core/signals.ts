// Notifications of what happens in a mock, for a console or a server that passes them on.
import type { ClockMode } from '../store/clock.ts'
import { callListener } from '../store/events.ts'
import type { JournalSummary } from './journal/entry.ts'

/** Something that happened in a sandbox. */
export type SandboxSignal =
  /** A request got its response, or its connection was broken. */
  | { readonly event: 'request'; readonly request: JournalSummary }
  /** Everything was reset. */
  | { readonly event: 'reset' }
  /** The clock was moved or its mode changed. */
  | { readonly event: 'clock'; readonly now: number; readonly mode: ClockMode }
  /** The state changed, by a request or a control: records, faults, answers, snapshots. */
  | { readonly event: 'state' }
  /** A sandbox was made or deleted. */
  | { readonly event: 'sandbox'; readonly change: 'created' | 'deleted' }

/** Something that happened, and in which sandbox; null is the main one. */
export type Signal = SandboxSignal & { readonly sandbox: string | null }

export class Signals {
  readonly #listeners = new Set<(signal: Signal) => void>()

  /** @returns a function that unsubscribes */
  on(listener: (signal: Signal) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** `signal` is made only if somebody listens. */
  emit(sandbox: string | null, signal: () => SandboxSignal): void {
    if (this.#listeners.size === 0) return
    const made = { sandbox, ...signal() }
    for (const listener of [...this.#listeners]) callListener('mock.watch', listener, made)
  }
}

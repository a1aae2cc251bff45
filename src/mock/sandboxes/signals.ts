// Notifications about what happens in a mock, for a console or a server that passes them on.
import * as z from 'zod/mini'
import { countText } from '../../contract/text/format.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Store } from '../../service/store/store.ts'
import type { ClockMode } from '../../service/store/clock.ts'
import { callListener, type SkippedOccurrences } from '../../service/store/events.ts'
import { ControlError } from '../control-error.ts'
import { parseOrThrow } from '../parse-or-throw.ts'
import type { Exchange } from '../journal/exchange.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import { parseKey } from '../requests/authenticate.ts'
import { toJournalSummary, type JournalSummary } from '../journal/entry.ts'

/** Headers as received, with names in place of keys; values that may be secret are hidden. */
type ShownHeaders = Readonly<Record<string, string>>

/** Something that happened in a sandbox. */
export type SandboxSignal =
  /** A request got its response, or its connection was broken. `pending` is its id in the event `pending`. */
  | {
      readonly event: 'request'
      readonly request: JournalSummary
      readonly pending: number
      readonly headers: ShownHeaders
    }
  /** A request has arrived and has no response yet. Sent again, with the fault, when a fault delays it. */
  | {
      readonly event: 'pending'
      readonly id: number
      readonly method: string
      readonly path: string
      readonly headers: ShownHeaders
      readonly fault?: string
      readonly delayMs?: number
      /** When it arrived by its server's clock; absent without a server. */
      readonly arrivedMs?: number
    }
  /** A pending request will not reach the journal: its client hung up, or the state was replaced in the meantime. */
  | { readonly event: 'abandoned'; readonly id: number }
  /** Everything was reset. */
  | { readonly event: 'reset' }
  /** The clock moved, or its mode changed. */
  | { readonly event: 'clock'; readonly now: number; readonly mode: ClockMode }
  /** A request or a control changed the state: records, faults, answers, snapshots. */
  | { readonly event: 'state' }
  /** The clock moved so far that later occurrences of repeating tasks were skipped. */
  | ({ readonly event: 'skipped' } & SkippedOccurrences)
  /** A sandbox was created or deleted. */
  | { readonly event: 'sandbox'; readonly change: 'created' | 'deleted' }

/** Something that happened, and the sandbox where it did; null means the main one. */
export type Signal = SandboxSignal & { readonly sandbox: string | null }

export interface WatchOptions {
  /**
   * Also reports requests that have no response yet, as the events `pending` and `abandoned`. Requests that already
   * wait for a fault or for their body are reported immediately. Default false.
   */
  readonly pending?: boolean | undefined
}
const WatchSchema = z.lazy(() => z.strictObject({ pending: z.optional(z.boolean()) }))

export interface SandboxListeners {
  /** Whether there are listeners; expensive signals are created only then. */
  areThere(): boolean
  /** Whether there are listeners for pending requests. */
  followRequests(): boolean
  emit(signal: SandboxSignal, isPending?: boolean): void
}

export type Listener = (signal: Signal) => void

export class Signals {
  readonly #listeners = new Set<Listener>()
  /** Listeners that also receive pending requests. */
  readonly #followers = new Set<Listener>()

  /** @returns a function that unsubscribes */
  on(listener: Listener, options: WatchOptions = {}): () => void {
    if (typeof listener !== 'function')
      throw new ControlError(`mock.watch takes a function; received ${quote(listener)}`)
    const { pending = false } = parseOrThrow(WatchSchema, options, 'options')
    this.#listeners.add(listener)
    if (pending) this.#followers.add(listener)
    return () => {
      this.#listeners.delete(listener)
      this.#followers.delete(listener)
    }
  }

  of(sandbox: string | null): SandboxListeners {
    return {
      areThere: () => this.#listeners.size > 0,
      followRequests: () => this.#followers.size > 0,
      emit: (signal, isPending) => this.emit(sandbox, signal, isPending),
    }
  }

  /** Sends earlier signals to a single listener. */
  repeat(listener: Listener, sandbox: string | null, signals: readonly SandboxSignal[]): void {
    for (const signal of signals) callListener('mock.watch', listener, { sandbox, ...signal })
  }

  emit(sandbox: string | null, signal: SandboxSignal, isPending = false): void {
    const listeners = isPending ? this.#followers : this.#listeners
    if (listeners.size === 0) return
    const made = { sandbox, ...signal }
    for (const listener of [...listeners]) callListener('mock.watch', listener, made)
  }
}

/** Headers whose values are not secret. A list of secret ones would never be complete. */
const isHarmless =
  /^(?:accept|accept-(?:charset|encoding|language)|cache-control|connection|content-(?:encoding|language|length|type)|date|dnt|expect|host|if-(?:match|modified-since|none-match|range|unmodified-since)|keep-alive|origin|pragma|prefer|priority|range|save-data|sec-(?:ch-ua|ch-ua-mobile|ch-ua-platform|fetch-dest|fetch-mode|fetch-site|fetch-user|gpc)|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent|x-mock-(?:console|label|sandbox)|x-requested-with)$/

function showValue(store: Store, name: string, value: string): string {
  const bearer = parseKey(value)
  const own = store.keys.get(bearer === '' ? value : bearer)
  if (own) return bearer === '' ? own.name : `Bearer ${own.name}`
  // A key unknown to the mock could belong to a real workspace.
  if (!isHarmless.test(name)) return `hidden (${countText(value.length, 'character')})`
  return value.replace(/[^\s,;:="]+/g, (word) => store.keys.get(word)?.name ?? word)
}

/** @param received names in lower case, each with its value */
export function showHeaders(received: Iterable<readonly [string, string]>, store: Store): ShownHeaders {
  const shown = [...received].filter(([name]) => name !== 'x-mock-token')
  return Object.fromEntries(shown.map(([name, value]) => [name, showValue(store, name, value)]))
}

export const toRequestSignal = (
  exchange: Exchange,
  pending: number,
  headers: ShownHeaders,
): SandboxSignal => ({
  event: 'request',
  request: toJournalSummary(exchange),
  pending,
  headers,
})

/** Includes the fault that delays the response. */
export const toPendingSignal = (exchange: OpenExchange): SandboxSignal => ({
  event: 'pending',
  id: exchange.arrival,
  method: exchange.call.method,
  path: exchange.call.path,
  headers: showHeaders(exchange.call.headers?.() ?? [], exchange.store),
  ...(exchange.call.reception && { arrivedMs: exchange.call.reception.arrivedMs }),
  ...(exchange.failure &&
    exchange.failure.delayMs > 0 && { fault: exchange.failure.id, delayMs: exchange.failure.delayMs }),
})

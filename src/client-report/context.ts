// Owns what the rules of the report see of a request beside the exchange itself.
import type { Store } from '../store/store.ts'
import type { Call, CallBody } from '../core/call.ts'
import type { Trace } from '../core/dispatch.ts'
import type { Faults } from '../core/faults.ts'
import type { Exchange } from '../core/journal.ts'

/** A request as the rules see it, right after it was answered. */
export interface Context {
  readonly store: Store
  readonly call: Call
  readonly trace: Trace
  readonly body: CallBody
  readonly faults: Faults
  /** Id of the last exchange when the request came in: what was answered later it could not know of. */
  readonly after: number
  /** Whether another rule than client-error reports what it was refused for. */
  readonly isReported: boolean
}

/** Tells clients apart by what they send: a fault answers before the key is looked at. */
export const clientOf = ({ call }: Context): string => call.header('authorization') ?? ''

const shownCharacters = 200

/** An address as messages show it. */
export const shown = (address: string): string =>
  address.length > shownCharacters ? `${address.slice(0, shownCharacters)}…` : address

/** A path parameter, decoded as the dispatcher does it. */
export function idOf({ params }: Exchange, name: string): string {
  const sent = params[name] ?? ''
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}

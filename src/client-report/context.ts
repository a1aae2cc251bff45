// What the rules of the report see of a request besides its exchange in the journal.
import { paramsOf, type Exchange } from '../core/journal/exchange.ts'
import type { OpenExchange } from '../core/open-exchange.ts'

/** A request as the rules see it, right after its response. */
export type Context = Pick<
  OpenExchange,
  'store' | 'call' | 'principal' | 'json' | 'sent' | 'faults' | 'after' | 'moment' | 'isReported'
>

/** Identifies a client by the header it sends: a fault responds before the key is checked. */
export const clientOf = ({ call }: Context): string => call.header('authorization') ?? ''

const shownCharacters = 200

/** An address as messages show it. */
export const shown = (address: string): string =>
  address.length > shownCharacters ? `${address.slice(0, shownCharacters)}…` : address

/** A path parameter, decoded as the dispatcher does it. */
export function idOf(exchange: Exchange, name: string): string {
  const sent = paramsOf(exchange)[name] ?? ''
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}

// Describes any value of a client in words, whatever its getters, its proxies and its size are.
import { quote } from '../../contract/text/quote.ts'

const mostCharacters = 500
const unreadable = 'a value that cannot be read'

/** The result of reading a value of a client; undefined if that throws. */
export function tryReading<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function toText(value: unknown): string {
  if (typeof value === 'bigint') return `${String(value)}n`
  if (typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return quote(value)
  const message = tryReading(() => (value as { readonly message?: unknown }).message)
  if (typeof message === 'string' && message !== '') return message
  const isError = tryReading(() => value instanceof Error) === true
  if (!isError) return quote(value)
  const name = tryReading(() => (value as Error).name)
  return message === '' || message === undefined
    ? `${typeof name === 'string' ? name : 'Error'} without a message`
    : quote(message)
}

/** The message of an error, else the value as JSON or in words; cut if it is long. */
export function describeValue(value: unknown): string {
  const text = tryReading(() => toText(value)) ?? unreadable
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

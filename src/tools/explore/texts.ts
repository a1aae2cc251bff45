// Puts state differences, places of requests and client values into words.
import { recordName, type NamedOutline } from '../compare/changes.ts'
import type { StateDifference } from '../compare/comparison.ts'
import { quote } from '../../contract/text/quote.ts'
import type { ShownBy } from './types.ts'

/** A record's resource and name. */
export const formatRecord = (record: NamedOutline): string =>
  `${record.resource} ${quote(recordName(record))}`

function formatDifference({
  resource,
  change,
  field,
  record,
  id,
  undisturbed,
  disturbed,
}: StateDifference): string {
  const what = `${resource} ${quote(record)}${id === undefined || id === record ? '' : ` (${id})`}`
  switch (change) {
    case 'twice':
      return `${what} exists ${String(disturbed)} times instead of ${String(undisturbed)}`
    case 'missing':
      return disturbed === 0
        ? `${what} is missing`
        : `${what} exists ${disturbed === 1 ? 'once' : `${String(disturbed)} times`} instead of ${String(undisturbed)}`
    case 'added':
      return `${what} exists, but not after the undisturbed run`
    case 'changed':
      if (field === 'deleted') return `${what} is ${disturbed === true ? 'deleted' : 'not deleted'}`
      return `${field ?? 'content'} of ${what} is ${quote(disturbed)} instead of ${quote(undisturbed)}`
  }
}

export function formatDifferences(differences: readonly StateDifference[]): string {
  const [first] = differences
  if (!first) return ''
  const more = differences.length - 1
  return `${formatDifference(first)}${more === 0 ? '' : ` (and ${String(more)} more difference${more === 1 ? '' : 's'})`}`
}

/** `createTask (request 2): 503` */
export function formatPlace({ operation, request }: Omit<ShownBy, 'family'>, name: string): string {
  if (operation === null) return name
  return `${operation}${request === null || request === 1 ? '' : ` (request ${String(request)})`}: ${name}`
}

const mostCharacters = 500
const unreadable = 'a value that cannot be read'

/** Reads a client's value; undefined if that throws. */
export function tryReading<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function formatThrown(value: unknown): string {
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

/** An error's message, or any other value as JSON or in words; truncated if long. */
export function describeValue(value: unknown): string {
  const text = tryReading(() => formatThrown(value)) ?? unreadable
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}

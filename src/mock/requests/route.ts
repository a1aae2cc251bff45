// Finds the operation of a method and path.
import type { Operation } from '../../contract/index.ts'
import type { Call } from './call.ts'
import { matchOperation } from './operation-matcher.ts'

export interface Route {
  readonly operation: Operation
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

const noParams = {}

/** Finds the operation for a method and an encoded path relative to the base address. */
export function findOperation(method: string, path: string): Route | undefined {
  // The router ignores a trailing slash, but the API has no such paths.
  if (path.endsWith('/')) return undefined
  const match = matchOperation(method, path)
  return match && { operation: match.data, params: match.params ?? noParams }
}

/** Undefined if the address is not under the base address. */
export const routeOf = ({ method, path, outside }: Pick<Call, 'method' | 'path' | 'outside'>) =>
  outside === undefined ? findOperation(method, path) : undefined

/** Whether the path of a deletion contains an unencoded storage key, whose slashes split it. */
export const isBareStorageKey = (method: string, path: string): boolean =>
  method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)

// Finds the operation of a method and path, or the nearest one.
import { operationList, type Operation } from '../../contract/index.ts'
import { nearest } from '../../contract/text/nearest.ts'
import type { Call } from '../call.ts'
import { matchOperation } from './operation-matcher.ts'

export interface Route {
  readonly operation: Operation
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

const noParams = {}

/** The operation of a method and an encoded path relative to the base address. */
export function findOperation(method: string, path: string): Route | undefined {
  // The router ignores a trailing slash; the API has no such paths.
  if (path.endsWith('/')) return undefined
  const match = matchOperation(method, path)
  return match && { operation: match.data, params: match.params ?? noParams }
}

/** The operation of a call; none outside the base address. */
export const routeOf = ({ method, path, outside }: Pick<Call, 'method' | 'path' | 'outside'>) =>
  outside === undefined ? findOperation(method, path) : undefined

/** Whether the path of a deletion has a storage key that was not encoded, so that its slashes split it. */
export function isBareStorageKey(method: string, path: string): boolean {
  return method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)
}

const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method} ${path}`

/** The operation nearest to an unknown method and path: `GET /tasks/{taskId} (getTask)`. */
export function nearestOperation(method: string, path: string): string {
  // No operation has the method PUT: a client that sends it means to change something.
  const meant = method === 'PUT' ? 'PATCH' : method
  const found = nearest(`${meant} ${path.replace(/\/$/, '')}`, operationList, (operation) =>
    nameOf({ method: operation.method, path: fillTemplate(operation.path, path) }),
  )
  return found ? `${nameOf(found)} (${found.id})` : ''
}

/** The template with its parameters filled from the path, so that ids do not count as differences. */
function fillTemplate(template: `/${string}`, path: string): `/${string}` {
  const given = path.split('/')
  const [, ...parts] = template.split('/')
  return `/${parts.map((part, index) => (part.startsWith('{') ? (given[index + 1] ?? part) : part)).join('/')}`
}

// Owns the way from method and path to an operation, and the guess where there is none.
import { routerPath, type OperationSpec } from '../contract/operation.ts'
import { addRoute, createRouter, findRoute } from 'rou3'
import { operationList, type OperationId } from '../contract/index.ts'
import { nearest } from '../contract/nearest.ts'

export type Operation = OperationSpec & { readonly id: OperationId }

export interface Route {
  readonly operation: Operation
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

const router = createRouter<Operation>()
for (const operation of operationList)
  addRoute(router, operation.method, routerPath(operation.path), operation)

const noParams = {}

/** The operation of a method and an encoded path relative to the base address. */
export function findOperation(method: string, path: string): Route | undefined {
  // The router takes a trailing slash as nothing; the API shows no such paths.
  if (path.endsWith('/')) return undefined
  const match = findRoute(router, method, path)
  return match && { operation: match.data, params: match.params ?? noParams }
}

/** Whether a storage key was put into the path of its deletion without being encoded, so that its slashes split it. */
export function isBareStorageKey(method: string, path: string): boolean {
  return method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)
}

const named = ({ method, path }: Pick<OperationSpec, 'method' | 'path'>) => `${method} ${path}`

/** What an unknown method and path may have been meant to be: `GET /tasks/{taskId} (getTask)`. */
export function nearestOperation(method: string, path: string): string {
  // No operation has the method PUT: who sends it means to change something.
  const meant = method === 'PUT' ? 'PATCH' : method
  const found = nearest(`${meant} ${path.replace(/\/$/, '')}`, operationList, (operation) =>
    named({ method: operation.method, path: likened(operation.path, path) }),
  )
  return found ? `${named(found)} (${found.id})` : ''
}

/** The template with its parameters filled from the path, so that ids do not count as differences. */
function likened(template: `/${string}`, path: string): `/${string}` {
  const given = path.split('/')
  const [, ...parts] = template.split('/')
  return `/${parts.map((part, index) => (part.startsWith('{') ? (given[index + 1] ?? part) : part)).join('/')}`
}

// Finds the operation of a method and path; responds to requests that match none, and to preflights.
import { operationList, type Operation } from '../../contract/index.ts'
import { findNearest, suggestNearest } from '../../contract/text/nearest.ts'
import type { ApiResponse, Call } from './call.ts'
import { corsHeaders, toErrorResponse } from './errors.ts'
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

/** Undefined outside the base address. */
export const routeOf = ({ method, path, outside }: Pick<Call, 'method' | 'path' | 'outside'>) =>
  outside === undefined ? findOperation(method, path) : undefined

/** Whether the path of a deletion has a storage key that was not encoded, so that its slashes split it. */
export const isBareStorageKey = (method: string, path: string): boolean =>
  method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)

const methods = [...new Set(operationList.map(({ method }) => method))]

/**
 * The operations that an unknown method and path probably mean: `GET /tasks/{taskId} (getTask)`. One whose path is
 * misspelled, else those with other methods of the path, else the nearest.
 */
export function suggestOperations(method: string, given: string): string {
  const path = given.replace(/\/$/, '')
  const parts = path.split('/')
  // No operation has the method PUT: a client that sends it means to change something.
  const meant = method === 'PUT' ? 'PATCH' : method
  /** The path of an operation with the ids of the given one, so that they do not count as differences. */
  const fillPath = (known: Operation) =>
    known.path.split('/').map((part, index) => (part.startsWith('{') ? (parts[index] ?? '') : part))
  const isMisspelled = (known: Operation) => {
    const filled = fillPath(known)
    const isNear = (part: string, index: number) => suggestNearest(part, [filled[index] ?? '']) !== undefined
    return known.method === meant && filled.length === parts.length && parts.every(isNear)
  }
  const nearestOf = (operations: readonly Operation[]) =>
    findNearest(`${meant} ${path}`, operations, (known) => `${known.method} ${fillPath(known).join('/')}`)
  const misspelled = nearestOf(operationList.filter(isMisspelled))
  const ofPath = methods.flatMap((other) => findOperation(other, path)?.operation ?? [])
  ofPath.sort((a, b) => Number(b.method === meant) - Number(a.method === meant))
  const [first = nearestOf(operationList), ...others] = misspelled ? [misspelled] : ofPath
  const found = first ? [first, ...others] : []
  return found.map((known) => `${known.method} ${known.path} (${known.id})`).join(' or ')
}

export const respondToPreflight = (call: Call): ApiResponse => ({
  status: 204,
  headers: {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      call.header('access-control-request-headers') ??
      'Authorization, Content-Type, Prefer, X-Mock-Sandbox, X-Mock-Label',
    'access-control-max-age': '86400',
  },
  body: null,
})

export function respondToUnknownOperation(call: Call): ApiResponse {
  const { method, path, outside, baseUrl } = call
  const nearest = `did you mean ${suggestOperations(method, path)}?`
  if (outside !== undefined) {
    const message = `No operation matches ${method} ${outside}: it is not below ${baseUrl}`
    return toErrorResponse('unknownOperation', message, { hint: `the API is at ${baseUrl}; ${nearest}` })
  }
  const hint = isBareStorageKey(method, path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : nearest
  return toErrorResponse('unknownOperation', `No operation matches ${method} /v1${path}`, { hint })
}

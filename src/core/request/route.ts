// Finds the operation of a method and path; responds to requests that match none, and to preflights.
import { operationList, type Operation } from '../../contract/index.ts'
import { nearest, suggestNearest } from '../../contract/text/nearest.ts'
import type { ApiResponse, Call, CallHead } from '../call.ts'
import { corsHeaders, errorResponse } from '../errors.ts'
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
export const routeOf = ({ method, path, outside }: Omit<CallHead, 'header'>) =>
  outside === undefined ? findOperation(method, path) : undefined

/** Whether the path of a deletion has a storage key that was not encoded, so that its slashes split it. */
export const isBareStorageKey = (method: string, path: string): boolean =>
  method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)

const methods = [...new Set(operationList.map(({ method }) => method))]

/** Whether each part of a path is a part of the template, or nearly. */
function isNearTemplate(template: string, path: string): boolean {
  const given = path.split('/')
  const parts = template.split('/')
  const isNear = (part: string, index: number) =>
    part.startsWith('{') || suggestNearest(given[index] ?? '', [part]) !== undefined
  return parts.length === given.length && parts.every(isNear)
}

/**
 * The operations that an unknown method and path probably mean: `GET /tasks/{taskId} (getTask)`. One whose path is
 * misspelled, else those with other methods of the path, else the nearest.
 */
export function suggestOperations(method: string, given: string): string {
  const path = given.replace(/\/$/, '')
  // No operation has the method PUT: a client that sends it means to change something.
  const meant = method === 'PUT' ? 'PATCH' : method
  const nearestOf = (operations: readonly Operation[]) =>
    nearest(`${meant} ${path}`, operations, (known) => `${known.method} ${fillTemplate(known.path, path)}`)
  const misspelled = nearestOf(
    operationList.filter((known) => known.method === meant && isNearTemplate(known.path, path)),
  )
  const ofPath = methods.flatMap((other) => findOperation(other, path)?.operation ?? [])
  ofPath.sort((a, b) => Number(b.method === meant) - Number(a.method === meant))
  const [first = nearestOf(operationList), ...others] = misspelled ? [misspelled] : ofPath
  const found = first ? [first, ...others] : []
  return found.map((known) => `${known.method} ${known.path} (${known.id})`).join(' or ')
}

/** The template with its parameters filled from the path, so that ids do not count as differences. */
function fillTemplate(template: string, path: string): string {
  const given = path.split('/')
  const parts = template.split('/').map((part, index) => (part.startsWith('{') ? (given[index] ?? '') : part))
  return parts.join('/')
}

export const preflightResponse = (call: Call): ApiResponse => ({
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

export function unknownOperationResponse(call: Call): ApiResponse {
  const { method, path, outside, baseUrl } = call
  const nearest = `did you mean ${suggestOperations(method, path)}?`
  if (outside !== undefined) {
    const message = `No operation matches ${method} ${outside}: it is not below ${baseUrl}`
    return errorResponse('unknownOperation', message, { hint: `the API is at ${baseUrl}; ${nearest}` })
  }
  const hint = isBareStorageKey(method, path)
    ? 'a storage key goes into the path as encodeURIComponent(key)'
    : nearest
  return errorResponse('unknownOperation', `No operation matches ${method} /v1${path}`, { hint })
}

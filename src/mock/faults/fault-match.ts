// Decides whether a request matches a fault's `match`. A `match` that no request can satisfy is refused.
import * as z from 'zod/mini'
import { operationList, type Operation } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { TextMap } from '../../contract/schema/maps.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../control-error.ts'
import { hintAtOperation } from '../hints/operation.ts'
import { findOperation } from '../requests/route.ts'

export interface RequestPart {
  method?: string | undefined
  /** Relative to the base address. */
  path?: string | undefined
  query?: Record<string, string> | undefined
  params?: Record<string, string> | undefined
  /** The JSON body; undefined without one. */
  body?: unknown
}
export const requestPartSchema: z.ZodMiniType<RequestPart> = z.lazy(() =>
  z.strictObject({
    method: z.optional(z.string()),
    path: z.optional(z.string()),
    query: z.optional(TextMap),
    params: z.optional(TextMap),
    body: z.optional(z.unknown()),
  }),
)

/** What a fault's `match` sees of a request. */
export type FaultCandidate = Required<RequestPart>
export type FaultPredicate = (request: FaultCandidate) => boolean

/**
 * A part of a request. An object matches if all of its fields match. A path such as `/tasks/{taskId}` stands for every
 * path of its operation. In process it can also be a function.
 */
export type FaultMatch = RequestPart | FaultPredicate

/** `/tasks/{taskId}`, in any common notation. */
const isTemplate = (path: string) => /[{}*]|\/:/.test(path)

const listParameterNames = ({ path }: OperationSpec) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const hasPath = (path: string) => (operation: Operation) =>
  isTemplate(path) ? operation.path === path : findOperation(operation.method, path)?.operation === operation

function explainPath(path: string, method: string, operation: Operation | undefined): string {
  const received = `received ${quote(path)}`
  return operation
    ? `match.path must be a path of ${operation.id}, such as ${operation.path}; ${received}`
    : `match.path must be a path of an operation; ${received}; ${hintAtOperation(method, path)}`
}

export function assertCanMatch(match: RequestPart, operation: Operation | undefined): void {
  const { method, path, params = {}, body } = match
  let candidates: readonly Operation[] = operation ? [operation] : operationList
  const narrow = (isPossible: (candidate: Operation) => boolean, message: () => string) => {
    const left = candidates.filter(isPossible)
    if (left.length === 0) throw new ControlError(message())
    candidates = left
  }
  const owner = operation?.id ?? 'any operation that it matches'
  if (method !== undefined) {
    const methods = [...new Set(candidates.map((candidate) => candidate.method))]
    const rule = `match.method must be one of ${methods.join(', ')}`
    const hasMethod = (candidate: Operation) => candidate.method === method
    narrow(hasMethod, () => `${rule}; received ${quote(method)}${describeNearestName(method, methods)}`)
  }
  if (path !== undefined) narrow(hasPath(path), () => explainPath(path, method ?? 'GET', operation))
  for (const name of Object.keys(params)) {
    const known = [...new Set(candidates.flatMap(listParameterNames))]
    const allowed =
      known.length === 0 ? 'it has none' : `allowed: ${known.join(', ')}${describeNearestName(name, known)}`
    narrow(
      (candidate) => listParameterNames(candidate).includes(name),
      () => `match.params.${name} is not a path parameter of ${owner}; ${allowed}`,
    )
  }
  if (body !== undefined)
    narrow(
      (candidate: OperationSpec) => candidate.body?.json !== undefined,
      () => `match.body must be left out: requests of ${owner} have no JSON body; received ${quote(body)}`,
    )
}

function hasPart(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return false
  return Object.entries(expected).every(
    ([name, value]) =>
      Object.hasOwn(actual, name) && hasPart((actual as Record<string, unknown>)[name], value),
  )
}

export function isMatch(
  match: FaultMatch | undefined,
  operation: Operation,
  candidate: () => FaultCandidate,
): boolean {
  if (match === undefined) return true
  if (typeof match === 'function') return match(candidate())
  const { path, ...rest } = match
  if (path === undefined || !isTemplate(path)) return hasPart(candidate(), match)
  return operation.path === path && hasPart(candidate(), rest)
}

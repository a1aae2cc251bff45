// Owns what a route of the control API is, and how its body is checked.
import * as z from 'zod/mini'
import { ControlError } from '../../core/control-error.ts'
import { describeIssues, pathText } from '../../contract/issues.ts'
import type { MockControls } from '../../controls/mock-controls.ts'
import type { WorkspaceMock } from '../../mock.ts'

export interface ControlRequest {
  readonly mock: WorkspaceMock
  /** The store the request is about: the sandbox it names, or else the main one. */
  readonly store: MockControls
  /** What the path names, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Address of the API as this request would call it; ends with /v1. */
  readonly baseUrl: string
  /** The key of the Authorization header; null where there is none. */
  readonly key: string | null
}

export interface ControlRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the control API's root, parameters in braces: `/tables/{id}`. */
  readonly path: string
  /** What its body looks like, `{now?, mode?}`; empty where it takes none. */
  readonly takes: string
  /** What it does and answers, for the README. */
  readonly says: string
  /** Most bytes of its body. */
  readonly bodyBytes: number
  /** Answers JSON; `body` is the parsed JSON, undefined where there was none. */
  run(request: ControlRequest, body: unknown): object
}

const ordinaryBodyBytes = 1024 * 1024

type Shape = Readonly<Record<string, z.ZodMiniType>>
type Method = ControlRoute['method']

/** A route without a body: none, or an empty object, is taken. */
export function route(
  method: Method,
  path: string,
  says: string,
  run: (request: ControlRequest) => object,
): ControlRoute {
  return routeWithFields(method, path, says, {}, run)
}

/** A route whose body is an object of these fields and no others. */
export function routeWithFields<S extends Shape>(
  method: Method,
  path: string,
  says: string,
  fields: S,
  run: (request: ControlRequest, body: z.output<z.ZodMiniObject<S>>) => object,
): ControlRoute {
  const schema = z.strictObject(fields)
  const takesBody = method !== 'GET' && method !== 'DELETE'
  const names = Object.entries(fields).map(
    ([name, field]) => name + (field instanceof z.ZodMiniOptional ? '?' : ''),
  )
  return {
    method,
    path,
    takes: names.length === 0 ? '' : `{${names.join(', ')}}`,
    says,
    bodyBytes: ordinaryBodyBytes,
    run: (request, body) => run(request, checked(schema, takesBody ? (body ?? {}) : {})),
  }
}

/** A route whose body the mock itself checks; `takes` says what it is. */
export function routeWithJson(
  method: Method,
  path: string,
  says: string,
  takes: string,
  run: (request: ControlRequest, body: unknown) => object,
  bodyBytes = ordinaryBodyBytes,
): ControlRoute {
  return {
    method,
    path,
    takes,
    says,
    bodyBytes,
    run: (request, body) => {
      if (body === undefined) throw new ControlError('body is required and must be JSON')
      return run(request, body)
    },
  }
}

function checked<S extends Shape>(
  schema: z.ZodMiniObject<S, z.core.$strict>,
  value: unknown,
): z.output<z.ZodMiniObject<S>> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ControlError(explained(result.error, value, schema))
}

function explained(error: z.core.$ZodError, value: unknown, schema: z.ZodMiniType): string {
  const [issue] = error.issues
  if (issue?.code !== 'unrecognized_keys') return describeIssues(error, value)
  const fields = fieldsAt(schema, issue.path)
  const allowed = fields.length === 0 ? 'no field is allowed' : `allowed are ${fields.join(', ')}`
  return `${pathText(issue.path) || 'body'} has unknown fields: ${issue.keys.join(', ')}; ${allowed}`
}

/** Names of the fields that a schema knows at a path. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema
  const [first, ...rest] = path
  if (inner instanceof z.ZodMiniObject)
    return first === undefined ? Object.keys(inner.shape) : fieldsAt(inner.shape[String(first)], rest)
  const keys = inner instanceof z.ZodMiniRecord ? inner.def.keyType : undefined
  return keys instanceof z.ZodMiniEnum ? keys.options.map(String) : []
}

/**
 * The query parameters of a request by name, first value of each.
 * @throws {ControlError} for one that is not among `names`
 */
export function queryOf<Name extends string>(
  { query }: ControlRequest,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const [name, value] of query) {
    const known = names.find((candidate) => candidate === name)
    if (known === undefined)
      throw new ControlError(`query parameter ${name} is unknown; allowed are ${names.join(', ')}`)
    found[known] ??= value
  }
  return found
}

// Declares operations. Routing, validation, types and documents are derived from the declarations.
import type * as z from 'zod/mini'
import { generalErrors, type ErrorKind, type ErrorStatus } from './errors.ts'
import type { mostPerPage } from './limits.ts'
import type { Answers } from './questions/register.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Schema<T = unknown> = z.ZodMiniType<T>

/** An integer query parameter. Question `limitAboveMax` covers values out of range and values that are not integers. */
export interface IntegerParameter {
  readonly kind: 'integer'
  readonly description: string
  readonly minimum: number
  readonly maximum?: number
  readonly default?: number
  /** Whether it is a moment in Unix seconds. */
  readonly isMoment?: true
  /** A second name for the same parameter; `name` wins. */
  readonly alias?: string
}
export interface StringParameter {
  readonly kind: 'string'
  readonly description: string
}
export type QueryParameters = Readonly<Record<string, IntegerParameter | StringParameter>>

/** A schema, or a function that creates it if it depends on the answers to open questions or is rarely needed. */
export type ResponseSchema = Schema | ((answers: Answers) => Schema)

export const resolveSchema = (schema: ResponseSchema, answers: Answers): Schema =>
  typeof schema === 'function' ? schema(answers) : schema

export interface MultipartBody {
  /** Schema of the JSON in part `data`, which is then required. */
  readonly data?: Schema
  /** Maximum number of `file` parts; if only one is allowed, the first is used. */
  readonly maxFiles: number
  readonly fileRequired: boolean
}

interface OperationBody {
  readonly json?: Schema
  readonly multipart?: MultipartBody
}

interface JsonSuccess {
  readonly status: 200 | 201 | 202
  readonly schema: ResponseSchema
  readonly description: string
}
interface BinarySuccess {
  readonly status: 200
  readonly binary: 'application/octet-stream'
  readonly description: string
}

/** How a listing is paged. The page parameters are in the body if the operation takes one. */
export interface Paging {
  /** The response field that holds its items. */
  readonly items: keyof typeof mostPerPage
  /** How a page is addressed: by number from 1, or by the index of its first item from 0. */
  readonly by: 'page' | 'offset'
}

export interface OperationSpec {
  readonly id: string
  readonly method: Method
  /** Relative to the base address, with parameters in braces. */
  readonly path: `/${string}`
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: QueryParameters
  /** How the listing is paged; absent if one response contains everything. */
  readonly paging?: Paging
  /** A success advances a manual clock, as if the client had waited between polls. */
  readonly advancesClock?: true
  /** A success can report failed rows, from the request itself or from a job that has ended. */
  readonly partialOutcome?: 'rows' | 'job'
  /** Whether query parameters named after columns are equality filters. */
  readonly columnFilters?: boolean
  readonly body?: OperationBody
  readonly success: JsonSuccess | BinarySuccess
  /** Error statuses the contract lists for this endpoint; all others are assumed or general. */
  readonly documentedErrors: readonly ErrorStatus[]
  /** Kinds of errors, other than general ones, that do not follow from path, query and body; see {@link errorKindsOf}. */
  readonly errors?: readonly ErrorKind[]
}

/** An operation before {@link operationsOf} completes it. */
type Declaration = Omit<OperationSpec, 'id' | 'tag' | 'method' | 'path' | 'success' | 'documentedErrors'> & {
  readonly route: `${Method} ${OperationSpec['path']}`
  /** Status 200 by default. */
  readonly success: WithDefaultStatus<JsonSuccess> | WithDefaultStatus<BinarySuccess>
  /** None by default. */
  readonly documentedErrors?: OperationSpec['documentedErrors']
}
type WithDefaultStatus<S extends { readonly status: number }> = Omit<S, 'status'> & Partial<Pick<S, 'status'>>

type Declared<Id, Tag, D extends Declaration> = D &
  (D['route'] extends `${infer M extends Method} ${infer P extends OperationSpec['path']}`
    ? { readonly method: M; readonly path: P }
    : never) & {
    readonly id: Id
    readonly tag: Tag
    readonly success: D['success'] extends { readonly status: number }
      ? D['success']
      : { readonly status: 200 }
    readonly documentedErrors: OperationSpec['documentedErrors']
  }

/** Declares the operations of one tag by id; literal types are kept. */
export function operationsOf<
  const Tag extends string,
  const Declarations extends Readonly<Record<string, Declaration>>,
>(tag: Tag, declarations: Declarations) {
  const entries = Object.entries(declarations).map(([id, { route, success, ...spec }]) => {
    const [method, path] = route.split(' ')
    return [
      id,
      { id, tag, method, path, documentedErrors: [], ...spec, success: { status: 200, ...success } },
    ]
  })
  return Object.fromEntries(entries) as {
    readonly [Id in keyof Declarations]: Declared<Id, Tag, Declarations[Id]>
  }
}

/** Names of the parameters in a path: `/tasks/{taskId}` gives `taskId`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

type QueryValue<P> = P extends IntegerParameter
  ? P extends { readonly default: number }
    ? number
    : number | undefined
  : string | undefined

export type QueryOf<Spec> = Spec extends { readonly query: infer Q extends QueryParameters }
  ? { readonly [K in keyof Q]: QueryValue<Q[K]> }
  : Readonly<Record<string, never>>

type Output<S> = S extends Schema<infer T> ? T : never

/** The parsed JSON (or `data` part) of an operation's body. */
export type BodyOf<Spec> = Spec extends { readonly body: { readonly json: infer S } } ? Output<S> : undefined

/** The result of an operation's handler: the JSON body, or bytes for a download. */
export type SuccessOf<Spec> = Spec extends { readonly success: { readonly schema: infer S } }
  ? S extends (answers: Answers) => infer R
    ? Output<R>
    : Output<S>
  : BinaryContent

export interface BinaryContent {
  readonly bytes: Uint8Array
  readonly filename: string
}

export interface UploadedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Path parameter names in order of appearance. */
export function listPathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** A path with its parameters filled in, each URL-encoded. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))
}

/** A path in the routers' notation: `/tasks/:taskId`. */
export const toRouterPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** All kinds of errors of an operation. Source: contract, Endpoints and Errors. Assumption: generalStatuses */
export function errorKindsOf(operation: OperationSpec): ErrorKind[] {
  const kinds = new Set<ErrorKind>(generalErrors)
  if (operation.body || operation.query) kinds.add('validation')
  if (listPathParameters(operation.path).length > 0) kinds.add('notFound')
  if (operation.body) kinds.add('bodySize')
  for (const kind of operation.errors ?? []) kinds.add(kind)
  return [...kinds]
}

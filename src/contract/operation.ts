// Declarations of operations, from which routing, validation, types and documents follow.
import type * as z from 'zod/mini'
import { generalErrors, type ErrorKind, type ErrorStatus } from './errors.ts'
import type { mostPerPage } from './limits.ts'
import type { Answers } from './questions/register.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Schema<T = unknown> = z.ZodMiniType<T>

/** A whole number in the query. Out of range or not an integer: question `limitAboveMax`. */
export interface IntegerParameter {
  readonly kind: 'integer'
  readonly description: string
  readonly minimum: number
  readonly maximum?: number
  readonly default?: number
  /** Whether it is a moment in Unix seconds. */
  readonly isMoment?: true
  /** A second name of the same parameter; the first name wins. */
  readonly alias?: string
}
export interface StringParameter {
  readonly kind: 'string'
  readonly description: string
}
export type QueryParameters = Readonly<Record<string, IntegerParameter | StringParameter>>

/** A schema, or a function that makes it where it depends on the answers to open questions or is rarely needed. */
export type ResponseSchema = Schema | ((answers: Answers) => Schema)

export const resolveSchema = (schema: ResponseSchema, answers: Answers): Schema =>
  typeof schema === 'function' ? schema(answers) : schema

export interface MultipartBody {
  /** Schema of the JSON in the part `data`, which is then required. */
  readonly data?: Schema
  /** Most `file` parts; where one is allowed, the first counts. */
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

/** How a listing is read page by page; its page parameters stand in the body if the operation takes one. */
export interface Paging {
  /** The field of its items in a response. */
  readonly items: keyof typeof mostPerPage
  /** Where a page begins: its number from 1, or the first of its items from 0. */
  readonly by: 'page' | 'offset'
}

export interface OperationSpec {
  readonly id: string
  readonly method: Method
  /** Relative to the base address, parameters in braces. */
  readonly path: `/${string}`
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: QueryParameters
  /** The pages of a listing; absent where a response has all. */
  readonly paging?: Paging
  /** A success moves a manual clock on, as a client that waits between two polls sees it. */
  readonly advancesClock?: true
  /** A success can report that rows failed: those of the request itself, or of a job that has ended. */
  readonly partialOutcome?: 'rows' | 'job'
  /** Query parameters named after columns are equality filters. */
  readonly columnFilters?: boolean
  readonly body?: OperationBody
  readonly success: JsonSuccess | BinarySuccess
  /** Error statuses that the contract lists for this endpoint; all others are assumed or general. */
  readonly documentedErrors: readonly ErrorStatus[]
  /** Kinds of errors that do not follow from path, query and body, and are not general; see {@link errorKindsOf}. */
  readonly errors?: readonly ErrorKind[]
}

/** An operation without what {@link operationsOf} adds. */
type Declaration = Omit<OperationSpec, 'id' | 'tag' | 'method' | 'path' | 'success' | 'documentedErrors'> & {
  readonly route: `${Method} ${OperationSpec['path']}`
  /** Its status is 200 by default. */
  readonly success: WithDefaultStatus<JsonSuccess> | WithDefaultStatus<BinarySuccess>
  /** By default none. */
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

/** Declares the operations of one tag by their ids; literal types are kept. */
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

/** A path as routers write it: `/tasks/:taskId`. */
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

// A small typed client of the API, for tests.
import { fillPath, listPathParameters, type OperationSpec } from '../../contract/operation.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import type { WorkspaceMock } from '../../mock.ts'
import type { ErrorBody, OperationTypes } from '../../contract/types.d.ts'

export interface CallOptions {
  /** The name of a key of the mock, or a key itself; null sends no key. Default: the first key of the fixture. */
  readonly as?: string | null
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** The body, sent as JSON; with `files`, it is sent as the part `data`. */
  readonly body?: unknown
  /** Files, sent as multipart, each as a part `file`. */
  readonly files?: readonly File[]
  readonly headers?: Readonly<Record<string, string>>
}

/** The arguments of a call after its operation. */
export type OperationCall<Id extends OperationId> = Pick<CallOptions, 'as' | 'headers'> & {
  readonly query?: OperationTypes[Id]['query']
} & (keyof OperationTypes[Id]['params'] extends never
    ? { readonly params?: undefined }
    : { readonly params: OperationTypes[Id]['params'] }) &
  (undefined extends OperationTypes[Id]['body']
    ? { readonly body?: undefined }
    : { readonly body: OperationTypes[Id]['body'] }) &
  (OperationTypes[Id]['needsFile'] extends true
    ? { readonly files: readonly [File, ...(readonly File[])] }
    : Pick<CallOptions, 'files'>)

/** A method and path, such as `GET /tasks/tsk_1`. */
export type RequestLine = `${string} /${string}`

/** What follows the operation or request line of a call; it can be omitted if nothing in it is required. */
export type OperationCallArguments<Target extends OperationId | RequestLine> = Target extends OperationId
  ? Partial<OperationCall<Target>> extends OperationCall<Target>
    ? [call?: OperationCall<Target>]
    : [call: OperationCall<Target>]
  : [call?: CallOptions]

export interface CallResponse<Body> {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or bytes; the type is that of a successful response. */
  readonly body: Body
  /** The body of an error response: status 400 and above. */
  readonly error: ErrorBody | undefined
}

/**
 * Calls the API of a mock as a client does: an operation by name, `call('getTask', { params: { taskId } })`, or a
 * method and path, `call('GET /tasks/tsk_1')`.
 */
export type ApiCall = <Target extends OperationId | RequestLine>(
  target: Target,
  ...options: OperationCallArguments<Target>
) => Promise<CallResponse<Target extends OperationId ? OperationTypes[Target]['response'] : unknown>>

const callOptionNames = ['as', 'params', 'query', 'body', 'files', 'headers'] satisfies (keyof AnyCall)[]

type AnyCall = CallOptions & { readonly params?: Readonly<Record<string, string>> | undefined }

function parseTarget(
  request: string,
  params: Readonly<Record<string, string>>,
): [method: string, path: string] {
  if (Object.hasOwn(operations, request)) {
    const { id, method, path }: OperationSpec = operations[request as OperationId]
    const names = listPathParameters(path)
    assertFields(`call: params of ${id}`, params, names)
    const missing = names.find((name) => params[name] === undefined)
    if (missing !== undefined) throw new TypeError(`call: ${id} needs params.${missing}`)
    return [method, fillPath(path, (name) => params[name] ?? '')]
  }
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(request) ?? []
  if (method !== undefined && path !== undefined) return [method, path]
  throw new TypeError(
    `call: expected an operation id or a method and path such as "GET /me"; received ${quote(request)}${describeNearestName(request, Object.keys(operations))}`,
  )
}

/** @param send sends a request to the mock */
export function createApiCall(
  mock: WorkspaceMock,
  send: (request: Request) => Promise<Response> = (request) => mock.fetch(request),
): ApiCall {
  return async (request: string, options: AnyCall = {}) => {
    assertFields('call: options', options, callOptionNames)
    const { as = Object.values(mock.keys)[0] ?? null, body, files } = options
    const key = as === null ? null : (mock.keys[as] ?? as)
    const [method, path] = parseTarget(request, options.params ?? {})
    const url = new URL(mock.baseUrl + path)
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const json = body === undefined ? undefined : JSON.stringify(body)
    const form = files && new FormData()
    if (json !== undefined) form?.set('data', json)
    for (const file of files ?? []) form?.append('file', file)
    const headers = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && !form && { 'content-type': 'application/json' }),
      ...options.headers,
    }
    const response = await send(new Request(url, { method, headers, body: form ?? json ?? null }))
    const isJson = response.headers.get('content-type')?.includes('json')
    const content: unknown = isJson ? await response.json() : new Uint8Array(await response.arrayBuffer())
    const { status } = response
    const error = status >= 400 ? (content as ErrorBody) : undefined
    // `never` fits every operation; `ApiCall` declares the type of its body.
    return { status, headers: response.headers, body: content as never, error }
  }
}

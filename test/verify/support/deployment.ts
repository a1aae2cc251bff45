// Turns the mock into a faulty deployment by rewriting one operation's requests or responses on the way.
import { operations, type OperationId } from '../../../src/contract/index.ts'
import { listPathParameters } from '../../../src/contract/operation.ts'
import type { WorkspaceMock } from 'workspace-api-mock'

/** An incoming request; the mock receives the changes made here. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The JSON body, if there is one. */
  json: any
  /** The body as text, for multipart. */
  readonly text: string
  /** Set to respond without asking the mock. */
  instead?: MutableResponse
  /** Asks the mock itself, with the request's key. */
  readonly get: (path: string) => Promise<any>
  /** Sends a request to the mock itself, with the request's key. */
  readonly send: (method: string, path: string, json?: unknown) => Promise<Response>
}

/** An outgoing response. */
export interface MutableResponse {
  status: number
  headers: Headers
  json: any
  /** Replaces `json` if the body is not JSON. */
  bytes?: Uint8Array
}

export interface Rewriting {
  readonly ask?: (asked: Asked) => void | Promise<void>
  readonly reply?: (response: MutableResponse, asked: Asked) => void
  /** Rewrites the response to the CORS preflight. */
  readonly preflight?: (headers: Headers) => void
}

export const jsonResponse = (status: number, json: unknown): MutableResponse => ({
  status,
  json,
  headers: new Headers({ 'content-type': 'application/json', 'access-control-allow-origin': '*' }),
})

function matcher(
  operation: OperationId,
): (method: string, path: string) => Record<string, string> | undefined {
  const { method, path } = operations[operation]
  const names = listPathParameters(path)
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`)
  return (asked, at) => {
    const match = pattern.exec(at)
    if (!match || (asked !== method && asked !== 'OPTIONS')) return undefined
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]))
  }
}

const jsonOf = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function askedOf(mock: WorkspaceMock, request: Request, params: Record<string, string>) {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const authorization = request.headers.get('authorization') ?? ''
  const send: Asked['send'] = async (method, path, json) => {
    const headers = { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) }
    const body = json === undefined ? null : JSON.stringify(json)
    return mock.fetch(new Request(`${mock.baseUrl}${path}`, { method, headers, body }))
  }
  const asked: Asked = {
    params,
    query: new URL(request.url).searchParams,
    headers: new Headers(request.headers),
    json: request.headers.get('content-type')?.includes('json') ? jsonOf(text) : undefined,
    text,
    get: async (path) => (await send('GET', path)).json(),
    send,
  }
  return { asked, bytes }
}

function forwarded(
  { method, url }: Request,
  { query, headers, json }: Asked,
  bytes: Uint8Array<ArrayBuffer>,
): Request {
  const address = new URL(url)
  address.search = query.toString()
  headers.delete('content-length')
  const body = json === undefined ? bytes : JSON.stringify(json)
  return new Request(address, { method, headers, body: method === 'GET' || body.length === 0 ? null : body })
}

async function mutableResponse(response: Response): Promise<MutableResponse> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const json = jsonOf(new TextDecoder().decode(bytes))
  return { status: response.status, headers: new Headers(response.headers), json, bytes }
}

function responseOf({ status, headers, json, bytes }: MutableResponse, was?: unknown): Response {
  const body = bytes !== undefined && json === was ? bytes : JSON.stringify(json)
  return new Response(status === 204 ? null : (body as BodyInit | null), { status, headers })
}

/** The mock, with one operation rewritten. */
export function deployment(mock: WorkspaceMock, operation: OperationId, rewriting: Rewriting) {
  const match = matcher(operation)
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.slice(new URL(mock.baseUrl).pathname.length)
    const params = match(request.method, path)
    if (!params) return mock.fetch(request)
    if (request.method === 'OPTIONS') {
      const response = await mock.fetch(request)
      const headers = new Headers(response.headers)
      rewriting.preflight?.(headers)
      return new Response(null, { status: response.status, headers })
    }
    const { asked, bytes } = await askedOf(mock, request, params)
    await rewriting.ask?.(asked)
    if (asked.instead) return responseOf(asked.instead)
    const response = await mutableResponse(await mock.fetch(forwarded(request, asked, bytes)))
    const was = structuredClone(response.json)
    rewriting.reply?.(response, asked)
    const isSame = JSON.stringify(was) === JSON.stringify(response.json)
    return responseOf(response, isSame ? response.json : undefined)
  }
}

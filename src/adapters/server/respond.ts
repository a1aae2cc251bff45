// Passes each request to the API, the control API or the start page.
import type { IncomingMessage } from 'node:http'
import type { ApiResponse } from '../../mock/requests/call.ts'
import { handlerOf } from '../../mock/internals.ts'
import { toErrorResponse } from '../../mock/requests/responses.ts'
import type { WorkspaceMock } from '../../mock.ts'
import type { ServerTools } from './control-api.ts'
import type { Host, HostResponse } from './host.ts'
import { HttpCall, type CallContext } from './http-call.ts'
import { findHostConflict, findSandboxConflict, sandboxOf, targetOf } from './targets.ts'

interface ServedMock extends CallContext {
  /** Can be replaced between two requests. */
  mock: WorkspaceMock
  readonly tools: ServerTools
  /** Called before the response to a stop request; the server stops after the response. */
  prepareStop(outgoing: HostResponse): Promise<void>
}

export interface LoggedRequest {
  readonly method: string
  /** The address as sent, query included. */
  readonly url: string
  /** Null if the connection was broken instead. */
  readonly response: ApiResponse | null
  /** Its sandbox; null for the main one. */
  readonly sandbox: string | null
}

export function toLoggedRequest(request: IncomingMessage, response: ApiResponse | null): LoggedRequest {
  const { method = '', url = '' } = request
  return { method, url, response, sandbox: sandboxOf(request, targetOf(url || '/')) }
}

// Not an async function: each additional promise costs measurable throughput.
export function respond(host: Host, served: ServedMock, outgoing: HostResponse): Promise<ApiResponse> {
  const { req } = outgoing
  const target = targetOf(req.url ?? '/')
  const { mock, guard, tools } = served
  if (target.surface === 'control')
    // The control API is loaded on first use, since many servers never need it.
    return import('./control-api.ts').then(({ respondToControl }) =>
      respondToControl({
        ...{ host, mock, guard, tools, outgoing, target },
        prepareStop: () => served.prepareStop(outgoing),
      }),
    )
  const conflict = findHostConflict(req) ?? findSandboxConflict(req, target)
  if (conflict !== undefined) return Promise.resolve(toErrorResponse('validation', conflict))
  if (target.surface === 'page') return Promise.resolve(respondToPage(req, target.path))
  return handlerOf(mock).handle(new HttpCall(host, served, outgoing, target))
}

/** Responds to requests that browsers make on their own. The journal omits them; `/` leads to the console. */
function respondToPage({ method = '', headers }: IncomingMessage, path: string): ApiResponse {
  const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '')
  if (path === '/' && (method === 'GET' || method === 'HEAD') && isBrowser)
    return { status: 302, headers: { location: '/__mock/', 'cache-control': 'no-store' }, body: null }
  const hint = 'the API is at /v1, the console at /__mock/'
  return toErrorResponse('unknownOperation', `No operation matches ${method} ${path}`, { hint })
}

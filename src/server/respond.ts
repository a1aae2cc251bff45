// Passes requests to the API, the control API or the pages, each with as much of its body as they take.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiResponse } from '../core/call.ts'
import { errorResponse } from '../core/errors.ts'
import type { WorkspaceMock } from '../mock.ts'
import { hasBody, newHangUpSignal, type Host } from './host.ts'
import { HttpCall, type CallContext } from './http-call.ts'
import { pageResponse } from './pages.ts'
import { hostConflict, sandboxConflict, sandboxOf, targetOf, type Target } from './targets.ts'

export interface ServedMock extends CallContext {
  /** Can be replaced between two requests. */
  mock: WorkspaceMock
}

export interface LoggedRequest {
  readonly method: string
  /** As sent, query included. */
  readonly url: string
  /** Null if the connection was broken off instead. */
  readonly response: ApiResponse | null
  /** Its sandbox; null for the main one. */
  readonly sandbox: string | null
}

export function toLoggedRequest(request: IncomingMessage, response: ApiResponse | null): LoggedRequest {
  const { method = '', url = '' } = request
  return { method, url, response, sandbox: sandboxOf(request, targetOf(url || '/')) }
}

// Not an async function: each additional promise costs measurable throughput.
export function respond(host: Host, served: ServedMock, outgoing: ServerResponse): Promise<ApiResponse> {
  const { req } = outgoing
  const target = targetOf(req.url ?? '/')
  if (target.surface === 'control') return controlResponse(host, served, outgoing, target)
  const conflict = hostConflict(req) ?? sandboxConflict(req, target)
  if (conflict !== undefined) return Promise.resolve(errorResponse('validation', conflict))
  if (target.surface === 'page') return Promise.resolve(pageResponse(req, target.path))
  const { mock } = served
  const call = new HttpCall(served, req, target, () => newHangUpSignal(outgoing))
  if (hasBody(req)) call.body = host.readBody(outgoing, mock.bodyLimits(call))
  return mock.handle(call)
}

/** Callers that the control API admits can send as much as they want at a time. */
const unlimited = { freeBytes: Infinity }

/** Responds to requests that are not admitted without reading their body. */
async function controlResponse(
  host: Host,
  { mock, guard }: ServedMock,
  outgoing: ServerResponse,
  target: Target,
): Promise<ApiResponse> {
  // Loaded on first use, since many servers never need it.
  const { admitControl } = await import('./control-api.ts')
  const admitted = admitControl(mock, guard, outgoing.req, target)
  if ('status' in admitted) return admitted
  const { bodyBytes, isStream } = admitted
  if (isStream) host.keepOpen(outgoing)
  const body = await host.readBody(outgoing, { mostBytes: bodyBytes, keptBytes: bodyBytes }, unlimited)
  return admitted.run(body, outgoing)
}

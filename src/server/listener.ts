// Passes requests of node:http to the core or the control API, and their responses back. Never throws.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { NetworkFault, type ApiResponse, type BodyLimits, type CallBody } from '../core/call.ts'
import { failureResponse } from '../core/dispatch.ts'
import { errorResponse } from '../core/errors.ts'
import type { WorkspaceMock } from '../mock.ts'
import type { Connection, Connections } from './connections.ts'
import type { ControlApi } from './control-api.ts'
import type { Guard } from './guard.ts'
import { Disconnected } from './hang-up.ts'
import {
  type BaseUrls,
  HttpCall,
  hostConflict,
  sandboxConflict,
  sandboxOf,
  targetOf,
  type Target,
} from './http-call.ts'
import { hasBody, hasSmallBody, BodyBudget, Upload } from './read-body.ts'
import { pageResponse } from './pages.ts'
import { breakOff, sendResponse } from './send.ts'

/** A handled request. */
export interface LoggedRequest {
  readonly method: string
  /** As sent, query included. */
  readonly url: string
  /** Null if the connection was broken off instead. */
  readonly response: ApiResponse | null
  /** Its sandbox; null for the main one. */
  readonly sandbox: string | null
}

export interface ListenerContext {
  /** Can be replaced between two requests, with its control API. */
  mock: WorkspaceMock
  control: () => Promise<ControlApi>
  readonly connections: Connections
  readonly baseUrls: BaseUrls
  readonly guard: Guard
  /** For the bodies of requests to the API. */
  readonly room: BodyBudget
  readonly log: ((request: LoggedRequest) => void) | undefined
}

/** Callers that the control API admits are not limited. */
const ownRoom = new BodyBudget(Infinity)
const nothing: BodyLimits = { mostBytes: Infinity, keptBytes: 0 }

export function createListener(context: ListenerContext): RequestListener {
  return (request, outgoing) => {
    // Not an async function: each additional promise costs measurable throughput.
    responseTo(context, request, outgoing).then(
      (response) => finish(context, request, outgoing, response),
      (error: unknown) =>
        finish(context, request, outgoing, isBroken(error) ? error : failureResponse(error)),
    )
  }
}

/** Why the connection is broken instead of a response. */
type Broken = NetworkFault | Disconnected
const isBroken = (error: unknown): error is Broken =>
  error instanceof NetworkFault || error instanceof Disconnected

function finish(
  { log }: ListenerContext,
  request: IncomingMessage,
  outgoing: ServerResponse,
  result: ApiResponse | Broken,
): void {
  try {
    if (result instanceof NetworkFault) breakOff(request, outgoing)
    else if (result instanceof Disconnected) request.socket.destroy()
    else send(request, outgoing, result)
    log?.(logged(request, isBroken(result) ? null : result))
  } catch {
    request.socket.destroy()
  }
}

function send(request: IncomingMessage, outgoing: ServerResponse, response: ApiResponse): void {
  try {
    sendResponse(request, outgoing, response)
  } catch (error) {
    if (outgoing.headersSent) throw error
    sendResponse(request, outgoing, failureResponse(error))
  }
}

function logged(request: IncomingMessage, response: ApiResponse | null): LoggedRequest {
  const sandbox = sandboxOf(request, targetOf(request.url ?? '/'))
  return { method: request.method ?? '', url: request.url ?? '', response, sandbox }
}

function responseTo(
  context: ListenerContext,
  request: IncomingMessage,
  outgoing: ServerResponse,
): Promise<ApiResponse> {
  const { mock, connections } = context
  const connection = connections.of(request.socket)
  connection.latest = outgoing
  const target = targetOf(request.url ?? '/')
  if (target.surface === 'control') return controlResponse(context, connection, request, outgoing, target)
  const conflict = hostConflict(request) ?? sandboxConflict(request, target)
  if (conflict !== undefined) return Promise.resolve(errorResponse('validation', conflict))
  if (target.surface === 'page') return Promise.resolve(pageResponse(request, target.path))
  if (hasBody(request)) return uploadResponse(context, connection, request, outgoing, target)
  const call = new HttpCall(context, request, outgoing, target, null)
  return connection.isWaiting
    ? connection.inTurn(() => Promise.resolve()).then(() => mock.handle(call))
    : mock.handle(call)
}

/** The mock decides how much of a body is kept. Small bodies are always read to their end. */
async function uploadResponse(
  context: ListenerContext,
  connection: Connection,
  request: IncomingMessage,
  outgoing: ServerResponse,
  target: Target,
): Promise<ApiResponse> {
  const { mock, room } = context
  const upload = new Upload(request, room)
  const read = (limits: BodyLimits) => connection.inTurn(() => readUpload(request, outgoing, upload, limits))
  try {
    const response = await mock.handle(new HttpCall(context, request, outgoing, target, read))
    if (hasSmallBody(request)) await read(nothing)
    return response
  } finally {
    upload.release()
  }
}

/** Responds to requests that are not admitted without reading their body. */
async function controlResponse(
  { control: load }: ListenerContext,
  connection: Connection,
  request: IncomingMessage,
  outgoing: ServerResponse,
  target: Target,
): Promise<ApiResponse> {
  const run = await connection.inTurn(async () => {
    const control = await load()
    const admitted = control.admit(request, target)
    if ('status' in admitted) return () => Promise.resolve(admitted)
    connection.isStream = admitted.isStream ?? false
    const limits = { mostBytes: admitted.bodyBytes, keptBytes: admitted.bodyBytes }
    const upload = new Upload(request, ownRoom)
    const body = hasBody(request) ? await readUpload(request, outgoing, upload, limits) : null
    return () => admitted.run(body, outgoing)
  })
  return run()
}

function readUpload(
  request: IncomingMessage,
  outgoing: ServerResponse,
  upload: Upload,
  limits: BodyLimits,
): Promise<CallBody> {
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > limits.mostBytes
  // Clients such as curl ask before they send a large body.
  if (!isTooLarge && /100-continue/i.test(request.headers.expect ?? '')) outgoing.writeContinue()
  return upload.read(limits)
}

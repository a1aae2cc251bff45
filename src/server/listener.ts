// Passes requests from node:http to the core or the control API, and responses back. Never throws.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { NetworkFault, type Answer, type BodyLimits, type CallBody } from '../core/call.ts'
import { failureAnswer } from '../core/dispatch.ts'
import { errorAnswer } from '../core/errors.ts'
import type { WorkspaceMock } from '../mock.ts'
import type { Connection, Connections } from './connections.ts'
import type { ControlApi } from './control-api.ts'
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
import { hasBody, hasSmallBody, Room, Upload } from './read-body.ts'
import { pageAnswer } from './pages.ts'
import { breakOff, sendAnswer } from './send.ts'

/** A handled request. */
export interface LoggedRequest {
  readonly method: string
  /** As sent, query included. */
  readonly url: string
  /** Null if the connection was broken instead. */
  readonly answer: Answer | null
  /** Its sandbox; null for the main one. */
  readonly sandbox: string | null
}

export interface ListenerContext {
  /** Can be replaced between two requests, with its control API. */
  mock: WorkspaceMock
  control: () => Promise<ControlApi>
  readonly connections: Connections
  readonly baseUrls: BaseUrls
  /** For the bodies of requests to the API. */
  readonly room: Room
  readonly log: ((request: LoggedRequest) => void) | undefined
}

/** Callers admitted to the control API are not limited. */
const ownRoom = new Room(Infinity)
const nothing: BodyLimits = { mostBytes: Infinity, keptBytes: 0 }

export function createListener(context: ListenerContext): RequestListener {
  return (request, response) => {
    const orBreakOff = (end: () => void) => {
      try {
        end()
      } catch {
        request.socket.destroy()
      }
    }
    // Not an async function: every further promise costs measurable throughput.
    answerTo(context, request, response).then(
      (answer) => orBreakOff(() => finish(context, request, response, answer)),
      (error: unknown) => orBreakOff(() => fail(context, request, response, error)),
    )
  }
}

function finish(
  { log }: ListenerContext,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): void {
  try {
    sendAnswer(request, response, answer)
  } catch (error) {
    if (response.headersSent) throw error
    sendAnswer(request, response, failureAnswer(error))
  }
  log?.(logged(request, answer))
}

function fail(
  context: ListenerContext,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  if (!(error instanceof NetworkFault || error instanceof Disconnected)) {
    finish(context, request, response, failureAnswer(error))
    return
  }
  if (error instanceof NetworkFault) breakOff(request, response)
  else request.socket.destroy()
  context.log?.(logged(request, null))
}

function logged(request: IncomingMessage, answer: Answer | null): LoggedRequest {
  const sandbox = sandboxOf(request, targetOf(request.url ?? '/'))
  return { method: request.method ?? '', url: request.url ?? '', answer, sandbox }
}

function answerTo(
  context: ListenerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const { mock, connections } = context
  const connection = connections.of(request.socket)
  connection.latest = response
  const target = targetOf(request.url ?? '/')
  if (target.surface === 'control') return controlAnswer(context, connection, request, response, target)
  const conflict = hostConflict(request) ?? sandboxConflict(request, target)
  if (conflict !== undefined) return Promise.resolve(errorAnswer('validation', conflict))
  if (target.surface === 'page') return Promise.resolve(pageAnswer(request, target.path))
  if (hasBody(request)) return uploadAnswer(context, connection, request, response, target)
  const call = new HttpCall(request, response, target, null, context.baseUrls)
  return connection.isWaiting
    ? connection.inTurn(() => Promise.resolve()).then(() => mock.handle(call))
    : mock.handle(call)
}

/** The mock decides how much of a body is kept; small bodies are read even if it needs none. */
async function uploadAnswer(
  { mock, room, baseUrls }: ListenerContext,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
): Promise<Answer> {
  const upload = new Upload(request, room)
  const read = (limits: BodyLimits) => connection.inTurn(() => readUpload(request, response, upload, limits))
  try {
    const answer = await mock.handle(new HttpCall(request, response, target, read, baseUrls))
    if (hasSmallBody(request)) await read(nothing)
    return answer
  } finally {
    upload.release()
  }
}

/** A request that is not admitted gets its response without its body being read. */
async function controlAnswer(
  { control: load }: ListenerContext,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
): Promise<Answer> {
  const run = await connection.inTurn(async () => {
    const control = await load()
    const admitted = control.admit(request, target)
    if ('answer' in admitted) return () => Promise.resolve(admitted.answer)
    if ('stream' in admitted) {
      connection.isStream = true
      return () => admitted.stream(response)
    }
    const limits = { mostBytes: admitted.bodyBytes, keptBytes: admitted.bodyBytes }
    const upload = new Upload(request, ownRoom)
    const body = hasBody(request) ? await readUpload(request, response, upload, limits) : null
    return () => admitted.run(body)
  })
  return run()
}

function readUpload(
  request: IncomingMessage,
  response: ServerResponse,
  upload: Upload,
  limits: BodyLimits,
): Promise<CallBody> {
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > limits.mostBytes
  // Curl asks before it sends a large body: a refused client need not send it.
  if (!isTooLarge && /100-continue/i.test(request.headers.expect ?? '')) response.writeContinue()
  return upload.read(limits)
}

// The control API: access, routes and error responses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AnswerError } from '../contract/questions/register.ts'
import { ApiError } from '../contract/errors.ts'
import { jsonPieces } from '../contract/text/json-text.ts'
import { messageOf } from '../contract/text/format.ts'
import type { ApiResponse, CallBody } from '../core/call.ts'
import { NotFoundError, ControlError } from '../core/control-error.ts'
import { parseJson } from '../core/request/json.ts'
import { callControl } from '../controls/remote/controls.ts'
import { FixtureError } from '../fixture/error.ts'
import type { WorkspaceMock } from '../mock.ts'
import { openApiDocument } from '../openapi/index.ts'
import { consoleResponse } from './console-page.ts'
import {
  readArguments,
  eventsRoute,
  matchRoute,
  nearestRoute,
  openApiRoute,
  type RouteMatch,
} from './control-routes.ts'
import { streamEvents } from './event-stream.ts'
import type { Guard } from './guard.ts'
import { baseUrlOf, headerOf, hostConflict, sandboxConflict, sandboxOf, type Target } from './targets.ts'

const ordinaryBytes = 1024 * 1024
const stateBytes = 256 * 1024 * 1024

/** An admitted request, which is carried out once its body has been read. */
export interface Admitted {
  readonly bodyBytes: number
  /** Whether `run` writes a stream that stays open, instead of returning a response. */
  readonly isStream?: true
  run(body: CallBody, outgoing: ServerResponse): Promise<ApiResponse>
}

/** Decides from the head of a request whether to admit it; if not, returns the response. */
export function admitControl(
  mock: WorkspaceMock,
  guard: Guard,
  request: IncomingMessage,
  target: Target,
): Admitted | ApiResponse {
  const conflict = hostConflict(request) ?? sandboxConflict(request, target)
  if (conflict !== undefined) return failed(400, conflict)
  const method = request.method ?? ''
  const isPage = method === 'GET' && target.path === '/'
  const forbidden = guard(request, isPage)
  if (forbidden !== undefined) return failed(403, forbidden)
  if (isPage) return consoleResponse()
  const match = matchRoute(method, target.path, target.query)
  if (!match) return failed(404, unknownRoute(method, target.path))
  if (match.route === eventsRoute) return events(mock, request, target)
  return { bodyBytes: bodyBytesOf(match), run: (body) => run(mock, request, target, match, body) }
}

function events(mock: WorkspaceMock, request: IncomingMessage, target: Target): Admitted | ApiResponse {
  try {
    const sandbox = sandboxOf(request, target)
    if (sandbox !== null) mock.sandbox(sandbox)
    const run: Admitted['run'] = (_, outgoing) => streamEvents(mock, sandbox, outgoing, controlHeaders)
    return { bodyBytes: 0, isStream: true, run }
  } catch (error) {
    return failure(error)
  }
}

const unknownRoute = (method: string, path: string) =>
  `${method} /__mock${path} is not a route of the control API; the nearest is ${nearestRoute(method, path)}`

const bodyBytesOf = ({ route }: RouteMatch) => (route.isLarge === true ? stateBytes : ordinaryBytes)

async function run(
  mock: WorkspaceMock,
  request: IncomingMessage,
  target: Target,
  match: RouteMatch,
  body: CallBody,
): Promise<ApiResponse> {
  if (body && 'reason' in body)
    return failed(413, `body must have at most ${String(bodyBytesOf(match))} bytes`)
  try {
    const args = readArguments(match, target.query, jsonOf(body))
    const sandbox = sandboxOf(request, target)
    const key = keyOf(headerOf(request, 'authorization'))
    const controls = sandbox === null ? mock : mock.sandbox(sandbox)
    const { route } = match
    const result =
      route === openApiRoute
        ? openApiDocument({
            baseUrl: baseUrlOf(request, target, ''),
            answers: controls.answers,
          })
        : await callControl({ mock, controls, key }, route.names, args)
    const { under } = route
    return jsonResponse(200, under === undefined ? (result ?? { success: true }) : { [under]: result })
  } catch (error) {
    return failure(error)
  }
}

function jsonOf(body: CallBody): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined
  return parseJson(new TextDecoder().decode(body), 'body')
}

function keyOf(authorization: string | null): string | null {
  if (authorization === null) return null
  const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (key === undefined) throw new ControlError('Authorization must have the form Bearer <API_KEY>')
  return key
}

function failure(error: unknown): ApiResponse {
  const message = messageOf(error)
  if (error instanceof NotFoundError) return failed(404, message)
  if (error instanceof ApiError) return failed(error.kind === 'notFound' ? 404 : 400, message, error.problems)
  if (error instanceof FixtureError) return failed(400, message, error.problems)
  if (error instanceof ControlError || error instanceof AnswerError) return failed(400, message)
  return failed(500, `the mock failed: ${message}`)
}

/** Without CORS headers, so that pages of other origins cannot read, frame or embed it. */
const controlHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

const jsonResponse = (status: number, value: object): ApiResponse => ({
  status,
  headers: controlHeaders,
  body: bodyOf(value),
})

/** JSON; as bytes if it exceeds the longest possible string, as a state with many files can. */
function bodyOf(value: object): string | Uint8Array {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return Buffer.concat(Array.from(jsonPieces(value), (piece) => Buffer.from(piece)))
  }
}

/** `problems` are the wrong values of a record, each with its path. */
const failed = (status: number, error: string, problems: FixtureError['problems'] = []) =>
  jsonResponse(status, { error, ...(problems.length > 0 && { problems }) })

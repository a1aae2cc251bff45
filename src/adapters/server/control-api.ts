// The control API: access, routes and error responses.
import { AnswerError, type Answers } from '../../contract/questions/register.ts'
import { ApiError } from '../../contract/errors.ts'
import { splitJson } from '../../contract/text/json-text.ts'
import { messageOf } from '../../contract/text/format.ts'
import { toPlainLines } from '../../contract/text/quote.ts'
import type { ApiResponse } from '../../mock/requests/call.ts'
import { assertExists, NotFoundError, ControlError } from '../../mock/control-error.ts'
import { parseOrThrow } from '../../mock/parse-or-throw.ts'
import { parseKey } from '../../mock/requests/authenticate.ts'
import { parseJson } from '../../mock/requests/json.ts'
import { callControl } from '../control-api/controls.ts'
import { createRemedyWriter } from '../control-api/remedies.ts'
import { decodeFile } from '../control-api/decode.ts'
import type { SendControl } from '../control-api/send-control.ts'
import { assertEncoding } from '../control-api/encodings.ts'
import { FixtureError } from '../../service/fixture/error.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { toConsoleResponse } from './console-page.ts'
import {
  readArguments,
  documentRoute,
  eventsRoute,
  stopRoute,
  matchRoute,
  mcpPath,
  findNearestRoute,
  openApiRoute,
  OpenApiQuery,
  runRoute,
  type RouteMatch,
} from './control-routes.ts'
import { streamEvents } from './event-stream.ts'
import type { Guard } from './guard.ts'
import type { Host, HostResponse } from './host.ts'
import {
  baseUrlOf,
  controlAddressOf,
  headerOf,
  findHostConflict,
  findSandboxConflict,
  sandboxOf,
  type Target,
} from './targets.ts'

const ordinaryBytes = 1024 * 1024
const stateBytes = 256 * 1024 * 1024

/** Admitted callers may have any number of bytes in flight. */
const unlimited = { freeBytes: Infinity }

/** Creates the OpenAPI document of the contract with the given answers. */
export type DescribeContract = (options: {
  readonly baseUrl: string
  readonly answers: Answers
  readonly openapi: '3.1' | '3.0'
}) => Promise<object>

/** Responds to a Model Context Protocol message; `send` sends a request to this control API. */
export type RespondToMcp = (request: Request, send: SendControl) => Promise<Response>

/** Tools that a server uses alongside the mock. */
export interface ServerTools {
  readonly describe: DescribeContract
  readonly respondToMcp: RespondToMcp
}

interface ControlRequest {
  readonly host: Host
  readonly mock: WorkspaceMock
  readonly guard: Guard
  readonly tools: ServerTools
  /** Called before the response to a stop request; the server stops after the response. */
  readonly prepareStop: () => Promise<void>
  readonly outgoing: HostResponse
  readonly target: Target
}

/** Responds to a request. Its body is not read unless the request is admitted. */
export async function respondToControl(control: ControlRequest): Promise<ApiResponse> {
  const { host, guard, outgoing, target } = control
  const request = outgoing.req
  const conflict = findHostConflict(request) ?? findSandboxConflict(request, target)
  if (conflict !== undefined) return toErrorResponse(400, conflict)
  const { method = '' } = request
  const { path, query } = target
  const isPage = (method === 'GET' || method === 'HEAD') && path === '/'
  const forbidden = guard(request, isPage)
  if (forbidden !== undefined) return toErrorResponse(403, forbidden)
  if (isPage) return toConsoleResponse()
  if (path === mcpPath) {
    const body = await host.readBody(outgoing, { mostBytes: stateBytes, keptBytes: stateBytes }, unlimited)
    return body && 'isTooLarge' in body ? toTooLarge(stateBytes) : carryOutMcp(control, body)
  }
  const match = matchRoute(method, path, query)
  if (!match) {
    const near = findNearestRoute(method, path)
    return toErrorResponse(
      404,
      `${method} /__mock${path} is not a route of the control API; the nearest is ${near}`,
    )
  }
  const { route } = match
  // The event stream begins at once and ignores any body.
  const mostBytes = route === eventsRoute ? 0 : route.isLarge === true ? stateBytes : ordinaryBytes
  const body = await host.readBody(outgoing, { mostBytes, keptBytes: mostBytes }, unlimited)
  if (body && 'isTooLarge' in body) return toTooLarge(mostBytes)
  return carryOut(control, match, body).catch(toFailure)
}

const toTooLarge = (mostBytes: number) =>
  toErrorResponse(413, `body must have at most ${String(mostBytes)} bytes`)

/** Responds to an MCP message. Its calls go through the same routes as requests from outside. */
async function carryOutMcp(control: ControlRequest, body: Uint8Array | null): Promise<ApiResponse> {
  const { outgoing, target, tools } = control
  const { method = 'POST', headers } = outgoing.req
  const request = new Request(`${baseUrlOf(outgoing.req, target, 'http://localhost')}${mcpPath}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(method === 'POST' && { body: (body ?? new Uint8Array()) as BodyInit }),
  })
  const response = await tools.respondToMcp(request, async ({ method, path, body, sandbox }) => {
    const [route = '', query = ''] = path.split('?')
    const match = matchRoute(method, route, query)
    if (!match) return { status: 404, text: `no route ${method} ${path}` }
    const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body))
    const named = { ...control, target: { ...target, sandbox: sandbox ?? sandboxOf(outgoing.req, target) } }
    const result = await carryOut(named, match, bytes).catch(toFailure)
    return { status: result.status, text: String(result.body) }
  })
  return {
    status: response.status,
    headers: { ...controlHeaders, ...Object.fromEntries(response.headers) },
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

async function carryOut(
  { host, mock, tools, prepareStop, outgoing, target }: ControlRequest,
  match: RouteMatch,
  body: Uint8Array | null,
): Promise<ApiResponse> {
  const { route } = match
  const request = outgoing.req
  const sandbox = sandboxOf(request, target)
  if (route === stopRoute) {
    return prepareStop().then(
      () => toJsonResponse(200, { success: true }),
      (error: unknown) => toErrorResponse(500, messageOf(error)),
    )
  }
  if (route === eventsRoute) {
    if (sandbox !== null) mock.sandbox(sandbox)
    if (request.method === 'HEAD') return { status: 200, headers: eventHeaders, body: null }
    host.keepOpen(outgoing)
    return streamEvents(mock, sandbox, outgoing, eventHeaders)
  }
  if (route === documentRoute) {
    // Loaded on first use, since the document is rarely read and needs the schemas of all controls.
    const { createControlDocument } = await import('./control-document.ts')
    return toJsonResponse(
      200,
      createControlDocument(new URL(baseUrlOf(request, target, 'http://localhost')).origin),
    )
  }
  const args = readArguments(
    match,
    parseControlBody(match, body ?? new Uint8Array(), headerOf(request, 'content-type') ?? ''),
  )
  const authorization = headerOf(request, 'authorization')
  const key = authorization === null ? null : parseKey(authorization)
  if (key === '') throw new ControlError('Authorization must have the form Bearer <API_KEY>')
  // Naming a sandbox creates it, but a console that still shows a deleted sandbox must not bring it back.
  if (sandbox !== null && headerOf(request, 'x-mock-console') === '1')
    assertExists(
      mock.sandboxes().find((name) => name === sandbox),
      'sandbox',
      sandbox,
    )
  if (route === runRoute) return toRunResponse(mock, args, sandbox)
  const controls = sandbox === null ? mock : mock.sandbox(sandbox)
  const { under } = route
  const writeRemedy = createRemedyWriter(controlAddressOf(request, target))
  const result =
    route === openApiRoute
      ? await tools.describe({
          baseUrl: baseUrlOf(request, target, ''),
          answers: controls.answers,
          ...parseOrThrow(OpenApiQuery, args[0] ?? {}, 'query'),
        })
      : await callControl({ mock, controls, key, writeRemedy }, route.names, args)
  if (route.isText) {
    const headers = { ...controlHeaders, 'content-type': 'text/plain; charset=utf-8' }
    return { status: 200, headers, body: String(result) }
  }
  return toJsonResponse(200, under === undefined ? (result ?? { success: true }) : { [under]: result })
}

/**
 * Parses a JSON body. For a CSV file, returns its name from the query and its text, decoded as the content type says.
 */
function parseControlBody({ route, query }: RouteMatch, body: Uint8Array, contentType: string): unknown {
  if (
    route.takesFile &&
    /^(?:text\/(?:csv|tab-separated-values)|application\/octet-stream)/i.test(contentType)
  ) {
    const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(contentType) ?? []
    if (charset !== undefined) assertEncoding(charset)
    const file = query.get('file') ?? 'body'
    const advice =
      'save it as UTF-8, or name its encoding, as in content-type: text/csv; charset=windows-1252'
    return { file, text: decodeFile(file, body, charset, advice) }
  }
  return body.length > 0 ? parseJson(decodeFile('body', body), 'body') : undefined
}

/** Sent as a download: opened in the browser, the page would share the control API's origin. */
async function toRunResponse(
  mock: WorkspaceMock,
  [fields]: readonly unknown[],
  named: string | null,
): Promise<ApiResponse> {
  const { sandbox = named } = fields as { readonly sandbox?: string | number | boolean }
  const name = sandbox === null ? undefined : String(sandbox)
  // Loaded on first use, since runs are rarely saved.
  const { runPage } = await import('../page/run-page.ts')
  const headers = {
    ...controlHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="${name === undefined ? 'run' : `run-${name}`}.html"`,
  }
  const options = name !== undefined && { title: `Sandbox ${name}`, sandbox: name }
  return { status: 200, headers, body: runPage(mock, { ...options }) }
}

function toFailure(error: unknown): ApiResponse {
  const message = messageOf(error)
  if (error instanceof NotFoundError) return toErrorResponse(404, message)
  if (error instanceof ApiError)
    return toErrorResponse(error.kind === 'notFound' ? 404 : 400, message, error.problems)
  if (error instanceof FixtureError) return toErrorResponse(400, message, error.problems)
  if (error instanceof ControlError || error instanceof AnswerError) return toErrorResponse(400, message)
  return toErrorResponse(500, `the mock failed: ${message}`)
}

/** Without CORS headers, other origins cannot read a response; these headers prevent framing and embedding too. */
const controlHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
const eventHeaders = { ...controlHeaders, 'content-type': 'text/event-stream' }

const toJsonResponse = (status: number, value: object): ApiResponse => ({
  status,
  headers: controlHeaders,
  body: toJson(value),
})

/** Writes JSON; as bytes if it is too long for a string, as a state with many files can be. */
function toJson(value: object): string | Uint8Array {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return Buffer.concat(Array.from(splitJson(value), (piece) => Buffer.from(piece)))
  }
}

/** `problems` are the invalid values of a record, each with its path. */
const toErrorResponse = (status: number, error: string, problems: ApiError['problems'] = []) =>
  toJsonResponse(status, { error: toPlainLines(error), ...(problems.length > 0 && { problems }) })

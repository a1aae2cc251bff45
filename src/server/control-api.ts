// Owns the control API: who may call it, which route is meant, and how failures are answered.
import type { IncomingMessage } from 'node:http'
import { AnswerError } from '../contract/questions/register.ts'
import { ApiError } from '../contract/errors.ts'
import type { Answer, CallBody } from '../core/call.ts'
import { NotFoundError, ControlError } from '../core/control-error.ts'
import { parseJson } from '../core/json.ts'
import { FixtureError } from '../fixture/fixture.ts'
import type { WorkspaceMock } from '../mock.ts'
import { addressName, hostName, isLoopbackName } from './addresses.ts'
import { consoleAnswer } from './console-page.ts'
import { controlRoutes } from './control-routes.ts'
import type { ControlRoute } from './control/route.ts'
import { headerOf, type Target } from './http-call.ts'

/** A request that may go on to its route once its body has been read. */
export interface Admitted {
  readonly bodyBytes: number
  run(body: CallBody): Answer
}

export interface ControlApi {
  /** Whether a request may come in and where it leads, from its head alone. */
  admit(request: IncomingMessage, target: Target): Admitted | { readonly answer: Answer }
}

/** `allowHosts` are names that count like this machine's own. */
export function createControlApi(mock: WorkspaceMock, allowHosts: readonly string[] = []): ControlApi {
  const allowed = new Set(allowHosts.map((name) => addressName(name)))
  return {
    admit(request, target) {
      const forbidden = refusalOf(request, allowed)
      if (forbidden !== undefined) return { answer: failed(403, forbidden) }
      const method = request.method ?? ''
      if (method === 'GET' && target.path === '/') return { answer: consoleAnswer() }
      const match = matchRoute(method, target.path)
      if (!match)
        return { answer: failed(404, `${method} /__mock${target.path} is no route of the control API`) }
      return { bodyBytes: match.route.bodyBytes, run: (body) => run(mock, request, target, match, body) }
    },
  }
}

/**
 * Why a request may not come in. A page of another site can neither read nor send anything here: a browser names the
 * page's origin, and a name that was rebound to this machine is not one of its own.
 */
function refusalOf(request: IncomingMessage, allowed: ReadonlySet<string>): string | undefined {
  const { host, origin } = request.headers
  const name = hostName(host)
  if (name === null || !(isLoopbackName(name) || allowed.has(name)))
    return `the control API is not called by the host ${JSON.stringify(host ?? '')}; --allow-host NAME allows one more`
  const peer = addressName(request.socket.remoteAddress)
  if (!isLoopbackName(peer) && !allowed.has(peer) && !allowed.has(name))
    return `the control API answers this machine alone, not ${peer}; --allow-host NAME allows one more`
  if (origin !== undefined && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`)
    return `the control API answers no other origin than its own, not ${JSON.stringify(origin)}`
  return undefined
}

interface RouteMatch {
  readonly route: ControlRoute
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

function matchRoute(method: string, path: string): RouteMatch | undefined {
  for (const route of controlRoutes) {
    if (route.method !== method) continue
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const parts = template.split('/')
  const given = path.split('/')
  if (parts.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = given[index] ?? ''
    if (!part.startsWith('{')) {
      if (part !== value) return undefined
    } else if (value === '') return undefined
    else params[part.slice(1, -1)] = value
  }
  return params
}

function run(
  mock: WorkspaceMock,
  request: IncomingMessage,
  target: Target,
  match: RouteMatch,
  body: CallBody,
): Answer {
  const { route, params } = match
  if (body === 'too-large') return failed(413, `body must have at most ${String(route.bodyBytes)} bytes`)
  try {
    const json = jsonOf(body)
    const decoded = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodedPart(value)]),
    )
    const sandbox = headerOf(request, 'x-mock-sandbox')
    const store = sandbox === null ? mock : mock.sandbox(sandbox)
    const query = new URLSearchParams(target.query)
    const key = keyOf(headerOf(request, 'authorization'))
    const baseUrl = `http://${request.headers.host ?? ''}/v1`
    return answered(200, route.run({ mock, store, params: decoded, query, baseUrl, key }, json))
  } catch (error) {
    return failure(error)
  }
}

function jsonOf(body: CallBody): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined
  return parseJson(new TextDecoder().decode(body), 'body')
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ControlError(`path must be URL-encoded UTF-8; received ${JSON.stringify(part)}`)
  }
}

function keyOf(authorization: string | null): string | null {
  if (authorization === null) return null
  const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (key === undefined) throw new ControlError('Authorization must have the form Bearer <API_KEY>')
  return key
}

function failure(error: unknown): Answer {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof NotFoundError) return failed(404, message)
  if (error instanceof ApiError) return failed(error.kind === 'notFound' ? 404 : 400, message)
  if (error instanceof ControlError || error instanceof AnswerError || error instanceof FixtureError)
    return failed(400, message)
  return failed(500, `the mock failed: ${message}`)
}

function answered(status: number, value: object): Answer {
  // No CORS headers: pages of other origins are not to read this.
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  }
}

const failed = (status: number, error: string) => answered(status, { error })

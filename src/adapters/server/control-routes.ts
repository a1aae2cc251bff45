// Finds the control for a method and path, and reads its arguments from a request.
import { parseQueryText } from '../../contract/data/query-text.ts'
import { isObject } from '../../contract/data/objects.ts'
import { toRouterPath } from '../../contract/operation.ts'
import { addRoute, createRouter, findRoute } from 'rou3'
import { findNearest, describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import { queryTypes, routeList, type NamedRoute } from '../control-api/table.ts'
import { argumentsOf, fieldNamesOf, hasQuery } from '../control-api/wire.ts'
import { ControlError } from '../../mock/control-error.ts'
import * as z from 'zod/mini'

export interface RouteMatch {
  readonly route: NamedRoute
  /** Query parameters that select one of the route's controls. */
  readonly flags: readonly string[]
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** Takes Model Context Protocol messages with any HTTP method. */
export const mcpPath = '/mcp'

/** Routes without a control: two documents, the saved run, the event stream, and stopping the server. */
export const openApiRoute: NamedRoute = {
  route: 'GET /openapi.json',
  args: [['openapi']],
  names: ['openApi'],
}
export const OpenApiQuery = z.object({ openapi: z._default(z.enum(['3.1', '3.0']), '3.1') })
export const documentRoute: NamedRoute = {
  route: 'GET /control.openapi.json',
  args: [],
  names: ['document'],
}
export const runRoute: NamedRoute = { route: 'GET /run.html', args: [['sandbox']], names: ['run'] }
export const eventsRoute: NamedRoute = { route: 'GET /events', args: [], names: ['events'] }
export const stopRoute: NamedRoute = { route: 'POST /stop', args: [], names: ['stop'] }

export const allRoutes: readonly NamedRoute[] = [
  ...routeList,
  openApiRoute,
  documentRoute,
  runRoute,
  eventsRoute,
  stopRoute,
]

/** Each entry holds all controls of a route: one without a flag, and any with a flag. */
const router = createRouter<NamedRoute[]>()
for (const text of new Set(allRoutes.map(({ route }) => route))) {
  const [method, path = ''] = text.split(' ')
  const same = allRoutes.filter(({ route }) => route === text)
  addRoute(router, method, toRouterPath(path), same)
}

export function matchRoute(method: string, path: string, queryText: string): RouteMatch | undefined {
  // The router ignores a trailing slash, so `DELETE /faults/` would remove all faults.
  if (path.endsWith('/')) return undefined
  const match = findRoute(router, method === 'HEAD' ? 'GET' : method, path)
  if (!match) return undefined
  const query = parseQueryText(queryText)
  const route =
    match.data.find(({ flag }) => flag !== undefined && query.get(flag) === 'true') ??
    match.data.find(({ flag }) => flag === undefined)
  const flags = match.data.flatMap(({ flag = [] }) => flag)
  return route && { route, flags, params: match.params ?? {}, query }
}

export const findNearestRoute = (method: string, path: string): string =>
  findNearest(`${method} ${path}`, allRoutes, ({ route }) => route)?.route.replace(' ', ' /__mock') ?? ''

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ControlError(`path must be URL-encoded UTF-8; received ${quote(part)}`)
  }
}

/** Parses a query field by its declared type. Text that does not fit is passed on, and the control refuses it. */
function readValue(name: string, text: string): unknown {
  const type = Object.hasOwn(queryTypes, name) ? queryTypes[name] : undefined
  const isLiteral =
    type === 'flag' ? /^(?:true|false)$/.test(text) : type !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(text)
  return isLiteral ? (JSON.parse(text) as unknown) : text
}

/** Reads the query parameters, each with its first value. A route without parameters ignores the query. */
function readQueryFields(
  query: URLSearchParams,
  fieldNames: readonly string[],
  flags: readonly string[],
): Record<string, unknown> {
  const known = [...fieldNames, ...flags]
  const fields: Record<string, unknown> = {}
  if (known.length === 0) return fields
  for (const [name, text] of query) {
    if (!known.includes(name))
      throw new ControlError(
        `query parameter ${name} is unknown; allowed: ${known.join(', ')}${describeNearestName(name, known)}`,
      )
    const value = readValue(name, text)
    if (flags.includes(name) && typeof value !== 'boolean')
      throw new ControlError(`${name} must be true or false; received ${quote(text)}`)
    fields[name] ??= value
  }
  return fields
}

/** Reads a control's arguments. `body` is the parsed JSON, undefined if there is no body. */
export function readArguments({ route, flags, params, query }: RouteMatch, body: unknown): unknown[] {
  const known = fieldNamesOf(route)
  const isQuery = hasQuery(route)
  const takesBody = route.args.some((arg) => typeof arg === 'object' && 'body' in arg)
  if (takesBody && body === undefined) throw new ControlError('body is required and must be JSON')
  const sent = takesBody ? {} : isQuery ? readQueryFields(query, known, flags) : (body ?? {})
  if (!isObject(sent)) throw new ControlError(`body must be an object; received ${quote(sent)}`)
  if (!takesBody && !isQuery) assertFields('body', sent, known)
  const path = Object.entries(params).map(([name, value]) => [name, decodePart(value)] as const)
  const fields = { ...sent, ...Object.fromEntries(path) }
  const place = isQuery ? 'query' : 'body'
  for (const arg of route.args)
    if (typeof arg === 'string' && !Object.hasOwn(fields, arg))
      throw new ControlError(`${arg} is required; the ${place} takes the fields ${known.join(', ')}`)
  return argumentsOf(route, fields, body)
}

// Checks a request, in the order below, and carries it out. Assumption: checkOrder
import { limitNames } from '../../contract/errors.ts'
import type { OperationId, Operation } from '../../contract/index.ts'
import {
  resolveSchema,
  type BinaryContent,
  type OperationSpec,
  type Paging,
  type Schema,
} from '../../contract/operation.ts'
import { idsOf } from '../../contract/data/maps.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { JsonText } from '../../contract/text/json-text.ts'
import { countMonthlyRequest } from '../../service/resources/rate-limits.ts'
import {
  assertApiFeature,
  assertInGoodStanding,
  assertScope,
  authenticate,
  type Principal,
} from './authenticate.ts'
import type { ApiResponse } from './call.ts'
import { handlers } from '../../service/resources/handlers.ts'
import { findListed, type ListingRequest } from '../../service/resources/listings.ts'
import type { OperationHandler } from '../../service/resources/request.ts'
import { runDue } from '../../service/resources/run-due.ts'
import {
  droppedResponse,
  type AdmittedExchange,
  type BegunExchange,
  type ListedPage,
  type OpenExchange,
  type ParsedExchange,
} from './exchange.ts'
import { locate } from './locate.ts'
import { noBody, parseRequest, readBody } from './parse.ts'
import {
  corsHeaders,
  jsonHeaders,
  respondToUnknownOperation,
  toFailureResponse,
  toInjectedResponse,
} from './responses.ts'
import type { Route } from './route.ts'

/**
 * Carries out a request. A failure replaces the response; in phase `before`, nothing is carried out.
 * @param selfCheck whether to validate the response against its schema
 */
export function respond(exchange: BegunExchange, selfCheck: boolean): ApiResponse {
  const { call, route, store, failure } = exchange
  let response = droppedResponse
  try {
    // Everything due by now happens before the request.
    runDue(store)
    // A failure without an error is only a delay.
    if (failure?.phase !== 'before' || !exchange.isInjected)
      response = route ? dispatch(exchange, route, selfCheck) : respondToUnknownOperation(call)
  } catch (error) {
    response = toFailureResponse(error)
  }
  if (failure?.kind) return toInjectedResponse(exchange, failure.kind, failure.retryAfter)
  return failure?.response ?? response
}

/** @throws {ApiError} if the service refuses the request; the store is then unchanged */
function dispatch(exchange: OpenExchange, route: Route, selfCheck: boolean): ApiResponse {
  const { call, store } = exchange
  return call.isEffect === true
    ? store.counters.uncounted(() => admitAndCarryOut(exchange, route, selfCheck))
    : admitAndCarryOut(exchange, route, selfCheck)
}

const noLimits = Object.fromEntries(limitNames.map((name) => [name, null]))

function admitAndCarryOut(exchange: OpenExchange, route: Route, selfCheck: boolean): ApiResponse {
  admit(exchange, route)
  const { operation } = route
  // Reads change nothing, so they need no undo log.
  if (operation.method === 'GET') return carryOut(exchange, operation, selfCheck)
  const { result, effects } = exchange.store.transaction(() => carryOut(exchange, operation, selfCheck))
  exchange.effects = effects
  return result
}

const withoutLimits = ({ key, workspace }: Principal): Principal => ({
  key,
  workspace: { ...workspace, limits: noLimits },
})

/** Fills in the key and the records named in the path. */
function admit(exchange: OpenExchange, { operation, params }: Route): asserts exchange is AdmittedExchange {
  const { store } = exchange
  const known = authenticate(store, exchange.authorization, exchange.sentKey)
  const principal = exchange.call.isEffect === true ? withoutLimits(known) : known
  exchange.principal = principal
  assertInGoodStanding(principal)
  countMonthlyRequest(store, principal.workspace)
  assertScope(store, principal, operation.id)
  exchange.at = locate(store, principal.workspace, params)
  assertApiFeature(store, principal)
}

/** Creates the response within the transaction, so that nothing changes if that fails. */
function carryOut(exchange: AdmittedExchange, operation: Operation, selfCheck: boolean): ApiResponse {
  const { answers } = exchange
  // An operation's declaration yields exactly what its handler takes; the type `Handlers` ensures that.
  const handler = handlers[operation.id] as OperationHandler<OperationId>
  const stages = typeof handler === 'function' ? { run: handler } : handler
  stages.permit?.(exchange)
  const { json, files, parts, error } = operation.body ? readBody(operation, exchange) : noBody
  exchange.json = json
  exchange.files = files
  exchange.parts = parts
  stages.measure?.(exchange)
  if (error) throw error
  const parsed: OpenExchange = exchange
  parseRequest(parsed, operation)
  const success: unknown = stages.run(parsed)
  exchange.success = success
  if (operation.paging) exchange.page = pageOf(parsed, operation.id, operation.paging, success)
  return toSuccessResponse(operation, answers, success, selfCheck)
}

type ItemsByName = Readonly<Record<Paging['items'], readonly { readonly id: string }[]>>

function pageOf(parsed: ParsedExchange, id: OperationId, { items }: Paging, success: unknown): ListedPage {
  const { store, at, query, otherQuery, body } = parsed
  // Does not hold the exchange, so that it can be garbage-collected after the response.
  const request: ListingRequest = { store, at, query, otherQuery, body }
  const findAll = () => findListed(id, request)
  if (success instanceof JsonText) {
    // Rows are the store's own records; other items are created for the response and must not be retained.
    const { records } = success
    return { count: records.length, readIds: () => idsOf(records), findAll }
  }
  const ids = idsOf((success as ItemsByName)[items])
  return { count: ids.length, readIds: () => ids, findAll }
}

/** Clients refuse responses whose headers exceed about 16 KB. */
const filenameCharacters = 1000

/** Writes a file name for a header, in ASCII and as percent-encoded UTF-8. Source: RFC 6266 */
function toContentDisposition(whole: string): string {
  const filename = whole.slice(0, filenameCharacters)
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** @throws Error if the text exceeds the engine's longest string */
function toJsonText(value: unknown): string {
  try {
    return value instanceof JsonText ? value.write() : JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message =
      'the response exceeds the longest possible string, about 500 MB; request fewer items at a time'
    throw new Error(message, { cause: error })
  }
}

function toSuccessResponse(
  operation: OperationSpec,
  answers: Answers,
  success: unknown,
  selfCheck: boolean,
): ApiResponse {
  const spec = operation.success
  if ('binary' in spec) {
    const { filename, bytes } = success as BinaryContent
    const headers = {
      'content-type': spec.binary,
      'content-disposition': toContentDisposition(filename),
      'x-content-type-options': 'nosniff',
      ...corsHeaders,
    }
    return { status: spec.status, headers, body: bytes }
  }
  const body = toJsonText(success)
  if (selfCheck) assertResponse(operation.id, resolveSchema(spec.schema, answers), body)
  return { status: spec.status, headers: jsonHeaders, body }
}

/** Catches responses that break the contract, including unknown fields. */
function assertResponse(id: string, schema: Schema, body: string): void {
  const value: unknown = JSON.parse(body)
  const checked = schema.safeParse(value)
  if (!checked.success)
    throw new Error(
      `selfCheck: the response to ${id} does not match its schema: ${JSON.stringify(checked.error.issues)}`,
    )
  if (JSON.stringify(checked.data).length !== body.length)
    throw new Error(`selfCheck: the response to ${id} has fields its schema does not name: ${body}`)
}

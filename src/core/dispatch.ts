// The order in which a request is checked and carried out. Assumption: checkOrder
import { ApiError } from '../contract/errors.ts'
import type { RuleId } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import type { BinaryContent, OperationSpec, Schema } from '../contract/operation.ts'
import type { Answers } from '../contract/questions/register.ts'
import { countMonthlyRequest } from '../resources/rate-limits.ts'
import type { Effect } from '../store/overlay.ts'
import type { Store } from '../store/store.ts'
import {
  assertApiFeature,
  assertInGoodStanding,
  assertScope,
  authenticate,
  type Principal,
} from './authenticate.ts'
import type { Answer, Call, CallBody } from './call.ts'
import type { AdmittedRequest, Handlers, ParsedRequest, StagedHandler } from './context.ts'
import { corsHeaders, errorAnswer, jsonHeaders } from './errors.ts'
import type { Observation } from './journal.ts'
import { Observations } from './observations.ts'
import { locate } from './locate.ts'
import { bodyLimit, checkBody, parseQuery, readBody } from './parse.ts'
import type { Operation, Route } from './route.ts'

/** A request in the making: what the journal wants to know of it, filled in as it becomes known. */
export interface Trace {
  principal: Principal | undefined
  /** The JSON body, or that of the part `data`, before it was checked; nobody may change it. */
  json: unknown
  effects: readonly Effect[]
  observations: readonly Observation[]
  /** How many there were, those that are not kept included. */
  observed: number
}

/** Shared, since the journal keeps them of every request and few have any. */
const noEffects: readonly Effect[] = []
const noObservations: readonly Observation[] = []

export const newTrace = (): Trace => ({
  principal: undefined,
  json: undefined,
  effects: noEffects,
  observations: noObservations,
  observed: 0,
})

type AnyHandler = StagedHandler<OperationId>
/** A request that is being parsed. One object from the start: adding to it later costs more than making it. */
type OpenRequest = AdmittedRequest<OperationId> & {
  query: unknown
  otherQuery: unknown
  body: unknown
  files: unknown
}

/** Handlers in their staged form, by operation. */
export type StagedHandlers = ReadonlyMap<string, AnyHandler>

export function stageHandlers(handlers: Handlers): StagedHandlers {
  const staged = ([id, handler]: [string, Handlers[OperationId]]): [string, AnyHandler] => [
    id,
    typeof handler === 'function' ? { run: handler } : handler,
  ]
  return new Map(Object.entries(handlers).map(staged))
}

export interface DispatchOptions {
  readonly handlers: StagedHandlers
  /** Whether every answer is checked against its schema. */
  readonly selfCheck: boolean
}

/** What the journal keeps of a body. */
const journalBytes = 64 * 1024

/** The body of a call that an operation takes; of one that will be refused anyway only what the journal keeps. */
export function bodyOf(
  store: Store,
  route: Route,
  call: Call,
  isWanted: boolean,
): CallBody | Promise<CallBody> {
  if (!route.operation.body) return null
  if (typeof call.body !== 'function') return call.body
  const mostBytes = bodyLimit(store.answers, call.header('content-type'))
  return call.body({ mostBytes, keptBytes: isWanted ? mostBytes : Math.min(mostBytes, journalBytes) })
}

/** Whether key and path are good as things stand. Changes nothing: the refusal itself is decided in its turn. */
export function isAdmissible(store: Store, { operation, params }: Route, call: Call): boolean {
  if (typeof call.body !== 'function') return true
  try {
    const principal = authenticate(store, call.header('authorization'))
    assertInGoodStanding(principal)
    assertScope(store, principal, operation.id)
    locate(store, principal.workspace, params)
    assertApiFeature(store, principal)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/**
 * Checks a request and carries it out.
 * @throws {ApiError} where the service refuses it; the store is then as it was
 */
export function dispatch(
  store: Store,
  { operation, params }: Route,
  call: Call,
  body: CallBody,
  trace: Trace,
  options: DispatchOptions,
): Answer {
  const principal = authenticate(store, call.header('authorization'))
  trace.principal = principal
  assertInGoodStanding(principal)
  countMonthlyRequest(store, principal.workspace)
  assertScope(store, principal, operation.id)
  let observed: Observations | undefined
  const request = {
    store,
    answers: store.answers,
    workspace: principal.workspace,
    key: principal.key,
    now: store.clock.now(),
    at: locate(store, principal.workspace, params),
    baseUrl: call.baseUrl,
    observe: (rule: RuleId, subject: string) => {
      observed ??= new Observations()
      observed.add(rule, subject)
      trace.observations = observed.kept
      trace.observed = observed.count
    },
    query: undefined,
    otherQuery: undefined,
    body: undefined,
    files: undefined,
  } as unknown as OpenRequest
  assertApiFeature(store, principal)
  const handler = options.handlers.get(operation.id)
  if (!handler) throw new Error(`operation ${operation.id} has no handler`)
  const run = () => runStages(operation, handler, request, call, body, trace, options.selfCheck)
  // Reads change nothing, so they need no undo log.
  if (operation.method === 'GET') return run()
  const { result, effects } = store.transaction(run)
  trace.effects = effects
  return result
}

/** The answer is made within the transaction: what cannot be answered did not happen. */
function runStages(
  operation: Operation,
  handler: AnyHandler,
  request: OpenRequest,
  call: Call,
  body: CallBody,
  trace: Trace,
  selfCheck: boolean,
): Answer {
  const { answers, observe } = request
  handler.permit?.(request)
  const { json, files, refusal } = readBody(operation, answers, call.header('content-type'), body, observe)
  trace.json = json
  handler.measure?.(request, json, files)
  if (refusal) throw refusal
  const { query, other } = parseQuery(operation, answers, call.query)
  if (operation.columnFilters !== true) for (const name of other.keys()) observe('unknown-parameter', name)
  const schema = operation.body?.json ?? operation.body?.multipart?.data
  request.query = query
  request.otherQuery = other
  request.body = schema ? checkBody(schema, answers, json, observe) : undefined
  request.files = files
  const success = handler.run(request as unknown as ParsedRequest<OperationId>)
  return successAnswer(operation, answers, success, selfCheck)
}

function isBinary(success: unknown): success is BinaryContent {
  return (
    typeof success === 'object' &&
    success !== null &&
    'bytes' in success &&
    success.bytes instanceof Uint8Array
  )
}

/** Most characters of a file name in a header, which clients take up to some 16 KB of. */
const filenameCharacters = 1000

/** A file name for a header: in ASCII, and as it is, percent-encoded. Source: RFC 6266 */
function disposition(whole: string): string {
  const filename = whole.slice(0, filenameCharacters)
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** @throws Error where there is no text as long */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Error('the answer is longer than a text can be, some 500 MB; ask for fewer at a time', {
      cause: error,
    })
  }
}

function successAnswer(
  operation: OperationSpec,
  answers: Answers,
  success: unknown,
  selfCheck: boolean,
): Answer {
  const spec = operation.success
  if ('binary' in spec) {
    if (!isBinary(success)) throw new Error(`operation ${operation.id} must answer bytes`)
    const headers = {
      'content-type': spec.binary,
      'content-disposition': disposition(success.filename),
      'x-content-type-options': 'nosniff',
      ...corsHeaders,
    }
    return { status: spec.status, headers, body: success.bytes }
  }
  const body = jsonText(success)
  if (selfCheck)
    assertAnswer(operation.id, typeof spec.schema === 'function' ? spec.schema(answers) : spec.schema, body)
  return { status: spec.status, headers: jsonHeaders, body }
}

/** Catches a mock that answers what its contract does not say: unknown fields are faults of the mock too. */
function assertAnswer(id: string, schema: Schema, body: string): void {
  const value: unknown = JSON.parse(body)
  const checked = schema.safeParse(value)
  if (!checked.success)
    throw new Error(
      `selfCheck: the answer of ${id} does not match its schema: ${JSON.stringify(checked.error.issues)}`,
    )
  if (JSON.stringify(checked.data).length !== body.length)
    throw new Error(`selfCheck: the answer of ${id} has fields its schema does not name: ${body}`)
}

/** The answer of a refusal, or of what should never happen. */
export function failureAnswer(error: unknown): Answer {
  if (error instanceof ApiError) return errorAnswer(error.kind, error.message, error.facts)
  return errorAnswer(
    'serverError',
    `the mock failed: ${error instanceof Error ? error.message : String(error)}`,
  )
}

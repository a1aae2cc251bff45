// Owns the order in which a request is checked and carried out. Assumption: checkOrder
import { Refusal } from '../contract/errors.ts'
import type { OperationId } from '../contract/index.ts'
import type { BinaryContent, OperationSpec, Schema } from '../contract/operation.ts'
import type { Answers } from '../contract/questions.ts'
import { countMonthlyRequest } from '../model/limiter.ts'
import type { Effect } from '../model/overlay.ts'
import type { World } from '../model/world.ts'
import { assertApiFeature, assertScope, authenticate, type Principal } from './authenticate.ts'
import type { Answer, Call, CallBody } from './call.ts'
import type { AdmittedRequest, Handlers, ParsedRequest, StagedHandler } from './context.ts'
import { corsHeaders, errorAnswer, jsonHeaders } from './errors.ts'
import type { Observation } from './journal.ts'
import { locate } from './locate.ts'
import { bodyLimit, checkBody, parseQuery, readBody } from './parse.ts'
import type { Operation, Route } from './route.ts'

/** A request in the making: what the journal wants to know of it, filled in as it becomes known. */
export interface Trace {
  principal: Principal | undefined
  body: CallBody
  /** The JSON body, or that of the part `data`, before it was checked; nobody may change it. */
  json: unknown
  effects: readonly Effect[]
  readonly observations: Observation[]
}

export const newTrace = (): Trace => ({
  principal: undefined,
  body: null,
  json: undefined,
  effects: [],
  observations: [],
})

type AnyHandler = StagedHandler<OperationId>
type AnyRequest = AdmittedRequest<OperationId>

const staged = new WeakMap<Handlers, Record<string, AnyHandler>>()

/** Handlers in their staged form, made once. */
function stagedHandlers(handlers: Handlers): Record<string, AnyHandler> {
  let all = staged.get(handlers)
  if (!all) {
    all = Object.fromEntries(
      Object.entries(handlers).map(([id, handler]) => [
        id,
        typeof handler === 'function' ? { run: handler } : handler,
      ]),
    )
    staged.set(handlers, all)
  }
  return all
}

export interface DispatchOptions {
  readonly handlers: Handlers
  /** Whether every answer is checked against its schema. */
  readonly selfCheck: boolean
}

/** The body of a call, read where its turn has come. */
export async function bodyOf(call: Call, answers: Answers): Promise<CallBody> {
  if (typeof call.body !== 'function') return call.body
  return call.body(bodyLimit(answers, call.header('content-type')))
}

/**
 * Checks a request and carries it out.
 * @throws {Refusal} where the service refuses it; the world is then as it was
 */
export async function dispatch(
  world: World,
  { operation, params }: Route,
  call: Call,
  trace: Trace,
  options: DispatchOptions,
): Promise<Answer> {
  // Read even where the request will be refused: the journal and the report tell what was sent.
  if (operation.body) trace.body = await bodyOf(call, world.answers)
  const principal = authenticate(world, call.header('authorization'))
  trace.principal = principal
  countMonthlyRequest(world, principal.workspace)
  assertScope(world, principal, operation.id)
  const request = {
    world,
    answers: world.answers,
    workspace: principal.workspace,
    key: principal.key,
    now: world.clock.now(),
    at: locate(world, principal.workspace, params),
    baseUrl: call.baseUrl,
    observe: (rule, subject) => void trace.observations.push({ rule, subject }),
  } as AnyRequest
  assertApiFeature(world, principal)
  const handler = stagedHandlers(options.handlers)[operation.id]
  if (!handler) throw new Error(`operation ${operation.id} has no handler`)
  const success = await carryOut(operation, handler, request, call, trace)
  const answer = successAnswer(operation, world.answers, success, options.selfCheck)
  return answer
}

/** Reads change nothing, so they need no undo log. */
async function carryOut(
  operation: Operation,
  handler: AnyHandler,
  request: AnyRequest,
  call: Call,
  trace: Trace,
): Promise<unknown> {
  if (operation.method === 'GET') return runStages(operation, handler, request, call, trace)
  const { result, effects } = await request.world.transaction(() =>
    runStages(operation, handler, request, call, trace),
  )
  trace.effects = effects
  return result
}

async function runStages(
  operation: Operation,
  handler: AnyHandler,
  request: AnyRequest,
  call: Call,
  trace: Trace,
): Promise<unknown> {
  if (handler.permit) await handler.permit(request)
  const { answers, observe } = request
  const { json, files } = readBody(operation, answers, call.header('content-type'), trace.body, observe)
  trace.json = json
  handler.measure?.(request, json, files)
  const { query, other } = parseQuery(operation, answers, call.query)
  if (operation.columnFilters !== true) for (const name of other.keys()) observe('unknown-parameter', name)
  const schema = operation.body?.json ?? operation.body?.multipart?.data
  const body = schema ? checkBody(schema, answers, json, observe) : undefined
  const parsed = Object.assign(request, { query, otherQuery: other, body, files })
  return handler.run(parsed as unknown as ParsedRequest<OperationId>)
}

function isBinary(success: unknown): success is BinaryContent {
  return (
    typeof success === 'object' &&
    success !== null &&
    'bytes' in success &&
    success.bytes instanceof Uint8Array
  )
}

/** A file name for a header: ASCII beside the whole name, percent-encoded. Source: RFC 6266 */
function disposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
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
      ...corsHeaders,
    }
    return { status: spec.status, headers, body: success.bytes }
  }
  const body = JSON.stringify(success)
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
  if (error instanceof Refusal) return errorAnswer(error.kind, error.message, error.facts)
  return errorAnswer(
    'serverError',
    `the mock failed: ${error instanceof Error ? error.message : String(error)}`,
  )
}

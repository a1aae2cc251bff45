// Reads a request's query and body against the operation's declaration.
import { parseQueryText } from '../../contract/data/query-text.ts'
import * as z from 'zod/mini'
import { ApiError } from '../../contract/errors.ts'
import { assumedLimits, firstMilliseconds, firstSeconds } from '../../contract/limits.ts'
import type { BodyFor, Operation, OperationId, QueryFor } from '../../contract/index.ts'
import type { IntegerParameter, OperationSpec, Schema } from '../../contract/operation.ts'
import { UnixSeconds } from '../../contract/schema/common.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { readInteger } from '../../contract/data/integers.ts'
import type { UnkeptBody } from './call.ts'
import type { OpenExchange, ParsedExchange } from './exchange.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { checkInput, describeIssues, formatPath } from '../../contract/schema/issues.ts'
import { readJson } from './json.ts'
import { isMultipart, parseMultipart, type RawBody } from './multipart.ts'

/** Maximum size of a body in bytes; anything larger gets 413. Assumption: bodyBytes, multipart */
export function bodyLimitOf(answers: Answers, contentType: string | null): number {
  return isMultipart(contentType) ? assumedLimits.multipart.bytes : answers.bodyBytes
}

interface ParsedQuery {
  readonly query: Readonly<Record<string, number | string | undefined>>
  /** Parameters that the operation does not have, each with its first value. */
  readonly other: ReadonlyMap<string, string>
}

/** Results for an empty query. They depend only on the declarations, so mocks share them. */
const defaults = new WeakMap<OperationSpec, ParsedQuery>()

const parseQuery = (operation: OperationSpec, exchange: OpenExchange, query: string): ParsedQuery =>
  query === ''
    ? getOrInsert(defaults, operation, () => readQuery(operation, exchange, query))
    : readQuery(operation, exchange, query)

/**
 * Reports a moment not in Unix seconds: milliseconds not divided, or divided twice, or a null converted to a number.
 */
function reportMoment({ atMs, reportBreach }: OpenExchange, field: string, value: number): void {
  if (value >= firstMilliseconds) reportBreach('milliseconds', field, value)
  else if (value < firstSeconds && atMs >= firstSeconds * 1000) reportBreach('time-too-small', field, value)
}

/** Without a usable moment, the listing is not filtered by time. Assumption: limitAboveMax */
function readParameter(exchange: OpenExchange, name: string, parameter: IntegerParameter, sent: string) {
  const { isMoment = false } = parameter
  const rule = isMoment ? 'relist-submissions' : 'page-size'
  const reportWrong = () => exchange.reportBreach(rule, name, sent)
  const value = readInteger(exchange.answers, name, parameter, sent, reportWrong)
  if (isMoment && value) reportMoment(exchange, name, value)
  return value
}

/** The first value of a repeated parameter wins, and `limit` wins over its alias. Assumption: limitAboveMax */
function readQuery(
  { query: parameters = {} }: OperationSpec,
  exchange: OpenExchange,
  query: string,
): ParsedQuery {
  const received = new Map<string, string>()
  for (const [name, value] of parseQueryText(query)) if (!received.has(name)) received.set(name, value)
  const parsed: Record<string, number | string | undefined> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const alias = (parameter.kind === 'integer' ? parameter.alias : undefined) ?? name
    const sent = received.has(name) ? name : alias
    const value = received.get(sent)
    received.delete(name)
    received.delete(alias)
    if (parameter.kind === 'string') parsed[name] = value
    else
      parsed[name] = value === undefined ? parameter.default : readParameter(exchange, sent, parameter, value)
  }
  return { query: parsed, other: received }
}

export const noBody: RawBody = { json: undefined, files: [], error: undefined }
const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError('validation', 'body must be UTF-8 text')
  }
}

const toUnkeptError = ({ isTooLarge }: UnkeptBody, mostBytes: number): ApiError =>
  isTooLarge
    ? new ApiError('bodySize', `body must have at most ${String(mostBytes)} bytes`)
    : new ApiError(
        'unavailable',
        'the body was not kept: too many bytes are being sent at once, or the state changed in the meantime; send the request again',
      )

/** Reads the body as sent, before JSON is validated and files are measured. An absent body is treated as empty. */
export function readBody(operation: OperationSpec, exchange: OpenExchange): RawBody {
  const { answers, call, sent: body } = exchange
  const contentType = call.header('content-type')
  if (body && 'isTooLarge' in body) throw toUnkeptError(body, bodyLimitOf(answers, contentType))
  const { json, multipart } = operation.body ?? {}
  if (multipart && (!json || isMultipart(contentType)))
    return parseMultipart(body ?? new Uint8Array(), contentType ?? '', multipart, exchange.reportBreach)
  if (!body || body.length === 0) throw new ApiError('validation', 'body is required and must be JSON')
  const { value, error } = readJson(decodeText(body), 'body')
  if (jsonType.test(contentType ?? '')) return { json: value, files: [], error }
  exchange.reportBreach('content-type', contentType ?? 'no content type')
  const strict =
    answers.contentType === 'strict'
      ? new ApiError(
          'validation',
          `content-type must be application/json; received ${contentType === null ? 'none' : quote(contentType)}`,
          { reported: true },
        )
      : undefined
  return { json: value, files: [], error: strict ?? error }
}

/** What `reportFields` needs from a schema: whether it is a moment, its fields, or the schema of its items. */
interface SchemaOutline {
  readonly isMoment?: true
  readonly fields?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

const outlines = new WeakMap<Schema, SchemaOutline>()

function outlineOf(schema: unknown): SchemaOutline {
  if (schema === UnixSeconds) return { isMoment: true }
  if (schema instanceof z.ZodMiniArray) {
    const items = unwrapSchema(schema.def.element)
    return items instanceof z.ZodMiniObject ? { items } : {}
  }
  if (!(schema instanceof z.ZodMiniObject) || schema.def.catchall !== undefined) return {}
  return { fields: schema.shape as Readonly<Record<string, Schema>> }
}

/** Unwraps optional and nullable schemas. */
function unwrapSchema(schema: unknown): unknown {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniNullable) inner = inner.def.innerType
  return inner
}

/**
 * Reports unknown fields, and moments in another unit, at every level whose shape is known.
 * @returns the first unknown field
 */
function reportFields(
  exchange: OpenExchange,
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): string | undefined {
  const { fields, items, isMoment } = getOrInsert(outlines, schema, () => outlineOf(unwrapSchema(schema)))
  if (isMoment && typeof value === 'number') reportMoment(exchange, formatPath(path), value)
  if (typeof value !== 'object' || value === null) return undefined
  let first: string | undefined
  const entries = fields ? Object.entries(value) : items && Array.isArray(value) ? value.entries() : []
  for (const [name, inner] of entries) {
    const at = [...path, name]
    const schemaOfField = items ?? (fields && Object.hasOwn(fields, name) ? fields[name] : undefined)
    const unknown = schemaOfField ? reportFields(exchange, schemaOfField, inner, at) : formatPath(at)
    if (!schemaOfField) exchange.reportBreach('unknown-field', formatPath(at), inner)
    first ??= unknown
  }
  return first
}

function checkBody(schema: Schema, exchange: OpenExchange, json: unknown): unknown {
  const checked = checkInput(schema, json)
  const unknown = reportFields(exchange, schema, json)
  exchange.issue = checked.error?.issues[0]
  if (!checked.success) throw new ApiError('validation', describeIssues(checked.error, json))
  if (unknown !== undefined && exchange.answers.unknownBodyFields === 'reject')
    throw new ApiError(
      'validation',
      `${unknown} is not a field of this body, and the answer to question unknownBodyFields is 'reject'`,
      { reported: true },
    )
  return checked.data
}

/** Fills in query and body, validated against the operation's declaration; the handler takes them in this form. */
export function parseRequest(
  exchange: OpenExchange,
  operation: Operation,
): asserts exchange is ParsedExchange {
  const { query, other } = parseQuery(operation, exchange, exchange.call.query)
  if (operation.columnFilters !== true)
    for (const name of other.keys()) exchange.reportBreach('unknown-parameter', name)
  const schema = operation.body?.json ?? operation.body?.multipart?.data
  exchange.query = query as QueryFor<OperationId>
  exchange.otherQuery = other
  exchange.body = (schema && checkBody(schema, exchange, exchange.json)) as BodyFor<OperationId>
}

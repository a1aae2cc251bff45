// Reads a request's query and body against the operation's declaration.
import * as z from 'zod/mini'
import { ApiError } from '../../contract/errors.ts'
import { firstMilliseconds } from '../../contract/limits.ts'
import type { MultipartBody, OperationSpec, Schema } from '../../contract/operation.ts'
import { UnixSeconds } from '../../contract/schema/common.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { quote } from '../../contract/text/quote.ts'
import { integerValue } from '../../contract/data/integers.ts'
import type { ReportBreach } from '../../store/store.ts'
import type { CallBody, UnkeptBody } from '../call.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { checkInput, describeIssues, pathText } from '../../contract/schema/issues.ts'
import { readJson } from './json.ts'
import { isMultipart, parseMultipart, type RawBody } from './multipart.ts'

/** Most bytes of a multipart body. Assumption: multipart */
const multipartBytes = 128 * 1024 * 1024

/** Most bytes of a body; more is 413. Assumption: bodyBytes, multipart */
export function bodyLimit(answers: Answers, contentType: string | null): number {
  return isMultipart(contentType) ? multipartBytes : answers.bodyBytes
}

export interface ParsedQuery {
  readonly query: Readonly<Record<string, number | string | undefined>>
  /** Parameters that the operation does not have, first value of each. */
  readonly other: ReadonlyMap<string, string>
}

const noQuery: ParsedQuery = { query: {}, other: new Map() }
/** The results for an empty query: they follow from the declarations alone, so that mocks can share them. */
const defaults = new WeakMap<OperationSpec, ParsedQuery>()

function newDefaults(parameters: NonNullable<OperationSpec['query']>): ParsedQuery {
  const entries = Object.entries(parameters).map(([name, parameter]) => [
    name,
    parameter.kind === 'integer' ? parameter.default : undefined,
  ])
  return { query: Object.fromEntries(entries) as ParsedQuery['query'], other: noQuery.other }
}

/** Assumption: limitAboveMax (of a repeated parameter the first counts; `limit` wins over its alias) */
export function parseQuery(operation: OperationSpec, answers: Answers, query: string): ParsedQuery {
  const parameters = operation.query
  if (query === '')
    return parameters ? getOrInsert(defaults, operation, () => newDefaults(parameters)) : noQuery
  const received = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) if (!received.has(name)) received.set(name, value)
  const parsed: Record<string, number | string | undefined> = {}
  for (const [name, parameter] of Object.entries(parameters ?? {})) {
    const alias = (parameter.kind === 'integer' ? parameter.alias : undefined) ?? name
    const sent = received.has(name) ? name : alias
    const value = received.get(sent)
    received.delete(name)
    received.delete(alias)
    if (parameter.kind === 'string') parsed[name] = value
    else
      parsed[name] = value === undefined ? parameter.default : integerValue(answers, sent, parameter, value)
  }
  return { query: parsed, other: received }
}

/** For an operation without a body. */
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

function multipartOf(operation: OperationSpec, contentType: string | null): MultipartBody | undefined {
  const { json, multipart } = operation.body ?? {}
  return multipart && (!json || isMultipart(contentType)) ? multipart : undefined
}

const unkeptMessages = {
  crowded: 'too many bytes are being sent at once; send the request again',
  refused: 'the state changed while the body was being sent; send the request again',
}

const unkeptError = ({ reason }: UnkeptBody, mostBytes: number): ApiError =>
  reason === 'too-large'
    ? new ApiError('bodySize', `body must have at most ${String(mostBytes)} bytes`)
    : new ApiError('unavailable', unkeptMessages[reason])

/**
 * The body as sent: JSON not yet checked, files not yet measured. An absent body counts as empty.
 * @throws {ApiError} bodySize or validation
 */
export function readBody(
  operation: OperationSpec,
  answers: Answers,
  contentType: string | null,
  body: CallBody,
  reportBreach: ReportBreach,
): RawBody {
  if (body && 'reason' in body) throw unkeptError(body, bodyLimit(answers, contentType))
  const multipart = multipartOf(operation, contentType)
  if (multipart) return parseMultipart(body ?? new Uint8Array(), contentType ?? '', multipart, reportBreach)
  if (!body || body.length === 0) throw new ApiError('validation', 'body is required and must be JSON')
  const { value, error } = readJson(decodeText(body), 'body')
  if (jsonType.test(contentType ?? '')) return { json: value, files: [], error }
  reportBreach('content-type', contentType ?? 'no content type')
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

/** What a schema says of fields: those of an object or of a list's items, or that it is of a moment. */
interface Known {
  readonly isMoment?: true
  readonly fields?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** By schema: it follows from the declarations alone, so that mocks can share it. */
const knownBySchema = new WeakMap<Schema, Known>()

function newKnown(schema: unknown): Known {
  if (schema === UnixSeconds) return { isMoment: true }
  if (schema instanceof z.ZodMiniArray) {
    const items = innerSchema(schema.def.element)
    return items instanceof z.ZodMiniObject ? { items } : {}
  }
  if (!(schema instanceof z.ZodMiniObject) || schema.def.catchall !== undefined) return {}
  return { fields: schema.shape as Readonly<Record<string, Schema>> }
}

/** The schema below optional and nullable. */
function innerSchema(schema: unknown): unknown {
  let inner = schema
  while (inner instanceof z.ZodMiniOptional || inner instanceof z.ZodMiniNullable) inner = inner.def.innerType
  return inner
}

/** Reports fields that a schema does not have, and moments in milliseconds; in nested objects and lists of known shape too. */
function reportFields(
  schema: Schema,
  value: unknown,
  reportBreach: ReportBreach,
  path: readonly PropertyKey[] = [],
): void {
  const { fields, items, isMoment } = getOrInsert(knownBySchema, schema, () => newKnown(innerSchema(schema)))
  if (isMoment && typeof value === 'number' && value >= firstMilliseconds)
    reportBreach('milliseconds', pathText(path))
  if (items && Array.isArray(value)) {
    for (const [index, inner] of value.entries()) reportFields(items, inner, reportBreach, [...path, index])
    return
  }
  if (!fields || typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field) reportFields(field, inner, reportBreach, [...path, name])
    else reportBreach('unknown-field', pathText([...path, name]))
  }
}

/**
 * The body checked against the declaration.
 * @throws {ApiError} validation
 */
export function checkBody(
  schema: Schema,
  answers: Answers,
  json: unknown,
  reportBreach: ReportBreach,
): unknown {
  const checked = checkInput(schema, json)
  let first: string | undefined
  reportFields(schema, json, (rule, field) => {
    if (rule === 'unknown-field') first ??= field
    reportBreach(rule, field)
  })
  if (!checked.success) throw new ApiError('validation', describeIssues(checked.error, json))
  if (first !== undefined && answers.unknownBodyFields === 'reject')
    throw new ApiError(
      'validation',
      `${first} is not a field of this body; question unknownBodyFields refuses it`,
      { reported: true },
    )
  return checked.data
}

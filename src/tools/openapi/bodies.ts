// Request bodies and responses: the success with its example, and every error status.
import type { OpenAPIV3_1 } from 'openapi-types'
import {
  errorKinds,
  limitNames,
  limitOfKind,
  type ErrorKind,
  type ErrorStatus,
} from '../../contract/errors.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { ErrorBody } from '../../contract/schema/error-body.ts'
import { errorKindsOf, type MultipartBody, type OperationSpec } from '../../contract/operation.ts'
import { planLimits } from '../../contract/plan-limits.ts'
import type { Answers, QuestionId } from '../../contract/questions/register.ts'
import { RowErrors, refusedByLock } from '../../contract/rows.ts'
import type { Example } from './examples.ts'
import { referTo, type SchemaBook } from './schema-book.ts'
import type {
  ErrorResponse,
  Provenance,
  ProvenanceExtension,
  SchemaObject,
  SchemaOrReference,
} from './types.ts'

type MediaType = OpenAPIV3_1.MediaTypeObject
type Response = OpenAPIV3_1.ResponseObject
type Headers = NonNullable<Response['headers']>

const binarySchema: SchemaObject = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
}

/** Wraps an example for a media type, if there is one. */
function toExamplesEntry(value: unknown): Pick<MediaType, 'examples'> {
  return value === undefined ? {} : { examples: { demo: { summary: 'From the demo fixture', value } } }
}

function toMultipartSchema({ data, maxFiles, fileRequired }: MultipartBody, book: SchemaBook): SchemaObject {
  const file: SchemaObject =
    maxFiles === 1
      ? { ...binarySchema, description: 'The file; if several are sent, the first is used.' }
      : {
          type: 'array',
          maxItems: maxFiles,
          items: binarySchema,
          description: `The files, one part each, at most ${String(maxFiles)}.`,
        }
  return {
    type: 'object',
    properties: { ...(data && { data: book.write(data, 'body') }), file },
    required: [...(data ? ['data'] : []), ...(fileRequired ? ['file'] : [])],
  }
}

/** A part without a file name is not a file. */
const fileEncoding: OpenAPIV3_1.EncodingObject = {
  contentType: '*/*',
  headers: {
    'Content-Disposition': {
      description: 'Names the file.',
      schema: { type: 'string' },
      example: 'form-data; name="file"; filename="minutes.txt"',
    },
  },
}

export function requestBodyOf(
  operation: OperationSpec,
  questionIds: readonly QuestionId[],
  book: SchemaBook,
  example: Example | undefined,
): (OpenAPIV3_1.RequestBodyObject & ProvenanceExtension) | undefined {
  if (!operation.body) return undefined
  const { json, multipart: parts } = operation.body
  return {
    required: true,
    content: {
      ...(json && {
        'application/json': { schema: book.write(json, 'body'), ...toExamplesEntry(example?.json) },
      }),
      ...(parts && {
        'multipart/form-data': {
          schema: toMultipartSchema(parts, book),
          encoding: {
            ...(parts.data && { data: { contentType: 'application/json' } }),
            file: fileEncoding,
          },
          ...toExamplesEntry(example?.multipart),
        },
      }),
    },
    // Documented if the contract shows the body. Assumption: queryBody
    'x-provenance': questionIds.includes('queryBody') ? 'assumed' : 'documented',
  }
}

export const responseHeaders: Headers = {
  'Retry-After': {
    description: 'Whole seconds to wait, at least 1.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Limit': {
    description: 'The limit that was reached.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
}

const referToHeaders = (...names: string[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Components for error bodies that differ from the usual body in the facts that they contain. */
export const errorBodies: Readonly<Record<string, SchemaObject>> = {
  /** The response to a request without a valid key; it contains only the message. Source: contract, Errors. */
  KeyErrorBody: {
    description: 'A missing or invalid API key.',
    type: 'object',
    properties: { error: { type: 'string', description: 'What went wrong, for humans.' } },
    required: ['error'],
  },
  /** Assumption: limitFacts */
  LimitErrorBody: {
    description: 'An error caused by a plan limit, with details of that limit.',
    allOf: [referTo('ErrorBody')],
    type: 'object',
    properties: { limitReached: { const: true }, resource: { enum: [...limitNames] } },
    required: ['limitReached', 'resource', 'limit', 'current'],
  },
  /** Source: contract, Errors. */
  TransientErrorBody: {
    description: 'A temporary failure.',
    allOf: [referTo('ErrorBody')],
    type: 'object',
    properties: { transient: { const: true } },
    required: ['transient'],
  },
}

export function toSuccessResponse(
  { success }: OperationSpec,
  questionIds: readonly QuestionId[],
  book: SchemaBook,
  example: Example | undefined,
): Response & ProvenanceExtension {
  // Assumed unless the contract shows the body. Assumption: mutationBody, queryBody
  const isAssumed = questionIds.includes('mutationBody') || questionIds.includes('queryBody')
  const provenance: Provenance = isAssumed ? 'assumed' : 'documented'
  const common = { description: success.description, 'x-provenance': provenance }
  if ('binary' in success)
    return {
      ...common,
      headers: referToHeaders('Content-Disposition'),
      content: { [success.binary]: { schema: binarySchema, ...toExamplesEntry(example?.response) } },
    }
  const schema = book.write(success.schema, 'response')
  return { ...common, content: { 'application/json': { schema, ...toExamplesEntry(example?.response) } } }
}

/** Groups the kinds of errors that are possible under the answers by status. Assumption: editRunning, lockedTable */
function groupKindsByStatus(operation: OperationSpec, answers: Answers): Map<ErrorStatus, ErrorKind[]> {
  const { id } = operation
  const write = id === 'submitInsertJob' ? 'job' : id === 'bulkInsertRows' ? 'bulk' : 'row'
  const kinds = errorKindsOf(operation).filter((kind) => {
    if (kind === 'lockedTable') return refusedByLock[answers.lockedTable].writes.includes(write)
    return kind !== 'runningEntry' || answers.editRunning === errorKinds.runningEntry.status
  })
  const groups = new Map<ErrorStatus, ErrorKind[]>()
  for (const kind of kinds) getOrInsert(groups, errorKinds[kind].status, () => []).push(kind)
  return new Map([...groups].sort(([a], [b]) => a - b))
}

/** The schema of an error body. A refused bulk request can list its rows. Assumption: bulkAllFailed, bulkErrors */
function toErrorSchema(
  operation: OperationSpec,
  status: ErrorStatus,
  kinds: readonly ErrorKind[],
  answers: Answers,
  book: SchemaBook,
): SchemaOrReference {
  if (status === 401) return referTo('KeyErrorBody')
  if (status === 503) return referTo('TransientErrorBody')
  if (kinds.every(limitOfKind)) return referTo('LimitErrorBody')
  const isBulk = status === 400 && operation.id === 'bulkInsertRows'
  if (!isBulk || answers.bulkAllFailed !== 400 || answers.bulkErrors === 'omit') return referTo('ErrorBody')
  return {
    allOf: [referTo('ErrorBody')],
    type: 'object',
    properties: { errors: book.write(RowErrors, 'response') },
  }
}

/** The limit of the smallest plan that has one above zero. Assumption: limitFacts */
function toLimitFacts(kind: ErrorKind, answers: Answers): Partial<ErrorBody> {
  const resource = limitOfKind(kind)
  if (resource === undefined) return {}
  const limits = Object.values(planLimits(answers, resource))
  const limit = kind === 'asyncBulk' ? 0 : (limits.find((one) => one !== null && one > 0) ?? 1)
  const current = kind === 'asyncBulk' || 'inUse' in errorKinds[kind] ? limit : limit + 1
  return { limitReached: true, resource, limit, current }
}

/** All error responses of an operation, by status. Assumption: generalStatuses */
export function toErrorResponses(
  operation: OperationSpec,
  answers: Answers,
  book: SchemaBook,
): Record<string, Response & ErrorResponse> {
  const responses = [...groupKindsByStatus(operation, answers)].map(([status, kinds]) => {
    const schema = toErrorSchema(operation, status, kinds, answers, book)
    const examples = kinds.map((kind) => {
      const facts = { ...toLimitFacts(kind, answers), ...(status === 503 && { transient: true }) }
      return [kind, { value: { error: errorKinds[kind].when, ...facts } satisfies ErrorBody }] as const
    })
    const [first = '', ...others] = kinds.map((kind): string => errorKinds[kind].when)
    const items = kinds.map((kind) => `- ${errorKinds[kind].when} (\`${kind}\`)`)
    const only = `${first.charAt(0).toUpperCase()}${first.slice(1)}.`
    const response: Response & ErrorResponse = {
      description: others.length === 0 ? only : ['One of:', '', ...items].join('\n'),
      ...(status === 429 && { headers: referToHeaders('Retry-After', 'X-RateLimit-Limit') }),
      content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
      'x-provenance': operation.documentedErrors.includes(status) ? 'documented' : 'assumed',
      'x-error-kinds': kinds,
    }
    return [String(status), response] as const
  })
  return Object.fromEntries(responses)
}

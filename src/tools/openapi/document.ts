// The contract as an OpenAPI document.
import type { OpenAPIV3_1 } from 'openapi-types'
import { limitOfKind } from '../../contract/errors.ts'
import { ErrorBody } from '../../contract/schema/error-body.ts'
import { operationList, type Operation } from '../../contract/index.ts'
import { errorKindsOf } from '../../contract/operation.ts'
import {
  questionIds,
  questions,
  questionsOf,
  resolveAnswers,
  type Answers,
  type AnswersInput,
  type JsonValue,
  type QuestionId,
} from '../../contract/questions/register.ts'
import { describeUnknownFields } from '../../contract/schema/field-names.ts'
import { quote } from '../../contract/text/quote.ts'
import { exampleOf, recordedBaseUrl } from './examples.ts'
import { parametersOf } from './parameters.ts'
import { errorBodies, requestBodyOf, responseHeaders, toErrorResponses, toSuccessResponse } from './bodies.ts'
import { SchemaBook } from './schema-book.ts'
import { introduction, remarks, tagDescriptions } from './texts.ts'
import type { OpenApiDocument, OperationExtensions, QuestionNote } from './types.ts'
import { toVersion30, type OpenApiDocument30 } from './version-3-0.ts'

export const openApiVersions = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof openApiVersions)[number]

export interface OpenApiOptions<Version extends OpenApiVersion = '3.1'> {
  /** Base address of the API; must end with /v1. Default `https://api.workspace.test/v1`. */
  readonly baseUrl?: string
  /** Answers to open questions; they override the defaults, and the schemas follow them. */
  readonly answers?: AnswersInput
  readonly title?: string
  /** OpenAPI version. Default `3.1`. */
  readonly openapi?: Version
}

const documentOptionNames: readonly (keyof OpenApiOptions)[] = ['baseUrl', 'answers', 'title', 'openapi']

type OperationObject = OpenAPIV3_1.OperationObject<OperationExtensions>

/** Source: contract, Versioning. */
const interfaceVersion = '1.0.0'

function toOperationObject(
  operation: Operation,
  answers: Answers,
  book: SchemaBook,
  baseUrl: string,
): OperationObject {
  const example = exampleOf(operation.id, answers, baseUrl)
  const ids = questionsOf(operation.id)
  const scope = answers.scopes[operation.id]
  const parameters = parametersOf(operation, answers, example)
  const requestBody = requestBodyOf(operation, ids, book, example)
  const limits = new Set(errorKindsOf(operation).flatMap((kind) => limitOfKind(kind) ?? []))
  const needs = `A scoped key needs the scope \`${scope}\`.`
  const paragraphs = [operation.description, remarks[operation.id], needs]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: paragraphs.filter((text) => text !== undefined).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      [String(operation.success.status)]: toSuccessResponse(operation, ids, book, example),
      ...toErrorResponses(operation, answers, book),
    },
    'x-scope': scope,
    'x-open-questions': [...ids],
    ...(limits.size > 0 && { 'x-limits': [...limits] }),
  }
}

/**
 * Returns the API as an OpenAPI document for the given answers, in version 3.1 or 3.0. The result is plain JSON, new on each
 * call.
 * @throws {AnswerError} for an invalid answer
 * @throws {TypeError} for an invalid base address, another version or an unknown option
 */
export function openApiDocument<Version extends OpenApiVersion = '3.1'>(
  options?: OpenApiOptions<Version>,
): Version extends '3.0' ? OpenApiDocument30 : OpenApiDocument
export function openApiDocument(
  options: OpenApiOptions<OpenApiVersion> = {},
): OpenApiDocument | OpenApiDocument30 {
  const wrong = describeUnknownFields('options', Object.keys(options), documentOptionNames)
  if (wrong !== undefined) throw new TypeError(wrong)
  const { baseUrl = recordedBaseUrl, openapi = '3.1' } = options
  if (!openApiVersions.includes(openapi))
    throw new TypeError(`openapi must be ${openApiVersions.join(' or ')}; received ${quote(openapi)}`)
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol) || !baseUrl.endsWith('/v1'))
    throw new TypeError(`baseUrl must be an http(s) address that ends with /v1; received ${quote(baseUrl)}`)
  const answers = resolveAnswers(options.answers ?? {})
  const book = new SchemaBook(answers)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const operation of operationList) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = toOperationObject(operation, answers, book, baseUrl)
  }
  book.write(ErrorBody, 'response')
  const questionNotes = questionIds.map((id): [QuestionId, QuestionNote] => {
    const { notShown, fixed } = questions[id]
    return [id, { notShown, answer: answers[id] as JsonValue, fixed }]
  })
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: {
      title: options.title ?? 'Workspace work-management API',
      version: interfaceVersion,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      // This package wrote the document; the API's vendor publishes none.
      contact: { name: 'workspace-api-mock' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...book.components(), ...errorBodies },
      headers: responseHeaders,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of the workspace: a master key, or a scoped key that can do what its scopes allow.',
        },
      },
    },
    'x-open-questions': Object.fromEntries(questionNotes),
  }
  // A copy, so that nothing is shared with the module or the next call.
  const own = JSON.parse(JSON.stringify(document)) as OpenApiDocument
  return openapi === '3.0' ? toVersion30(own) : own
}

// Request bodies of operations: JSON and multipart.
import type { OpenAPIV3_1 } from 'openapi-types'
import type { MultipartBody, OperationSpec } from '../../contract/operation.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Example } from './examples.ts'
import type { SchemaBook } from './schema-book.ts'
import type { ProvenanceExtension, SchemaObject } from './types.ts'

type MediaType = OpenAPIV3_1.MediaTypeObject

export const binarySchema: SchemaObject = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
}

/** An example as a media type has it, if there is one. */
export function toExamplesEntry(value: unknown): Pick<MediaType, 'examples'> {
  return value === undefined ? {} : { examples: { demo: { summary: 'From the demo fixture', value } } }
}

function toMultipartSchema({ data, maxFiles, fileRequired }: MultipartBody, book: SchemaBook): SchemaObject {
  const file: SchemaObject =
    maxFiles === 1
      ? { ...binarySchema, description: 'The file; if there are several, the first counts.' }
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
    // Whether the contract shows the body. Assumption: queryBody
    'x-provenance': questionIds.includes('queryBody') ? 'assumed' : 'documented',
  }
}

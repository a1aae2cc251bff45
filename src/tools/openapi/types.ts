// Types of the document's parts, including the extensions.
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ErrorKind, LimitName } from '../../contract/errors.ts'
import type { JsonValue, QuestionId } from '../../contract/questions/register.ts'

/** Whether the contract documents a part or the mock assumes it. */
export type Provenance = 'documented' | 'assumed'

export interface ProvenanceExtension {
  readonly 'x-provenance': Provenance
}

export interface OperationExtensions {
  /** The scope a scoped key needs. */
  'x-scope': string
  /** Ids of the open questions that the operation depends on. */
  'x-open-questions': QuestionId[]
  /** Names of the limits that can refuse the operation; undefined if there are none. */
  'x-limits'?: LimitName[]
}

/** An open question as the document shows it. */
export interface QuestionNote {
  notShown: string
  /** The answer the document is generated for. */
  answer: JsonValue
  /** Whether the question allows no other answer. */
  fixed: boolean
}

export interface DocumentExtensions {
  'x-open-questions': Record<string, QuestionNote>
}

export interface ErrorResponse extends ProvenanceExtension {
  readonly 'x-error-kinds': ErrorKind[]
}

export type SchemaObject = OpenAPIV3_1.SchemaObject
export type SchemaOrReference = SchemaObject | OpenAPIV3_1.ReferenceObject

export type OpenApiDocument = OpenAPIV3_1.Document<OperationExtensions> & DocumentExtensions

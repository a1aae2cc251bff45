// How tests traverse a document: operations by id, with all references resolved.
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ErrorKind } from '../../../src/contract/errors.ts'
import type { OperationId } from '../../../src/contract/scopes.ts'
import type { OpenApiDocument, OperationExtensions, Provenance } from '../../../src/openapi.ts'

interface Provenanced {
  readonly 'x-provenance'?: Provenance
}
export type DocumentedResponse = OpenAPIV3_1.ResponseObject &
  Provenanced & { readonly 'x-error-kinds'?: readonly ErrorKind[] }

export interface DocumentedOperation
  extends
    OperationExtensions,
    Pick<OpenAPIV3_1.OperationObject, 'operationId' | 'tags' | 'summary' | 'description'> {
  readonly path: string
  /** In upper case. */
  readonly method: string
  readonly parameters?: readonly (OpenAPIV3_1.ParameterObject & Provenanced)[]
  readonly requestBody?: OpenAPIV3_1.RequestBodyObject & Provenanced
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

/** The operations of a document by their ids. */
export function operationsOf({ paths = {} }: OpenApiDocument): Map<string, DocumentedOperation> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => {
      const told = { ...(operation as object), path, method: method.toUpperCase() } as DocumentedOperation
      return [told.operationId ?? '', told] as const
    }),
  )
  return new Map(operations)
}

export function operationOf(document: OpenApiDocument, id: OperationId): DocumentedOperation {
  const found = operationsOf(document).get(id)
  if (!found) throw new Error(`the document has no ${id}`)
  return found
}

export const schemasOf = ({ components }: OpenApiDocument): Record<string, OpenAPIV3_1.SchemaObject> =>
  components?.schemas ?? {}

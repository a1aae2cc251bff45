// Entry `workspace-api-mock/openapi`: the contract as an OpenAPI document.
export { openApiDocument, type OpenApiOptions, type OpenApiVersion } from './tools/openapi/document.ts'
export type { OpenApiDocument30 } from './tools/openapi/version-3-0.ts'
export type {
  DocumentExtensions,
  OpenApiDocument,
  OperationExtensions,
  Provenance,
  QuestionNote,
} from './tools/openapi/types.ts'

// Entry `workspace-api-mock/openapi`: the contract as an OpenAPI 3.1 document.
export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './tools/openapi/document.ts'
export type {
  DocumentExtensions,
  OperationExtensions,
  Provenance,
  QuestionNote,
} from './tools/openapi/types.ts'

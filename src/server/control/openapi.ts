// Owns the route of the control API for the OpenAPI document.
import { openApiDocument } from '../../openapi/index.ts'
import { route } from './route.ts'

export const openApiRoutes = [
  route('GET', '/openapi.json', 'the OpenAPI 3.1 document, for the answers in force', ({ store, baseUrl }) =>
    openApiDocument({ baseUrl, answers: store.answers }),
  ),
]

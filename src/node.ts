// Entry `workspace-api-mock/node`: the standalone server. Adds the OpenAPI document and the tools for agents to its control
// API.
import { serveWith, type RunningServer, type ServeOptions } from './adapters/server/serve.ts'
import type { WorkspaceMock } from './mock.ts'

export type { RunningServer, ServeOptions } from './adapters/server/serve.ts'
export { runPage, type RunPageOptions } from './adapters/page/run-page.ts'
export type { LoggedRequest } from './adapters/server/respond.ts'

/**
 * Serves a mock over HTTP: the API under `/v1`, the control API under `/__mock`.
 * @throws {RangeError} for an invalid option
 * @throws {Error} if the port is in use, or the host is not an address of this machine
 */
export const serve = (mock: WorkspaceMock, options: ServeOptions = {}): Promise<RunningServer> =>
  serveWith(mock, options, {
    describe: async (given) => (await import('./tools/openapi/document.ts')).openApiDocument(given),
    respondToMcp: async (request, send) => (await import('./tools/mcp/http.ts')).respondToMcp(request, send),
  })

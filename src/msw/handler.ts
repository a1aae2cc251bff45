// Owns the adapter to MSW: one object of its request handler's shape around the core, with types of msw only.
import type { RequestHandler } from 'msw'
import { isBelow, type FetchAdapter } from './fetch.ts'

interface RunArguments {
  readonly request: Request
}

/**
 * A request handler for everything below the base address. It extends no class of msw, so that using the mock does
 * not import msw's core; it has what versions 2 and 3 read of a handler.
 */
export function createMswHandler(baseUrl: string, adapter: FetchAdapter): RequestHandler {
  const covers = ({ request }: RunArguments) => isBelow(baseUrl, request.url)
  const restore = () => {
    handler.isUsed = false
  }
  const handler = {
    kind: 'request',
    __kind: 'RequestHandler',
    info: { header: `* ${baseUrl}/*`, method: /.*/, path: `${baseUrl}/*`, callFrame: undefined },
    isUsed: false,
    async run({ request }: RunArguments) {
      const { url } = request
      if (!isBelow(baseUrl, url)) return null
      handler.isUsed = true
      // A copy of what has a body: MSW gives the request itself to listeners of its events afterwards.
      const hasBody = request.method !== 'GET' && request.body !== null
      const response = await adapter(hasBody ? request.clone() : request, url)
      return { handler, request, response, parsedResult: {} }
    },
    test: (run: RunArguments) => Promise.resolve(covers(run)),
    parse: () => Promise.resolve({}),
    predicate: covers,
    log({ request, response }: { request: Request; response: Response }) {
      const hint = response.headers.get('x-mock-hint')
      console.info(
        `[workspace-api-mock] ${request.method} ${request.url} ${String(response.status)}${hint === null ? '' : ` (${hint})`}`,
      )
    },
    reset: restore,
    restore,
  }
  return handler as unknown as RequestHandler
}

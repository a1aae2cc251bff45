// Owns the adapter to MSW: one object of its request handler's shape around the core, with types of msw only.
import type { RequestHandler } from 'msw'
import { isBelow, type FetchAdapter } from './fetch.ts'

interface RunArguments {
  readonly request: Request
}
export interface RunResult {
  readonly request: Request
  readonly response: Response
}
interface HandlerParts {
  /** How MSW names the handler in its messages. */
  readonly header: string
  readonly path: string
  covers(request: Request): boolean
  /** Null leaves the request to other handlers. */
  run(request: Request): Promise<RunResult | null>
  log(result: RunResult): void
}

const none = () => undefined

/**
 * An object of the shape of MSW's request handler. It extends no class of msw, so that using it does not import msw's
 * core; it has what versions 2 and 3 ask of a handler.
 */
export function handlerOf({ header, path, covers, run, log }: HandlerParts): RequestHandler {
  const handler = {
    kind: 'request',
    __kind: 'RequestHandler',
    info: { header, method: /.*/, path, callFrame: undefined },
    isUsed: false,
    async run({ request: given, requestId }: RunArguments & { readonly requestId?: string }) {
      const result = await run(given)
      if (!result) return null
      handler.isUsed = true
      return { handler, requestId, request: result.request, response: result.response, parsedResult: {} }
    },
    test: ({ request }: RunArguments) => Promise.resolve(covers(request)),
    parse: () => Promise.resolve({}),
    predicate: ({ request }: RunArguments) => covers(request),
    log,
    // There is nothing to let go of, and nothing to use up.
    reset: none,
    restore: none,
    dispose: none,
  }
  return handler as unknown as RequestHandler
}

function logExchange({ request, response }: RunResult): void {
  const hint = response.headers.get('x-mock-hint')
  console.info(
    `[workspace-api-mock] ${request.method} ${request.url} ${String(response.status)}${hint === null ? '' : ` (${hint})`}`,
  )
}

/** Where `fetch` would reject, what MSW takes for a broken connection. */
async function answered(adapter: FetchAdapter, request: Request, url: string): Promise<Response> {
  try {
    // A copy of what has a body: MSW gives the request itself to listeners of its events afterwards.
    const hasBody = request.method !== 'GET' && request.body !== null
    return await adapter(hasBody ? request.clone() : request, url)
  } catch {
    return Response.error()
  }
}

/** A request handler for everything below the base address. */
export function createMswHandler(baseUrl: string, adapter: FetchAdapter): RequestHandler {
  return handlerOf({
    header: `* ${baseUrl}/*`,
    path: `${baseUrl}/*`,
    covers: ({ url }) => isBelow(baseUrl, url),
    async run(request) {
      const { url } = request
      if (!isBelow(baseUrl, url)) return null
      return { request, response: await answered(adapter, request, url) }
    },
    log: logExchange,
  })
}

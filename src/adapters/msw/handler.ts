// Adapter to MSW: an object with the shape of its request handler. Imports only types from msw.
import type { RequestHandler } from 'msw'
import { breakOff, throwOnUse } from './broken-connection.ts'
import { copyBody, isBelow, type FetchAdapter } from './fetch.ts'

interface Arguments {
  readonly request: Request
  readonly requestId: string
}
interface HandlerParts {
  readonly header: string
  readonly path: string
  covers(request: Request): boolean
  /** Returns null to leave the request to other handlers. */
  run(request: Request): Promise<Response | null>
  readonly log: RequestHandler['log']
}

/** The handler members that MSW uses. */
type PublicHandler = Pick<RequestHandler, 'info' | 'isUsed' | 'run' | 'test' | 'parse' | 'predicate' | 'log'>

const doNothing = () => undefined

/**
 * Creates an object with the shape of a request handler of MSW 2 and 3. Extending MSW's class would import its core.
 */
export function toRequestHandler({ header, path, covers, run, log }: HandlerParts): RequestHandler {
  const handler = {
    kind: 'request',
    __kind: 'RequestHandler',
    info: { header, method: /.*/, path },
    isUsed: false,
    async run({ request, requestId }: Arguments) {
      const response = await run(request)
      if (!response) return null
      handler.isUsed = true
      if (response.type === 'error') throwOnUse(request, response)
      return { handler: shown, requestId, request, response, parsedResult: {} }
    },
    test: ({ request }: Pick<Arguments, 'request'>) => Promise.resolve(covers(request)),
    parse: () => Promise.resolve({}),
    predicate: ({ request }: Pick<Arguments, 'request'>) => covers(request),
    log,
    // There is nothing to release or reset.
    reset: doNothing,
    restore: doNothing,
    dispose: doNothing,
  }
  const shape: PublicHandler = handler
  const shown = shape as RequestHandler
  return shown
}

/** Handlers used in pages. They keep details of requests for a console, which may be opened later. */
export const handlersOfWorkers = new WeakSet<RequestHandler>()

export function createMswHandler(baseUrl: string, adapter: FetchAdapter): RequestHandler {
  const handler = toRequestHandler({
    header: `* ${baseUrl}/*`,
    path: `${baseUrl}/*`,
    covers: ({ url }) => isBelow(baseUrl, url),
    async run(request) {
      const { url } = request
      if (!isBelow(baseUrl, url)) return null
      try {
        // Reads a copy of the body, because MSW later passes the request itself to its event listeners. Uses the
        // original's signal, because a copy's signal is never aborted once the copy has been garbage-collected.
        return await adapter(request, url, copyBody(request), handlersOfWorkers.has(handler))
      } catch (error) {
        // MSW expects a response where `fetch` would reject.
        return breakOff(request, error)
      }
    },
    log({ request: { method, url }, response: { status, headers } }) {
      const hint = headers.get('x-mock-hint')
      const note = hint === null ? '' : ` (${hint})`
      console.info(`[workspace-api-mock] ${method} ${url} ${String(status)}${note}`)
    },
  })
  return handler
}

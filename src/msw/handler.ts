// Adapter to MSW: an object with the shape of its request handler. Imports only types of msw.
import type { RequestHandler } from 'msw'
import { NetworkFault } from '../core/call.ts'
import { isBelow, type FetchAdapter } from './fetch.ts'

interface RunArguments {
  readonly request: Request
}
interface Run extends RunArguments {
  readonly requestId: string
  /** Set by MSW 3: whether it logs. */
  readonly resolutionContext?: { readonly quiet?: boolean }
}
interface Exchanged extends RunArguments {
  readonly response: Response
}
interface HandlerParts {
  /** The name of the handler in MSW's messages. */
  readonly header: string
  readonly path: string
  covers(request: Request): boolean
  /** Returns null to leave the request to other handlers. */
  run(request: Request): Promise<Response | null>
  log(result: Exchanged): void
}

/** The members of a handler that MSW uses. */
type PublicHandler = Pick<RequestHandler, 'info' | 'isUsed' | 'run' | 'test' | 'parse' | 'predicate' | 'log'>

const none = () => undefined

/**
 * Creates an object with the shape of MSW's request handler, for versions 2 and 3. It extends no class of msw, so that
 * msw's core is not imported.
 */
export function handlerOf({ header, path, covers, run, log }: HandlerParts): RequestHandler {
  const handler = {
    kind: 'request',
    __kind: 'RequestHandler',
    info: { header, method: /.*/, path },
    isUsed: false,
    async run({ request, requestId, resolutionContext }: Run) {
      const response = await run(request)
      if (!response) return null
      handler.isUsed = true
      if (response.type === 'error' && resolutionContext?.quiet !== undefined && !rawRequest(request))
        throwOnUse(response)
      return { handler: shown, requestId, request, response, parsedResult: {} }
    },
    test: ({ request }: RunArguments) => Promise.resolve(covers(request)),
    parse: () => Promise.resolve({}),
    predicate: ({ request }: RunArguments) => covers(request),
    log,
    // There is nothing to release or reset.
    reset: none,
    restore: none,
    dispose: none,
  }
  const shape: PublicHandler = handler
  const shown = shape as RequestHandler
  return shown
}

function logExchange({ request, response }: Exchanged): void {
  const hint = response.headers.get('x-mock-hint')
  console.info(
    `[workspace-api-mock] ${request.method} ${request.url} ${String(response.status)}${hint === null ? '' : ` (${hint})`}`,
  )
}

/** The request that MSW 2 intercepted; for `node:http`, the client's own object. */
function rawRequest(request: Request): { destroy?: (error: Error) => void } | undefined {
  const raw = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  return raw && (Reflect.get(request, raw) as { destroy?: (error: Error) => void })
}

/**
 * A response that MSW treats as a broken connection. `fetch` rejects with it as the cause, whose `code` clients use to
 * decide about retries; clients on `node:http` get `cause` itself.
 */
export function brokenOff(request: Request, cause: Error & { readonly code: string }): Response {
  rawRequest(request)?.destroy?.(cause)
  return Object.assign(Response.error(), { code: cause.code, message: cause.message })
}

/** Checks the version too, since bundlers can define a `process` in pages. */
const isNode = () => typeof process === 'object' && process.versions?.node !== undefined

/**
 * For a broken connection, MSW 3 gives clients on `node:http` an error of its own, unless reading the response throws one
 * with a `code` and an `errno`. With MSW 2, `fetch` would reject with that error unchanged.
 */
function throwOnUse(response: Response): void {
  if (!('code' in response) || !isNode()) return
  const { code } = response
  const message = String(Reflect.get(response, 'message'))
  const error = new TypeError(message, { cause: Object.assign(new Error(message), { code }) })
  Object.assign(error, { code, errno: -104 })
  Object.defineProperty(response, 'status', {
    get() {
      throw error
    },
  })
}

/** Responds to a request; where `fetch` would reject, as MSW expects for a broken connection. */
async function respond(adapter: FetchAdapter, request: Request, url: string): Promise<Response> {
  try {
    // A copy if there is a body, since MSW passes the request itself to listeners of its events afterwards.
    const hasBody = request.method !== 'GET' && request.body !== null
    return await adapter(hasBody ? request.clone() : request, url)
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return cause instanceof NetworkFault ? brokenOff(request, cause) : Response.error()
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
      return isBelow(baseUrl, url) ? respond(adapter, request, url) : null
    },
    log: logExchange,
  })
}

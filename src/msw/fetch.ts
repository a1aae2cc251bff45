// Owns the way between Fetch objects and the core's plain calls and answers.
import { NetworkFault, type Answer, type Call, type CallBody } from '../core/call.ts'

/** Answers a request; whoever has asked for its address already gives it, as asking costs something every time. */
export type FetchAdapter = (request: Request, url: string) => Promise<Response>

/** Whether a URL lies below a base address: it, then a slash, a query, a fragment or nothing. */
export function isBelow(baseUrl: string, url: string): boolean {
  if (!url.startsWith(baseUrl)) return false
  const next = url[baseUrl.length]
  return next === '/' || next === '?' || next === '#' || next === undefined
}

async function readBody(request: Request, limitBytes: number): Promise<CallBody> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return 'too-large'
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > limitBytes ? 'too-large' : bytes
}

function callOf(baseUrl: string, request: Request, url: string): Call {
  const { method, headers } = request
  const hasBody = method !== 'GET' && request.body !== null
  const fragment = url.indexOf('#')
  const end = fragment === -1 ? url.length : fragment
  const question = url.indexOf('?')
  const pathEnd = question === -1 || question > end ? end : question
  return {
    method,
    // What lies outside of the base address is a path out of its root, which is no operation.
    path: isBelow(baseUrl, url) ? url.slice(baseUrl.length, pathEnd) || '/' : `/..${new URL(url).pathname}`,
    query: url.slice(pathEnd + 1, end),
    baseUrl,
    header: (name) => headers.get(name),
    body: hasBody ? (limitBytes) => readBody(request, limitBytes) : null,
  }
}

const responseOf = ({ status, headers, body }: Answer) =>
  new Response(body as BodyInit | null, { status, headers })

/** What MSW takes for a broken connection. */
const errorResponse = () => Response.error()

/** What `fetch` itself does where the connection breaks. */
export function failedFetch(fault: NetworkFault): never {
  throw new TypeError('fetch failed', { cause: fault })
}

/** Serves Fetch requests below a base address; a broken connection is a network error response, or what is asked for. */
export function createFetchAdapter(
  baseUrl: string,
  handle: (call: Call) => Promise<Answer>,
  brokenOff: (fault: NetworkFault) => Response = errorResponse,
): FetchAdapter {
  const broken = (error: unknown) => {
    if (error instanceof NetworkFault) return brokenOff(error)
    throw error
  }
  return (request, url) => handle(callOf(baseUrl, request, url)).then(responseOf, broken)
}

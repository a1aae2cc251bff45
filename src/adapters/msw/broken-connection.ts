// Passes a broken connection through MSW. Everything that relies on the internals of MSW and its interceptors is here.

/**
 * The client's own request object, if it used `node:http` and MSW 2 intercepted it. The interceptors store it under a
 * symbol; versions without that symbol give undefined, and clients on `node:http` then get the same error as `fetch`.
 */
function rawRequestOf(request: Request): { destroy?: (error: Error) => void } | undefined {
  const raw = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  return raw && (Reflect.get(request, raw) as { destroy?: (error: Error) => void })
}

/** The error `fetch` must reject with, keyed by the response that represents it. */
const errors = new WeakMap<Response, Error & { readonly code: string }>()

/**
 * Creates a response that MSW treats as a broken connection.
 * @param error what `mock.fetch` rejects with; clients on `node:http` get its cause
 */
export function breakOff(request: Request, error: unknown): Response {
  const response = Response.error()
  if (!(error instanceof TypeError)) return response
  const cause: unknown = error.cause ?? error
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) return response
  const { code, message } = cause
  const errno = 'errno' in cause ? cause.errno : -104
  rawRequestOf(request)?.destroy?.(cause)
  errors.set(response, Object.assign(error, { code, errno }))
  return Object.assign(response, { code, message })
}

/**
 * Makes every read of the response throw the error with which `fetch` rejects in Node. MSW then passes it on instead of
 * creating its own error. MSW treats an error with `code` and `errno` as a failed request (MSW 3 does so for clients on
 * `node:http` as well) and turns any other error into a response with 500.
 */
export function throwOnUse(request: Request, response: Response): void {
  const error = errors.get(response)
  // Checks the version too, since bundlers can define a `process` in pages.
  const isNode = typeof process === 'object' && process.versions?.node !== undefined
  if (!error || !isNode || rawRequestOf(request)) return
  Object.defineProperty(response, 'status', {
    // Configurable, because the vitest helper passes the mock's response on and it arrives here twice.
    configurable: true,
    get() {
      throw error
    },
  })
}

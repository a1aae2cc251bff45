// A broken connection as MSW passes it on: all that depends on how MSW and its interceptors work inside.

/**
 * The client's own object of a request on `node:http` that MSW 2 intercepted. It stands at a symbol of the interceptors;
 * in a version without it, undefined: then clients on `node:http` get the same error as those of `fetch`.
 */
function rawRequestOf(request: Request): { destroy?: (error: Error) => void } | undefined {
  const raw = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  return raw && (Reflect.get(request, raw) as { destroy?: (error: Error) => void })
}

/** The errors with which `fetch` is to reject, by the response that stands for each. */
const errors = new WeakMap<Response, Error & { readonly code: string }>()

/**
 * A response that MSW treats as a broken connection.
 * @param error the one with which `mock.fetch` rejects; clients on `node:http` get its cause
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
 * Makes every read of the response throw the error with which `fetch` rejects in Node. MSW passes it on; without it, MSW
 * would create errors of its own. An error with `code` and `errno` stands for a failed request, in MSW 3 to clients on
 * `node:http` too; any other becomes a response with 500.
 */
export function throwOnUse(request: Request, response: Response): void {
  const error = errors.get(response)
  // The version too, since bundlers can define a `process` in pages.
  const isNode = typeof process === 'object' && process.versions?.node !== undefined
  if (!error || !isNode || rawRequestOf(request)) return
  Object.defineProperty(response, 'status', {
    // The vitest helper passes the response of the mock's handler on, so that it comes here twice.
    configurable: true,
    get() {
      throw error
    },
  })
}

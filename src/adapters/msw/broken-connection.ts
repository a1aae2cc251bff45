// A broken connection as MSW passes it on: all that depends on how MSW and its interceptors work inside.

/**
 * The client's own object of a request on `node:http` that MSW 2 intercepted. It stands at a symbol of the interceptors;
 * in a version without it, undefined: then clients on `node:http` get the same error as those of `fetch`.
 */
function rawRequestOf(request: Request): { destroy?: (error: Error) => void } | undefined {
  const raw = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  return raw && (Reflect.get(request, raw) as { destroy?: (error: Error) => void })
}

/** A response that MSW treats as a broken connection; clients on `node:http` get `cause` itself. */
export function breakOff(request: Request, cause: Error & { readonly code: string }): Response {
  rawRequestOf(request)?.destroy?.(cause)
  return Object.assign(Response.error(), { code: cause.code, message: cause.message })
}

/**
 * Makes every read of the response throw the error with which `fetch` rejects in Node. MSW passes it on; without it, MSW
 * would create errors of its own. With `code` and `errno`, MSW 3 gives it to clients on `node:http` too.
 */
export function throwOnUse(request: Request, response: Response): void {
  // The version too, since bundlers can define a `process` in pages.
  const isNode = typeof process === 'object' && process.versions?.node !== undefined
  if (!('code' in response) || !isNode || rawRequestOf(request)) return
  const { code } = response
  const cause = Object.assign(new Error(String(Reflect.get(response, 'message'))), { code })
  const error = Object.assign(new TypeError('fetch failed', { cause }), { code, errno: -104 })
  Object.defineProperty(response, 'status', {
    // The vitest helper passes the response of the mock's handler on, so that it comes here twice.
    configurable: true,
    get() {
      throw error
    },
  })
}

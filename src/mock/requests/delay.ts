// The core's only timer, for faults with `delayMs` and for `clock.sleep`.

/**
 * Waits on the timers in place when it is called, fake ones included. Rejects with the signal's reason as soon as the signal
 * is aborted.
 */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as fetch rejects
      reject(signal?.reason)
    }
    // eslint-disable-next-line no-restricted-globals
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

// The only timer of the core, for `delayMs` of faults and `clock.sleep`.

/**
 * Waits on the timers that are current when it is called, fake ones included. Rejects with the reason of the signal
 * as soon as it is aborted.
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

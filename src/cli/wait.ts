// Command `wait`: waits until a server responds.
import { setTimeout } from 'node:timers/promises'

export interface WaitFlags {
  readonly url: URL
  readonly timeout: number
}

const pauseMs = 100
const responseMs = 2000

/** Whether anything but a proxy without its server responds. */
async function responds({ origin }: URL): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(responseMs)
    const { status } = await fetch(`${origin}/__mock/health`, { signal, redirect: 'manual' })
    return status < 500
  } catch {
    return false
  }
}

/** @throws {Error} if nothing responds within `timeout` milliseconds */
export async function waitCommand({ url, timeout }: WaitFlags): Promise<void> {
  const endMs = performance.now() + timeout
  while (!(await responds(url))) {
    if (performance.now() + pauseMs > endMs)
      throw new Error(`no response from ${url.origin} after ${String(timeout / 1000)} s`)
    await setTimeout(pauseMs)
  }
}

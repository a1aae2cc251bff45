// Command `wait`: waits until a server responds.
import { setTimeout } from 'node:timers/promises'

export interface WaitFlags {
  readonly url: URL
  readonly timeout: number
}

const pauseMs = 100
/** Maximum wait for one response. A server that starts in the meantime responds to the next attempt. */
const responseMs = 2000

/** A proxy that cannot reach its server responds with 500 or more. */
async function isResponding({ origin }: URL, withinMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(Math.ceil(withinMs))
    const { status } = await fetch(`${origin}/__mock/health`, { signal, redirect: 'manual' })
    return status < 500
  } catch {
    return false
  }
}

export async function waitCommand({ url, timeout }: WaitFlags): Promise<void> {
  const endMs = performance.now() + timeout
  const leftMs = () => endMs - performance.now()
  while (!(await isResponding(url, Math.min(responseMs, Math.max(pauseMs, leftMs()))))) {
    if (leftMs() < pauseMs)
      throw new Error(`no response from ${url.origin} after ${String(timeout / 1000)} s`)
    await setTimeout(pauseMs)
  }
}

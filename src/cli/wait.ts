// The command that waits until a server answers.
import { setTimeout } from 'node:timers/promises'

export interface WaitFlags {
  readonly url: URL
  readonly timeout: number
}

const pauseMs = 100
const answerMs = 2000

/** Whether anything but a proxy without its server answers. */
async function answers({ origin }: URL): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs)
    const { status } = await fetch(`${origin}/__mock/health`, { signal, redirect: 'manual' })
    return status < 500
  } catch {
    return false
  }
}

/** @throws {Error} where nothing answers within `timeout` milliseconds */
export async function waitCommand({ url, timeout }: WaitFlags): Promise<void> {
  const endMs = performance.now() + timeout
  while (!(await answers(url))) {
    if (performance.now() + pauseMs > endMs)
      throw new Error(`nothing answers at ${url.origin} after ${String(timeout / 1000)} s`)
    await setTimeout(pauseMs)
  }
}

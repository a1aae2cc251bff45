// Pacing of requests: which are retried, and after how long.
import { retryScheduleMs } from '../../contract/limits.ts'
import { Interrupted } from './rule.ts'
import type { Reply } from './reply.ts'

/** Waits for some milliseconds. */
export type Wait = (ms: number) => Promise<void>

/** Waits before the second to the fifth attempt; there is no sixth. Source: contract, Errors, rule 2. */
const backoffMs = retryScheduleMs.slice(1)
/** How often a 429 is waited out, and the longest wait. */
const mostLimited = 4
const longestRetryAfterMs = 120_000

/** Waits on a timer. */
export const realWait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds of Retry-After; undefined where it is absent or not a number. */
export function retryAfterMs({ headers }: Reply): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) * 1000 : undefined
}

export interface PaceOptions {
  readonly wait: Wait
  /** Whether a 429 is the expected response, which is then final. */
  readonly keepLimit: boolean
  /** Attempts after a 500, a 503 or a broken connection: 5 unless retries are known to be useless. */
  readonly attempts: number
  /** Called with each response; `isLast` is false if the request is retried. */
  readonly onReply: (reply: Reply, isLast: boolean) => void
  /** Called before each further attempt. */
  readonly onRetry: () => void
  /** Whether an error will not go away by itself. */
  readonly isLasting: (error: unknown) => boolean
}

/**
 * Sends until there is a final response: 429 is waited out; 500, 503 and broken connections are tried again.
 * @throws what the last attempt threw, where no attempt got a response
 */
export async function paced(send: () => Promise<Reply>, options: PaceOptions): Promise<Reply> {
  const { wait, keepLimit, attempts, onReply, onRetry, isLasting } = options
  let failures = 0
  let limited = 0
  for (;;) {
    let reply: Reply | undefined
    let thrown: unknown
    try {
      reply = await send()
    } catch (error) {
      if (error instanceof Interrupted || isLasting(error)) throw error
      thrown = error
    }
    let waitMs: number | undefined
    if (reply?.status === 429 && !keepLimit) {
      const askedMs = retryAfterMs(reply) ?? backoffMs[limited] ?? 0
      waitMs = limited === mostLimited || askedMs > longestRetryAfterMs ? undefined : askedMs
      limited += 1
    } else if (!reply || reply.status === 500 || reply.status === 503) {
      waitMs = failures + 1 < attempts ? backoffMs[failures] : undefined
      failures += 1
    }
    if (reply) onReply(reply, waitMs === undefined)
    if (waitMs === undefined) {
      if (reply) return reply
      throw thrown
    }
    onRetry()
    await wait(waitMs)
  }
}

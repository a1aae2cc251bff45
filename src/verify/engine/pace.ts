// Owns how politely a deployment is asked: what is tried again, and how long is waited before.
import { Interrupted } from './rule.ts'
import type { Reply } from './reply.ts'

/** Lets a length of time in milliseconds pass. */
export type Wait = (ms: number) => Promise<void>

/** Waits before the second to the fifth attempt; there is no sixth. Source: contract, Errors, rule 2. */
const backoffMs = [1000, 2000, 4000, 8000]
/** How often a 429 is waited out, and for how long at most. */
const mostLimited = 4
const longestRetryAfterMs = 120_000

/** Waits on a timer. */
export const realWait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds of Retry-After; undefined where it is absent or no number. */
function retryAfterMs({ headers }: Reply): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) * 1000 : undefined
}

export interface PaceOptions {
  readonly wait: Wait
  /** Whether a 429 is what was asked for, so that it is not waited out. */
  readonly keepLimit: boolean
  /** Told of each answer, also those after which it is tried again. */
  readonly onReply: (reply: Reply) => void
}

/**
 * Sends until there is an answer to go on with: 429 is waited out, 500, 503 and a broken connection are tried again.
 * @throws what the last attempt threw, where no attempt was answered
 */
export async function paced(send: () => Promise<Reply>, options: PaceOptions): Promise<Reply> {
  const { wait, keepLimit, onReply } = options
  let failures = 0
  let limited = 0
  for (;;) {
    let reply: Reply | undefined
    let thrown: unknown
    try {
      reply = await send()
      onReply(reply)
    } catch (error) {
      if (error instanceof Interrupted) throw error
      thrown = error
    }
    if (reply?.status === 429 && !keepLimit) {
      const waitMs = retryAfterMs(reply) ?? backoffMs[limited] ?? 0
      if (limited === mostLimited || waitMs > longestRetryAfterMs) return reply
      limited += 1
      await wait(waitMs)
    } else if (!reply || reply.status === 500 || reply.status === 503) {
      const waitMs = backoffMs[failures]
      if (waitMs === undefined) {
        if (reply) return reply
        throw thrown
      }
      failures += 1
      await wait(waitMs)
    } else return reply
  }
}

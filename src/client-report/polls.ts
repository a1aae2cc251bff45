// Rules for polling a job, and how long a client waited between two requests.
import { pollMs } from '../contract/limits.ts'
import type { Moment } from '../store/clock.ts'
import { BoundedMap } from '../contract/data/bounded-map.ts'
import type { OpenExchange } from '../core/exchange.ts'
import { clientOf, idOf } from './request.ts'
import type { Findings } from './findings.ts'

/**
 * Milliseconds between two requests, undefined if the clock does not show how long the client waited: a manual
 * clock that neither the test nor the client moved in between, one that was set back, or one that changed its mode.
 */
export function waitedMs(from: Moment, to: Moment): number | undefined {
  const ms = to.ms - from.ms
  if (from.mode !== to.mode || ms < 0) return undefined
  return to.mode === 'manual' && from.moves === to.moves ? undefined : ms
}

/** Timers fire a little early by Date, so on the system's clock a wait can be this much too short. */
const slackMs = 5

/** How long the client waited, if that is known to be too short. */
export function tooShortMs(from: Moment, to: Moment, neededMs: number): number | undefined {
  const ms = waitedMs(from, to)
  const slack = to.mode === 'system' ? slackMs : 0
  return ms !== undefined && ms < neededMs - slack ? ms : undefined
}

const jobsRemembered = 1000

interface Poll {
  readonly moment: Moment
  readonly id: number
  readonly isAnswered: boolean
  /** The first poll with that response. */
  readonly finished: { readonly id: number; readonly status: string } | undefined
}

/** Rules poll-interval and poll-finished. Polls of one job by one client are judged together. */
export class PollRules {
  readonly #findings: Findings
  readonly #polls = new BoundedMap<Poll>(jobsRemembered)

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: OpenExchange): void {
    if (exchange.operation !== 'getJob') return
    const jobId = idOf(exchange, 'jobId')
    const key = `${clientOf(exchange)} ${jobId}`
    const former = this.#polls.get(key)
    const { moment, store } = exchange
    if (former) this.#judge(former, exchange)
    const isAnswered = exchange.status === 200
    const status = isAnswered ? store.jobs.get(jobId)?.status : undefined
    const hasEnded = status === 'done' || status === 'failed'
    const finished = former?.finished ?? (hasEnded ? { id: exchange.id, status } : undefined)
    this.#polls.set(key, { moment, id: exchange.id, isAnswered, finished })
  }

  #judge(former: Poll, exchange: OpenExchange): void {
    const { after, moment } = exchange
    const job = idOf(exchange, 'jobId')
    const { finished } = former
    if (finished) {
      // A poll that was already sent could not know.
      if (after < finished.id) return
      const what = () => `Job ${job} was polled again although a response had said ${finished.status}`
      this.#findings.add(exchange, 'poll-finished', job, what, [finished.id])
      return
    }
    // What follows a failed poll is a retry, whose first can come at once.
    const ms = former.isAnswered ? tooShortMs(former.moment, moment, pollMs) : undefined
    if (ms === undefined) return
    const what = () => `Job ${job} was polled again after ${String(ms)} ms`
    this.#findings.add(exchange, 'poll-interval', job, what, [former.id])
  }
}

// Rules for polling a job.
import { pollMs } from '../../contract/limits.ts'
import type { BegunExchange } from '../requests/exchange.ts'
import type { Moment } from '../../service/store/clock.ts'
import type { Findings } from './findings.ts'
import { hasSeen, History } from './history.ts'
import { idOf } from './request.ts'
import { addNotJudged, findShortWaitMs } from './waits.ts'

interface Poll {
  readonly moment: Moment
  readonly id: number
  readonly hasSucceeded: boolean
  /** The first poll that showed the job had ended. */
  readonly finished: { readonly id: number; readonly status: string } | undefined
}

/** Rules poll-interval and poll-finished. One client's polls of one job are judged together. */
export class PollRules {
  readonly #findings: Findings
  readonly #polls = new History<Poll>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: BegunExchange): void {
    if (exchange.operation !== 'getJob') return
    const jobId = idOf(exchange, 'jobId')
    const former = this.#polls.get(exchange, jobId)
    const { moment, store } = exchange
    if (former) this.#judge(former, exchange)
    const hasSucceeded = exchange.status === 200
    const status = hasSucceeded ? store.jobs.get(jobId)?.status : undefined
    const hasEnded = status === 'done' || status === 'failed'
    const finished = former?.finished ?? (hasEnded ? { id: exchange.id, status } : undefined)
    this.#polls.set(exchange, jobId, { moment, id: exchange.id, hasSucceeded, finished })
  }

  #judge(former: Poll, exchange: BegunExchange): void {
    const job = idOf(exchange, 'jobId')
    const { finished } = former
    if (finished) {
      // A poll sent before the client knew that the job had ended is not at fault.
      if (!hasSeen(exchange, finished.id)) return
      const text = `Job ${job} was polled again although a response had said ${finished.status}`
      this.#findings.add(exchange, 'poll-finished', '', text, [finished.id])
      return
    }
    // A poll after a failed one is a retry, and the first retry may be sent at once.
    if (!former.hasSucceeded) return
    addNotJudged(this.#findings, 'poll-interval', exchange, former)
    const ms = findShortWaitMs(former.moment, exchange.moment, pollMs)
    if (ms === undefined) return
    const text = `Job ${job} was polled again after ${String(ms)} ms`
    this.#findings.add(exchange, 'poll-interval', '', text, [former.id])
  }
}

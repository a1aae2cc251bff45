// One run of a scenario in this process: its sandbox, its time, its end, and the detection of a hang.
import type { ApiResponse, Call } from '../core/call.ts'
import type { Sandbox } from '../core/sandbox.ts'
import { RunTime } from './run-time.ts'
import type { Ended } from './runner.ts'
import { activeResources, fakeClock, nextTurn, realDelay, realMs } from './timers.ts'

/**
 * A scenario hangs after this real time without a request, a sleep or a timer. Where timers cannot be observed, as in
 * browsers, it is longer than the longest wait of a backoff schedule.
 */
const hangMs = activeResources() === undefined ? 10_000 : 1000
/** Real time after which a run counts as hanging, whatever it waits for. */
const longestMs = 60_000
/**
 * Turns of the event loop without activity after which nothing more is on its way: requests that pass an interceptor
 * take longer than direct ones.
 */
const quietTurns = { intercepted: 10, direct: 2 }
/** Turns of the event loop after the first run, in which requests that the scenario did not await can arrive. */
const lingerTurns = 20

export class Run {
  readonly sandbox: Sandbox
  readonly time: RunTime
  readonly ended: Promise<Ended>
  readonly #beganMs = realMs()
  readonly #resources = activeResources() ?? 0
  #settle: (ended: Ended) => void = () => undefined
  #lastMs = this.#beganMs
  readonly #mostSteps: number
  isOver = false
  /** Whether requests arrive other than through the `fetch` of the context. */
  isIntercepted: boolean
  inFlight = 0
  activity = 0
  steps = 0

  constructor(sandbox: Sandbox, mostSteps: number, isIntercepted: boolean) {
    this.sandbox = sandbox
    this.#mostSteps = mostSteps
    this.isIntercepted = isIntercepted
    this.time = new RunTime(this)
    this.ended = new Promise((resolve) => (this.#settle = resolve))
  }

  get quietTurns(): number {
    return this.isIntercepted ? quietTurns.intercepted : quietTurns.direct
  }

  /** Real milliseconds since something last happened. */
  get idleMs(): number {
    return realMs() - this.#lastMs
  }

  advance(ms: number): void {
    if (ms > 0) this.sandbox.store.clock.advance(ms)
  }

  step(): void {
    this.steps += 1
    this.#happened()
    if (this.steps > this.#mostSteps)
      this.#hang(`it made ${String(this.#mostSteps)} requests and waits without ending`)
  }

  async respond(call: Call): Promise<ApiResponse> {
    this.inFlight += 1
    this.step()
    try {
      return await this.sandbox.handle(call)
    } finally {
      this.inFlight -= 1
      this.#happened()
    }
  }

  #happened(): void {
    this.activity += 1
    this.#lastMs = realMs()
  }

  async run(scenario: () => unknown): Promise<void> {
    try {
      await scenario()
      this.#settle({ outcome: 'resolved', error: undefined })
    } catch (error) {
      this.#settle({ outcome: 'rejected', error })
    }
  }

  #hang(why: string): void {
    this.#settle({ outcome: 'hang', error: new Error(`the scenario did not settle: ${why}`) })
  }

  /** Whether the scenario waits for a timer, a socket or the like. */
  get #isWaiting(): boolean {
    return (activeResources() ?? 0) > this.#resources
  }

  /** Called periodically: ends the run if it makes no progress. */
  watch(): void {
    if (fakeClock()) this.time.start()
    const nowMs = realMs()
    if (nowMs - this.#beganMs > longestMs) this.#hang(`${String(longestMs / 1000)} s have passed`)
    if (nowMs - this.#lastMs < hangMs || this.time.isAwaited) return
    if (this.#isWaiting) return
    this.#hang(`no request, no sleep and no timer for ${String(hangMs / 1000)} s`)
  }

  /** Waits for timers and sockets that the scenario left behind, since they can lead to requests. */
  async linger(): Promise<void> {
    const endMs = realMs() + hangMs
    let quiet = 0
    while (quiet < lingerTurns && realMs() < endMs) {
      quiet = this.#isWaiting ? 0 : quiet + 1
      await (quiet === 0 ? realDelay(5) : nextTurn())
    }
  }

  /** Waits for the responses to requests that the scenario sent before it settled. */
  async drain(): Promise<void> {
    while (this.inFlight > 0 && this.idleMs < hangMs) await nextTurn()
  }
}

// One run of a scenario in this process: its end, and the detection of a hang.
import type { ApiResponse, Call } from '../../mock/requests/call.ts'
import type { PlannedFault } from '../../mock/faults/fault-spec.ts'
import type { Sandbox } from '../../mock/sandboxes/sandbox.ts'
import type { Ended } from './runner.ts'
import { TimedLife } from './timed-life.ts'
import {
  findFakeClock,
  waitForTurn,
  countOtherResources,
  waitRealTime,
  readRealMs,
  type OwnTimers,
} from './timers.ts'

/**
 * A scenario hangs after this real time without a request, a sleep or a timer. Where sockets cannot be observed, as in
 * browsers, it is longer than the longest wait of a backoff schedule.
 */
const hangMs = countOtherResources() === undefined ? 10_000 : 1000
/** Real time after which a run counts as hanging, whatever it waits for. */
const longestMs = 60_000
/** Turns of the event loop after the first run, in which requests that the scenario did not await can arrive. */
const lingerTurns = 20
/** Sleeps and timers without a request after which a scenario waits for ever: so many within a time, or in all. */
const mostWakes = { count: 20_000, elapsedMs: 3_600_000, inAll: 1_000_000 }

export class Run extends TimedLife {
  readonly ended: Promise<Ended>
  readonly #timers: OwnTimers
  readonly #mostRequests: number
  readonly #beganMs = readRealMs()
  readonly #resources = countOtherResources() ?? 0
  #settle: (ended: Ended) => void = () => undefined
  #lastMs = this.#beganMs
  requests = 0
  #wakes = 0
  #elapsedMs = 0

  constructor(sandbox: Sandbox, fault: PlannedFault | null, mostRequests: number, timers: OwnTimers) {
    super(sandbox, fault)
    this.#mostRequests = mostRequests
    this.#timers = timers
    this.ended = new Promise((resolve) => (this.#settle = resolve))
    const error = new Error('the client was stopped')
    void this.stopped.then(() => this.#settle({ outcome: 'stopped', error }))
  }

  get idleMs(): number {
    return readRealMs() - this.#lastMs
  }

  protected override pass(ms: number): void {
    this.#elapsedMs += ms
    if (ms > 0) this.sandbox.store.clock.advance(ms)
    this.#wakes += 1
    this.#noteActivity()
    const { count, elapsedMs, inAll } = mostWakes
    if ((this.#wakes > count && this.#elapsedMs > elapsedMs) || this.#wakes > inAll)
      this.#hang(`it waited ${String(this.#wakes)} times without a request`)
  }

  override async respond(call: Call): Promise<ApiResponse> {
    this.requests += 1
    this.#wakes = this.#elapsedMs = 0
    this.#noteActivity()
    if (this.requests > this.#mostRequests)
      this.#hang(`it made ${String(this.#mostRequests)} requests without ending`)
    try {
      return await super.respond(call)
    } finally {
      this.#noteActivity()
    }
  }

  /** Waits on the clock of the run with a response that is ready: its request is no longer in flight. */
  async waitForClock(ms: number): Promise<void> {
    this.inFlight -= 1
    await this.sleep(ms)
    this.inFlight += 1
  }

  #noteActivity(): void {
    this.activity += 1
    this.#lastMs = readRealMs()
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

  get #isWaiting(): boolean {
    return this.#timers.pending > 0 || (countOtherResources() ?? 0) > this.#resources
  }

  /** Called periodically: ends the run if it makes no progress. */
  watch(): void {
    if (findFakeClock()) this.startTime()
    if (readRealMs() - this.#beganMs > longestMs) this.#hang(`${String(longestMs / 1000)} s have passed`)
    if (this.idleMs < hangMs || this.isAwaited || this.#isWaiting) return
    this.#hang(`no request, no sleep and no timer for ${String(hangMs / 1000)} s`)
  }

  /** Waits for timers and sockets that the scenario left behind, since they can lead to requests. */
  async linger(): Promise<void> {
    const endMs = readRealMs() + hangMs
    let quiet = 0
    while (quiet < lingerTurns && readRealMs() < endMs) {
      quiet = this.#isWaiting ? 0 : quiet + 1
      await (quiet === 0 ? waitRealTime(5) : waitForTurn())
    }
  }

  /** Waits for the responses to requests that the scenario sent before it settled. */
  async drain(): Promise<void> {
    while (this.inFlight > 0 && this.idleMs < hangMs) await waitForTurn()
  }
}

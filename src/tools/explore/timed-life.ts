// The time of a life in this process: sleepers and fake timers wake in the order of their times, and only when no request
// is in flight.
import { Life } from './life.ts'
import { findFakeClock, findFirstTimer, waitForTurn, waitRealTime, type FakeClock } from './timers.ts'

interface Sleeper {
  readonly wakeMs: number
  readonly wake: () => void
  /** Whether it only limits other waits: time does not pass for it alone. */
  readonly isLimit: boolean
}

/**
 * Turns of the event loop without activity after which nothing more is on its way: requests that pass an interceptor
 * take longer than direct ones.
 */
const quietTurns = { intercepted: 10, direct: 2 }
/** Turns of the event loop after which a request in flight is assumed to wait for a timer. */
const stuckTurns = 100
/** Longest wait that timers support. */
const longestMs = 2_147_483_647
/** Turns after which the checks are made once a millisecond instead of at every turn of the event loop. */
const busyTurns = 200

export abstract class TimedLife extends Life {
  /** Whether requests arrive other than through the `fetch` of the context. */
  isIntercepted = false
  /** Changes with each request, response and wake-up. */
  protected activity = 0
  readonly #sleepers: Sleeper[] = []
  #elapsedMs = 0
  #isPumping = false
  #hasEnded = false
  /** The fake clock that this run controls, with its former mode and time. */
  #taken:
    { readonly clock: FakeClock; readonly mode: FakeClock['tickMode']; readonly now: number } | undefined

  /** Called when a sleeper or timer wakes, after `ms`. */
  protected abstract pass(ms: number): void

  protected get isAwaited(): boolean {
    const fake = findFakeClock()
    return this.#isSlept || (fake !== undefined && findFirstTimer(fake) !== undefined)
  }

  get #isSlept(): boolean {
    return this.#sleepers.some(({ isLimit }) => !isLimit)
  }

  /**
   * Waits on the time of the run; an invalid duration counts as 0, as with timers.
   * @param isLimit whether it only limits another wait, as the signal of a time limit does
   */
  sleep(ms: number, isLimit = false): Promise<void> {
    const waitMs = ms > 0 && ms <= longestMs ? ms : 0
    return new Promise((resolve) => {
      this.#sleepers.push({ wakeMs: this.#elapsedMs + waitMs, wake: resolve, isLimit })
      // The sort is stable: sleepers with the same time wake in the order of their calls.
      this.#sleepers.sort((a, b) => a.wakeMs - b.wakeMs)
      this.startTime()
    })
  }

  startTime(): void {
    if (this.#isPumping || this.#hasEnded) return
    this.#isPumping = true
    this.#takeOver()
    void this.#pump()
  }

  endTime(): void {
    this.#hasEnded = true
    const taken = this.#taken
    if (!taken) return
    taken.clock.setSystemTime(taken.now)
    if (taken.mode) taken.clock.setTickMode?.(taken.mode)
  }

  async #pump(): Promise<void> {
    let quiet = 0
    let seen = this.activity
    for (;;) {
      await (quiet > busyTurns ? waitRealTime(1) : waitForTurn())
      if (this.#hasEnded) break
      const fake = this.#takeOver()
      const hasJobs = fake?.jobs !== undefined && fake.jobs.length > 0
      if (hasJobs) fake.runMicrotasks?.()
      quiet = hasJobs || seen !== this.activity ? 0 : quiet + 1
      seen = this.activity
      if (this.#fireDue(fake)) quiet = 0
      const enough = this.isIntercepted ? quietTurns.intercepted : quietTurns.direct
      if (quiet < (this.inFlight > 0 ? stuckTurns : enough)) continue
      if (this.#wakeNext(fake)) quiet = 0
      else if (!fake) break
    }
    this.#isPumping = false
  }

  /** Switches off the automatic advance of a fake clock, which ignores requests in flight. */
  #takeOver(): FakeClock | undefined {
    const fake = findFakeClock()
    if (fake && this.#taken?.clock !== fake) {
      this.#taken = { clock: fake, mode: fake.tickMode, now: fake.now }
      fake.setTickMode?.({ mode: 'manual' })
    }
    return fake
  }

  /** Fires a fake timer that is due already, such as an immediate. */
  #fireDue(fake: FakeClock | undefined): boolean {
    const first = fake && findFirstTimer(fake)
    if (!fake || first === undefined || first > fake.now) return false
    this.pass(0)
    fake.next()
    return true
  }

  #wakeNext(fake: FakeClock | undefined): boolean {
    const timer = fake && findFirstTimer(fake)
    if (!this.#isSlept && timer === undefined) return false
    const [sleeper] = this.#sleepers
    const sleepMs = sleeper ? Math.max(0, sleeper.wakeMs - this.#elapsedMs) : Infinity
    const timerMs = fake && timer !== undefined ? Math.max(0, timer - fake.now) : Infinity
    const ms = Math.min(sleepMs, timerMs)
    this.#elapsedMs += ms
    this.pass(ms)
    if (sleepMs > timerMs) {
      fake?.next()
      return true
    }
    this.#sleepers.shift()
    // Advances Date by the same time before the sleeper resumes.
    if (ms > 0) fake?.tick(ms)
    sleeper?.wake()
    return true
  }
}

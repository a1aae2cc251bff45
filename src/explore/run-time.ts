// The time of a run: sleepers and fake timers wake in the order of their times, and only when no request is in flight.
import { fakeClock, firstTimer, nextTurn, realDelay, type FakeClock } from './timers.ts'

interface Sleeper {
  readonly wakeMs: number
  readonly wake: () => void
}

/** What the time of a run depends on. */
export interface RunTimeHost {
  /** Requests in flight. */
  readonly inFlight: number
  /** Changes whenever something happens. */
  readonly activity: number
  /** Turns of the event loop without activity after which nothing more is on its way. */
  readonly quietTurns: number
  /** Moves the clock of the run. */
  advance(ms: number): void
  /** Called at each wake-up. */
  step(): void
}

/** Turns after which a request in flight is assumed to wait for a timer. */
const stuckTurns = 100
/** Longest wait that timers know. */
const longestMs = 2_147_483_647
/** Turns after which it checks once a millisecond, no longer at every turn of the event loop. */
const busyTurns = 200

export class RunTime {
  readonly #host: RunTimeHost
  readonly #sleepers: Sleeper[] = []
  #elapsedMs = 0
  #isPumping = false
  #hasEnded = false
  /** The mode that a fake clock was in before this run took it over, and its moment. */
  #taken:
    { readonly clock: FakeClock; readonly mode: FakeClock['tickMode']; readonly now: number } | undefined

  constructor(host: RunTimeHost) {
    this.#host = host
  }

  /** Whether anything waits for time to pass. */
  get isAwaited(): boolean {
    const fake = fakeClock()
    return this.#sleepers.length > 0 || (fake !== undefined && firstTimer(fake) !== undefined)
  }

  /** Waits on the time of the run; what is no length of time waits as a timer would. */
  sleep(ms: number): Promise<void> {
    const waitMs = ms > 0 && ms <= longestMs ? ms : 0
    return new Promise((resolve) => {
      this.#sleepers.push({ wakeMs: this.#elapsedMs + waitMs, wake: resolve })
      // Those of the same time stay in the order of their calls.
      this.#sleepers.sort((a, b) => a.wakeMs - b.wakeMs)
      this.start()
    })
  }

  /** Begins to wake sleepers and to fire fake timers. */
  start(): void {
    if (this.#isPumping || this.#hasEnded) return
    this.#isPumping = true
    this.#takeOver()
    void this.#pump()
  }

  end(): void {
    this.#hasEnded = true
    const taken = this.#taken
    if (!taken) return
    taken.clock.setSystemTime(taken.now)
    if (taken.mode) taken.clock.setTickMode?.(taken.mode)
  }

  async #pump(): Promise<void> {
    let quiet = 0
    let seen = this.#host.activity
    while (!this.#hasEnded) {
      await (quiet > busyTurns ? realDelay(1) : nextTurn())
      if (this.#hasEnded) break
      const fake = this.#takeOver()
      if (fake?.jobs && fake.jobs.length > 0) {
        fake.runMicrotasks?.()
        quiet = 0
      }
      if (seen !== this.#host.activity) {
        seen = this.#host.activity
        quiet = 0
      } else quiet += 1
      if (this.#fireDue(fake)) quiet = 0
      const { inFlight, quietTurns } = this.#host
      if (quiet < (inFlight > 0 ? stuckTurns : quietTurns)) continue
      if (this.#wakeNext(fake)) quiet = 0
      else if (!fake) break
    }
    this.#isPumping = false
  }

  /** Stops the clock's own way of advancing, which knows nothing of requests in flight. */
  #takeOver(): FakeClock | undefined {
    const fake = fakeClock()
    if (fake && this.#taken?.clock !== fake) {
      this.#taken = { clock: fake, mode: fake.tickMode, now: fake.now }
      fake.setTickMode?.({ mode: 'manual' })
    }
    return fake
  }

  /** Fires a fake timer that waits for no time, such as an immediate. */
  #fireDue(fake: FakeClock | undefined): boolean {
    const first = fake && firstTimer(fake)
    if (!fake || first === undefined || first > fake.now) return false
    this.#host.step()
    fake.next()
    return true
  }

  #wakeNext(fake: FakeClock | undefined): boolean {
    const [sleeper] = this.#sleepers
    const timer = fake && firstTimer(fake)
    if (!sleeper && (!fake || timer === undefined)) return false
    const sleepMs = sleeper ? Math.max(0, sleeper.wakeMs - this.#elapsedMs) : Infinity
    const timerMs = fake && timer !== undefined ? Math.max(0, timer - fake.now) : Infinity
    const ms = Math.min(sleepMs, timerMs)
    this.#elapsedMs += ms
    this.#host.advance(ms)
    this.#host.step()
    if (sleepMs > timerMs) {
      fake?.next()
      return true
    }
    this.#sleepers.shift()
    // Date moves as far before the sleeper resumes.
    if (ms > 0) fake?.tick(ms)
    sleeper?.wake()
    return true
  }
}

// Waits on the clock of a sandbox: sleepers wake in the order of their times, and only when nothing else happens.
import { waitForTurn, waitRealTime } from './real-time.ts'

/** What a wait depends on. */
interface SleepConditions {
  /** Changes with each request and each response. */
  readonly activity: () => number
  /** How many requests have no response yet. */
  readonly inFlight: () => number
  /** Turns of the event loop without activity after which nothing more is on its way. */
  readonly quietTurns: () => number
  /** The same while a request is in flight, which then waits for something else. */
  readonly stuckTurns: number
  /** Moves the clock, right before what waited for it resumes. */
  readonly pass: (ms: number) => void
  /** Fake timers that wait on the same clock, if there are some now. */
  readonly timers?: () => TimersOnClock | undefined
}

export interface TimersOnClock {
  /** Fires one that is due already, such as an immediate. @returns whether there was one */
  fireDue(): boolean
  /** Milliseconds until the first; undefined if there is none. */
  untilFirst(): number | undefined
  fireFirst(): void
  advance(ms: number): void
}

interface Sleeper {
  readonly wakeMs: number
  readonly wake: () => void
  readonly fail: (error: unknown) => void
  /** Whether it only limits other waits: time does not pass for it alone. */
  readonly isLimit: boolean
}

/** Turns after which the checks are made once a millisecond instead of at every turn of the event loop. */
const busyTurns = 200

export class Sleepers {
  readonly #conditions: SleepConditions
  readonly #sleepers: Sleeper[] = []
  #elapsedMs = 0
  #isPumping = false
  #hasEnded = false

  constructor(conditions: SleepConditions) {
    this.#conditions = conditions
  }

  get count(): number {
    return this.#sleepers.length
  }

  get areSleeping(): boolean {
    return this.#sleepers.some(({ isLimit }) => !isLimit)
  }

  /**
   * Waits for milliseconds. Sleepers with the same time wake in the order of their calls.
   * @param isLimit whether it only limits another wait, as the signal of a time limit does
   */
  sleep(ms: number, isLimit = false): Promise<void> {
    return new Promise((wake, fail) => {
      const wakeMs = this.#elapsedMs + ms
      const last = this.#sleepers.at(-1)
      const next =
        !last || last.wakeMs <= wakeMs ? -1 : this.#sleepers.findIndex((one) => one.wakeMs > wakeMs)
      this.#sleepers.splice(next === -1 ? this.#sleepers.length : next, 0, { wakeMs, wake, fail, isLimit })
      this.start()
    })
  }

  /** Lets time pass until nobody sleeps. */
  start(): void {
    if (this.#isPumping || this.#hasEnded) return
    this.#isPumping = true
    // The first wait ends at once: fake timers that advance by themselves stop doing so.
    this.#conditions.timers?.()
    void this.#pump()
  }

  /** From now on nobody wakes. */
  end(): void {
    this.#hasEnded = true
    this.#sleepers.length = 0
  }

  async #pump(): Promise<void> {
    const { activity, inFlight, quietTurns, stuckTurns, timers: timersNow } = this.#conditions
    let quiet = 0
    let seen = activity()
    for (;;) {
      await (quiet > busyTurns ? waitRealTime(1) : waitForTurn())
      if (this.#hasEnded) break
      const timers = timersNow?.()
      const hasFired = timers?.fireDue() === true
      quiet = hasFired || seen !== activity() ? 0 : quiet + 1
      seen = activity()
      if (quiet < (inFlight() > 0 ? stuckTurns : quietTurns())) continue
      if (this.#wakeNext(timers)) quiet = 0
      else if (!timers) break
    }
    this.#isPumping = false
  }

  #wakeNext(timers: TimersOnClock | undefined): boolean {
    const untilTimer = timers?.untilFirst()
    if (!this.areSleeping && untilTimer === undefined) return false
    const timerMs = untilTimer ?? Infinity
    const [sleeper] = this.#sleepers
    const sleepMs = sleeper ? Math.max(0, sleeper.wakeMs - this.#elapsedMs) : Infinity
    const ms = Math.min(sleepMs, timerMs)
    this.#elapsedMs += ms
    const isTimerFirst = sleepMs > timerMs
    if (!isTimerFirst) this.#sleepers.shift()
    try {
      this.#conditions.pass(ms)
    } catch (error) {
      // The clock has an end.
      sleeper?.fail(error)
      return true
    }
    if (isTimerFirst) timers?.fireFirst()
    else {
      // Advances Date by the same time before the sleeper resumes.
      if (ms > 0) timers?.advance(ms)
      sleeper?.wake()
    }
    return true
  }
}

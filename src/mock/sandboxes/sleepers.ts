// Waits on a sandbox's clock: sleepers wake in order of their times, and only when nothing else happens.
import { readRealMs, waitForTurn, waitRealTime } from './real-time.ts'
import { WakeOrder } from './wake-order.ts'

/** What a wait depends on. */
interface SleepConditions {
  /** Changes with each request and each response. */
  readonly activity: () => number
  /** Number of requests without a response. */
  readonly inFlight: () => number
  /** Event-loop turns without activity after which nothing more is expected. */
  readonly quietTurns: () => number
  /** Replaces `quietTurns` while a request is in flight, because the request then waits for something else. */
  readonly stuckTurns: number
  /** Moves the clock, right before the sleeper resumes. */
  readonly pass: (ms: number) => void
  /** Minimum time that passes per wake, 0 by default. It keeps endless short waits from holding up longer ones. */
  readonly leastStepMs?: () => number
  /** Whether work without a timer, such as reading a file, seems to be going on. The clock waits briefly for it. */
  readonly isWorking?: () => boolean
  /** Fake timers that wait on the same clock, if there are any now. */
  readonly timers?: () => TimersOnClock | undefined
}

export interface TimersOnClock {
  /** Fires a timer that is already due, such as an immediate. @returns whether there was one */
  fireDue(): boolean
  /** Milliseconds until the next timer; undefined if there is none. */
  untilFirst(): number | undefined
  fireFirst(): void
  advance(ms: number): void
  /** Advances the time; each timer fires at most once. */
  jump(ms: number): void
}

interface Sleeper {
  readonly wakeMs: number
  readonly wake: () => void
  readonly fail: (error: unknown) => void
  /** Whether it only limits other waits. Time does not advance for it alone. */
  readonly isLimit: boolean
}

/** Number of turns after which the checks run once a millisecond instead of on every turn of the event loop. */
const busyTurns = 200
/** Maximum real time that the clock waits for work without a timer, if nothing else happens. */
const longestWorkMs = 1000

export class Sleepers {
  readonly #conditions: SleepConditions
  readonly #sleepers = new WakeOrder<Sleeper>()
  /** Number of sleepers that only limit other waits. */
  #limits = 0
  #elapsedMs = 0
  #isPumping = false
  #hasEnded = false

  constructor(conditions: SleepConditions) {
    this.#conditions = conditions
  }

  get count(): number {
    return this.#sleepers.size
  }

  get areSleeping(): boolean {
    return this.#sleepers.size > this.#limits
  }

  /**
   * Waits for milliseconds. Sleepers with the same time wake in the order of their calls.
   * @param isLimit whether it only limits another wait, as a timeout signal does
   */
  sleep(ms: number, isLimit = false): Promise<void> {
    return new Promise((wake, fail) => {
      this.#sleepers.add({ wakeMs: this.#elapsedMs + ms, wake, fail, isLimit })
      if (isLimit) this.#limits += 1
      this.start()
    })
  }

  /** Lets time pass until no sleeper is left. */
  start(): void {
    if (this.#isPumping || this.#hasEnded) return
    this.#isPumping = true
    // Takes over fake timers that advance by themselves, before they can fire.
    this.#conditions.timers?.()
    void this.#pump()
  }

  /** Ends the clock: no sleeper wakes from now on. */
  end(): void {
    this.#hasEnded = true
    this.#sleepers.clear()
    this.#limits = 0
  }

  async #pump(): Promise<void> {
    const { activity, inFlight, quietTurns, stuckTurns, isWorking, timers: timersNow } = this.#conditions
    let quiet = 0
    let workedMs = 0
    let seen = activity()
    for (;;) {
      await (quiet > busyTurns ? waitRealTime(1) : waitForTurn())
      if (this.#hasEnded) break
      const timers = timersNow?.()
      const hasFired = timers?.fireDue() === true
      const isActive = hasFired || seen !== activity()
      quiet = isActive ? 0 : quiet + 1
      if (isActive) workedMs = 0
      seen = activity()
      if (quiet < (inFlight() > 0 ? stuckTurns : quietTurns())) continue
      if (workedMs < longestWorkMs && isWorking?.() === true) {
        const sinceMs = readRealMs()
        await waitRealTime(1)
        workedMs += readRealMs() - sinceMs
        // Counts turns anew, because the work may have resumed other code.
        quiet = 0
        continue
      }
      if (this.#wakeNext(timers)) quiet = 0
      else if (!timers) break
    }
    this.#isPumping = false
  }

  #wakeNext(timers: TimersOnClock | undefined): boolean {
    const untilTimer = timers?.untilFirst()
    if (!this.areSleeping && untilTimer === undefined) return false
    const timerMs = untilTimer ?? Infinity
    const sleeper = this.#sleepers.first
    const sleepMs = sleeper ? Math.max(0, sleeper.wakeMs - this.#elapsedMs) : Infinity
    const firstMs = Math.min(sleepMs, timerMs)
    const ms = Math.max(firstMs, this.#conditions.leastStepMs?.() ?? 0)
    this.#elapsedMs += ms
    const isTimerFirst = sleepMs > timerMs
    if (!isTimerFirst && sleeper) {
      this.#sleepers.shift()
      if (sleeper.isLimit) this.#limits -= 1
    }
    try {
      this.#conditions.pass(ms)
    } catch (error) {
      // The clock cannot move past its latest time.
      sleeper?.fail(error)
      return true
    }
    if (ms > firstMs) timers?.jump(ms)
    else if (isTimerFirst) timers?.fireFirst()
    // Advances Date by the same time before the sleeper resumes.
    else if (ms > 0) timers?.advance(ms)
    if (!isTimerFirst) sleeper?.wake()
    return true
  }
}

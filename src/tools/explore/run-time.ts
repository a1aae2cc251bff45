// A run's time. Sleeps, delayed responses and a test's fake timers wait on one clock, which takes no real time.
import {
  Sleepers,
  findFakeClock,
  readRealMs,
  type FakeClock,
  type FakeTimer,
  type TimersOnClock,
} from '../../mock/explorable.ts'
import { ProcessActivity } from './process-activity.ts'
import { RunTimers } from './timers.ts'

const quietTurns = { intercepted: 10, direct: 2 }
/** Turns of the event loop after which a request in flight is assumed to wait for a timer. */
const stuckTurns = 100
/** The clock's step while a client that waits for a delayed response sets one 0 ms timer after another. */
const coarseStepMs = 1000
/** Longest wait that timers support. */
const longestSleepMs = 2_147_483_647

interface TimedRun {
  readonly inFlight: number
  readonly isRepeating: boolean
  /** Called with the milliseconds the clock has moved; 0 if a fake timer was already due. */
  pass(ms: number): void
}

export class RunTime {
  /** Its real timers. */
  readonly timers = new RunTimers()
  readonly process = new ProcessActivity()
  readonly sleepers: Sleepers
  readonly #fakeTimers: FakeTimers
  /** Whether requests arrive by interception rather than through the context's `fetch`. */
  isIntercepted = false
  /** Changes with each request, response and wake-up. */
  activity = 0
  #lastMs = readRealMs()
  /** How many responses are waiting on the clock. */
  #delayed = 0

  constructor(run: TimedRun) {
    this.#fakeTimers = new FakeTimers(() => run.pass(0))
    this.sleepers = new Sleepers({
      activity: () => this.activity,
      inFlight: () => run.inFlight,
      quietTurns: () => this.quietTurns,
      stuckTurns,
      leastStepMs: () => (this.#delayed > 0 && run.isRepeating ? coarseStepMs : 0),
      pass: (ms) => run.pass(ms),
      // The client may still be reading the body of a request in flight, for instance from a file.
      isWorking: () => run.inFlight > 0 || this.process.isReading,
      timers: () => this.#fakeTimers.take(),
    })
  }

  get quietTurns(): number {
    return this.isIntercepted ? quietTurns.intercepted : quietTurns.direct
  }

  noteActivity(): void {
    this.activity += 1
    this.#lastMs = readRealMs()
  }

  /** Real time since the last request, response or wake-up. */
  get idleMs(): number {
    return readRealMs() - this.#lastMs
  }

  /** Whether anything waits on this clock. */
  get isAwaited(): boolean {
    return this.sleepers.areSleeping || this.#fakeTimers.take()?.untilFirst() !== undefined
  }

  /** Waits on this clock. An invalid duration is treated as 0, as timers do. */
  sleep(ms: number): Promise<void> {
    return this.sleepers.sleep(ms > 0 && ms <= longestSleepMs ? ms : 0)
  }

  /** Delays a response that is ready. */
  async delay(ms: number): Promise<void> {
    this.#delayed += 1
    await this.sleepers.sleep(ms)
    this.#delayed -= 1
  }

  /** Makes fake timers wait on this clock, if the test has installed any by now. */
  takeFakeTimers(): void {
    if (findFakeClock()) this.sleepers.start()
  }

  /** Ends all waits: nothing wakes any more. */
  end(): void {
    this.sleepers.end()
    this.#fakeTimers.release()
  }
}

/** A test's fake clock, and its state before a run took it over. */
interface TakenClock {
  readonly clock: FakeClock
  readonly mode: FakeClock['tickMode']
  readonly now: number
  readonly before: ReadonlySet<number>
}

const listTimers = ({ timers = {} }: FakeClock): readonly (readonly [id: number, timer: FakeTimer])[] =>
  (timers instanceof Map ? [...timers] : Object.entries(timers)).map(([id, timer]: [unknown, FakeTimer]) => [
    Number(timer.id ?? id),
    timer,
  ])

class FakeTimers implements TimersOnClock {
  readonly #onFire: () => void
  #taken: TakenClock | undefined

  /** @param onFire called when a timer that is already due fires */
  constructor(onFire: () => void) {
    this.#onFire = onFire
  }

  /** Takes over the fake clock and switches off its automatic advance, which ignores requests in flight. */
  take(): this | undefined {
    const clock = findFakeClock()
    if (clock && this.#taken?.clock !== clock) {
      const before = new Set(listTimers(clock).map(([id]) => id))
      this.#taken = { clock, mode: clock.tickMode, now: clock.now, before }
      clock.setTickMode?.({ mode: 'manual' })
    }
    return clock && this
  }

  /** Restores the fake clock and clears the timers the run has set. */
  release(): void {
    if (!this.#taken) return
    const { clock, mode, now, before } = this.#taken
    for (const [id, { type }] of listTimers(clock))
      if (before.has(id)) continue
      else if (type === 'Immediate') clock.clearImmediate?.(id)
      else if (type === 'Timeout' || type === 'Interval') clock.clearTimeout?.(id)
    clock.setSystemTime(now)
    if (mode) clock.setTickMode?.(mode)
  }

  #firstAt(): number | undefined {
    let first: number | undefined
    // Builds no list, since this runs on every turn of the event loop.
    const { timers = {} } = this.#taken?.clock ?? {}
    const pending: Iterable<FakeTimer> = timers instanceof Map ? timers.values() : Object.values(timers)
    for (const { callAt } of pending) if (first === undefined || callAt < first) first = callAt
    return first
  }

  untilFirst(): number | undefined {
    const at = this.#firstAt()
    return at === undefined ? undefined : Math.max(0, at - (this.#taken?.clock.now ?? 0))
  }

  fireDue(): boolean {
    const clock = this.#taken?.clock
    if (!clock) return false
    const hasJobs = clock.jobs !== undefined && clock.jobs.length > 0
    if (hasJobs) clock.runMicrotasks?.()
    if (this.untilFirst() !== 0) return hasJobs
    this.#onFire()
    clock.next()
    return true
  }

  fireFirst(): void {
    this.#taken?.clock.next()
  }

  advance(ms: number): void {
    this.#taken?.clock.tick(ms)
  }

  jump(ms: number): void {
    const clock = this.#taken?.clock
    if (clock?.jump) clock.jump(ms)
    else clock?.tick(ms)
  }
}

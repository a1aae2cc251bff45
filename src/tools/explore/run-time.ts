// The time of a run: sleepers, late responses and the fake timers of a test wait on one clock, which takes no real time.
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
/** The clock's step when a client sets one 0 ms timer after another while it waits for a late response. */
const coarseStepMs = 1000
/** Longest wait that timers support. */
const longestSleepMs = 2_147_483_647

interface TimedRun {
  readonly inFlight: number
  readonly isRepeating: boolean
  /** Called when the clock has moved, by 0 for a fake timer that was due already. */
  pass(ms: number): void
}

export class RunTime {
  /** Its real timers. */
  readonly timers = new RunTimers()
  readonly process = new ProcessActivity()
  readonly sleepers: Sleepers
  readonly #fakeTimers: FakeTimers
  /** Whether requests arrive other than through the `fetch` of the context. */
  isIntercepted = false
  /** Changes with each request, response and wake-up. */
  activity = 0
  #lastMs = readRealMs()
  /** How many responses wait on the clock. */
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
      // The body of a request in flight is still being read, from a file perhaps.
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

  /** Whether somebody waits on the clock of the run. */
  get isAwaited(): boolean {
    return this.sleepers.areSleeping || this.#fakeTimers.take()?.untilFirst() !== undefined
  }

  /** An invalid duration counts as 0, as with timers. */
  sleep(ms: number): Promise<void> {
    return this.sleepers.sleep(ms > 0 && ms <= longestSleepMs ? ms : 0)
  }

  /** Waits with a response that is ready. */
  async delay(ms: number): Promise<void> {
    this.#delayed += 1
    await this.sleepers.sleep(ms)
    this.#delayed -= 1
  }

  /** Lets the fake timers of a test wait on this clock, if there are any now. */
  takeFakeTimers(): void {
    if (findFakeClock()) this.sleepers.start()
  }

  /** From now on nobody wakes. */
  end(): void {
    this.sleepers.end()
    this.#fakeTimers.release()
  }
}

/** The fake timers of a test, as they were before a run took them over. */
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

  /** @param onFire called when a timer fires that is due already */
  constructor(onFire: () => void) {
    this.#onFire = onFire
  }

  /** Switches off the automatic advance of a fake clock, which ignores requests in flight. */
  take(): this | undefined {
    const clock = findFakeClock()
    if (clock && this.#taken?.clock !== clock) {
      const before = new Set(listTimers(clock).map(([id]) => id))
      this.#taken = { clock, mode: clock.tickMode, now: clock.now, before }
      clock.setTickMode?.({ mode: 'manual' })
    }
    return clock && this
  }

  /** Puts the clock back to where it was, without the timers that the run has set. */
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
    // Without a list: this is asked at every turn of the event loop.
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

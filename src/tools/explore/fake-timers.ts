// The fake timers of a test during a run: they wait on its clock, and end with it.
import { findFakeClock, type FakeClock, type FakeTimer, type TimersOnClock } from '../../mock/explorable.ts'

type Listed = readonly [id: number, timer: FakeTimer]

const listTimers = ({ timers = {} }: FakeClock): Listed[] =>
  (timers instanceof Map ? [...timers] : Object.entries(timers)).map(([id, timer]: [unknown, FakeTimer]) => [
    Number(timer.id ?? id),
    timer,
  ])

export class FakeTimers implements TimersOnClock {
  readonly #onFire: () => void
  /** The clock that the run controls, with its mode, time and timers before. */
  #taken:
    | {
        readonly clock: FakeClock
        readonly mode: FakeClock['tickMode']
        readonly now: number
        readonly before: ReadonlySet<number>
      }
    | undefined

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
    const taken = this.#taken
    if (!taken) return
    const { clock, mode, now, before } = taken
    for (const [id, { type }] of listTimers(clock))
      if (!before.has(id)) {
        if (type === 'Immediate') clock.clearImmediate?.(id)
        else if (type === 'Timeout' || type === 'Interval') clock.clearTimeout?.(id)
      }
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
    const first = this.#firstAt()
    if (first === undefined || first > clock.now) return hasJobs
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
}

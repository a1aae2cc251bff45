// Real timers, even where a test has faked them, and access to the fake clock of vitest, jest or sinon.

interface FakeTimer {
  readonly callAt: number
}

/** The part of @sinonjs/fake-timers' clock that is used here. */
export interface FakeClock {
  readonly now: number
  /** Timers by id: an object, in later versions a map. */
  readonly timers?: Readonly<Record<string, FakeTimer>> | ReadonlyMap<unknown, FakeTimer>
  readonly jobs?: readonly unknown[]
  readonly tickMode?: { readonly mode: string; readonly delta?: number }
  setTickMode?(mode: { readonly mode: string; readonly delta?: number }): void
  /** Advances to the first timer and fires it. */
  next(): number
  tick(ms: number): number
  runMicrotasks?(): void
  setSystemTime(now: number): void
  readonly _setTimeout?: typeof globalThis.setTimeout
  readonly _setImmediate?: (callback: () => void) => unknown
  readonly _performance?: Performance
}

/** The installed fake clock, if any. */
export function fakeClock(): FakeClock | undefined {
  const { clock } = globalThis.setTimeout as { clock?: Partial<FakeClock> }
  return typeof clock?.next === 'function' && typeof clock.tick === 'function'
    ? (clock as FakeClock)
    : undefined
}

/** The time at which the first timer of a fake clock fires, on that clock. */
export function firstTimer({ timers }: FakeClock): number | undefined {
  let first: number | undefined
  const pending = timers instanceof Map ? timers : new Map(Object.entries(timers ?? {}))
  for (const { callAt } of (pending as ReadonlyMap<unknown, FakeTimer>).values())
    if (first === undefined || callAt < first) first = callAt
  return first
}

/** Real time in milliseconds, from an arbitrary origin. */
export const realMs = (): number => (fakeClock()?._performance ?? globalThis.performance).now()

export function realTimeout(callback: () => void, ms: number): unknown {
  return (fakeClock()?._setTimeout ?? globalThis.setTimeout)(callback, ms)
}

export const realDelay = (ms: number) => new Promise<void>((resolve) => void realTimeout(resolve, ms))

type Immediate = (callback: () => void) => unknown

/** Waits for one turn of the event loop, in which everything that needs no timer runs. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: Immediate }
  const immediate = fakeClock()?._setImmediate ?? setImmediate
  return new Promise((resolve) => {
    if (immediate) immediate(resolve)
    else realTimeout(resolve, 0)
  })
}

/** Number of timers, sockets, files and child processes that this process waits for; undefined outside Node. */
export function activeResources(): number | undefined {
  const { process } = globalThis as { process?: { getActiveResourcesInfo?: () => readonly string[] } }
  return process?.getActiveResourcesInfo?.().length
}

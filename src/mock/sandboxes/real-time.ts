// Real time and event-loop turns, even where a test has faked the timers.

/** The members of @sinonjs/fake-timers' clock used here; members that some versions lack are optional. */
export interface FakeClock {
  readonly now: number
  /** Timers by id: an object, or a map in later versions. */
  readonly timers?: Readonly<Record<string, FakeTimer>> | ReadonlyMap<unknown, FakeTimer>
  readonly jobs?: readonly unknown[]
  readonly tickMode?: { readonly mode: string; readonly delta?: number }
  setTickMode?(mode: { readonly mode: string; readonly delta?: number }): void
  /** Advances to the next timer and fires it. */
  next(): number
  tick(ms: number): number
  jump?(ms: number): number
  runMicrotasks?(): void
  setSystemTime(now: number): void
  clearTimeout?(id: number): void
  clearImmediate?(id: number): void
  readonly _setTimeout?: typeof globalThis.setTimeout
  readonly _setImmediate?: (callback: () => void) => unknown
  readonly _performance?: Performance
}
export interface FakeTimer {
  readonly id?: number
  readonly callAt: number
  readonly type?: string
}

/** The fake clock of vitest, jest or sinon, if timers are currently faked. */
export function findFakeClock(): FakeClock | undefined {
  const { clock } = globalThis.setTimeout as { clock?: Partial<FakeClock> }
  const isKnown = typeof clock?.next === 'function' && typeof clock.tick === 'function'
  return isKnown ? (clock as FakeClock) : undefined
}

// The functions as they were when this module was loaded, so that later replacements have no effect.
const loaded = {
  fake: findFakeClock(),
  setTimeout: globalThis.setTimeout,
  setImmediate: (globalThis as { setImmediate?: (callback: () => void) => unknown }).setImmediate,
}
const setReal = loaded.fake?._setTimeout ?? loaded.setTimeout
const setTurn = loaded.fake ? loaded.fake._setImmediate : loaded.setImmediate
// eslint-disable-next-line no-restricted-properties -- not a time of the model
const readNow = performance.now.bind(loaded.fake?._performance ?? performance)

/** Real time in milliseconds, from an arbitrary origin. */
export const readRealMs = (): number => readNow()

export const setRealTimeout = (callback: () => void, ms: number): unknown => setReal(callback, ms)

export const waitRealTime = (ms: number) => new Promise<void>((resolve) => void setReal(resolve, ms))

/** Waits for one turn of the event loop; everything that needs no timer runs in it. */
export const waitForTurn = (): Promise<void> =>
  setTurn ? new Promise((resolve) => void setTurn(resolve)) : waitRealTime(0)

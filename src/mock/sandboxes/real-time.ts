// Real time and turns of the event loop, also where a test has faked the timers.

/** The part of @sinonjs/fake-timers' clock that is used here; what other versions lack is optional. */
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

/** The fake clock of vitest, jest or sinon, if the timers are faked now. */
export function findFakeClock(): FakeClock | undefined {
  const { clock } = globalThis.setTimeout as { clock?: Partial<FakeClock> }
  const isKnown = typeof clock?.next === 'function' && typeof clock.tick === 'function'
  return isKnown ? (clock as FakeClock) : undefined
}

// The functions as they are when this module is loaded, so that what replaces them later does not count.
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

/** Waits for one turn of the event loop, in which everything that needs no timer runs. */
export const waitForTurn = (): Promise<void> =>
  setTurn ? new Promise((resolve) => void setTurn(resolve)) : waitRealTime(0)

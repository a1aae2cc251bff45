// Real timers, even where a test has faked them, and access to the fake clock of vitest, jest or sinon.

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
  runMicrotasks?(): void
  setSystemTime(now: number): void
  readonly _setTimeout?: typeof globalThis.setTimeout
  readonly _setImmediate?: (callback: () => void) => unknown
  readonly _performance?: Performance
}
interface FakeTimer {
  readonly callAt: number
}

export function findFakeClock(): FakeClock | undefined {
  const { clock } = globalThis.setTimeout as { clock?: Partial<FakeClock> }
  const isKnown = typeof clock?.next === 'function' && typeof clock.tick === 'function'
  return isKnown ? (clock as FakeClock) : undefined
}

/** The time at which the first timer of a fake clock fires, on that clock. */
export function findFirstTimer({ timers = {} }: FakeClock): number | undefined {
  const pending: Iterable<FakeTimer> = timers instanceof Map ? timers.values() : Object.values(timers)
  let first: number | undefined
  for (const { callAt } of pending) if (first === undefined || callAt < first) first = callAt
  return first
}

/** The functions that `OwnTimers` replaced, by their replacements. */
const originals = new WeakMap<object, object>()

/** Real time in milliseconds, from an arbitrary origin. */
export const readRealMs = (): number => (findFakeClock()?._performance ?? globalThis.performance).now()

export function setRealTimeout(callback: () => void, ms: number): unknown {
  const current = findFakeClock()?._setTimeout ?? globalThis.setTimeout
  const set = (originals.get(current) ?? current) as typeof current
  return set(callback, ms)
}

export const waitRealTime = (ms: number) => new Promise<void>((resolve) => void setRealTimeout(resolve, ms))

/** Waits for one turn of the event loop, in which everything that needs no timer runs. */
export function waitForTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown }
  const immediate = findFakeClock()?._setImmediate ?? setImmediate
  return immediate ? new Promise((resolve) => immediate(resolve)) : waitRealTime(0)
}

interface NodeProcess {
  readonly getActiveResourcesInfo?: () => readonly string[]
  readonly getBuiltinModule?: (id: string) => object | undefined
}
const { process: node } = globalThis as { process?: NodeProcess }

/** Those of the test runner come and go, too; the client's are counted by `OwnTimers`. */
const timerKinds: ReadonlySet<string> = new Set(['Timeout', 'Immediate'])

/** Number of sockets, files and child processes that this process waits for; undefined outside Node. */
export function countOtherResources(): number | undefined {
  return node?.getActiveResourcesInfo?.().filter((kind) => !timerKinds.has(kind)).length
}

type AnyFunction = (...args: never[]) => unknown

/** Real timers that a scenario sets, and time limits of its requests, which follow the clock of the run. */
export class OwnTimers {
  readonly #pending = new Set<unknown>()
  #undo: (() => void)[] = []
  #limit: (ms: number) => Promise<unknown> = () => Promise.resolve()

  /** Number of timers that were set, and have neither fired nor been cleared. */
  get pending(): number {
    return this.#pending.size
  }

  /** Begins to count the timers of a run. @param limit waits on its clock */
  watch(limit: (ms: number) => Promise<unknown>): void {
    this.#limit = limit
    this.#pending.clear()
    // Once for all runs, since it costs more than a run.
    if (this.#undo.length === 0) this.#install()
  }

  #install(): void {
    this.#replace(AbortSignal, 'timeout', () => (ms: number) => {
      const controller = new AbortController()
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      void this.#limit(ms).then(() => controller.abort(reason))
      return controller.signal
    })
    if (findFakeClock()) return
    this.#replace(globalThis, 'setTimeout', (set) => this.#countTimers(set, true))
    this.#replace(globalThis, 'setInterval', (set) => this.#countTimers(set, false))
    for (const name of ['clearTimeout', 'clearInterval'])
      this.#replace(globalThis, name, (clear) => (timer: never) => {
        this.#pending.delete(timer)
        clear(timer)
      })
    this.#replace(node?.getBuiltinModule?.('node:timers/promises'), 'setTimeout', (wait) => (...args) => {
      const waiting = (wait(...args) as Promise<unknown>).finally(() => this.#pending.delete(waiting))
      this.#pending.add(waiting)
      return waiting
    })
    this.#syncImports()
  }

  release(): void {
    for (const undo of this.#undo) undo()
    this.#undo = []
    this.#syncImports()
  }

  /** A function that sets a timer, which counts until it has fired. */
  #countTimers(set: AnyFunction, isOnce: boolean): AnyFunction {
    return (callback: AnyFunction, ...args) => {
      const fire = (...given: never[]) => {
        if (isOnce) this.#pending.delete(timer)
        return callback(...given)
      }
      const timer = set(fire as never, ...args)
      this.#pending.add(timer)
      return timer
    }
  }

  #replace(owner: object | undefined, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
    if (!owner) return
    const original = Reflect.get(owner, name) as AnyFunction
    // With what else it has, such as the variant for promisify.
    const replaced = Object.defineProperties(wrap(original), Object.getOwnPropertyDescriptors(original))
    Reflect.set(owner, name, replaced)
    originals.set(replaced, original)
    // Not if it was faked meanwhile: the fake puts back what it found.
    this.#undo.push(() => {
      if (Reflect.get(owner, name) === replaced) Reflect.set(owner, name, original)
    })
  }

  /** Lets `import { setTimeout } from 'node:timers/promises'` follow. */
  #syncImports(): void {
    const module: { syncBuiltinESMExports?: () => void } | undefined = node?.getBuiltinModule?.('node:module')
    module?.syncBuiltinESMExports?.()
  }
}

// Counts the real timers a scenario sets, so that its run can wait for them, and drops them if it is stopped or hangs.
import { findFakeClock } from '../../mock/explorable.ts'
import { node } from './process-activity.ts'

type AnyFunction = (...args: never[]) => unknown

/** Timers up to this long are awaited at the end of a run, since a module-level queue may depend on them. */
const shortMs = 50

/** The real timers of one run. */
export class RunTimers {
  /** Pending timers with their durations. */
  readonly pending = new Map<unknown, number>()
  fired = 0
  areDropped = false

  get hasShort(): boolean {
    return [...this.pending.values()].some((ms) => ms <= shortMs)
  }
}

interface TimedRun {
  readonly time: { readonly timers: RunTimers }
  /** Waits on the run's clock, as a time limit for another wait. */
  readonly limit: (ms: number) => Promise<unknown>
}

interface Observer {
  /** Called with each request sent by the global fetch. */
  readonly onFetch: (input: Request | URL | string, init?: RequestInit) => void
  /** Called with everything printed to the console. */
  readonly onPrint: (values: readonly unknown[]) => void
}

/**
 * Counts the current run's timers, puts `AbortSignal.timeout` on its clock, and observes what the client sends and
 * prints.
 */
export class OwnTimers {
  readonly #observer: Observer
  #run: TimedRun | undefined
  #undo: (() => void)[] = []

  constructor(observer: Observer) {
    this.#observer = observer
  }

  watch(run: TimedRun): void {
    this.#run = run
    // Installed once for all runs, since installing costs more than a run.
    if (this.#undo.length === 0) this.#install()
  }

  #install(): void {
    this.#replace(AbortSignal, 'timeout', () => (ms: number) => {
      const controller = new AbortController()
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      void this.#run?.limit(ms).then(() => controller.abort(reason))
      return controller.signal
    })
    this.#replace(globalThis, 'fetch', (fetch) => (...given) => {
      if (this.#run) this.#observer.onFetch(...(given as never as Parameters<typeof globalThis.fetch>))
      return fetch(...given)
    })
    const onPrint = (values: readonly unknown[]) => this.#run && this.#observer.onPrint(values)
    const watchPrinting = (print: AnyFunction) =>
      function (this: unknown, ...given: never[]): unknown {
        onPrint(given)
        return Reflect.apply(print, this, given)
      }
    // Console methods are replaced too, because a test runner's console does not write to these streams.
    for (const stream of [node?.stdout, node?.stderr]) this.#replace(stream, 'write', watchPrinting)
    for (const name of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'])
      this.#replace(console, name, watchPrinting)
    if (findFakeClock()) return
    for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const)
      this.#replace(globalThis, name, (set) => this.#countTimers(set, name))
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'])
      this.#replace(globalThis, name, (clear) => (timer: never) => {
        this.#run?.time.timers.pending.delete(timer)
        clear(timer)
      })
    const promises = node?.getBuiltinModule?.('node:timers/promises')
    for (const name of ['setTimeout', 'setImmediate'] as const)
      this.#replace(promises, name, (wait) => async (...args) => {
        const timers = this.#run?.time.timers
        const waiting = wait(...args) as Promise<unknown>
        timers?.pending.set(waiting, name === 'setTimeout' ? (args[0] ?? 0) : 0)
        try {
          return await waiting
        } finally {
          if (!fire(timers, waiting)) await new Promise(() => undefined)
        }
      })
    this.#syncImports()
  }

  release(): void {
    // Without a run, the replacements pass everything on, in case a fake restores one of them later.
    this.#run = undefined
    for (const undo of this.#undo) undo()
    this.#undo = []
    this.#syncImports()
  }

  /** Wraps a function that sets timers, so that each timer is counted until it has fired. */
  #countTimers(set: AnyFunction, name: 'setTimeout' | 'setInterval' | 'setImmediate'): AnyFunction {
    return (callback: AnyFunction, ...args) => {
      const timers = this.#run?.time.timers
      const run = (...given: never[]) => {
        if (fire(timers, timer, name !== 'setInterval')) callback(...given)
        else if (name === 'setInterval') clearInterval(timer as number)
      }
      const timer = set(run as never, ...args)
      // An immediate is not a wait: a client that only sets immediates hangs.
      if (name !== 'setImmediate') timers?.pending.set(timer, args[0] ?? 0)
      return timer
    }
  }

  #replace(owner: object | undefined, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
    const original = owner && (Reflect.get(owner, name) as AnyFunction | undefined)
    if (!original) return
    // Copies the function's properties too, such as its variant for promisify.
    const replaced = Object.defineProperties(wrap(original), Object.getOwnPropertyDescriptors(original))
    Reflect.set(owner, name, replaced)
    // If the function was faked meanwhile, leaves it alone: the fake restores what it found.
    this.#undo.push(() => {
      if (Reflect.get(owner, name) === replaced) Reflect.set(owner, name, original)
    })
  }

  /** Lets `import { setTimeout } from 'node:timers/promises'` see the replacements. */
  #syncImports(): void {
    const module: { syncBuiltinESMExports?: () => void } | undefined = node?.getBuiltinModule?.('node:module')
    module?.syncBuiltinESMExports?.()
  }
}

/** Counts a timer that fires. @returns false if its run was dropped, so that nothing wakes */
function fire(timers: RunTimers | undefined, timer: unknown, isOnce = true): boolean {
  if (!timers) return true
  if (isOnce) timers.pending.delete(timer)
  timers.fired += 1
  return !timers.areDropped
}

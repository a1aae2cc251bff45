// Which sandbox a request or a control belongs to: that of its boundary, the run of an exploration, or the main one.
import type { ApiResponse, Call } from '../requests/call.ts'
import type { Journal } from '../journal/journal.ts'
import type { Sandbox } from './sandbox.ts'

// Looked up at run time, so that no bundler sees a Node module.
const hooks = (globalThis.process as typeof process | undefined)?.getBuiltinModule?.('node:async_hooks')

type States = ReadonlyMap<Boundaries, Sandbox>
/** The part of AsyncLocalStorage that is used. */
interface Storage {
  getStore(): States | undefined
  run<Result>(states: States, fn: () => Result): Result
}
/**
 * The sandboxes of running code, by the mock. Made on first use, and one for all mocks: up to Node 22 every promise of the
 * process pays for each storage that was ever used.
 */
let storage: Storage | undefined

export interface RunInProgress {
  readonly sandbox: Sandbox
  /** Handles a call that arrives meanwhile; `from` is the sandbox of the code that sent it, if known. */
  handle(call: Call, from: Sandbox | undefined): Promise<ApiResponse>
}

export class Boundaries {
  readonly #main: Sandbox
  /** Runs in progress by the sandboxes that are explored. */
  readonly #runs = new Map<Sandbox, RunInProgress>()
  /** The explored sandbox by the sandbox of a run, also of runs that have ended. */
  readonly #origins = new WeakMap<Sandbox, { readonly explored: Sandbox; readonly run: RunInProgress }>()

  #counts = { boundaries: 0, explorations: 0 }
  #countedFor: Journal

  constructor(main: Sandbox) {
    this.#main = main
    this.#countedFor = main.journal
  }

  /** How many requests boundaries and explorations received since the main sandbox was reset. */
  get counts() {
    if (this.#countedFor !== this.#main.journal) {
      this.#counts = { boundaries: 0, explorations: 0 }
      this.#countedFor = this.#main.journal
    }
    return this.#counts
  }

  get areTracked(): boolean {
    return hooks !== undefined
  }

  get current(): Sandbox {
    const from = storage?.getStore()?.get(this)
    return this.#runOf(from)?.sandbox ?? from ?? this.#main
  }

  handle(call: Call): Promise<ApiResponse> {
    const from = storage?.getStore()?.get(this)
    // Code of a run that has ended stays with it.
    const run = this.#runOf(from) ?? (from && this.#origins.get(from)?.run)
    if (run) this.counts.explorations += 1
    else if (from) this.counts.boundaries += 1
    return run ? run.handle(call, from) : (from ?? this.#main).handle(call)
  }

  within<Result>(sandbox: Sandbox, fn: () => Result): Result {
    if (!hooks) return fn()
    storage ??= new hooks.AsyncLocalStorage()
    return storage.run(new Map(storage.getStore()).set(this, sandbox), fn)
  }

  isExplored(sandbox: Sandbox): boolean {
    return this.#runs.has(this.#origins.get(sandbox)?.explored ?? sandbox)
  }

  /** Replaces the explored sandbox by a run. */
  begin(explored: Sandbox, run: RunInProgress): void {
    this.#runs.set(explored, run)
    this.#origins.set(run.sandbox, { explored, run })
  }

  end(explored: Sandbox): void {
    this.#runs.delete(explored)
  }

  /** Callback timers and queues at module level lose their async context, so that code from outside belongs to a run too. */
  #runOf(from: Sandbox | undefined): RunInProgress | undefined {
    if (this.#runs.size === 0) return undefined
    if (from) return this.#runs.get(this.#origins.get(from)?.explored ?? from)
    const [only, ...others] = this.#runs.values()
    return this.#runs.get(this.#main) ?? (others.length === 0 ? only : undefined)
  }
}

// Decides which sandbox a request or a control belongs to: its boundary's, its exploration run's, or the main one.
import type { ApiResponse, Call } from '../requests/call.ts'
import type { Journal } from '../journal/journal.ts'
import type { Sandbox } from './sandbox.ts'

// Looked up at run time, so that bundlers do not see a Node module.
const hooks = (globalThis.process as typeof process | undefined)?.getBuiltinModule?.('node:async_hooks')

type States = ReadonlyMap<Boundaries, Sandbox>
/** The members of AsyncLocalStorage used here. */
interface Storage {
  getStore(): States | undefined
  run<Result>(states: States, fn: () => Result): Result
}
/**
 * Holds the sandbox of the running code for each mock. Created on first use and shared by all mocks, because up to
 * Node 22 each storage ever used slows down every promise in the process.
 */
let storage: Storage | undefined

export interface RunInProgress {
  readonly sandbox: Sandbox
  /** Handles a call that arrives during the run; `from` is the sandbox of the code that sent it, if known. */
  handle(call: Call, from: Sandbox | undefined): Promise<ApiResponse>
}

export class Boundaries {
  readonly #main: Sandbox
  /** Runs in progress, by explored sandbox. */
  readonly #runs = new Map<Sandbox, RunInProgress>()
  /** The explored sandbox of each run's sandbox, including runs that have ended. */
  readonly #origins = new WeakMap<Sandbox, { readonly explored: Sandbox; readonly run: RunInProgress }>()

  #counts = { boundaries: 0, explorations: 0 }
  #countedFor: Journal

  constructor(main: Sandbox) {
    this.#main = main
    this.#countedFor = main.journal
  }

  /** Number of requests that boundaries and explorations received since the main sandbox was reset. */
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
    // Code from a run that has ended stays with that run.
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

  /** Lets a run stand in for the explored sandbox. */
  begin(explored: Sandbox, run: RunInProgress): void {
    this.#runs.set(explored, run)
    this.#origins.set(run.sandbox, { explored, run })
  }

  end(explored: Sandbox): void {
    this.#runs.delete(explored)
  }

  /**
   * The run that code belongs to. Callback timers and module-level queues lose their async context, so code of unknown
   * origin is assigned to the run as well.
   */
  #runOf(from: Sandbox | undefined): RunInProgress | undefined {
    if (this.#runs.size === 0) return undefined
    if (from) return this.#runs.get(this.#origins.get(from)?.explored ?? from)
    const [only, ...others] = this.#runs.values()
    return this.#runs.get(this.#main) ?? (others.length === 0 ? only : undefined)
  }
}

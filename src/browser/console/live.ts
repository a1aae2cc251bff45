// Owns what the console keeps up to date by itself: it asks once a second, and not at all while nobody looks.
import type { FaultState } from '../../core/faults.ts'
import type { JournalEntry } from '../../core/journal.ts'
import type { Finding } from '../../client-report/report.ts'
import type { Overview } from '../../controls/inspect.ts'
import type { WorldSource } from './source.ts'

export interface LiveState {
  /** Null before the first answer. */
  readonly overview: Overview | null
  /** Oldest first. */
  readonly entries: readonly JournalEntry[]
  readonly findings: readonly Finding[]
  readonly faults: readonly FaultState[]
  /** Why the last look failed; null where it did not. */
  readonly failure: string | null
}

/** How many requests the console shows. */
export const entriesShown = 500
const everyMs = 1000

const nothing: LiveState = { overview: null, entries: [], findings: [], faults: [], failure: null }

const isSame = (a: JournalEntry | undefined, b: JournalEntry | undefined) =>
  a !== undefined &&
  b !== undefined &&
  a.id === b.id &&
  a.atMs === b.atMs &&
  a.method === b.method &&
  a.path === b.path

export class LiveFeed {
  readonly #world: WorldSource
  readonly #changed: (state: LiveState) => void
  #state = nothing
  #timer: ReturnType<typeof setTimeout> | undefined
  #looking: Promise<void> | undefined
  #isRunning = false

  constructor(world: WorldSource, changed: (state: LiveState) => void) {
    this.#world = world
    this.#changed = changed
  }

  start(): void {
    this.#isRunning = true
    document.addEventListener('visibilitychange', this.#wake)
    this.#wake()
  }

  stop(): void {
    this.#isRunning = false
    document.removeEventListener('visibilitychange', this.#wake)
    clearTimeout(this.#timer)
  }

  /** Looks now, and at what has happened by now. */
  async refresh(): Promise<void> {
    await this.#looking
    clearTimeout(this.#timer)
    await this.#look()
  }

  readonly #wake = (): void => {
    if (document.visibilityState === 'visible') void this.refresh()
  }

  async #look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined
      if (!this.#isRunning || document.visibilityState !== 'visible') return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#look(), everyMs)
    })
    await this.#looking
  }

  async #read(): Promise<void> {
    let state: LiveState
    try {
      const [overview, entries, findings, faults] = await Promise.all([
        this.#world.inspect.overview(),
        this.#entries(),
        this.#world.report({ assumptions: false }),
        this.#world.faults(),
      ])
      state = { overview, entries, findings, faults, failure: null }
    } catch (error) {
      state = { ...this.#state, failure: error instanceof Error ? error.message : String(error) }
    }
    if (!this.#isRunning) return
    this.#state = state
    this.#changed(state)
  }

  /**
   * The journal, of which only the end is asked for. The last request known is asked for again: if it is not there
   * any more, the journal was cleared or began anew.
   */
  async #entries(): Promise<readonly JournalEntry[]> {
    const known = this.#state.entries
    const last = known.at(-1)
    if (last) {
      const found = await this.#world.requests({ after: last.id - 1, limit: entriesShown })
      if (found.length === 1 && isSame(found[0], last)) return known
      if (isSame(found[0], last)) return [...known.slice(0, -1), ...found].slice(-entriesShown)
    }
    return this.#world.requests({ after: 0, limit: entriesShown })
  }
}

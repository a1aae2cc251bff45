// The live state of the console: the requests of all sandboxes, and the overview of the sandbox that is shown. The mock
// notifies it of changes; nothing is read while the page is hidden.
import type { Finding } from '../../core/report.ts'
import type { Overview } from '../../controls/inspect/inspect.ts'
import type { SandboxSummary } from '../../controls/mock-controls.ts'
import type { FaultState } from '../../core/faults.ts'
import type { JournalSummary } from '../../core/journal/entry.ts'
import type { Signal } from '../../core/signals.ts'
import { messageOf } from '../../contract/text/format.ts'
import type { ConsoleSource } from './source.ts'
import { throttled } from './throttled.ts'

/** A request in the list. */
export interface Line extends JournalSummary {
  /** Null is the main sandbox. */
  readonly sandbox: string | null
}

export const isError = ({ status }: Line) => status === 0 || status >= 400

export interface LiveState {
  /** `loading` until the journals were read for the first time, `lost` while the mock does not respond. */
  readonly status: 'loading' | 'live' | 'lost'
  /** Why the mock does not respond. */
  readonly failure: string | null
  /**
   * Of all sandboxes, oldest first; in the order of their responses as far as that is known. A request is listed once
   * what it did is known: overview, findings and faults are never older.
   */
  readonly lines: readonly Line[]
  /** Without the main one. */
  readonly sandboxes: readonly SandboxSummary[]
  /** Of the sandbox that is shown; without a workspace until it is read. */
  readonly overview: Overview
  /** When the overview was read, by the system clock; 0 until then. */
  readonly readAtMs: number
  readonly findings: readonly Finding[]
  readonly faults: readonly FaultState[]
}

const unread = {
  overview: { clock: { now: 0, nowMs: 0, mode: 'manual' }, due: [], changedAnswers: [], workspaces: [] },
  readAtMs: 0,
  findings: [],
  faults: [],
} as const

export const initialState: LiveState = {
  status: 'loading',
  failure: null,
  lines: [],
  sandboxes: [],
  ...unread,
}

/** Requests in one read: few enough not to delay a client's request. */
const pageSize = 50
/** The number of requests that are kept, the latest ones. */
export const mostLines = 50_000
/** The shortest time between two reads. */
const readEveryMs = 250
const showEveryMs = 50
const retryMs = 1000

export class LiveFeed {
  readonly #source: ConsoleSource
  readonly #changed: (state: LiveState) => void
  #state = initialState
  #sandbox: string | null = null
  #stop: (() => void) | undefined
  #dueTimer: ReturnType<typeof setTimeout> | undefined
  /** Counts connections: responses to reads of an earlier one are ignored. */
  #connection = 0
  /** Whether all journals have been read on this connection. */
  #isLoaded = false
  #reading: Promise<void> | undefined

  /** Requests that wait for the next read to be listed; at most `mostLines`. */
  #waiting: Line[] = []

  readonly #show = throttled(() => this.#changed(this.#state), showEveryMs)
  readonly #readSoon = throttled(() => this.refresh(), readEveryMs)

  constructor(source: ConsoleSource, changed: (state: LiveState) => void) {
    this.#source = source
    this.#changed = changed
  }

  start(): void {
    document.addEventListener('visibilitychange', this.#wake)
    this.#wake()
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#wake)
    this.#pause()
  }

  /** Shows another sandbox; null is the main one. */
  select(sandbox: string | null): void {
    if (sandbox === this.#sandbox) return
    this.#sandbox = sandbox
    this.#set(unread)
    if (this.#stop) void this.refresh()
  }

  refresh(): Promise<void> {
    return this.#readAgain().catch((error: unknown) => this.#fail(error, this.#readSoon))
  }

  #pause(): void {
    this.#connection += 1
    this.#stop?.()
    this.#stop = undefined
    clearTimeout(this.#dueTimer)
    this.#show.stop()
    this.#readSoon.stop()
  }

  readonly #wake = (): void => {
    if (document.visibilityState !== 'visible') this.#pause()
    else
      this.#stop ??= this.#source.watch({
        onSignal: (signal) => this.#take(signal),
        onConnected: () => void this.#load(),
        onLost: (failure) => {
          this.#connection += 1
          this.#isLoaded = false
          this.#set({ status: 'lost', failure })
        },
      })
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change }
    this.#show()
  }

  #take(signal: Signal): void {
    const { sandbox, event } = signal
    if (event === 'request') this.#waiting.push({ ...signal.request, sandbox })
    if (this.#waiting.length > mostLines) this.#waiting.shift()
    if (event === 'reset' || (event === 'sandbox' && signal.change === 'deleted')) this.forget(sandbox)
    this.#readSoon()
  }

  /** Takes the requests of a sandbox out of the list. */
  forget(sandbox: string | null): void {
    this.#drop((line) => line.sandbox === sandbox)
  }

  #drop(isGone: (line: Line) => boolean): void {
    this.#set({ lines: this.#state.lines.filter((line) => !isGone(line)) })
    this.#waiting = this.#waiting.filter((line) => !isGone(line))
  }

  /** Reads all journals, the latest requests first; new requests are added after them. */
  async #load(): Promise<void> {
    const connection = (this.#connection += 1)
    const shown = this.#sandbox
    const former = new Set([...this.#state.lines, ...this.#waiting])
    try {
      // Later requests, which the read may not know yet, arrive as signals.
      const [latest] = await this.#source.controls(shown).requestSummaries({ limit: 1 })
      const end = (latest?.id ?? 0) + 1
      await this.#readAgain()
      const names = this.#state.sandboxes.filter(({ requests }) => requests > 0).map(({ name }) => name)
      for (const sandbox of [null, ...names]) {
        for await (const page of this.#pages(sandbox, sandbox === shown ? end : undefined)) {
          if (connection !== this.#connection) return
          const ids = new Set(page.map(({ id }) => id))
          this.#drop((line) => former.has(line) || (line.sandbox === sandbox && ids.has(line.id)))
          this.#set({ lines: [...page, ...this.#state.lines].slice(-mostLines) })
        }
      }
      this.#drop((line) => former.has(line))
      this.#isLoaded = true
      const lines = this.#state.lines.toSorted((a, b) => a.atMs - b.atMs)
      this.#set({ status: 'live', failure: null, lines })
    } catch (error) {
      if (connection === this.#connection) this.#fail(error, () => void this.#load())
    }
  }

  /** The journal of a sandbox before a request, the latest page first. */
  async *#pages(sandbox: string | null, before?: number): AsyncGenerator<Line[]> {
    for (;;) {
      const page = await this.#source.controls(sandbox).requestSummaries({ before, limit: pageSize })
      if (page.length > 0) yield page.map((summary) => ({ ...summary, sandbox }))
      if (page.length < pageSize) return
      before = page[0]?.id
    }
  }

  #fail(error: unknown, again: () => void): void {
    this.#set({ status: 'lost', failure: messageOf(error) })
    clearTimeout(this.#dueTimer)
    if (this.#stop) this.#dueTimer = setTimeout(again, retryMs)
  }

  /** Reads again even if a read is in progress, which may have missed the latest change. */
  async #readAgain(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  async #read(): Promise<void> {
    const sandbox = this.#sandbox
    const controls = this.#source.controls(sandbox)
    const counted = new Set(this.#waiting)
    // One at a time, so that a client's request can run in between.
    const overview = await controls.inspect.overview()
    const faults = await controls.faults()
    const findings = await controls.report({ assumptions: false })
    const sandboxes = await this.#source.controls(null).sandboxSummaries()
    if (sandbox !== this.#sandbox) return this.#read()
    const arrived = this.#waiting.filter((line) => counted.has(line))
    const lines = [...this.#state.lines, ...arrived].slice(-mostLines)
    this.#waiting = this.#waiting.filter((line) => !counted.has(line))
    const isBack = this.#state.status === 'lost' && this.#isLoaded
    const read = { lines, overview, faults, findings, sandboxes, readAtMs: Date.now() }
    this.#set(isBack ? { ...read, status: 'live' } : read)
    this.#readWhenDue(overview)
  }

  /** There is no event when something becomes due on a running clock, so it is read at that moment. */
  #readWhenDue({ clock, due: [next] }: Overview): void {
    clearTimeout(this.#dueTimer)
    if (clock.mode !== 'system' || !next) return
    const waitMs = Math.max(readEveryMs, next.dueMs - clock.nowMs)
    if (waitMs < 86_400_000) this.#dueTimer = setTimeout(this.#readSoon, waitMs)
  }
}

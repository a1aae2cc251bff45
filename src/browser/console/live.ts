// The live state of the console: the requests of all sandboxes, and the overview of the sandbox that is shown. The mock
// notifies it of changes; nothing is read while the page is hidden.
import type { Finding } from '../../core/report.ts'
import type { Overview } from '../../controls/inspect.ts'
import type { SandboxSummary } from '../../controls/mock-controls.ts'
import type { FaultState } from '../../core/faults.ts'
import type { JournalSummary } from '../../core/journal/entry.ts'
import type { Signal } from '../../core/signals.ts'
import { errorText } from '../error-text.ts'
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
  /** Of all sandboxes, oldest first; in the order of their responses as far as that is known. */
  readonly lines: readonly Line[]
  /** Without the main one. */
  readonly sandboxes: readonly SandboxSummary[]
  /** Of the sandbox that is shown; null until it is read. */
  readonly overview: Overview | null
  /** When the overview was read, by the system clock. */
  readonly readAtMs: number
  readonly findings: readonly Finding[]
  readonly faults: readonly FaultState[]
  /** Counts what may have changed the state. */
  readonly revision: number
}

export const unknown: LiveState = {
  status: 'loading',
  failure: null,
  lines: [],
  sandboxes: [],
  overview: null,
  readAtMs: 0,
  findings: [],
  faults: [],
  revision: 0,
}

/** Requests in one read: few enough not to delay a client's request. */
const pageSize = 50
/** The number of requests that are kept, the latest ones. */
const mostLines = 50_000
/** The shortest time between two reads. */
const readEveryMs = 400
const showEveryMs = 50
const retryMs = 1000

export class LiveFeed {
  readonly #source: ConsoleSource
  readonly #changed: (state: LiveState) => void
  #state = unknown
  #sandbox: string | null = null
  #stop: (() => void) | undefined
  #dueTimer: ReturnType<typeof setTimeout> | undefined
  /** Counts connections: responses to reads of an earlier one are ignored. */
  #connection = 0
  /** Whether all journals have been read on this connection. */
  #isLoaded = false
  #reading: Promise<void> | undefined

  /** Requests that were read, and those that arrived since. */
  #past: readonly Line[] = []
  #arrived: Line[] = []

  readonly #show = throttled(() => {
    const lines = [...this.#past, ...this.#arrived].slice(-mostLines)
    this.#changed({ ...this.#state, lines })
  }, showEveryMs)
  readonly #readSoon = throttled(() => this.refresh(), readEveryMs)
  readonly #countSoon = throttled(() => this.#count().catch(() => undefined), readEveryMs)

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
    this.#set({ overview: null, findings: [], faults: [], revision: this.#state.revision + 1 })
    if (this.#stop) void this.refresh()
  }

  /** Reads again even if a read is in progress, which may have missed the latest change. */
  async refresh(): Promise<void> {
    await this.#reading
    await this.#readOnce()
  }

  #pause(): void {
    this.#connection += 1
    this.#stop?.()
    this.#stop = undefined
    clearTimeout(this.#dueTimer)
    for (const task of [this.#show, this.#readSoon, this.#countSoon]) task.stop()
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
    if (event === 'request') this.#arrived.push({ ...signal.request, sandbox })
    if (event === 'reset' || (event === 'sandbox' && signal.change === 'deleted')) this.forget(sandbox)
    const isShown = sandbox === this.#sandbox
    this.#set(isShown ? { revision: this.#state.revision + 1 } : {})
    if (isShown) this.#readSoon()
    if (sandbox !== null) this.#countSoon()
  }

  /** Takes the requests of a sandbox out of the list. */
  forget(sandbox: string | null): void {
    const others = (lines: readonly Line[]) => lines.filter((line) => line.sandbox !== sandbox)
    this.#past = others(this.#past)
    this.#arrived = others(this.#arrived)
    this.#show()
  }

  async #count(): Promise<void> {
    this.#set({ sandboxes: await this.#source.controls(null).sandboxSummaries() })
  }

  /** Reads all journals, the latest requests first; new requests are added after them. */
  async #load(): Promise<void> {
    this.#connection += 1
    const connection = this.#connection
    this.#arrived = []
    let past: Line[] = []
    try {
      await this.refresh()
      await this.#count()
      const names = this.#state.sandboxes.filter(({ requests }) => requests > 0).map(({ name }) => name)
      for (const sandbox of [null, ...names]) {
        for await (const page of this.#pages(sandbox)) {
          if (connection !== this.#connection) return
          const ids = new Set(page.map(({ id }) => id))
          this.#arrived = this.#arrived.filter((line) => line.sandbox !== sandbox || !ids.has(line.id))
          past = [...page, ...past]
          this.#past = past
          this.#show()
        }
      }
      this.#past = past.sort((a, b) => a.atMs - b.atMs)
      this.#isLoaded = true
      this.#set({ status: 'live', failure: null })
    } catch (error) {
      if (connection === this.#connection) this.#set({ status: 'lost', failure: errorText(error) })
    }
  }

  /** The journal of a sandbox, the latest page first. */
  async *#pages(sandbox: string | null): AsyncGenerator<Line[]> {
    let before: number | undefined
    for (;;) {
      const page = await this.#source.controls(sandbox).requestSummaries({ before, limit: pageSize })
      if (page.length > 0) yield page.map((summary) => ({ ...summary, sandbox }))
      if (page.length < pageSize) return
      before = page[0]?.id
    }
  }

  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const sandbox = this.#sandbox
    const controls = this.#source.controls(sandbox)
    try {
      // One at a time, so that a client's request can run in between.
      const overview = await controls.inspect.overview()
      const faults = await controls.faults()
      const findings = await controls.report({ assumptions: false })
      if (sandbox !== this.#sandbox) {
        await this.#read()
        return
      }
      const { status } = this.#state
      const isBack = status === 'lost' && this.#isLoaded
      this.#set({ overview, faults, findings, readAtMs: Date.now(), status: isBack ? 'live' : status })
      this.#readWhenDue(overview)
    } catch (error) {
      this.#set({ status: 'lost', failure: errorText(error) })
      clearTimeout(this.#dueTimer)
      if (this.#stop) this.#dueTimer = setTimeout(this.#readSoon, retryMs)
    }
  }

  /** There is no event when something becomes due on a running clock, so it is read at that moment. */
  #readWhenDue({ clock, due: [next] }: Overview): void {
    clearTimeout(this.#dueTimer)
    if (clock.mode !== 'system' || !next) return
    const waitMs = Math.max(readEveryMs, next.dueMs - clock.nowMs)
    if (waitMs < 86_400_000)
      this.#dueTimer = setTimeout(() => {
        this.#set({ revision: this.#state.revision + 1 })
        this.#readSoon()
      }, waitMs)
  }
}

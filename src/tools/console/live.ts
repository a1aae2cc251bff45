// Keeps the live state of the console up to date. The mock signals changes; nothing is read while the page is hidden.
import type { Overview } from '../../mock/controls/inspect/inspect.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { messageOf } from '../../contract/text/format.ts'
import { toAnsweredRow, initialState, mainRunOf, rowKeyOf, unread } from './live-state.ts'
import type { Contents, LiveState, PendingRow, RequestRow, Run, SandboxName, Scope } from './live-state.ts'
import { AccessError, type ConsoleSource } from './source.ts'
import { throttle } from './throttle.ts'

const pageSize = 500
export const mostRequests = 50_000
const readEveryMs = 250
const showEveryMs = 50
const retryMs = 1000

/** Few: a browser refuses thousands of requests at once, and those of a client in it wait behind them. */
const batchSize = 6

async function runInBatches<T>(items: ReadonlySet<T>, run: (item: T) => Promise<void>): Promise<void> {
  const all = [...items]
  for (let at = 0; at < all.length; at += batchSize) await Promise.all(all.slice(at, at + batchSize).map(run))
}

export class LiveFeed {
  readonly #source: ConsoleSource
  readonly #changed: (state: LiveState) => void
  #state = initialState
  #scope: Scope = null
  #stop: (() => void) | undefined
  #dueTimer: ReturnType<typeof setTimeout> | undefined
  /** Counts connections: responses to reads of an earlier one are ignored. */
  #connection = 0
  /** Whether all journals have been read on this connection. */
  #isLoaded = false
  #reading: Promise<void> | undefined
  /** Requests that wait for the next read to be listed; at most `mostRequests`. */
  #waiting: RequestRow[] = []
  readonly #pending = new Map<string, PendingRow>()
  readonly #versions = new Map<SandboxName, number>()
  /** After how many signals each was read. */
  readonly #contents = new Map<SandboxName, Contents & { readonly version: number }>()
  readonly #show = throttle(() => this.#changed(this.#state), showEveryMs)
  readonly #readSoon = throttle(() => this.refresh(), readEveryMs)

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

  select(scope: Scope): void {
    if (scope === this.#scope) return
    this.#scope = scope
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
        onLost: (error) => {
          this.#connection += 1
          this.#isLoaded = false
          this.#setFailure(error)
        },
      })
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change }
    this.#show()
  }

  #take(signal: Signal): void {
    const { sandbox, event } = signal
    if (event === 'pending' || event === 'abandoned') {
      const key = rowKeyOf(signal)
      const arrivedMs = this.#pending.get(key)?.arrivedMs ?? Date.now()
      if (event === 'abandoned') this.#pending.delete(key)
      else this.#pending.set(key, { ...signal, arrivedMs })
      this.#set({ pending: [...this.#pending.values()] })
      return
    }
    this.#versions.set(sandbox, (this.#versions.get(sandbox) ?? 0) + 1)
    if (event === 'request') {
      const key = rowKeyOf({ id: signal.pending, sandbox })
      const pending = this.#pending.get(key)
      if (pending) this.#pending.set(key, { ...pending, isAnswered: true })
      this.#waiting.push(toAnsweredRow(signal, pending?.arrivedMs))
      if (this.#waiting.length > mostRequests) this.#waiting.shift()
    }
    if (event === 'reset' || (event === 'sandbox' && signal.change === 'deleted')) this.forget(sandbox)
    this.#readSoon()
  }

  forget(sandbox: SandboxName): void {
    this.#drop((row) => row.sandbox === sandbox)
  }

  #drop(isGone: (row: RequestRow) => boolean): void {
    this.#set({ requests: this.#state.requests.filter((row) => !isGone(row)) })
    this.#waiting = this.#waiting.filter((row) => !isGone(row))
  }

  /** Reads all journals, those that are shown and the latest requests first; new requests are added after them. */
  async #load(): Promise<void> {
    const connection = (this.#connection += 1)
    const shown = this.#scope ?? null
    const former = new Set([...this.#state.requests, ...this.#waiting])
    this.#versions.clear()
    this.#contents.clear()
    this.#pending.clear()
    try {
      // Later requests, which the read may not know yet, arrive as signals.
      const [latest] = await this.#source.controls(shown).requestSummaries({ limit: 1 })
      const end = (latest?.id ?? 0) + 1
      await this.#readAgain()
      const names = this.#state.runs.filter(({ requests }) => requests > 0).map(({ name }) => name)
      const read = (name: SandboxName) => this.#loadSandbox(name, former, name === shown ? end : undefined)
      await read(shown)
      await runInBatches(new Set([null, ...names].filter((name) => name !== shown)), read)
      if (connection !== this.#connection) return
      this.#drop((row) => former.has(row))
      this.#isLoaded = true
      const requests = this.#state.requests.toSorted((a, b) => a.atMs - b.atMs)
      const runs = this.#groupRuns(requests, this.#state.runs.slice(1))
      this.#set({ status: 'live', failure: null, requests, runs })
    } catch (error) {
      if (connection === this.#connection) this.#fail(error, () => void this.#load())
    }
  }

  #groupRuns(requests: readonly RequestRow[], others: readonly Run[]): Run[] {
    return [mainRunOf(requests, this.#contents.get(null)?.findings.length ?? 0), ...others]
  }

  /** Lists the journal of a sandbox up to the request `end`, the latest page first, in place of its former rows. */
  async #loadSandbox(sandbox: SandboxName, former: ReadonlySet<RequestRow>, end?: number): Promise<void> {
    const connection = this.#connection
    let before = end
    for (;;) {
      const page = await this.#source.controls(sandbox).requestSummaries({ before, limit: pageSize })
      if (connection !== this.#connection || page.length === 0) return
      const ids = new Set(page.map(({ id }) => id))
      this.#drop((row) => former.has(row) || (row.sandbox === sandbox && ids.has(row.id)))
      const rows = page.map((summary) => ({ ...summary, sandbox }))
      this.#set({ requests: [...rows, ...this.#state.requests].slice(-mostRequests) })
      before = page[0]?.id
      // A journal that has not dropped any begins with request 1.
      if (page.length < pageSize || before === 1) return
    }
  }

  #setFailure(error: unknown): void {
    const status = error instanceof AccessError ? 'forbidden' : 'lost'
    this.#pending.clear()
    this.#set({ status, failure: messageOf(error), pending: [] })
  }

  #fail(error: unknown, again: () => void): void {
    this.#setFailure(error)
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
    const scope = this.#scope
    const counted = new Set(this.#waiting)
    const answered = [...this.#pending].filter(([, { isAnswered }]) => isAnswered)
    const overview = await this.#source.controls(scope ?? null).inspect.overview()
    const sandboxes = await this.#source.controls(null).sandboxSummaries()
    const names = [null, ...sandboxes.map(({ name }) => name)]
    const shown = scope === undefined ? names : [scope]
    await runInBatches(new Set([null, ...shown]), (name) => this.#readContents(name))
    if (scope !== this.#scope) return this.#read()
    const arrived = this.#waiting.filter((row) => counted.has(row))
    const requests = arrived.length === 0 ? this.#state.requests : [...this.#state.requests, ...arrived]
    this.#waiting = this.#waiting.filter((row) => !counted.has(row))
    for (const [key] of answered) this.#pending.delete(key)
    const contents = shown.flatMap((name) => this.#contents.get(name) ?? [])
    const isBack = this.#state.status !== 'live' && this.#isLoaded
    this.#set({
      requests: requests.slice(-mostRequests),
      pending: [...this.#pending.values()],
      runs: this.#groupRuns(requests, sandboxes),
      overview,
      readAtMs: Date.now(),
      findings: contents.flatMap((one) => one.findings),
      faults: contents.flatMap((one) => one.faults),
      ...(isBack && { status: 'live' }),
    })
    this.#readWhenDue(overview)
  }

  /** Reads what a sandbox contains, if a signal has arrived since the last time. */
  async #readContents(sandbox: SandboxName): Promise<void> {
    const version = getOrInsert(this.#versions, sandbox, () => 0)
    if (this.#contents.get(sandbox)?.version === version) return
    const controls = this.#source.controls(sandbox)
    const [faults, findings] = await Promise.all([controls.faults(), controls.report({ assumptions: false })])
    const locate = <T extends object>(items: readonly T[]) => items.map((item) => ({ ...item, sandbox }))
    this.#contents.set(sandbox, { version, faults: locate(faults), findings: locate(findings) })
  }

  /** Nothing is signalled when something becomes due on a running clock. */
  #readWhenDue({ clock, due: [next] }: Overview): void {
    clearTimeout(this.#dueTimer)
    if (clock.mode !== 'system' || !next) return
    const waitMs = Math.max(readEveryMs, next.dueMs - clock.nowMs)
    if (waitMs < 86_400_000) this.#dueTimer = setTimeout(this.#readSoon, waitMs)
  }
}

// Keeps the live state of the console up to date. The mock signals changes; nothing is read while the page is hidden.
import type { Overview } from '../../adapters/control-api/inspect.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'
import { messageOf } from '../../contract/text/format.ts'
import { initialState, rowKeyOf, unread } from './live-state.ts'
import type { Contents, LiveState, PendingRow, RequestRow, Run, SandboxName, Scope } from './live-state.ts'
import { AccessError, type ConsoleSource } from './source.ts'
import { throttle } from './throttle.ts'

const pageSize = 2000
export const mostRequests = 50_000
const readEveryMs = 250
const showEveryMs = 50
const retryMs = 1000

/** Sandbox names as the console's routes take them. */
const namesOf = (names: readonly SandboxName[]) => names.map((name) => name ?? '').join()

/** Groups sandboxes whose journals fit into one page together; a larger journal gets a batch of its own. */
function toBatches(runs: readonly Run[]): readonly (readonly SandboxName[])[] {
  const batches: SandboxName[][] = []
  let left = 0
  for (const { name, kept } of runs) {
    const isLast = kept > left
    if (isLast) left = pageSize
    if (isLast) batches.push([])
    batches.at(-1)?.push(name)
    left -= kept
  }
  return batches
}

const measure = (arrivedMs: number) => ({ arrivedMs, tookMs: Date.now() - arrivedMs })

export class LiveFeed {
  readonly #source: ConsoleSource
  readonly #changed: (state: LiveState) => void
  #state = initialState
  #scope: Scope = null
  #boot: string | undefined
  #stop: (() => void) | undefined
  #dueTimer: ReturnType<typeof setTimeout> | undefined
  /** Counts connections; responses to reads from an earlier one are ignored. */
  #connection = 0
  /** Whether all journals have been read on this connection. */
  #isLoaded = false
  #reading: Promise<void> | undefined
  /** The first request to read again in each journal, because it has no row or no duration yet. */
  readonly #unread = new Map<SandboxName, number>()
  /** Facts about requests that only signals carry, kept until the requests are listed. */
  readonly #received = new Map<string, Partial<RequestRow>>()
  readonly #pending = new Map<string, PendingRow>()
  readonly #versions = new Map<SandboxName, number>()
  /** The contents of each sandbox as last read, with the number of signals it had sent by then. */
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
        onConnected: (boot) => {
          if (this.#boot !== undefined && boot !== this.#boot) this.#beginAnew()
          this.#boot = boot
          // Signals for pending requests follow.
          this.#pending.clear()
          this.#received.clear()
          void this.#load()
        },
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
      if (event === 'abandoned') this.#pending.delete(key)
      else {
        const arrivedMs = signal.arrivedMs ?? this.#pending.get(key)?.arrivedMs ?? Date.now()
        this.#pending.set(key, { ...signal, arrivedMs })
      }
      this.#set({ pending: [...this.#pending.values()] })
      return
    }
    this.#versions.set(sandbox, (this.#versions.get(sandbox) ?? 0) + 1)
    if (event === 'request') {
      const { request, headers, pending: arrival } = signal
      const key = rowKeyOf({ id: arrival, sandbox })
      const pending = this.#pending.get(key)
      if (pending) this.#pending.set(key, { ...pending, isAnswered: true })
      this.#noteUnread(sandbox, request.id)
      this.#received.set(rowKeyOf({ id: request.id, sandbox }), {
        ...{ headers, arrival },
        // A server measures durations itself. A mock in this page signals as it responds, so the console measures here.
        ...(pending && !this.#source.isRemote && measure(pending.arrivedMs)),
      })
    }
    if (event === 'reset' || (event === 'sandbox' && signal.change === 'deleted')) {
      this.forget(sandbox)
      this.#set({ lives: this.#countLives([sandbox]) })
    }
    this.#readSoon()
  }

  #noteUnread(sandbox: SandboxName, id: number): void {
    this.#unread.set(sandbox, Math.min(id, this.#unread.get(sandbox) ?? id))
  }

  /** Starts over after the mock has restarted: nothing read so far applies to it. */
  #beginAnew(): void {
    const names = new Set([null, ...this.#state.runs.map(({ name }) => name)])
    this.#drop(() => true)
    this.#unread.clear()
    this.#set({ lives: this.#countLives(names), restarts: this.#state.restarts + 1 })
  }

  #countLives(names: Iterable<SandboxName>): LiveState['lives'] {
    const { lives } = this.#state
    return new Map([...lives, ...[...names].map((name) => [name, (lives.get(name) ?? 0) + 1] as const)])
  }

  forget(sandbox: SandboxName): void {
    this.#drop((row) => row.sandbox === sandbox)
    this.#unread.delete(sandbox)
    this.#show()
  }

  /** Does not render, since that would take time for every row on each call. */
  #drop(isGone: (row: RequestRow) => boolean): void {
    this.#state = { ...this.#state, requests: this.#state.requests.filter((row) => !isGone(row)) }
  }

  /** Reads all journals, the shown ones first; new requests are added after them. */
  async #load(): Promise<void> {
    const connection = (this.#connection += 1)
    const shown = this.#scope ?? null
    const former = new Set(this.#state.requests)
    this.#versions.clear()
    this.#contents.clear()
    try {
      // Later requests, which this read may miss, arrive as signals.
      await this.#readAgain()
      const runs = this.#state.runs.filter(({ kept }) => kept > 0)
      const isShown = ({ name }: Run) => Number(name === shown)
      const [first = [], ...others] = toBatches(runs.toSorted((a, b) => isShown(b) - isShown(a)))
      await this.#loadJournals(first, former)
      this.#show()
      // Two at a time: one is read while the mock prepares the next.
      const loadOthers = async () => {
        for (let batch = others.shift(); batch && connection === this.#connection; batch = others.shift())
          await this.#loadJournals(batch, former)
      }
      await Promise.all([loadOthers(), loadOthers()])
      if (connection !== this.#connection) return
      this.#drop((row) => former.has(row))
      this.#isLoaded = true
      // Sorted by arrival time if it is known.
      const requests = this.#state.requests.toSorted((a, b) =>
        a.arrivedMs !== undefined && b.arrivedMs !== undefined ? a.arrivedMs - b.arrivedMs : a.atMs - b.atMs,
      )
      this.#set({ status: 'live', failure: null, lostAtMs: null, requests })
    } catch (error) {
      if (connection === this.#connection) this.#fail(error, () => void this.#load())
    }
  }

  /** Lists the journals of some sandboxes, the latest page of each first, in place of their former rows. */
  async #loadJournals(names: readonly SandboxName[], former: ReadonlySet<RequestRow>): Promise<void> {
    const connection = this.#connection
    const of = namesOf(names)
    let before: number | undefined
    while (connection === this.#connection) {
      const page = await this.#source.controls(null).console.journals({ of, before, limit: pageSize })
      if (connection !== this.#connection || page.length === 0) return
      const keys = new Set(page.map(rowKeyOf))
      this.#drop((row) => former.has(row) || keys.has(rowKeyOf(row)))
      this.#noteIncomplete(page)
      const requests = [...page, ...this.#state.requests].slice(-mostRequests)
      this.#state = { ...this.#state, requests }
      before = page[0]?.id
      // A journal that dropped nothing begins with request 1. Journals read together each fit into one page.
      if (names.length > 1 || page.length < pageSize || before === 1) return
    }
  }

  #setFailure(error: unknown): void {
    const status = error instanceof AccessError ? 'forbidden' : 'lost'
    const lostAtMs = this.#state.lostAtMs ?? Date.now()
    this.#set({ status, failure: messageOf(error), lostAtMs, pending: [] })
  }

  #fail(error: unknown, again: () => void): void {
    this.#setFailure(error)
    clearTimeout(this.#dueTimer)
    if (this.#stop && this.#state.status === 'lost') this.#dueTimer = setTimeout(again, retryMs)
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
    const answered = [...this.#pending].filter(([, { isAnswered }]) => isAnswered)
    // Rows are read first, so that overview, findings and faults are never older than the list.
    const arrived = await this.#readArrived()
    const overview = await this.#readOverview(scope ?? null)
    const runs = await this.#readContents(scope)
    const names = runs.map(({ name }) => name)
    const shown = scope === undefined ? names : [scope]
    const requests = this.#list(arrived)
    if (scope !== this.#scope) return this.#read()
    for (const [key] of answered) this.#pending.delete(key)
    const contents = shown.flatMap((name) => this.#contents.get(name) ?? [])
    const isBack = this.#state.status !== 'live' && this.#isLoaded
    this.#set({
      requests,
      pending: [...this.#pending.values()],
      runs,
      ...(overview ? { overview, readAtMs: Date.now() } : unread),
      findings: contents.flatMap((one) => one.findings),
      faults: contents.flatMap((one) => one.faults),
      ...(isBack && { status: 'live', lostAtMs: null }),
    })
    if (overview) this.#readWhenDue(overview)
  }

  /** The rows of requests that arrived since the last read, or whose response was still being sent then. */
  async #readArrived(): Promise<readonly RequestRow[]> {
    const unread = [...this.#unread]
    if (unread.length === 0) return []
    const of = namesOf(unread.map(([name]) => name))
    const after = unread.map(([, id]) => id - 1).join()
    this.#unread.clear()
    try {
      return await this.#source.controls(null).console.journals({ of, after })
    } catch (error) {
      for (const [name, id] of unread) this.#noteUnread(name, id)
      throw error
    }
  }

  /** Replaces known rows and appends new ones. */
  #list(arrived: readonly RequestRow[]): readonly RequestRow[] {
    if (arrived.length === 0) return this.#state.requests
    const rows = new Map(
      arrived.map((row) => {
        const key = rowKeyOf(row)
        return [key, { ...this.#received.get(key), ...row }] as const
      }),
    )
    const firstOf = new Map<SandboxName, number>()
    for (const { id, sandbox } of arrived) firstOf.set(sandbox, Math.min(id, firstOf.get(sandbox) ?? id))
    const known = this.#state.requests.map((former) => {
      // Most rows are older than everything that arrived, so they need no key.
      if (former.id < (firstOf.get(former.sandbox) ?? Infinity)) return former
      const key = rowKeyOf(former)
      const row = rows.get(key)
      rows.delete(key)
      return row ? { ...former, ...row } : former
    })
    this.#noteIncomplete(arrived)
    if (this.#unread.size === 0) this.#received.clear()
    const requests = [...known, ...rows.values()].slice(-mostRequests)
    this.#state = { ...this.#state, requests }
    return requests
  }

  /** Marks rows whose response is still being sent to be read again until their duration is known. */
  #noteIncomplete(rows: readonly RequestRow[]): void {
    for (const { id, sandbox, arrivedMs, tookMs } of rows) {
      if (arrivedMs === undefined || tookMs !== undefined) continue
      this.#noteUnread(sandbox, id)
      this.#readSoon()
    }
  }

  /** Undefined if the sandbox does not exist. */
  async #readOverview(name: SandboxName): Promise<Overview | undefined> {
    try {
      return await this.#source.controls(name).inspect.overview()
    } catch (error) {
      if (name === null || (await this.#source.controls(null).sandboxes()).includes(name)) throw error
      return undefined
    }
  }

  /** Reads a summary of all sandboxes, and the contents of those that had a signal since the last read. */
  async #readContents(scope: Scope): Promise<readonly Run[]> {
    const versionOf = (name: SandboxName) => this.#versions.get(name) ?? 0
    const versions = new Map(this.#versions)
    const known = [null, ...this.#state.runs.flatMap(({ name }) => name ?? []), ...versions.keys()]
    const wanted = scope === undefined ? known : [scope]
    const isStale = (name: SandboxName) => this.#contents.get(name)?.version !== versionOf(name)
    // The first read does not know which sandboxes exist.
    const stale = this.#contents.size === 0 ? undefined : [...new Set(wanted)].filter(isStale)
    const of = stale && namesOf(stale)
    const { runs, contents } = await this.#source.controls(null).console.contents({ of })
    for (const { sandbox, faults, findings } of contents)
      this.#contents.set(sandbox, {
        version: versions.get(sandbox) ?? 0,
        faults: faults.map((fault) => ({ ...fault, sandbox })),
        findings: findings.map((finding) => ({ ...finding, sandbox })),
      })
    return runs
  }

  /** With a running clock, no signal says that something has become due. */
  #readWhenDue({ clock, due: [next] }: Overview): void {
    clearTimeout(this.#dueTimer)
    if (clock.mode !== 'system' || !next) return
    const waitMs = Math.max(readEveryMs, next.dueMs - clock.nowMs)
    if (waitMs < 86_400_000) this.#dueTimer = setTimeout(this.#readSoon, waitMs)
  }
}

// What keeps this process busy while the client sends no request: sockets, files, child processes, threads.
import { readRealMs } from '../../mock/explorable.ts'

interface NodeProcess {
  readonly getActiveResourcesInfo?: () => readonly string[]
  readonly getBuiltinModule?: (id: string) => object | undefined
  readonly cpuUsage?: () => { readonly user: number; readonly system: number }
  on?(event: string, listener: (error: unknown) => void): unknown
  readonly stdout?: object
  readonly stderr?: object
  off?(event: string, listener: (error: unknown) => void): unknown
}
export const { process: node } = globalThis as { process?: NodeProcess }

interface PerfHooks {
  readonly performance: { readonly nodeTiming?: { readonly idleTime: number } }
}
/** Node's own `performance`: this module is loaded on first use, when the global one may already be faked. */
const hooks = node?.getBuiltinModule?.('node:perf_hooks') as PerfHooks | undefined

/** Not counted here: the test runner's timers come and go, and the client's are counted when it sets them. */
const timerKinds: ReadonlySet<string> = new Set(['Timeout', 'Immediate'])
/** Part of the names of short-lived resources, such as file operations and host lookups; handles can stay open. */
const shortWork = 'Req'
/** CPU share of the other threads when none of them is computing. */
const idleShare = 0.15
/** CPU time after which other threads are computing, however small their share: a loaded machine grants little. */
const mostIdleMs = 60
/** The fraction of this thread's busy time that is taken as idle. */
const busyWeight = 0.1

function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of node?.getActiveResourcesInfo?.() ?? [])
    if (!timerKinds.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

export class ProcessActivity {
  readonly #before = countResources()
  #measuredMs = readRealMs()
  #cpuMs = 0
  #waitedMs = 0
  /** CPU time other threads have used since they were last seen computing. */
  #othersMs = 0

  /** Whether sockets, files and child processes can be observed, as in Node. */
  static readonly isObserved = node?.getActiveResourcesInfo !== undefined

  #hasMore(isCounted: (kind: string) => boolean): boolean {
    return [...countResources()].some(
      ([kind, count]) => isCounted(kind) && count > (this.#before.get(kind) ?? 0),
    )
  }

  /** Whether there are more sockets, files or child processes than at the start. */
  get hasResources(): boolean {
    return this.#hasMore(() => true)
  }

  /** Whether more file operations or host lookups are in progress than at the start. */
  get isReading(): boolean {
    return this.#hasMore((kind) => kind.includes(shortWork))
  }

  /**
   * Idle milliseconds since the last call: none if another thread was computing. How busy this thread was is known only
   * in real time. If it was busy most of the time, the machine may be loaded: only a fraction is then taken as idle.
   */
  measureIdleMs(): number {
    const ms = readRealMs() - this.#measuredMs
    this.#measuredMs += ms
    const { user = 0, system = 0 } = node?.cpuUsage?.() ?? {}
    // How long the event loop has waited. Node's `eventLoopUtilization` uses a clock that can be faked.
    const waitedMs = hooks?.performance.nodeTiming?.idleTime
    if (waitedMs === undefined) return ms
    const activeMs = Math.max(0, ms - (waitedMs - this.#waitedMs))
    const othersMs = (user + system) / 1000 - this.#cpuMs - activeMs
    this.#cpuMs = (user + system) / 1000
    this.#waitedMs = waitedMs
    this.#othersMs += Math.max(0, othersMs)
    if (othersMs > ms * idleShare || this.#othersMs > mostIdleMs) {
      this.#othersMs = 0
      return 0
    }
    return activeMs > ms / 2 ? ms * busyWeight : ms
  }
}

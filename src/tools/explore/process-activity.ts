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
/**
 * Occurs in the names of short-lived resources, such as file operations and host lookups, but not in those of
 * handles.
 */
const shortWork = 'Req'
/** CPU share above which the other threads count as computing. */
const idleShare = 0.15
/** CPU time after which they count as computing even at a small share, because a loaded machine grants them little. */
const mostIdleMs = 60
/** The fraction of a mostly busy period that counts as idle. */
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
   * Idle milliseconds since the last call; 0 if another thread was computing. This thread's busy time is known only
   * in real time, which on a loaded machine includes waiting for the CPU: a mostly busy period therefore counts in
   * part.
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

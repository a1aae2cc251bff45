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
/** Node's own: the global one can be faked when this module is loaded, which is on first use. */
const hooks = node?.getBuiltinModule?.('node:perf_hooks') as PerfHooks | undefined

/** Timers of the test runner come and go; the client's are counted as it sets them. */
const timerKinds: ReadonlySet<string> = new Set(['Timeout', 'Immediate'])
/** Kinds of resources that end soon and by themselves: operations on files, look-ups of hosts. Handles can stay open. */
const shortWork = 'Req'
/** The processor share of other threads when no one computes. */
const idleShare = 0.15
/** Their most in all: on a loaded machine, even a computing thread gets only a small share. */
const mostIdleMs = 60
/** How much of the time in which this thread is busy counts as idle. */
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
  /** What other threads have used since they were seen to compute. */
  #othersMs = 0

  /** Whether sockets, files and child processes are observed, as they are in Node. */
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

  /** Whether it reads or writes more files, or looks up more hosts, than at the start. */
  get isReading(): boolean {
    return this.#hasMore((kind) => kind.includes(shortWork))
  }

  /**
   * How many milliseconds since the last call count as idle: none if other threads than this one have computed.
   * What this one uses is known in real time alone: where it is busy most of the time, the others can have had the rest of a
   * loaded machine, so that little of it counts.
   */
  measureIdleMs(): number {
    const ms = readRealMs() - this.#measuredMs
    this.#measuredMs += ms
    const { user = 0, system = 0 } = node?.cpuUsage?.() ?? {}
    // How long the event loop has waited: what Node calls utilization is computed with a clock that can be faked.
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

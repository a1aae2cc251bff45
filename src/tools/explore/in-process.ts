// Runs a scenario in this process, one run at a time, each on its own copy of the mock's state.
import {
  readRealMs,
  setRealTimeout,
  type ApiResponse,
  type Call,
  type Exploration,
  type PlannedFault,
  type Sandbox,
  type Store,
} from '../../mock/explorable.ts'
import { tryReading } from './texts.ts'
import { leavesOf } from './ends/leaves.ts'
import { recordOf } from './life.ts'
import { node } from './process-activity.ts'
import { Run, watchMs } from './run.ts'
import type { Ended, LateRequest, Runner, RunRecord } from './runner.ts'
import { OwnTimers } from './timers.ts'
import type { ExploreOptions, ExploreScenario } from './types.ts'

/** Maximum requests of the undisturbed run; other runs may send `factor` times its requests plus `more`. */
const requestBounds = { undisturbed: 200_000, factor: 10, more: 1000 }
/** Extra requests allowed for polling a job that takes ten minutes. */
const pollsOfSlowJob = 20_000
/** Events that would end the client's process. */
const fatalEvents = ['unhandledRejection', 'uncaughtException'] as const

const util = node?.getBuiltinModule?.('node:util') as
  { readonly format: (...values: readonly unknown[]) => string } | undefined

export class InProcessRunner<Mock> implements Runner {
  readonly parallel = 1
  readonly isRealTime = false
  readonly host: Exploration<Mock>
  readonly late: LateRequest[] = []
  readonly #scenario: ExploreScenario<Mock>
  readonly #check: ExploreOptions<Mock>['check']
  readonly #timers = new OwnTimers({
    onFetch: (input, init) => this.#noteAddress(input, init),
    onPrint: (values) => {
      const observed = this.#run?.observed
      if (!observed || observed.hasPrintedKey) return
      const text = tryReading(() => util?.format(...values) ?? values.join(' ')) ?? ''
      observed.hasPrintedKey = text.includes(this.host.key)
    },
  })
  readonly #runs = new WeakMap<Sandbox, Run>()
  #undisturbedRequests: number | undefined
  #run: Run | undefined
  #hasHung = false
  #isOver = false
  readonly #fatalListeners = fatalEvents.map((event) => {
    const listener = (error: unknown) => {
      const run = this.#run
      if (run && !run.isStopped && !run.isOfLateRequest(error)) run.observed.unhandled.push(error)
      if (event === 'uncaughtException') run?.crash(error)
    }
    return [event, listener] as const
  })

  constructor(
    host: Exploration<Mock>,
    scenario: ExploreScenario<Mock>,
    check: ExploreOptions<Mock>['check'],
  ) {
    this.host = host
    this.#scenario = scenario
    this.#check = check
    const watch = () => {
      if (this.#isOver) return
      if (this.#run?.isOver === false) this.#run.watch()
      setRealTimeout(watch, watchMs)
    }
    setRealTimeout(watch, watchMs)
    for (const [event, listener] of this.#fatalListeners) node?.on?.(event, listener)
  }

  end(): void {
    this.#isOver = true
    this.#timers.release()
    this.host.end()
    for (const [event, listener] of this.#fatalListeners) node?.off?.(event, listener)
  }

  run(fault: PlannedFault | null, from?: Store): Promise<RunRecord> {
    return this.#live(fault, from, new Map())
  }

  async #live(
    fault: PlannedFault | null,
    from: Store | undefined,
    storage: Map<string, unknown>,
  ): Promise<RunRecord> {
    const host = this.host
    const waits = {
      wait: (ms: number): Promise<void> => run.waitForClock(ms),
      sleep: (ms: number): Promise<void> => run.sleep(ms),
    }
    const sandbox = host.newSandbox({ fault, from, realMs: readRealMs, mode: 'manual', ...waits })
    const run: Run = new Run(sandbox, fault, this.#limits(fault), this.late)
    run.time.isIntercepted = this.#run?.time.isIntercepted === true
    host.begin({ sandbox, handle: (call, sender) => this.#respondIntercepted(call, sender, run) })
    this.#run = run
    this.#runs.set(sandbox, run)
    return host.within(sandbox, async () => {
      this.#timers.watch(run)
      run.time.takeFakeTimers()
      const ended = await run.supervise('scenario', () => this.#scenario(this.#context(run, storage)))
      if (ended.outcome === 'hang') this.#hasHung = true
      run.hasResolved = ended.outcome === 'resolved'
      if (!run.isStopped) await run.drain()
      const isFirst = this.#undisturbedRequests === undefined
      this.#undisturbedRequests ??= run.requests
      const violation = await this.#violation(run, ended)
      await run.windDown(isFirst)
      const again = () => this.#live(null, sandbox.store, storage)
      return {
        ...recordOf(run, () => host.controlsOf(sandbox).requests(), ended, leavesOf(storage), again),
        ...(violation && { violation }),
        ...run.observed,
      }
    })
  }

  #limits(fault: PlannedFault | null) {
    const { undisturbed, factor, more } = requestBounds
    const haste = this.#hasHung ? 5 : 1
    if (this.#undisturbedRequests === undefined) return { mostRequests: undisturbed, haste }
    const polls = fault?.effect && 'answers' in fault.effect ? pollsOfSlowJob : 0
    return { mostRequests: (this.#undisturbedRequests * factor + more) / haste + polls, haste }
  }

  /** What the user's check threw. A stopped client is checked after its second run. */
  async #violation(run: Run, { outcome, error }: Ended): Promise<RunRecord['violation']> {
    const check = this.#check
    if (outcome === 'stopped' || !check) return undefined
    const checked = await run.supervise('check', () => check({ mock: this.host.mock, outcome, error }))
    return checked.outcome === 'resolved' ? undefined : { error: checked.error }
  }

  #context(run: Run, storage: Map<string, unknown>) {
    const { mock, baseUrl, key, fetchWith } = this.host
    const direct = fetchWith((call) => run.respond(call))
    const fetch: typeof globalThis.fetch = (input, init) => {
      this.#noteAddress(input, init)
      return direct(new Request(input, init))
    }
    return { mock, baseUrl, key, fetch, sleep: (ms: number) => run.sleep(ms), storage }
  }

  /** Notes a request to another origin, and whether it contains the key. */
  #noteAddress(input: Request | URL | string, init: RequestInit = {}): void {
    const { baseUrl, key } = this.host
    const request = typeof input === 'object' && 'url' in input ? input : undefined
    const address = typeof input === 'object' && 'url' in input ? input.url : String(input)
    if (address.startsWith(`${baseUrl}/`)) return
    const url = tryReading(() => new URL(address, baseUrl))
    if (!url || url.origin === new URL(baseUrl).origin || !url.protocol.startsWith('http')) return
    const given = tryReading(() => new Headers(init.headers ?? request?.headers))
    const headers = [...(given ?? [])].map(([, value]) => value)
    const sent = [address, typeof init.body === 'string' ? init.body : '', ...headers]
    this.#run?.observed.strays.push({ origin: url.origin, hasKey: sent.some((text) => text.includes(key)) })
  }

  /**
   * Responds to an intercepted request. A request from an earlier run's code belongs to that run, unless that run is
   * quiet: then it comes from a module-level queue that the current run has added to.
   */
  async #respondIntercepted(call: Call, sender: Sandbox | undefined, run: Run): Promise<ApiResponse> {
    run.time.isIntercepted = true
    const earlier = sender && sender !== run.sandbox ? this.#runs.get(sender) : undefined
    if (!earlier || earlier.isQuiet) return run.respond(call)
    return earlier.respond(call)
  }
}

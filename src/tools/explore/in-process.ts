// Runs a scenario in this process: one run after another, each on a private copy of the mock's state.
import type { ApiResponse, Call } from '../../mock/requests/call.ts'
import type { PlannedFault } from '../../mock/faults/fault-spec.ts'
import type { Sandbox } from '../../mock/sandboxes/sandbox.ts'
import type { Store } from '../../service/store/store.ts'
import type { ExploreHost } from './host.ts'
import { Run } from './run.ts'
import type { Ended, Runner, RunRecord } from './runner.ts'
import { findFakeClock, OwnTimers, waitRealTime, readRealMs, setRealTimeout } from './timers.ts'
import type { ExploreOptions, ExploreScenario } from './types.ts'

const watchMs = 25
/** Limits of requests: of the undisturbed run, and of any other in relation to the undisturbed one. */
const mostRequests = { undisturbed: 200_000, factor: 10, more: 1000 }
/** Polls of a job that takes ten minutes. */
const pollsOfSlowJob = 20_000
/** A request from code of an earlier run belongs to the current run if that has been idle for this long. */
const idleMs = 25

const never = new Promise<never>(() => undefined)

export class InProcessRunner<Mock> implements Runner {
  readonly parallel = 1
  readonly isRealTime = false
  readonly host: ExploreHost<Mock>
  readonly #scenario: ExploreScenario<Mock>
  readonly #check: ExploreOptions<Mock>['check']
  readonly #timers = new OwnTimers()
  #undisturbedRequests: number | undefined
  #run: Run | undefined
  #isOver = false
  /** Whether code of one run sends requests of other runs, as a queue at module level does. */
  #sharesQueues = false

  constructor(
    host: ExploreHost<Mock>,
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
  }

  end(): void {
    this.#isOver = true
    this.#timers.release()
    this.host.end()
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
    const wait = (ms: number): Promise<void> => run.waitForClock(ms)
    const sandbox = host.newSandbox({ fault, from, realMs: readRealMs, mode: 'manual', wait })
    const run = new Run(sandbox, fault, this.#mostRequests(fault), this.#timers)
    run.isIntercepted = this.#run?.isIntercepted === true
    host.begin({ sandbox, handle: (call, sender) => this.#respondIntercepted(call, sender, run) })
    this.#run = run
    const record = await host.boundaries.within(sandbox, async () => {
      this.#timers.watch((ms) => run.sleep(ms, true))
      if (findFakeClock()) run.startTime()
      let value: unknown
      void run.run(async () => (value = await this.#scenario(this.#context(run, storage))))
      const ended = { ...(await run.ended), value }
      if (!run.isStopped) await run.drain()
      run.endTime()
      const violation = await this.#violation(ended)
      run.isOver = true
      const again = () => this.#live(null, sandbox.store, storage)
      return { ...host.recordOf(run, ended, again), ...(violation && { violation }) }
    })
    if (this.#undisturbedRequests === undefined) await run.linger()
    this.#undisturbedRequests ??= run.requests
    return record
  }

  #mostRequests(fault: PlannedFault | null): number {
    const { undisturbed, factor, more } = mostRequests
    if (this.#undisturbedRequests === undefined) return undisturbed
    const polls = fault?.effect && 'answers' in fault.effect ? pollsOfSlowJob : 0
    return this.#undisturbedRequests * factor + more + polls
  }

  /** What the check of the user threw. A client that was stopped is checked when it has run again. */
  async #violation({ outcome, error }: Ended): Promise<RunRecord['violation']> {
    if (outcome === 'stopped') return undefined
    try {
      await this.#check?.({ mock: this.host.mock, outcome, error })
      return undefined
    } catch (thrown) {
      return { error: thrown }
    }
  }

  #context(run: Run, storage: Map<string, unknown>) {
    const { mock, baseUrl, key, fetchWith } = this.host
    const direct = fetchWith((call) => this.#respond(call, run))
    const fetch: typeof globalThis.fetch = (input, init) => direct(new Request(input, init))
    return { mock, baseUrl, key, fetch, sleep: (ms: number) => run.sleep(ms), storage }
  }

  async #respond(call: Call, run: Run): Promise<ApiResponse> {
    if (run.isStopped) return never
    if (run.isOver) return this.host.tooLate(call)
    try {
      return await run.respond(call)
    } catch (error) {
      // It can have been stopped meanwhile.
      if (run.isStopped) return never
      throw error
    }
  }

  /** Responds to an intercepted request, which can come from code of an earlier run. */
  async #respondIntercepted(call: Call, sender: Sandbox | undefined, run: Run): Promise<ApiResponse> {
    run.isIntercepted = true
    const isForeign = sender !== undefined && sender !== run.sandbox
    while (isForeign && !run.isOver && !this.#sharesQueues)
      if (run.idleMs > idleMs && run.inFlight === 0) this.#sharesQueues = true
      else await waitRealTime(5)
    return this.#respond(call, run)
  }
}

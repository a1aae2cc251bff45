// Runs a scenario in this process: one run after another, each on a private copy of the mock's state.
import type { ApiResponse, Call } from '../core/call.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { ExploreHost } from './host.ts'
import { Run } from './run.ts'
import type { LateRequest, Runner, RunRecord } from './runner.ts'
import { fakeClock, realDelay, realMs, realTimeout } from './timers.ts'
import type { ExploreCheck, ExploredFault, ExploreScenario } from './types.ts'

const watchMs = 25
/** Limits of requests and wake-ups: of the undisturbed run, and of any other in relation to the undisturbed one. */
const mostSteps = { undisturbed: 200_000, factor: 10, more: 1000 }
/** A request from code of an earlier run belongs to the current run if that has been idle for this long. */
const idleMs = 25

export class InProcessRunner<Mock> implements Runner {
  readonly parallel = 1
  readonly late: readonly LateRequest[]
  readonly #host: ExploreHost<Mock>
  readonly #scenario: ExploreScenario<Mock>
  readonly #check: ((run: ExploreCheck<Mock>) => unknown) | undefined
  #undisturbedSteps: number | undefined
  #run: Run | undefined
  #isOver = false
  /** Whether code of one run sends requests of other runs, as a queue at module level does. */
  #sharesQueues = false

  constructor(
    host: ExploreHost<Mock>,
    scenario: ExploreScenario<Mock>,
    check: ((run: ExploreCheck<Mock>) => unknown) | undefined,
  ) {
    this.#host = host
    this.late = host.late
    this.#scenario = scenario
    this.#check = check
    const watch = () => {
      if (this.#isOver) return
      if (this.#run?.isOver === false) this.#run.watch()
      realTimeout(watch, watchMs)
    }
    realTimeout(watch, watchMs)
  }

  /** Ends the exploration. */
  end(): void {
    this.#isOver = true
    this.#host.end()
  }

  async run(faults: readonly ExploredFault[]): Promise<RunRecord> {
    const host = this.#host
    const sandbox = host.newSandbox(faults, realMs)
    const { undisturbed, factor, more } = mostSteps
    const most = this.#undisturbedSteps === undefined ? undisturbed : this.#undisturbedSteps * factor + more
    const run = new Run(sandbox, most, this.#run?.isIntercepted === true)
    host.begin({ sandbox, handle: (call, from) => this.#intercepted(call, from, run) })
    this.#run = run
    const record = await host.boundaries.within(sandbox, async () => {
      if (fakeClock()) run.time.start()
      void run.run(() => this.#scenario(this.#context(run)))
      const ended = await run.ended
      await run.drain()
      run.time.end()
      let violation: RunRecord['violation']
      try {
        await this.#check?.({ mock: host.mock, ...ended })
      } catch (thrown) {
        violation = { error: thrown }
      }
      run.isOver = true
      return { ...host.recordOf(sandbox, ended), ...(violation && { violation }) }
    })
    if (this.#undisturbedSteps === undefined) await run.linger()
    this.#undisturbedSteps ??= run.steps
    return record
  }

  #context(run: Run) {
    const { mock, baseUrl, key, fetchWith, tooLate } = this.#host
    const direct = fetchWith((call) => (run.isOver ? tooLate(call) : run.respond(call)))
    const fetch: typeof globalThis.fetch = (input, init) => direct(new Request(input, init))
    return { mock, baseUrl, key, fetch, sleep: (ms: number) => run.time.sleep(ms) }
  }

  /** Responds to an intercepted request, which can come from code of an earlier run. */
  async #intercepted(call: Call, from: Sandbox | undefined, run: Run): Promise<ApiResponse> {
    run.isIntercepted = true
    const isForeign = from !== undefined && from !== run.sandbox && !this.#sharesQueues
    if (!run.isOver && !isForeign) return run.respond(call)
    while (!run.isOver && !this.#sharesQueues) {
      if (run.idleMs > idleMs && run.inFlight === 0) this.#sharesQueues = true
      else await realDelay(5)
    }
    return run.isOver ? this.#host.tooLate(call) : run.respond(call)
  }
}

// One run of a client against its own state, until it ends or a fault stops it. Both runners build on it.
import {
  NetworkFault,
  routeOf,
  type ApiResponse,
  type Call,
  type PlannedFault,
  type Sandbox,
} from '../../mock/explorable.ts'
import { leavesOf } from './ends/leaves.ts'
import type { Ended, LateRequest, RunRecord } from './runner.ts'

export class Life {
  readonly sandbox: Sandbox
  readonly #stops: boolean
  #stop: () => void = () => undefined
  /** Settles when the fault stops the client. */
  readonly stopped = new Promise<void>((resolve) => (this.#stop = resolve))
  isStopped = false
  isOver = false
  inFlight = 0
  /** Whether other requests were in flight when the fault first hit; undefined before that. */
  isInterleaved: boolean | undefined

  constructor(sandbox: Sandbox, fault: PlannedFault | null) {
    this.sandbox = sandbox
    this.#stops = fault?.effect !== undefined && 'stop' in fault.effect
  }

  /** @throws {NetworkFault} if the fault breaks the connection, and always once the client is stopped */
  async respond(call: Call): Promise<ApiResponse> {
    if (this.isStopped) throw new NetworkFault()
    this.inFlight += 1
    try {
      return await this.sandbox.handle(call)
    } finally {
      if (this.sandbox.faults.plannedHits > 0) {
        this.isInterleaved ??= this.inFlight > 1
        this.isStopped = this.#stops
        if (this.#stops) this.#stop()
      }
      this.inFlight -= 1
    }
  }
}

/** The record of an ended run, for the engine to judge. */
export const recordOf = (
  { sandbox, isInterleaved }: Life,
  journal: RunRecord['journal'],
  ended: Ended,
  kept: RunRecord['kept'],
  again: RunRecord['again'],
): RunRecord => ({
  ...ended,
  value: leavesOf(ended.value),
  hits: sandbox.faults.plannedHits,
  isInterleaved: isInterleaved === true,
  end: sandbox.store,
  kept,
  report: sandbox.report.findings(),
  journal,
  again,
})

/** Breaks the connection of a request that arrives after its run has ended. */
export class LateFault extends NetworkFault {
  readonly request: LateRequest

  constructor(call: Call) {
    const line = `${call.method} ${call.path}`
    super(`${line} arrived after its exploration run had ended`)
    this.request = { operation: routeOf(call)?.operation.id ?? null, line }
  }
}

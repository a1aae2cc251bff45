// The interface between the engine and its two runners: one runs a function in this process, the other a command.
import type { OperationId } from '../../contract/index.ts'
import type { Finding, JournalEntry, OutsideAct, PlannedFault, Store } from '../../mock/explorable.ts'
import type { Leaves } from './ends/leaves.ts'
import type { ExploreOutcome } from './types.ts'

/** How the scenario ended; `error` says why unless it resolved. */
export interface Ended {
  /** `stopped`: the fault stopped it. */
  readonly outcome: ExploreOutcome | 'stopped'
  readonly error: unknown
  /** What the scenario returned or, for a command, printed. */
  readonly value?: unknown
}

/** What is observed about a run in this process, other than its requests. */
export interface Observed {
  /** Unhandled errors and rejections. */
  readonly unhandled: unknown[]
  /** Requests the client sent to other origins. */
  readonly strays: { readonly origin: string; readonly hasKey: boolean }[]
  /** Whether it printed the key to the console. */
  hasPrintedKey: boolean
  /** How many times, and how long in total, it waited after its last request. */
  waits: number
  waitedMs: number
  /** How many requests arrived after the run had ended. */
  late: number
  /** The first request sent long after the run had rejected, by an interval or a timer. */
  leftBehind?: LateRequest
  /** Whether it used AbortSignal.timeout. */
  hasTimeLimit: boolean
}

export interface RunRecord extends Omit<Ended, 'value'>, Partial<Readonly<Observed>> {
  readonly value: Leaves
  /** What the user's invariant threw. */
  readonly violation?: { readonly error: unknown }
  /** How many requests the fault hit. */
  readonly hits: number
  /** Whether other requests were in flight when the fault first hit. */
  readonly isInterleaved: boolean
  readonly end: Store
  /** What the client keeps outside the API: its storage, or the files a command wrote to its copy of the folder. */
  readonly kept: Leaves
  readonly report: readonly Finding[]
  readonly journal: () => readonly JournalEntry[]
  /** Runs the scenario again, without a fault, on the state and storage that this run left. */
  readonly again: () => Promise<RunRecord>
  /** Removes what the run left outside the process. */
  readonly release?: () => unknown
}

export interface LateRequest {
  readonly operation: OperationId | null
  /** Method and path. */
  readonly line: string
}

export interface Runner {
  /** Maximum number of simultaneous runs. */
  readonly parallel: number
  /** Whether waits take real time; slow faults are then tried once per operation. */
  readonly isRealTime: boolean
  /** Whether the user stopped the exploration; then no further run begins. */
  readonly isStopped?: boolean
  /** Requests that arrived after their run had resolved. A rejected run may still finish its other work. */
  readonly late: readonly LateRequest[]
  readonly host: {
    readonly start: Store
    readonly key: string
    /** Returns a copy of a state after another user's act. */
    readonly after: (state: Store, act: OutsideAct) => Promise<Store>
  }
  /** Runs the scenario, by default from the initial state. */
  run(fault: PlannedFault | null, from?: Store): Promise<RunRecord>
}

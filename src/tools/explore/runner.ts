// The interface between the engine and what runs a scenario: in this process, or as a command against a server.
import type { OperationId } from '../../contract/index.ts'
import type { Finding, JournalEntry, OutsideAct, PlannedFault, Store } from '../../mock/explorable.ts'
import type { Leaves } from './ends/leaves.ts'
import type { ExploreOutcome } from './types.ts'

/** How the scenario ended; `error` says why unless it resolved. */
export interface Ended {
  /** `stopped`: by the fault. */
  readonly outcome: ExploreOutcome | 'stopped'
  readonly error: unknown
  /** What the scenario returned; of a command, what it printed. */
  readonly value?: unknown
}

/** What is observed of a run in this process, other than its requests. */
export interface Observed {
  /** Errors and rejections that nothing handled. */
  readonly unhandled: unknown[]
  /** Requests that its code sent to other origins. */
  readonly strays: { readonly origin: string; readonly hasKey: boolean }[]
  /** Whether it printed the key to the console. */
  hasPrintedKey: boolean
  /** How often, and how long in all, it waited after its last request. */
  waits: number
  waitedMs: number
  /** How many of its requests arrived after its end. */
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
  /** Whether other requests were in flight at the first of them. */
  readonly isInterleaved: boolean
  readonly end: Store
  /** What it keeps outside the API: its storage, or the files a command wrote to its copy of a folder. */
  readonly kept: Leaves
  readonly report: readonly Finding[]
  readonly journal: () => readonly JournalEntry[]
  /** Runs the scenario again, undisturbed, on the state and storage that this run left. */
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
  /** Whether waits take real time, so that slow faults are tried once an operation. */
  readonly isRealTime: boolean
  /** Whether the user stopped the exploration: no further run begins. */
  readonly isStopped?: boolean
  /** Requests that arrived after their run had resolved. After a rejection, other work may finish. */
  readonly late: readonly LateRequest[]
  readonly host: {
    readonly start: Store
    readonly key: string
    /** A copy of a state, after what somebody else does to it. */
    readonly after: (state: Store, act: OutsideAct) => Promise<Store>
  }
  /** Runs the scenario, by default from the initial state. */
  run(fault: PlannedFault | null, from?: Store): Promise<RunRecord>
}

// How the engine has a scenario run: in this process, or as a command against a server.
import type { OperationId } from '../contract/index.ts'
import type { Finding } from '../core/report.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { Store } from '../store/store.ts'
import type { ExploredFault, ExploreOutcome } from './types.ts'

/** A request of a run, in the order of the journal. */
export interface RunRequest {
  readonly operation: OperationId
  /** Which request of its operation it is, from 0. */
  readonly index: number
  /** Whether a planned fault met it. */
  readonly isFaulted: boolean
}

/** A run that has ended. */
export interface RunRecord {
  readonly outcome: ExploreOutcome
  readonly error: unknown
  /** What the user's invariant threw. */
  readonly violation?: { readonly error: unknown }
  /** Whether every planned fault met a request. */
  readonly isMet: boolean
  /** The state the run began with, and the one it left. The end belongs to the engine, which may move its clock. */
  readonly start: Store
  readonly end: Store
  readonly report: readonly Finding[]
  requests(): RunRequest[]
  journal(): JournalEntry[]
}

/** A request that arrived after its run had ended. */
export interface LateRequest {
  readonly operation: OperationId | null
  /** Method and path. */
  readonly line: string
}

export interface Runner {
  /** How many runs can be under way at once. */
  readonly parallel: number
  /** Runs the scenario from the start with these faults. */
  run(faults: readonly ExploredFault[]): Promise<RunRecord>
  /** Requests that arrived after their runs had ended, so far. */
  readonly late: readonly LateRequest[]
  /** Whether the exploration was stopped: no further run begins. */
  readonly isStopped?: boolean
  /** Called after each run: for a display of progress. */
  progress?(runs: number, planned: number): void
}

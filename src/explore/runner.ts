// The interface between the engine and what runs a scenario: in this process, or as a command against a server.
import type { OperationId } from '../contract/index.ts'
import type { Finding } from '../core/report.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { Store } from '../store/store.ts'
import type { ExploredFault, ExploreOutcome } from './types.ts'

/** A request of a run, in the order of the journal. */
export interface RunRequest {
  readonly operation: OperationId
  /** Its position among the requests of its operation, from 0. */
  readonly index: number
  /** Whether a planned fault applied to it. */
  readonly isFaulted: boolean
}

/** How the scenario ended; `error` says why unless it resolved. */
export interface Ended {
  readonly outcome: ExploreOutcome
  readonly error: unknown
}

/** A completed run. */
export interface RunRecord extends Ended {
  /** What the user's invariant threw. */
  readonly violation?: { readonly error: unknown }
  /** Whether every planned fault applied to a request. */
  readonly isMet: boolean
  /** The state before the run, and after it. */
  readonly start: Store
  readonly end: Store
  readonly report: readonly Finding[]
  requests(): RunRequest[]
  journal(): JournalEntry[]
}

/** A request that arrived after the end of its run. */
export interface LateRequest {
  readonly operation: OperationId | null
  /** Method and path. */
  readonly line: string
}

export interface Runner {
  /** Maximum number of simultaneous runs. */
  readonly parallel: number
  /** Runs the scenario from the initial state with these faults. */
  run(faults: readonly ExploredFault[]): Promise<RunRecord>
  /** The requests so far that arrived after the end of their runs. */
  readonly late: readonly LateRequest[]
  /** Whether the user stopped the exploration: no further run begins. */
  readonly isStopped?: boolean
}

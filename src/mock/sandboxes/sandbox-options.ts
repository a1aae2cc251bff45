// What a sandbox is created with, and what is saved in it.
import type { Coverage } from '../journal/coverage.ts'
import type { PlannedFault } from '../faults/fault-spec.ts'
import type { SharedFault } from '../faults/faults.ts'
import type { JournalBudget } from '../journal/budget.ts'
import type { Journal } from '../journal/journal.ts'
import type { ClientReport } from './client-report.ts'
import type { SandboxListeners } from './signals.ts'
import type { Store } from '../../service/store/store.ts'

export interface SandboxOptions {
  /** Base address of the API, ending in /v1. */
  readonly baseUrl: string
  readonly selfCheck: boolean
  readonly journalSize: number
  readonly journalBudget: JournalBudget | undefined
  /** The coverage its requests add to; undefined if they count only in the sandbox's own. */
  readonly coverage: Coverage | undefined
  readonly newReport: (journal: Journal) => ClientReport
  /** The fault of an exploration's run; a reset sets it again. */
  readonly planned?: PlannedFault | undefined
  /** Faults set in all sandboxes; a reset sets them again. */
  readonly sharedFaults?: { values(): Iterable<SharedFault> } | undefined
  /** How a fault's delay waits; by default on timers. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** How `clock.sleep` waits; by default on the sandbox's clock. */
  readonly sleep?: (ms: number) => Promise<void>
  readonly listeners?: SandboxListeners | undefined
  readonly advanceOnPoll: boolean
}

export interface SavedSnapshot {
  /** Never changes, except that a clock in mode `system` keeps running. */
  readonly store: Store
  /** When it was saved, in milliseconds on its clock. */
  readonly atMs: number
  sizeBytes?: number
}

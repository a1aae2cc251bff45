// What a sandbox is made with, and what is saved in it.
import type { ApiResponse, Call } from '../requests/call.ts'
import type { Coverage } from '../journal/coverage.ts'
import type { Disturbance } from '../faults/disturbances.ts'
import type { ActiveDisturbance } from '../faults/faults.ts'
import type { JournalBudget } from '../journal/budget.ts'
import type { Journal } from '../journal/journal.ts'
import type { ClientReport } from './client-report.ts'
import type { SandboxListeners } from './signals.ts'
import type { Store } from '../../service/store/store.ts'

/** The options of a sandbox. `Sandbox` stands for its class, which imports this file. */
export interface OptionsOf<Sandbox> {
  readonly selfCheck: boolean
  readonly journalSize: number
  readonly journalBudget: JournalBudget | undefined
  /** Of the whole mock; undefined if requests do not count. */
  readonly coverage: Coverage | undefined
  readonly newReport: (journal: Journal) => ClientReport
  /** The disturbance of a run of an exploration; a reset sets it again. */
  readonly planned?: Disturbance | undefined
  /** How the delay of a fault waits; by default on timers. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Applies disturbances to a call; `pass` handles it. */
  readonly disturb?: (
    met: readonly ActiveDisturbance[],
    call: Call,
    sandbox: Sandbox,
    pass: (call: Call) => Promise<ApiResponse>,
  ) => Promise<ApiResponse>
  readonly listeners?: SandboxListeners | undefined
  readonly advanceOnPoll: boolean
}

export interface SavedSnapshot {
  /** Never changes, except that a clock in mode `system` runs on. */
  readonly store: Store
  /** When it was saved, in milliseconds on its clock. */
  readonly atMs: number
  sizeBytes?: number
}

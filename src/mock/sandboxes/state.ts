// The state of a sandbox. A reset replaces it; calls stay with the state in which they arrived.
import type { Store } from '../../service/store/store.ts'
import { Faults } from '../faults/faults.ts'
import { Journal } from '../journal/journal.ts'
import type { RequestState } from '../requests/exchange.ts'
import { RequestQueue } from '../requests/request-queue.ts'
import type { ClientReport } from './client-report.ts'
import type { SandboxOptions } from './sandbox-options.ts'

export interface SandboxState extends RequestState {
  readonly faults: Faults
  readonly journal: Journal
  readonly report: ClientReport
}

export function beginState(store: Store, options: SandboxOptions): SandboxState {
  const { journalSize, journalBudget, planned, sharedFaults, newReport } = options
  const journal = new Journal(journalSize, journalBudget)
  const faults = new Faults(store, planned, sharedFaults?.values())
  return { store, faults, journal, report: newReport(journal), queue: new RequestQueue() }
}

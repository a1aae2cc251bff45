// What exploration needs of a mock beyond its public surface.
import type { Call } from '../core/call.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { RunInProgress } from '../core/request/scopes.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { ClockMode } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import type { ExploredFault } from './types.ts'

/** The exploration of one sandbox of a mock, from its beginning to its end. */
export interface ExploreHost<Mock> {
  readonly mock: Mock
  readonly baseUrl: string
  readonly key: string
  /** The state that every run begins with; belongs to the exploration. */
  readonly start: Store
  /**
   * A private copy of the start, with faults of its own; waits are judged by real time too. Its clock is manual unless
   * said otherwise.
   */
  newSandbox(faults: readonly ExploredFault[], realMs: () => number, mode?: ClockMode): Sandbox
  /** Makes requests and controls belong to a run from now on. */
  begin(run: RunInProgress): void
  /** Makes them belong to the mock again. */
  end(): void
  within<Result>(sandbox: Sandbox, fn: () => Result): Result
  /** A fetch whose calls are that `handle` responds to. */
  fetchWith(handle: (call: Call) => ReturnType<Sandbox['handle']>): (request: Request) => Promise<Response>
  journalOf(sandbox: Sandbox): JournalEntry[]
}

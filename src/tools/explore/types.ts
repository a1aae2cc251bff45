// The public types of explorations: the context of a scenario, the options, and the result.
import type { StateDifference } from '../compare/comparison.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import type { ExploreSeverity, Finding, JournalEntry, PlannedFault } from '../../mock/explorable.ts'
import type { Family } from './families.ts'

/** The argument of a scenario, which is called once in each run. */
export interface ExploreContext<Mock> {
  /** The mock, whose state is a private copy for this run. */
  readonly mock: Mock
  /** Base address of the API, ending with /v1. */
  readonly baseUrl: string
  /** The key `master`, or the first key of the fixture. */
  readonly key: string
  /** Sends requests to the mock directly, without interception. */
  readonly fetch: typeof globalThis.fetch
  /** Waits for `ms` milliseconds on the clock of the run, which takes no real time. */
  readonly sleep: (ms: number) => Promise<void>
  /** Empty at the start of a run, and kept when the client is stopped and runs again: its file or database. */
  readonly storage: Map<string, unknown>
}

/** The client under test: resolves when its work is done, rejects when it gives up. What it returns is what it reports. */
export type ExploreScenario<Mock> = (context: ExploreContext<Mock>) => unknown

export type ExploreOutcome = 'resolved' | 'rejected' | 'hang'

/** The argument of `check`, which is called at the end of each run. */
export interface ExploreCheck<Mock> {
  readonly mock: Mock
  readonly outcome: ExploreOutcome
  /** The error with which the scenario rejected, or that says why it hangs; otherwise undefined. */
  readonly error: unknown
}

export interface ExploreOptions<Mock> {
  /**
   * What happens to the client. Default: all but `answers`, which only tells what depends on open questions of the contract;
   * some 2 s of processor time for a client of 16 requests. The first ones find most: for less time leave out the last.
   */
  readonly families?: readonly Family[] | 'all'
  /** Whether a stopped client must reach the same end when it runs again. By default a second undisturbed run decides. */
  readonly restartable?: boolean
  /** Maximum number of runs, including the undisturbed ones. Default 2,000. */
  readonly maxRuns?: number
  /**
   * For the family `errors`. `transient` (default): 429, 500, 503 and broken connections. `all` adds 500 and 503 after a write was carried out,
   * and 401, 402, 403, 404 and 413.
   */
  readonly faults?: 'transient' | 'all'
  /** Checks your own invariant at the end of each run; throws if it is violated. */
  readonly check?: (run: ExploreCheck<Mock>) => unknown
}

export type ExploreKind =
  | 'state'
  | 'gave up'
  | 'gave up early'
  | 'stopped'
  | 'result'
  | 'storage'
  | 'at rest'
  | 'rule'
  | 'lost'
  | 'hang'
  | 'check'
  | 'depends'
  | 'late request'
  | 'unhandled'
  | 'other origin'
  | 'key shown'

/** A run that shows a finding. */
export interface ShownBy {
  /** Null: the whole run. */
  readonly operation: OperationId | null
  readonly family: Family
  /** Number of the request among those of its operation, from 1. */
  readonly request: number | null
}

/** One way in which the client does harm. */
export interface ExploreFinding {
  readonly kind: ExploreKind
  /** `assumption`: the contract does not define the right behaviour here. */
  readonly severity: ExploreSeverity
  /** The operation whose request failed; for a late request, its own. Null if there is none. */
  readonly operation: OperationId | null
  /** Null if it occurs undisturbed. */
  readonly family: Family | null
  /** The fault of the representative run in a few words, such as `503 for good`. Null if there was none. */
  readonly name: string | null
  /** The fault of that run: `mock.fault` takes it. Null if there was none. */
  readonly fault: PlannedFault | null
  /** Findings of the same cause are one, whatever fault shows them. */
  readonly cause: string
  /** What happened, in one sentence. */
  readonly message: string
  /** What the contract requires of the client, or what to do. */
  readonly advice: string
  /** Lines that reproduce the finding when pasted before the scenario. */
  readonly reproduction: string
  readonly difference?: StateDifference
  /** The rule of the report on the client that was broken. */
  readonly rule?: RuleId
  /** How many runs show it. */
  readonly count: number
  /** The run of `fault` first. */
  readonly shownBy: readonly ShownBy[]
  /** The journal of the first run that shows it. Not enumerable. */
  readonly requests: readonly JournalEntry[]
  /** The report of that run. Not enumerable. */
  readonly report: readonly Finding[]
}

/** What happened to a request, by family, or by fault where a single family was explored. */
export interface ExploreRow {
  /** Null: the whole run. */
  readonly operation: OperationId | null
  /** Number of the request among those of its operation, from 1. */
  readonly request: number | null
  /** By column the worst: `ok`, `not tried`, or the finding in a word or two. Absent: nothing to try. */
  readonly cells: Readonly<Record<string, string>>
}

export interface ExploreResult {
  /** Errors first. */
  readonly findings: readonly ExploreFinding[]
  /** Number of runs of the scenario, including the undisturbed ones. */
  readonly runs: number
  /** Number of faults: those that met the client, and all. */
  readonly covered: { readonly tried: number; readonly possible: number }
  /** What was not judged, and why. */
  readonly notes: readonly string[]
  readonly matrix: { readonly columns: readonly string[]; readonly rows: readonly ExploreRow[] }
  /** The matrix as a table; then each finding in three lines. */
  toString(): string
}

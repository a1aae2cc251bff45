// The public types of explorations: the context of a scenario, the options, and the result.
import type { StateDifference } from '../compare/comparison.ts'
import type { RuleId } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import type { ExploreSeverity, Finding, JournalEntry, PlannedFault } from '../../mock/explorable.ts'
import type { Family } from './families.ts'

/** The argument of a scenario. Each run calls the scenario once. */
export interface ExploreContext<Mock> {
  /** The mock, whose state is a private copy for this run. */
  readonly mock: Mock
  /** Base URL of the API, ending in /v1. */
  readonly baseUrl: string
  /** The key `master`, or the first key of the fixture. */
  readonly key: string
  /** Sends requests to the mock directly, without interception. */
  readonly fetch: typeof globalThis.fetch
  /** Waits `ms` milliseconds on the run's clock, which takes no real time. */
  readonly sleep: (ms: number) => Promise<void>
  /** The client's file or database: empty when a run starts, kept when the client is stopped and runs again. */
  readonly storage: Map<string, unknown>
}

/** The client under test: resolves when its work is done, rejects when it gives up. Its returned value is its report. */
export type ExploreScenario<Mock> = (context: ExploreContext<Mock>) => unknown

export type ExploreOutcome = 'resolved' | 'rejected' | 'hang'

/** The argument of `check`. Each run calls `check` at its end. */
export interface ExploreCheck<Mock> {
  readonly mock: Mock
  readonly outcome: ExploreOutcome
  /** The error the scenario rejected with, or one that says why it hangs; otherwise undefined. */
  readonly error: unknown
}

export interface ExploreOptions<Mock> {
  /**
   * The kinds of faults to try. Default: all but `answers`, which only shows what depends on open questions of the
   * contract. The default takes about 2 s of CPU time for a client that makes 16 requests. The first families find
   * the most; to save time, omit the last.
   */
  readonly families?: readonly Family[] | 'all'
  /** Whether a stopped client must reach the same end when it runs again. By default, it must if a second undisturbed run changes nothing. */
  readonly restartable?: boolean
  /** Maximum number of runs, including the undisturbed ones. Default 2,000. */
  readonly maxRuns?: number
  /**
   * For the family `errors`. `transient` (default): 429, 500, 503 and broken connections. `all` adds 401, 402, 403, 404 and
   * 413, and 500 and 503 after a write was carried out.
   */
  readonly faults?: 'transient' | 'all'
  /** Checks your own invariant at the end of each run; must throw if it is violated. */
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
  /** Null if the fault hits the whole run. */
  readonly operation: OperationId | null
  readonly family: Family
  /** Number of the request among its operation's requests, from 1. */
  readonly request: number | null
}

/** One way in which the client does harm. */
export interface ExploreFinding {
  readonly kind: ExploreKind
  /** `assumption`: the contract does not define the right behaviour here. */
  readonly severity: ExploreSeverity
  /** The operation of the request that failed, or of the late request. Null if there is none. */
  readonly operation: OperationId | null
  /** Null if the finding occurs without a fault. */
  readonly family: Family | null
  /** The fault of the representative run, such as `503 for good`. Null if there was none. */
  readonly name: string | null
  /** That run's fault, to pass to `mock.fault`. Null if there was none. */
  readonly fault: PlannedFault | null
  /** Runs with the same cause are one finding, whatever their fault. */
  readonly cause: string
  /** What happened, in one sentence. */
  readonly message: string
  /** What the contract requires of the client, or what to do. */
  readonly advice: string
  /** Lines that reproduce the finding when pasted in front of the scenario. */
  readonly reproduction: string
  readonly difference?: StateDifference
  /** The rule of the report that the client broke. */
  readonly rule?: RuleId
  /** How many runs show it. */
  readonly count: number
  /** The representative run comes first. */
  readonly shownBy: readonly ShownBy[]
  /** The journal of the representative run. Not enumerable. */
  readonly requests: readonly JournalEntry[]
  /** The report on the representative run. Not enumerable. */
  readonly report: readonly Finding[]
}

/** What happened to a request, by family, or by fault if a single family was explored. */
export interface ExploreRow {
  /** Null if the fault hits the whole run. */
  readonly operation: OperationId | null
  /** Number of the request among its operation's requests, from 1. */
  readonly request: number | null
  /** The worst outcome by column: `ok`, `not tried`, or the finding in a word or two. Absent: nothing to try. */
  readonly cells: Readonly<Record<string, string>>
}

export interface ExploreResult {
  /** Errors first. */
  readonly findings: readonly ExploreFinding[]
  /** Number of runs of the scenario, including the undisturbed ones. */
  readonly runs: number
  /** How many faults hit the client, and how many were planned. */
  readonly covered: { readonly tried: number; readonly possible: number }
  /** What was not judged, and why. */
  readonly notes: readonly string[]
  readonly matrix: { readonly columns: readonly string[]; readonly rows: readonly ExploreRow[] }
  /** The matrix as a table, then each finding in three lines. */
  toString(): string
}

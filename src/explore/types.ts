// The public types of fault exploration: the context of a scenario, the options, and the result.
import type { OperationId } from '../contract/index.ts'
import type { StateDifference } from '../compare/comparison.ts'
import type { LimitName } from '../contract/errors.ts'
import type { RuleId } from '../contract/client-rules.ts'
import type { Finding } from '../core/report.ts'
import type { FaultStatuses } from '../core/fault-spec.ts'
import type { JournalEntry } from '../core/journal/entry.ts'

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
}

/** The client under test: resolves when its work is done, rejects when it gives up. */
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
  /** Maximum number of faults in one run: 1 (default) or 2. */
  readonly depth?: 1 | 2
  /** Maximum number of runs, including the two undisturbed ones. Default 2,000. */
  readonly maxRuns?: number
  /**
   * `transient` (default): 429, 500, 503 and broken connections. `all` adds 500 and 503 after a write was carried out,
   * and 401, 402, 403, 404 and 413.
   */
  readonly faults?: 'transient' | 'all'
  /** Checks an invariant of your own at the end of each run: throws if it is violated. */
  readonly check?: (run: ExploreCheck<Mock>) => unknown
}

/** A fault of a run, in the form that `mock.fault` accepts. */
export interface ExploredFault {
  readonly operation: OperationId
  readonly status?: FaultStatuses[OperationId]
  readonly network?: true
  readonly phase?: 'after'
  readonly resource?: LimitName
  /** Whole seconds. */
  readonly retryAfter?: number
  /** How many requests of the operation pass before the fault applies. */
  readonly skip?: number
}

export type ExploreKind =
  'state' | 'gave up' | 'rule' | 'lost' | 'hang' | 'check' | 'late request' | 'not deterministic'

/** One way in which the client does harm; `count` runs show it. */
export interface ExploreFinding {
  readonly kind: ExploreKind
  /** `assumption`: the contract does not define the right behaviour here. */
  readonly severity: 'error' | 'warning' | 'assumption' | 'info'
  /** The operation of the first fault; for a late request, its own. Null if there is none. */
  readonly operation: OperationId | null
  /** The first fault of the run; null for a run without faults. */
  readonly fault: ExploredFault | null
  /** All faults of the run, in the order in which they applied. */
  readonly faults: readonly ExploredFault[]
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
  /** The journal of the first run that shows it. Not enumerable. */
  readonly requests: readonly JournalEntry[]
  /** The report of that run. Not enumerable. */
  readonly report: readonly Finding[]
}

export interface ExploreResult {
  /** Errors first. */
  readonly findings: readonly ExploreFinding[]
  /** Number of runs, including the two undisturbed ones. */
  readonly runs: number
  readonly covered: {
    /** Number of faults and pairs of faults that were tried. */
    readonly tried: number
    /** Number of all faults and pairs of faults. */
    readonly possible: number
  }
  /** A table of the outcomes, a row for each request and a column for each fault; then each finding in three lines. */
  toString(): string
}

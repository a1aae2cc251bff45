// The public types of fault exploration: what a scenario gets, the options, and the result.
import type { OperationId } from '../contract/index.ts'
import type { LimitName } from '../contract/errors.ts'
import type { RuleId } from '../contract/client-rules.ts'
import type { Finding } from '../core/report.ts'
import type { FaultStatuses } from '../core/fault-spec.ts'
import type { JournalEntry } from '../core/journal/entry.ts'

/** What a scenario is called with, once in each run. */
export interface ExploreContext<Mock> {
  /** The mock; it stands for the private copy of this run. */
  readonly mock: Mock
  /** Base address of the API, ending with /v1. */
  readonly baseUrl: string
  /** The key `master`, or the first key of the fixture. */
  readonly key: string
  /** Reaches the mock without interception. */
  readonly fetch: typeof globalThis.fetch
  /** Waits on the clock of the run, which costs no real time. Milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
}

/** The client under test: resolves when its work is done, rejects when it gives up. */
export type ExploreScenario<Mock> = (context: ExploreContext<Mock>) => unknown

export type ExploreOutcome = 'resolved' | 'rejected' | 'hang'

/** What an invariant is checked on, at the end of each run. */
export interface ExploreCheck<Mock> {
  readonly mock: Mock
  readonly outcome: ExploreOutcome
  /** What the scenario rejected with. */
  readonly error: unknown
}

export interface ExploreOptions<Mock> {
  /** How many faults a run has at most: 1 (default) or 2. */
  readonly depth?: 1 | 2
  /** Most runs, the two undisturbed ones included. Default 2,000. */
  readonly maxRuns?: number
  /**
   * `transient` (default): 500, 503, 429 and broken connections. `all` adds 500 and 503 after a write was done, and the
   * refusals 401, 402, 403, 404 and 413.
   */
  readonly faults?: 'transient' | 'all'
  /** An invariant of your own, called at the end of each run: throws where it is violated. */
  readonly check?: (run: ExploreCheck<Mock>) => unknown
}

/** A fault of a run, as `mock.fault` takes it. */
export interface ExploredFault {
  readonly operation: OperationId
  readonly status?: FaultStatuses[OperationId]
  readonly network?: true
  readonly phase?: 'after'
  readonly resource?: LimitName
  /** Whole seconds. */
  readonly retryAfter?: number
  /** How many requests of the operation pass first. */
  readonly skip?: number
}

export type ExploreKind =
  'state' | 'gave up' | 'rule' | 'lost' | 'hang' | 'check' | 'late request' | 'not deterministic'

/** How the state at the end differs from that of the undisturbed run. */
export interface StateDifference {
  /** `task`, `comment`, `row`, `file` … */
  readonly resource: string
  readonly change: 'twice' | 'missing' | 'added' | 'changed'
  /** The field that differs; of a row the id of the column. */
  readonly field?: string
  /** Title, name or id of the record. */
  readonly record: string
  /** What the undisturbed run left: the value of the field, or how many such records. */
  readonly undisturbed: unknown
  /** What the disturbed run left. */
  readonly disturbed: unknown
}

/** One way in which the client does harm, however many runs showed it. */
export interface ExploreFinding {
  readonly kind: ExploreKind
  /** `assumption`: the contract does not say what is right here. */
  readonly severity: 'error' | 'warning' | 'assumption' | 'info'
  /** The operation of the fault; for a late request its own. Null if there is none. */
  readonly operation: OperationId | null
  /** The first fault of the run, null where it had none. */
  readonly fault: ExploredFault | null
  /** All faults of the run, in the order in which they were met. */
  readonly faults: readonly ExploredFault[]
  /** What happened, in one sentence. */
  readonly message: string
  /** What the contract asks for, in one sentence. */
  readonly advice: string
  /** Lines that, pasted before the scenario, show the finding again. */
  readonly reproduction: string
  readonly difference?: StateDifference
  /** The rule of the report that was broken. */
  readonly rule?: RuleId
  /** How many runs showed it. */
  readonly count: number
  /** The journal of the first run that showed it. Not enumerable. */
  readonly requests: readonly JournalEntry[]
  /** The report of that run. Not enumerable. */
  readonly report: readonly Finding[]
}

export interface ExploreResult {
  /** Errors first. */
  readonly findings: readonly ExploreFinding[]
  /** How many runs were made, the two undisturbed ones included. */
  readonly runs: number
  readonly covered: {
    /** Faults, and pairs of faults, that a run met. */
    readonly tried: number
    /** How many there are. */
    readonly possible: number
  }
  /** A table of requests by faults, and each finding in three lines. */
  toString(): string
}

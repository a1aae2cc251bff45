// The report of a run: one finding per check, and one per cause of drift.
import type { OperationId } from '../../../contract/index.ts'
import type { Har } from '../../../contract/data/har.ts'
import type { LeftBehind } from '../../deployment/run.ts'
import type { InconclusiveReason } from '../../deployment/stop.ts'
import type { Check, Subject } from '../compare/difference.ts'
import type { Cause } from './causes.ts'

/** `inconclusive`: the run could not decide it. */
export type Outcome = 'pass' | 'drift' | 'inconclusive'

/** The result of a check, or of several checks that share a cause. */
export interface VerifyFinding extends Check {
  readonly outcome: Outcome
  /** For drift: what the rule expects, in words. */
  readonly expected?: string
  /** For drift: what was received instead. */
  readonly got?: string
  /** For drift found by comparison: the path of the field in the body. */
  readonly field?: string
  /** For drift in a read: the last write before it. */
  readonly after?: OperationId
  /** Why the rule is inconclusive, in words. */
  readonly why?: string
  /** Why the rule is inconclusive, as a word for programs. */
  readonly reason?: InconclusiveReason
  /** For drift: what was sent, as method, address below the base URL and body. */
  readonly sent?: string
  /** For drift: what its differences have in common. */
  readonly cause?: Cause
  /**
   * For drift: commands that reproduce it, one per line: first what the request needs, such as the write before a read, then the
   * request. They read the key from `$WORKSPACE_API_KEY`.
   */
  readonly curl?: string
  /** How many differences the finding covers, if several. */
  readonly count?: number
  /** All operations, `operation` first, if the finding covers several differences or another operation showed it. */
  readonly operations?: readonly Subject[]
  /** The checks, each as `operation/rule`, if the finding covers several differences. */
  readonly rules?: readonly string[]
}

/** Something in the responses that the contract does not name. It is not drift. */
export interface Note {
  readonly operation: OperationId
  readonly note: string
}

/** What a run tried and could not decide. */
export interface Inconclusive {
  /** From 0 to 1: the undecided share of the rules tried. Rules that need writes the key may not send do not count. */
  readonly share: number
  /** Each as `operation/rule`. */
  readonly rules: readonly string[]
  readonly operations: readonly Subject[]
}

export interface VerifyReport {
  /** The base URL as given, without a trailing slash. */
  readonly baseUrl: string
  /** Whether the deployment was written to. */
  readonly mode: 'read' | 'write'
  /** Whether nothing drifted. */
  readonly ok: boolean
  /** Why the run does not count, in a sentence; the command then exits with 2. */
  readonly problem?: string
  /** Whether the run was interrupted; what was not checked by then is inconclusive. */
  readonly interrupted: boolean
  /** Requests sent, including clean-up and retries. */
  readonly requests: number
  /** Number of findings by outcome. */
  readonly counts: { readonly pass: number; readonly drift: number; readonly inconclusive: number }
  /** One per check that passed or is inconclusive, and one per cause of drift. */
  readonly findings: readonly VerifyFinding[]
  readonly inconclusive: Inconclusive
  readonly notes: readonly Note[]
  readonly leftBehind: readonly LeftBehind[]
  /** With the option `har`: exchanges that show drift, each with the broken rule as its comment. */
  readonly har?: Har
}

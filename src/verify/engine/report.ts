// Owns the report of a run: what was found of each operation and rule.
import type { OperationId } from '../../contract/index.ts'
import type { Source, Subject } from './rule.ts'

export type Outcome = 'pass' | 'drift' | 'not reachable'

/** What became of one rule. */
export interface Finding {
  readonly operation: Subject
  /** Together with the operation it names the rule, such as `unknown-taskId` of `getTask`. */
  readonly rule: string
  /** What holds in a deployment that keeps the rule, in words. */
  readonly says: string
  readonly source: Source
  readonly outcome: Outcome
  /** Of a drift alone: what was to come, in words. */
  readonly expected?: string
  /** Of a drift alone: what came instead. */
  readonly got?: string
  /** Where it is not reachable: the reason, in words. */
  readonly why?: string
}

/** What is there but not in the contract, which is no drift. */
export interface Note {
  readonly operation: OperationId
  readonly note: string
}

/** What the run made and could not or did not remove. */
export interface LeftBehind {
  /** Kind and id, such as `space spc_1`. */
  readonly what: string
  /** The reason, in words. */
  readonly why: string
}

export interface VerifyReport {
  /** As given, without a slash at its end. */
  readonly baseUrl: string
  /** Whether the deployment was written to. */
  readonly mode: 'read' | 'write'
  /** Whether nothing drifted. */
  readonly ok: boolean
  /** Whether the run was called off; what was not checked by then is not reachable. */
  readonly interrupted: boolean
  /** How many were sent, those of the clean-up and those tried again among them. */
  readonly requests: number
  /** Findings by their outcome. */
  readonly counts: { readonly pass: number; readonly drift: number; readonly notReachable: number }
  /** Every rule once; more than once where it was broken in several ways. */
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  readonly leftBehind: readonly LeftBehind[]
}

/** Counts of the outcomes. */
export function countFindings(findings: readonly Finding[]): VerifyReport['counts'] {
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length
  return { pass: count('pass'), drift: count('drift'), notReachable: count('not reachable') }
}

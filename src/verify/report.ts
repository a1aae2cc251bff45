// Owns the report of a run: what was found of each operation and rule.
import type { OperationId } from '../contract/index.ts'
import type { Source, Subject } from './rule.ts'

export type Outcome = 'pass' | 'drift' | 'not reachable'

export interface Finding {
  readonly operation: Subject
  readonly rule: string
  readonly says: string
  readonly source: Source
  readonly outcome: Outcome
  /** Of a drift. */
  readonly expected?: string
  readonly got?: string
  /** Why it is not reachable. */
  readonly why?: string
}

/** What is there but not in the contract, which is no drift. */
export interface Note {
  readonly operation: OperationId
  readonly note: string
}

/** What the run made and could not or did not remove. */
export interface LeftBehind {
  readonly what: string
  readonly why: string
}

export interface VerifyReport {
  readonly baseUrl: string
  readonly mode: 'read' | 'write'
  /** Whether nothing drifted. */
  readonly ok: boolean
  /** Whether the run was called off; what was not checked by then is not reachable. */
  readonly interrupted: boolean
  readonly requests: number
  readonly counts: { readonly pass: number; readonly drift: number; readonly notReachable: number }
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  readonly leftBehind: readonly LeftBehind[]
}

/** Counts of the outcomes. */
export function countFindings(findings: readonly Finding[]): VerifyReport['counts'] {
  const count = (outcome: Outcome) => findings.filter((finding) => finding.outcome === outcome).length
  return { pass: count('pass'), drift: count('drift'), notReachable: count('not reachable') }
}

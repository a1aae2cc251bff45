// Counts of responses by operation and outcome, as plain data that several processes can add up.
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'

/** Successes that report a failure, by the operation's `partialOutcome`. */
export const partialCases = {
  rows: ['partlyFailed'],
  job: ['jobErrors', 'jobFailed'],
} as const

/** How an operation can respond: with success, a success that reports a failure, or an error of a kind. */
export type OutcomeCase = ErrorKind | 'success' | (typeof partialCases)[keyof typeof partialCases][number]

interface OperationCounts {
  requests: number
  /** How often each case was met, naturally and by a fault. */
  readonly cases: Partial<Record<OutcomeCase, [natural: number, byFault: number]>>
}
export type CoverageCounts = Partial<Record<OperationId, OperationCounts>>

export interface CountedOutcome {
  readonly operation: OperationId
  /** Undefined where the connection was broken. */
  readonly case: OutcomeCase | undefined
  readonly isByFault: boolean
}

export function countOutcome(
  counts: CoverageCounts,
  { operation, case: kind, isByFault }: CountedOutcome,
): void {
  const counted = (counts[operation] ??= { requests: 0, cases: {} })
  counted.requests += 1
  if (kind !== undefined) (counted.cases[kind] ??= [0, 0])[isByFault ? 1 : 0] += 1
}

/** Set by the vitest reporter, for all mocks of a process: a global symbol, since tests can load this module twice. */
export const collectorKey = Symbol.for('workspace-api-mock/coverage')
export type Collector = (outcome: CountedOutcome) => void

// Counts responses by operation and outcome, as plain data that several processes can add up.
import type { ErrorKind } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/index.ts'

/** Successes that report a failure, keyed by the operation's `partialOutcome`. */
export const partialCases = {
  rows: ['partlyFailed'],
  job: ['jobErrors', 'jobFailed'],
} as const

/** How an operation can respond: a success, a success that reports a failure, or a kind of error. */
export type OutcomeCase = ErrorKind | 'success' | (typeof partialCases)[keyof typeof partialCases][number]

interface OperationCounts {
  requests: number
  /** How often each case occurred, naturally and through a fault. */
  readonly cases: Partial<Record<OutcomeCase, [natural: number, byFault: number]>>
}
export type CoverageCounts = Partial<Record<OperationId, OperationCounts>>

export interface CountedOutcome {
  readonly operation: OperationId
  /** Undefined if the connection was broken. */
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

/** Set by the vitest reporter, for all mocks of a process. A global symbol, because tests can load this module twice. */
export const collectorKey = Symbol.for('workspace-api-mock/coverage')
export type Collector = (outcome: CountedOutcome) => void

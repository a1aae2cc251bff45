// The report on the client: the core feeds it, and the controls read it.
import * as z from 'zod/mini'
import type { RuleId, Severity } from '../../contract/client-rules.ts'
import type { OperationId } from '../../contract/index.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { BegunExchange } from '../requests/exchange.ts'

/** A breach of a rule, however often it happened. */
export interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  /** What happened, and what to do about it. */
  readonly message: string
  /** The first operation to break it; null for a path that is not an operation. */
  readonly operation: OperationId | null
  /** All operations that broke it, if there are several. */
  readonly operations?: readonly OperationId[]
  /** The open question behind an assumption. */
  readonly question?: QuestionId
  /** How often it happened. */
  readonly count: number
  /** Ids of the requests involved, if the journal still holds them; so there are no more than the journal can hold. */
  readonly requests: readonly number[]
  /** The ids among `requests` that are at fault. The others are context, such as the request with the ignored error. */
  readonly offending: readonly number[]
}

/** The severities of exploration findings, worst first. `assumption`: the contract does not define what is right. */
export const exploreSeverities = ['error', 'warning', 'assumption', 'info'] as const
export type ExploreSeverity = (typeof exploreSeverities)[number]

export interface ReportOptions {
  /** Includes responses that relied on an open question, and rules left undecided because the clock stood still. */
  assumptions?: boolean | undefined
}
export const reportOptionsSchema: z.ZodMiniType<ReportOptions> = z.lazy(() =>
  z.strictObject({ assumptions: z.optional(z.boolean()) }),
)

export interface ClientReport {
  /** Judges requests, in the order of their responses. */
  add(exchange: BegunExchange): void
  /** Findings in order of first occurrence; with `assumptions`, also those of severity info, assumptions last. */
  findings(options?: ReportOptions): Finding[]
}

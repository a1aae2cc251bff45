// Owns the report on the client: which of the contract's rules for clients its requests broke.
import type { RuleId, Severity } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import type { World } from '../model/world.ts'
import type { Exchange } from './journal.ts'

/** One breach of a rule, however often it happened. */
export interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  /** What happened and what to do about it. */
  readonly message: string
  readonly operation: OperationId | null
  /** How often it happened. */
  readonly count: number
  /** Journal ids of the requests concerned. */
  readonly requests: readonly number[]
}

export interface ReportOptions {
  /** Also lists where an answer depended on an open question. */
  readonly assumptions?: boolean
}

export class Report {
  add(_exchange: Exchange, _world: World): void {}

  findings(_options: ReportOptions = {}): Finding[] {
    return []
  }
}

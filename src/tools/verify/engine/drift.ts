// A difference between a deployment and what is expected of it, the source of the rule, and the errors that end a check.
import type { OperationId } from '../../../contract/index.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import type { SentExchange } from './exchange.ts'

/** Where a rule comes from: a part of the contract, or the answer assumed to an open question. */
export type Source = { readonly contract: string } | { readonly assumption: QuestionId }

export type SourceText = `contract, ${string}` | `assumption ${QuestionId}`

export const sourceOf = (text: SourceText): Source =>
  text.startsWith('contract, ')
    ? { contract: text.slice('contract, '.length) }
    : { assumption: text.slice('assumption '.length) as QuestionId }

export const formatSource = (source: Source): SourceText =>
  'contract' in source ? `contract, ${source.contract}` : `assumption ${source.assumption}`

/** What a rule is about: an operation, or `general` for all of them. */
export type Subject = OperationId | 'general'

/**
 * `extra`: a field of the contract in a place where it does not belong; `number`: an autonumber of another row; `rule`: the
 * expected and the received are sentences.
 */
export type DifferenceKind =
  | 'status'
  | 'header'
  | 'type'
  | 'missing'
  | 'extra'
  | 'value'
  | 'id'
  | 'number'
  | 'length'
  | 'records'
  | 'order'
  | 'rule'

/** Where two responses differ, or a response differs from a rule. */
export interface Difference {
  /** In the body, such as `rows[].data.col_name`; `status`; or the name of a header. */
  readonly path: string
  readonly kind: DifferenceKind
  readonly expected: unknown
  readonly got: unknown
  /** Ids of records of the workspace, not of the run, that differ, or that one side alone has. */
  readonly records?: readonly string[]
}

/** A difference from a rule, with the source of the clause where it has one of its own. */
export type Breach = Difference & { readonly source?: SourceText }

/** An answer to an open question, other than that of the run. */
export interface OtherAnswer {
  readonly question: QuestionId
  readonly answer: unknown
}

/** A difference, with the rule that it breaks and the requests that show it. */
export interface Drift extends Difference {
  readonly operation: Subject
  /** With the operation it names the check. */
  readonly rule: string
  readonly says: string
  readonly source: Source
  /** The last write before a read. */
  readonly after?: OperationId | undefined
  /** What the request shows needs before it, then the request itself. */
  readonly exchanges: readonly SentExchange[]
  /** The answer under which there would be no difference. */
  readonly explained?: OtherAnswer | undefined
  /** How often it showed, where not each time, such as `3 of 8`. */
  readonly seen?: string
}

/** No response could be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Why a check is inconclusive; it decides which remedy is printed. */
export type InconclusiveReason =
  | 'absent'
  | 'drift'
  | 'failure'
  | 'interrupted'
  | 'limit'
  | 'permission'
  | 'plan'
  | 'status'
  | 'unstable'
  | 'writing'

/** A check is inconclusive. */
export class Unreachable extends Error {
  override readonly name: string = 'Unreachable'
  readonly reason: InconclusiveReason

  constructor(message: string, reason: InconclusiveReason = 'absent', options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A request was refused for lack of a permission. The key has it after all if the operation ever succeeds. */
export class Forbidden extends Unreachable {
  override readonly name = 'Forbidden'
  readonly operation: OperationId
  /** The expected status. */
  readonly expected: number
  readonly status: number
  readonly exchanges: readonly SentExchange[]

  constructor(
    operation: OperationId,
    expected: number,
    { status, summary }: { readonly status: number; readonly summary: string },
    exchanges: readonly SentExchange[] = [],
  ) {
    super(summary, 'permission')
    this.operation = operation
    this.expected = expected
    this.status = status
    this.exchanges = exchanges
  }
}

/** The run was interrupted, by its signal or by a deployment that no longer responds. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'the run was interrupted', options?: ErrorOptions) {
    super(message, options)
  }
}

/** Why something could not be done, in words. What is none of the errors of a run is a fault of verify itself. */
export const explainFailure = (error: unknown): string =>
  error instanceof Unreachable || error instanceof Unreadable || error instanceof Interrupted
    ? error.message
    : `verify itself failed: ${String(error)}`

/** @throws {Unreachable} if the value is undefined */
export function requireValue<T>(value: T | undefined, why: string, reason?: InconclusiveReason): T {
  if (value === undefined) throw new Unreachable(why, reason)
  return value
}

/** Finds the first match. @throws {Unreachable} if nothing matches */
export const requireMatch = <T>(things: readonly T[], fits: (thing: T) => boolean, why: string): T =>
  requireValue(things.find(fits), why)

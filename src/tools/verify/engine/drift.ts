// Sources of rules, and the errors that a check throws.
import type { OperationId } from '../../../contract/index.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'

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

export interface Difference {
  readonly expected: string
  readonly got: string
  /** By default that of the rule. */
  readonly source?: SourceText | undefined
}

/** The deployment does not do what a rule says. */
export class Drift extends Error {
  override readonly name = 'Drift'
  readonly difference: Difference

  constructor(expected: string, got: string, source?: SourceText, options?: ErrorOptions) {
    super(`expected ${expected}, got ${got}`, options)
    this.difference = { expected, got, source }
  }
}

/** Why a check is inconclusive; it decides which remedy is printed. */
export type InconclusiveReason =
  'absent' | 'drift' | 'interrupted' | 'limit' | 'permission' | 'plan' | 'status' | 'unstable' | 'writing'

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
  readonly expected: string

  constructor(operation: OperationId, expected: string, got: string) {
    super(got, 'permission')
    this.operation = operation
    this.expected = expected
  }
}

/** The run was interrupted, by its signal or by a deployment that no longer responds. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'the run was interrupted') {
    super(message)
  }
}

/** @throws {Unreachable} if the value is undefined */
export function requireValue<T>(value: T | undefined, why: string, reason?: InconclusiveReason): T {
  if (value === undefined) throw new Unreachable(why, reason)
  return value
}

/** Finds the first match. @throws {Unreachable} if nothing matches */
export const requireMatch = <T>(things: readonly T[], fits: (thing: T) => boolean, why: string): T =>
  requireValue(things.find(fits), why)

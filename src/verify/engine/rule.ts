// The shape of a rule for a deployment, and the errors of its check.
import type { OperationId } from '../../contract/index.ts'
import type { QuestionId } from '../../contract/questions/register.ts'
import type { Context } from './context.ts'

/** Where a rule comes from: a part of the contract, or the answer assumed to an open question. */
export type Source = { readonly contract: string } | { readonly assumption: QuestionId }

export const contract = (part: string): Source => ({ contract: part })
export const assumed = (question: QuestionId): Source => ({ assumption: question })

export const sourceText = (source: Source) =>
  'contract' in source ? `contract, ${source.contract}` : `assumption ${source.assumption}`

/** What a rule is about: an operation, or `general` for all of them. */
export type Subject = OperationId | 'general'

export interface Rule {
  /** Together with the operation it is the rule's name. */
  readonly id: string
  readonly operation: Subject
  readonly source: Source
  /** `write` rules are checked only where writing is allowed. */
  readonly needs: 'read' | 'write'
  /** What holds in a deployment that keeps the rule. */
  readonly says: string
  /**
   * Passes by returning.
   * @throws {Drift} if the deployment breaks the rule
   * @throws {Unreachable} if that cannot be decided
   */
  readonly check: (context: Context) => Promise<unknown>
}

/** Names a rule and says what holds: `operation/rule: what holds`. */
export type Title = `${OperationId}/${string}: ${string}`

/** As of a rule, on what its rules are about; the operation is that of the title. */
export type Check<Given> = (given: Given, operation: OperationId) => unknown

/** A check of another source than that of the rules around it. */
export interface Sourced<Given> {
  readonly source: Source
  readonly check: Check<Given>
}

export const citing = <Given>(part: string, check: Check<Given>): Sourced<Given> => ({
  source: contract(part),
  check,
})
export const assuming = <Given>(question: QuestionId, check: Check<Given>): Sourced<Given> => ({
  source: assumed(question),
  check,
})

export type Checks<Given> = Readonly<Record<Title, Check<Given> | Sourced<Given>>>

/** Makes rules whose checks are about one kind of thing, which `find` provides for each and `end` cleans up after. */
export const rulesOn =
  <Given>(
    needs: Rule['needs'],
    find: (context: Context) => Promise<Given>,
    end?: (given: Given) => Promise<void>,
  ) =>
  (source: Source, checks: Checks<Given>): Rule[] =>
    Object.entries(checks).map(([title, made]) => {
      const [name = '', says = ''] = title.split(/: (.*)/s)
      const [operation, id = ''] = name.split('/') as [OperationId, string?]
      const sourced = typeof made === 'function' ? { source, check: made } : made
      const check = async (context: Context) => {
        const given = await find(context)
        try {
          await sourced.check(given, operation)
        } finally {
          await end?.(given)
        }
      }
      return { id, operation, source: sourced.source, needs, says, check }
    })

export const readRules = rulesOn('read', async (context) => Promise.resolve(context))
export const writeRules = rulesOn('write', async (context) => Promise.resolve(context))

/** Thrown by a check: the deployment does not do what the rule says. */
export class Drift extends Error {
  readonly expected: string
  readonly got: string
  /** Set if the broken source is not the rule's own. */
  readonly source: Source | undefined

  constructor(expected: string, got: string, source?: Source) {
    super(`expected ${expected}, got ${got}`)
    this.name = 'Drift'
    this.expected = expected
    this.got = got
    this.source = source
  }
}

/** Thrown by a check that is inconclusive here. */
export class Unreachable extends Error {
  override readonly name: string = 'Unreachable'
}

/**
 * Thrown if a request was refused for lack of a permission. Whether the key lacks it is known only once it is
 * known whether the operation ever succeeded.
 */
export class Forbidden extends Unreachable {
  override readonly name = 'Forbidden'
  readonly operation: OperationId
  readonly expected: string

  constructor(operation: OperationId, expected: string, got: string) {
    super(got)
    this.operation = operation
    this.expected = expected
  }
}

/** Thrown if the run was interrupted, by its signal or by a deployment that does not respond any more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'the run was interrupted') {
    super(message)
  }
}

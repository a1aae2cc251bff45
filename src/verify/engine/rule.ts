// The shape of a rule for a deployment, what its check works with, and the errors that it throws.
import type { OperationId } from '../../contract/index.ts'
import type { Answers, QuestionId } from '../../contract/questions/register.ts'
import type { Client } from './client.ts'
import type { Discovery } from './discovery.ts'
import type { Own } from './own.ts'
import type { Wait } from './transport.ts'

/** Where a rule comes from: a part of the contract, or the answer assumed to an open question. */
export type Source = { readonly contract: string } | { readonly assumption: QuestionId }

/** The same in words, as reports print it. */
export type SourceText = `contract, ${string}` | `assumption ${QuestionId}`

export const sourceOf = (text: SourceText): Source =>
  text.startsWith('contract, ')
    ? { contract: text.slice('contract, '.length) }
    : { assumption: text.slice('assumption '.length) as QuestionId }

export const sourceText = (source: Source): SourceText =>
  'contract' in source ? `contract, ${source.contract}` : `assumption ${source.assumption}`

/** What a check works with: the client, what was found in the deployment, and what the run may write to. */
export interface Context {
  /** Calls are about something of the run's own where a parameter of the path is left out. */
  readonly api: Client
  /** What is assumed where the contract is silent. */
  readonly answers: Answers
  readonly seen: Discovery
  readonly own: Own
  readonly mayWrite: boolean
  readonly wait: Wait
  /** Milliseconds from an arbitrary moment. */
  readonly nowMs: () => number
}

/** A new task of the run's own, which calls are about. */
export interface OwnTask extends Context {
  readonly taskId: string
}

export async function ownTask(context: Context): Promise<OwnTask> {
  const taskId = await context.own.task()
  return { ...context, taskId, api: context.api.at({ taskId }) }
}

/** An id of no record. */
export const unknownId = 'verify_no_such_id'

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

/**
 * Names a rule and says what holds. Its source stands at the end where it is not that of the rules around it, as in
 * `getTask/as-listed: … (contract, Task)` or `… (assumption listOrder)`; a title that names a question needs none.
 */
export type Title = `${Subject}/${string}: ${string}`

const titleParts =
  /^(?<operation>\w+)\/(?<id>.+?): (?<says>.*?)(?: \((?<named>contract, .+|assumption \w+)\))?$/s

function partsOf(title: string, around: SourceText) {
  const { operation, id = '', says = '', named } = titleParts.exec(title)?.groups ?? {}
  const question = /\bquestion (\w+)/.exec(says)?.[1]
  const source = sourceOf((named ?? (question ? `assumption ${question}` : around)) as SourceText)
  return { operation: operation as OperationId, id, says, source }
}

/** Checks what its rules are about, by the operation and source of the rule. */
export type Check<Given> = (given: Given, operation: OperationId, source: Source) => unknown

/** Makes rules whose checks are about one kind of thing, which `find` provides for each and `end` cleans up after. */
export const rulesOn =
  <Given>(
    needs: Rule['needs'],
    find: (context: Context) => Promise<Given>,
    end?: (given: Given) => Promise<void>,
  ) =>
  (source: SourceText, checks: Readonly<Record<Title, Check<Given>>>): Rule[] =>
    Object.entries(checks).map(([title, checkGiven]) => {
      const parts = partsOf(title, source)
      const check = async (context: Context) => {
        const given = await find(context)
        try {
          await checkGiven(given, parts.operation, parts.source)
        } finally {
          await end?.(given)
        }
      }
      return { ...parts, needs, check }
    })

export const readRules = rulesOn('read', (context) => Promise.resolve(context))
export const writeRules = rulesOn('write', (context) => Promise.resolve(context))

/** Thrown by a check: the deployment does not do what the rule says. */
export class Drift extends Error {
  readonly expected: string
  readonly got: string
  /** Set if the broken source is not the rule's own. */
  readonly source: Source | undefined

  constructor(expected: string, got: string, source?: SourceText, options?: ErrorOptions) {
    super(`expected ${expected}, got ${got}`, options)
    this.name = 'Drift'
    this.expected = expected
    this.got = got
    this.source = source && sourceOf(source)
  }
}

/** Thrown by a check that is inconclusive here. */
export class Unreachable extends Error {
  override readonly name: string = 'Unreachable'
}

/**
 * Thrown if a request was refused for lack of a permission. Whether the key really lacks it
 * is known only once it is known whether the operation ever succeeded.
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

/** Thrown if the run was interrupted, by its signal or by a deployment that no longer responds. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'the run was interrupted') {
    super(message)
  }
}

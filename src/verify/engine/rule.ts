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

type CheckOn<Given> = (given: Given, context: Context) => Promise<unknown>

/** Makes rules whose checks share a context, which `find` provides. */
export const rulesOn =
  <Given>(needs: Rule['needs'], find: (context: Context) => Promise<Given>) =>
  (operation: OperationId, id: string, source: Source, says: string, check: CheckOn<Given>): Rule => ({
    id,
    operation,
    source,
    needs,
    says,
    check: async (context) => check(await find(context), context),
  })

/** The same, for rules of one operation. */
export function rulesOf<Given>(
  operation: OperationId,
  needs: Rule['needs'],
  find: (context: Context) => Promise<Given>,
) {
  const rule = rulesOn(needs, find)
  return (id: string, source: Source, says: string, check: CheckOn<Given>): Rule =>
    rule(operation, id, source, says, check)
}

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

function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const [names, others] = [Object.keys(left), Object.keys(right)]
  return (
    names.length === others.length &&
    names.every(
      (name) => Object.hasOwn(right, name) && isSame(Reflect.get(left, name), Reflect.get(right, name)),
    )
  )
}

const shownCharacters = 160
/** Characters before the first difference of two long texts that are shown. */
const shownBefore = 40

/** JSON, save that a missing value is `undefined`, not null. */
const asText = (value: unknown) =>
  (
    JSON.stringify(value, (_, inner: unknown) => (inner === undefined ? '\0' : inner)) ?? String(value)
  ).replaceAll('"\\u0000"', 'undefined')

const cut = (text: string) => (text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text)

/** Both as text; of long ones the part that differs. */
function shownPair(left: unknown, right: unknown): [string, string] {
  const [one, other] = [asText(left), asText(right)]
  if (Math.max(one.length, other.length) <= shownCharacters) return [one, other]
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = Math.max(0, same - shownBefore)
  const shown = (text: string) => cut(from === 0 ? text : `…${text.slice(from)}`)
  return [shown(one), shown(other)]
}

/** @throws {Drift} unless both are the same JSON */
export function expectSame(what: string, got: unknown, expected: unknown, source?: Source): void {
  if (isSame(got, expected)) return
  const [wanted, met] = shownPair(expected, got)
  throw new Drift(`${what} ${wanted}`, met, source)
}

/** @throws {Drift} unless the condition holds */
export function expectThat(condition: boolean, expected: string, got: unknown, source?: Source): void {
  if (!condition) throw new Drift(expected, typeof got === 'string' ? got : cut(asText(got)), source)
}

/** The value. @throws {Unreachable} if it is undefined */
export function needed<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Unreachable(why)
  return value
}

// Checks that rules are made of: the request is refused, or what is assumed of the open question is what happens; and the
// limits that refusals name.
import type { LimitName } from '../../contract/errors.ts'
import { operations } from '../../contract/index.ts'
import type { JsonValue } from '../../contract/questions/register.ts'
import type { Ask } from '../engine/client.ts'
import { Drift, Unreachable } from '../engine/drift.ts'
import { expectSame } from '../engine/expect.ts'
import type { Reply } from '../engine/reply.ts'
import type { Check, Context } from '../engine/rule.ts'

/** A value, or how it follows from what the rule is about. */
export type From<Given, T> = T | ((given: Given) => T | Promise<T>)

export const valueOf = async <Given, T extends object>(from: From<Given, T>, given: Given): Promise<T> =>
  typeof from === 'function' ? from(given) : from

/** A body that is wrong in one way is refused with 400. */
export const refused =
  <Given extends Context>(json: From<Given, object>): Check<Given> =>
  async (given, operation) =>
    given.api.expect(operation, 400, { json: await valueOf(json, given) })

/** The request is refused where the answer is `reject` or `strict`; else it succeeds, or `otherwise` holds. */
export const asAnswered =
  <Given extends Context>(
    ask: From<Given, Ask>,
    otherwise?: (given: Given) => Promise<unknown>,
  ): Check<Given> =>
  async (given, operation, source) => {
    const answer = 'assumption' in source && given.answers[source.assumption]
    const isRefused = answer === 'reject' || answer === 'strict'
    if (otherwise && !isRefused) return otherwise(given)
    const status = isRefused ? 400 : operations[operation].success.status
    return given.api.expect(operation, status, await valueOf(ask, given))
  }

export interface ObservedAnswer {
  /** An answer to the question, or the part of one that could be seen; undefined where no answer covers it. */
  readonly answer: JsonValue | undefined
  /** The evidence; of several operations it begins with the operation. */
  readonly how: string
  /** Whether it is rounded, combined from several observations, or seen on one of several operations. */
  readonly estimate?: boolean
}

/** What is observed is the answer to the question of the rule. */
export const asObserved =
  <Given extends Context>(observe: (given: Given) => Promise<ObservedAnswer>): Check<Given> =>
  async (given, _, source) => {
    const assumed = 'assumption' in source ? given.answers[source.assumption] : undefined
    const { answer, how } = await observe(given)
    if (answer !== assumed) throw new Drift(`the answer ${JSON.stringify(assumed)}`, how)
  }

/** Whether a search in other letters finds a text, which question queryText is about. */
export const letterCase = (search: string, text: string, isFound: boolean): ObservedAnswer => ({
  answer: isFound ? 'insensitive' : 'sensitive',
  how: `${search} ${isFound ? 'finds' : 'does not find'} "${text}"`,
})

/** The largest size of a file, where a file above it can be made. @throws {Unreachable} */
export async function fileLimit({ seen, answers }: Context): Promise<number> {
  const limit = answers.maxFileBytes[await seen.plan()]
  if (limit === null || limit === undefined || limit > 32 * 1024 * 1024)
    throw new Unreachable('files have no limit, or one above 32 MiB')
  return limit
}

export function limitFactsOf(reply: Reply) {
  const [limitReached, resource] = [reply.field('limitReached'), reply.field('resource')]
  return { limitReached, resource, limit: reply.field('limit'), current: reply.field('current') }
}

/** @throws {Drift} unless the refusal names the limit that was met */
export function expectLimit(reply: Reply, resource: LimitName, limit: number, current = limit + 1): void {
  const wanted = { limitReached: true, resource, limit, current }
  expectSame('limit facts', limitFactsOf(reply), wanted, 'assumption limitFacts')
}

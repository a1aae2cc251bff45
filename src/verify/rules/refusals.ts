// Checks of one kind: a request that is wrong in one way is refused.
import type { LimitName } from '../../contract/errors.ts'
import { operations } from '../../contract/index.ts'
import type { Ask } from '../engine/client.ts'
import { expectSame } from '../engine/expect.ts'
import type { Reply } from '../engine/reply.ts'
import type { Check, Context } from '../engine/rule.ts'

/** A value, or how it follows from what the rule is about. */
export type From<Given, T> = T | ((given: Given) => T | Promise<T>)

export const valueOf = async <Given, T extends object>(from: From<Given, T>, given: Given): Promise<T> =>
  typeof from === 'function' ? from(given) : from

/** The JSON is refused with 400. */
export const refused =
  <Given extends Context>(json: From<Given, object>): Check<Given> =>
  async (given, operation) =>
    given.api.expect(operation, 400, { json: await valueOf(json, given) })

/** The request is refused where the answer to the question of the rule is `reject` or `strict`, and succeeds otherwise. */
export const asAnswered =
  <Given extends Context>(ask: From<Given, Ask>): Check<Given> =>
  async (given, operation, source) => {
    const answer = 'assumption' in source && given.answers[source.assumption]
    const status = answer === 'reject' || answer === 'strict' ? 400 : operations[operation].success.status
    return given.api.expect(operation, status, await valueOf(ask, given))
  }

/** A page out of range is refused, or taken as `otherwise` says. Assumption: limitAboveMax */
export const outOfRange =
  <Given extends Context>(
    query: string,
    otherwise: (given: Given, query: string) => Promise<unknown>,
  ): Check<Given> =>
  async (given, operation) =>
    given.answers.limitAboveMax === 'reject'
      ? given.api.expect(operation, 400, { query })
      : otherwise(given, query)

export function limitFactsOf(reply: Reply) {
  const [limitReached, resource] = [reply.field('limitReached'), reply.field('resource')]
  return { limitReached, resource, limit: reply.field('limit'), current: reply.field('current') }
}

/** @throws {Drift} unless the refusal names the limit that was met */
export function expectLimit(reply: Reply, resource: LimitName, limit: number, current = limit + 1): void {
  const wanted = { limitReached: true, resource, limit, current }
  expectSame('limit facts', limitFactsOf(reply), wanted, 'assumption limitFacts')
}

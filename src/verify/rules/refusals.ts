// Checks of one kind: a request that is wrong in one way is refused.
import type { LimitName } from '../../contract/errors.ts'
import { operations } from '../../contract/index.ts'
import type { Ask, Params } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import { expectSame } from '../engine/expect.ts'
import type { Reply } from '../engine/reply.ts'
import { assumed, type Check } from '../engine/rule.ts'

/** The JSON is refused with 400 at a path with these parameters. */
export const refused =
  <Given extends Context>(
    paramsOf: (given: Given) => Params | Promise<Params>,
    json: object | ((given: Given) => object | Promise<object>),
  ): Check<Given> =>
  async (given, operation) =>
    given.api.expect(operation, 400, {
      params: await paramsOf(given),
      json: typeof json === 'function' ? await json(given) : json,
    })

/** The request is refused where the answer to the question of the rule is `reject` or `strict`, and succeeds otherwise. */
export const asAnswered =
  <Given extends Context>(ask: (given: Given) => Ask | Promise<Ask>): Check<Given> =>
  async (given, operation, source) => {
    const answer = 'assumption' in source && given.answers[source.assumption]
    const status = answer === 'reject' || answer === 'strict' ? 400 : operations[operation].success.status
    return given.api.expect(operation, status, await ask(given))
  }

/** A page out of range is refused, or taken as `otherwise` says. Assumption: limitAboveMax */
export const outOfRange =
  <Given extends Context & { readonly params: Params }>(
    query: string,
    otherwise: (given: Given, query: string) => Promise<unknown>,
  ): Check<Given> =>
  async (given, operation) =>
    given.answers.limitAboveMax === 'reject'
      ? given.api.expect(operation, 400, { params: given.params, query })
      : otherwise(given, query)

export function limitFactsOf(reply: Reply) {
  const [limitReached, resource] = [reply.field('limitReached'), reply.field('resource')]
  return { limitReached, resource, limit: reply.field('limit'), current: reply.field('current') }
}

/** @throws {Drift} unless the refusal names the limit that was met */
export function expectLimit(reply: Reply, resource: LimitName, limit: number, current = limit + 1): void {
  const wanted = { limitReached: true, resource, limit, current }
  expectSame('limit facts', limitFactsOf(reply), wanted, assumed('limitFacts'))
}

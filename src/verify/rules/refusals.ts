// Checks of requests that are refused: bodies that are wrong in one way, limits that are met.
import type { LimitName } from '../../contract/errors.ts'
import { expectSame } from '../engine/expect.ts'
import type { Reply } from '../engine/reply.ts'
import { Unreachable } from '../engine/drift.ts'
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

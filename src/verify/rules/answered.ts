// Checks that follow the assumed answer to the question of their rule: of a request that is refused or not, or of what a
// deployment is observed to do, which a run that learns records.
import { operations } from '../../contract/index.ts'
import type { JsonValue } from '../../contract/questions/register.ts'
import { Drift } from '../engine/drift.ts'
import type { Check, Context } from '../engine/rule.ts'
import type { Ask } from '../engine/client.ts'
import { valueOf, type From } from './refusals.ts'

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

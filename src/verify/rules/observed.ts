// What a deployment does where the contract is silent: a run that learns records it, a rule compares it with the
// assumed answer.
import type { JsonValue } from '../../contract/questions/register.ts'
import { Drift } from '../engine/drift.ts'
import type { Check, Context } from '../engine/rule.ts'

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

/** Whether a search in other letters finds a text, which question queryText is about */
export const letterCase = (search: string, text: string, isFound: boolean): ObservedAnswer => ({
  answer: isFound ? 'insensitive' : 'sensitive',
  how: `${search} ${isFound ? 'finds' : 'does not find'} "${text}"`,
})

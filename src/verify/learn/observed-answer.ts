// What a probe saw: an answer to an open question, and the evidence for it.
import type { JsonValue } from '../../contract/questions/register.ts'

export interface ObservedAnswer {
  /** An answer to the question, or the part of one that could be seen; undefined where no answer covers it. */
  readonly answer: JsonValue | undefined
  /** The evidence; of several operations it begins with the operation. */
  readonly how: string
  /** Whether it is rounded, combined from several observations, or seen on one of several operations. */
  readonly estimate?: boolean
}

/** Whether a search in other letters finds a text, which question queryText is about. */
export const letterCase = (search: string, text: string, isFound: boolean): ObservedAnswer => ({
  answer: isFound ? 'insensitive' : 'sensitive',
  how: `${search} ${isFound ? 'finds' : 'does not find'} "${text}"`,
})

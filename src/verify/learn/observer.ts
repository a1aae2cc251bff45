// The shape of an observation of what a deployment does where the contract is silent.
import type { Answers, JsonValue, QuestionId } from '../../contract/questions/register.ts'
import { messageOf } from '../engine/failure.ts'
import { Interrupted, Unreachable, type Context } from '../engine/rule.ts'

export interface Observation {
  /** An answer to the question, or the part of one that could be seen. */
  readonly answer: JsonValue
  /** The evidence. */
  readonly how: string
  /** Whether it is rounded, combined from several observations, or seen on one of several operations. */
  readonly estimate?: boolean
}

/** The answer where operations that one question governs differ: it has none, and is not among the answers learned. */
export const mixed = 'mixed'

/** What one operation shows of a question. */
export interface Sighting {
  readonly answer: JsonValue
  /** Begins with the operation. */
  readonly how: string
}

/** One way of seeing an answer; the operation says whether it needs writing. */
export interface Look {
  readonly needs: 'read' | 'write'
  readonly see: (context: Context) => Promise<Sighting>
}

/**
 * Asks one question on several operations that it governs: what they agree on is the answer, else it is mixed. Seen on
 * one of them alone it is an estimate.
 */
export const onEach = (question: QuestionId, looks: readonly Look[]): Observer => ({
  question,
  needs: looks.some(({ needs }) => needs === 'read') ? 'read' : 'write',
  observe: async (context) => {
    const seen: Sighting[] = []
    const missing: string[] = []
    for (const { needs, see } of looks) {
      if (needs === 'write' && !context.mayWrite) continue
      try {
        seen.push(await see(context))
      } catch (error) {
        if (error instanceof Interrupted) throw error
        missing.push(messageOf(error))
      }
    }
    const [first] = seen
    if (!first) throw new Unreachable(missing.join('; '))
    const how = seen.map((one) => one.how).join('; ')
    const differ = seen.some(({ answer }) => JSON.stringify(answer) !== JSON.stringify(first.answer))
    if (differ) return { answer: mixed, how }
    return { answer: first.answer, how, ...(looks.length > 1 && seen.length === 1 && { estimate: true }) }
  },
})

export interface Observer {
  readonly question: QuestionId
  readonly needs: 'read' | 'write'
  /**
   * `known` holds what was learned before.
   * @throws {Unreachable} where the answer cannot be seen
   */
  readonly observe: (context: Context, known: Readonly<Partial<Answers>>) => Promise<Observation>
}

/** An observer of a deployment that is only read. */
export const reading = (question: QuestionId, observe: Observer['observe']): Observer => ({
  question,
  needs: 'read',
  observe,
})

/** An observer that writes in the space and rows of the run. */
export const writing = (question: QuestionId, observe: Observer['observe']): Observer => ({
  question,
  needs: 'write',
  observe,
})

// Owns the shape of an observation of what a deployment does where the contract is silent.
import type { Answers, JsonValue, QuestionId } from '../../contract/questions/register.ts'
import type { Context } from '../engine/context.ts'

export interface Observation {
  /** An answer to the question, or the part of one that could be seen. */
  readonly answer: JsonValue
  /** What it was read off. */
  readonly how: string
}

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

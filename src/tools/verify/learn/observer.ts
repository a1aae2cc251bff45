// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { JsonValue, QuestionId } from '../../../contract/questions/register.ts'
import type { Learner } from './learner.ts'

/** The answer or its observed part (undefined: no answer covers it), the evidence, and whether it is an estimate. */
export type Observation = readonly [answer: JsonValue | undefined, how: string, isEstimate?: true]

/** @throws {Stop} if the answer cannot be observed */
export type Observe = (learner: Learner) => Observation | Promise<Observation>

/** The probes of a question, one for each operation that shows its answer. */
export interface Observer {
  readonly question: QuestionId
  readonly probes: readonly { readonly needs: 'read' | 'write'; readonly observe: Observe }[]
}

const makeObservers =
  (needs: 'read' | 'write') =>
  (question: QuestionId, ...observers: readonly Observe[]): Observer => ({
    question,
    probes: observers.map((observe) => ({ needs, observe })),
  })

export const reading = makeObservers('read')
/** An observer whose probes write in the run's space and rows. */
export const writing = makeObservers('write')

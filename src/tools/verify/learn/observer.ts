// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { JsonValue, QuestionId } from '../../../contract/questions/register.ts'
import { AnswerError } from '../../../contract/questions/register.ts'
import { explainFailure, Interrupted, Stop } from '../engine/stop.ts'
import type { Learner } from './learner.ts'

/** Stands for the answer where operations of one question differ. */
export const mixed = 'mixed'

/** The answer or its observed part (undefined: no answer covers it), the evidence, and whether it is an estimate. */
export type Observation = readonly [answer: JsonValue | undefined, how: string, isEstimate?: true]

/** @throws {Stop} where it cannot be observed */
export type Observe = (learner: Learner) => Observation | Promise<Observation>

interface ObserverPart {
  readonly needs: 'read' | 'write'
  readonly observe: Observe
}

/** The probes of a question, one for each operation that shows its answer. */
export interface Observer {
  readonly question: QuestionId
  readonly probes: readonly ObserverPart[]
}

const makeObservers =
  (needs: ObserverPart['needs']) =>
  (question: QuestionId, ...observers: readonly Observe[]): Observer => ({
    question,
    probes: observers.map((observe) => ({ needs, observe })),
  })

export const reading = makeObservers('read')
/** An observer whose probes write in the space and rows of the run. */
export const writing = makeObservers('write')

/** Why an answer is missing, in words. */
export const explain = (error: unknown): string =>
  error instanceof AnswerError ? error.message : explainFailure(error)

/** Probes must agree. An answer that only one of several shows is an estimate. @throws {Stop} where none shows one */
export async function observeAnswer(probes: readonly ObserverPart[], learner: Learner) {
  const seen: { readonly answer: JsonValue; readonly how: string; readonly estimate?: true }[] = []
  const missing: string[] = []
  for (const { needs, observe } of probes)
    try {
      if (needs === 'write' && !learner.context.mayWrite) continue
      const [answer, how, estimate] = await observe(learner)
      if (answer === undefined) missing.push(`${how}, which no answer covers`)
      else seen.push({ answer, how, ...(estimate && { estimate }) })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      missing.push(explain(error))
    }
  const [first] = seen
  if (!first) throw new Stop(missing.join('; '))
  if (probes.length === 1) return first
  const how = seen.map((one) => one.how).join('; ')
  if (new Set(seen.map(({ answer }) => JSON.stringify(answer))).size > 1) return { answer: mixed, how }
  return { answer: first.answer, how, ...(seen.length === 1 && { estimate: true }) }
}

// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { Answers, JsonValue, QuestionId } from '../../contract/questions/register.ts'
import { Interrupted, Unreachable } from '../engine/drift.ts'
import type { Context } from '../engine/rule.ts'
import type { ObservedAnswer } from './observed-answer.ts'
import { messageOf } from '../../contract/text/format.ts'

/** The answer where operations that one question governs differ: it has none, and is not among the answers learned. */
export const mixed = 'mixed'

/**
 * Sees an answer; `known` holds what was learned before.
 * @throws {Unreachable} where the answer cannot be seen
 */
export type Observe = (context: Context, known: Readonly<Partial<Answers>>) => Promise<ObservedAnswer>

interface Probe {
  readonly needs: 'read' | 'write'
  readonly observe: Observe
}

/** Asks one question, on each operation that shows its answer. */
export interface Observer {
  readonly question: QuestionId
  readonly probes: readonly Probe[]
}

const observing =
  (needs: Probe['needs']) =>
  (question: QuestionId, ...observers: readonly Observe[]): Observer => ({
    question,
    probes: observers.map((observe) => ({ needs, observe })),
  })

/** An observer of a deployment that is only read. */
export const reading = observing('read')
/** An observer that writes in the space and rows of the run. */
export const writing = observing('write')

type Answered = ObservedAnswer & { readonly answer: JsonValue }

/**
 * What several operations agree on is the answer, else it is mixed. Seen on one of them alone it is an estimate.
 * @throws {Unreachable} where none shows it
 */
export async function observed(probes: readonly Probe[], ...given: Parameters<Observe>): Promise<Answered> {
  const seen: Answered[] = []
  const missing: string[] = []
  for (const { observe } of probes.filter(({ needs }) => needs === 'read' || given[0].mayWrite))
    try {
      const { answer, ...evidence } = await observe(...given)
      if (answer === undefined) missing.push(`${evidence.how}, which no answer covers`)
      else seen.push({ answer, ...evidence })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      missing.push(messageOf(error))
    }
  const [first] = seen
  if (!first) throw new Unreachable(missing.join('; '))
  if (probes.length === 1) return first
  const how = seen.map((one) => one.how).join('; ')
  const differ = seen.some(({ answer }) => JSON.stringify(answer) !== JSON.stringify(first.answer))
  return { answer: differ ? mixed : first.answer, how, estimate: !differ && seen.length === 1 }
}

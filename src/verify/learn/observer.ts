// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { Answers, JsonValue, QuestionId } from '../../contract/questions/register.ts'
import { messageOf } from '../../contract/text/format.ts'
import { Interrupted, Unreachable } from '../engine/drift.ts'
import type { Context } from '../engine/start.ts'

/** The answer where operations that one question governs differ: it has none, and is not among the answers learned. */
export const mixed = 'mixed'

/**
 * What a probe saw: an answer to the question, or the part of one that could be seen (undefined: no answer covers it);
 * the evidence, which begins with the operation where there are several; whether it is rounded or combined.
 */
export type Observation = readonly [answer: JsonValue | undefined, how: string, isEstimate?: true]

/**
 * Observes an answer; `known` holds what was learned before.
 * @throws {Unreachable} where the answer cannot be observed
 */
export type Observe = (context: Context, known: Readonly<Partial<Answers>>) => Promise<Observation>

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

/** Whether a search in other letters finds a text, which question queryText is about. */
export const letterCase = (search: string, text: string, isFound: boolean): Observation =>
  isFound ? ['insensitive', `${search} finds "${text}"`] : ['sensitive', `${search} does not find "${text}"`]

/**
 * What several operations agree on is the answer, else it is mixed. Seen on one of them alone it is an estimate.
 * @throws {Unreachable} where none shows it
 */
export async function observeAnswer(probes: readonly Probe[], ...given: Parameters<Observe>) {
  const seen: (readonly [answer: JsonValue, how: string, isEstimate: true | undefined])[] = []
  const missing: string[] = []
  for (const { observe } of probes.filter(({ needs }) => needs === 'read' || given[0].mayWrite))
    try {
      const [answer, how, isEstimate] = await observe(...given)
      if (answer === undefined) missing.push(`${how}, which no answer covers`)
      else seen.push([answer, how, isEstimate])
    } catch (error) {
      if (error instanceof Interrupted) throw error
      missing.push(messageOf(error))
    }
  const [first] = seen
  if (!first) throw new Unreachable(missing.join('; '))
  const [answer, , isRounded] = first
  const how = seen.map(([, one]) => one).join('; ')
  if (seen.some(([other]) => JSON.stringify(other) !== JSON.stringify(answer))) return { answer: mixed, how }
  const isEstimate = probes.length === 1 ? isRounded : seen.length === 1
  return { answer, how, ...(isEstimate && { estimate: true }) }
}

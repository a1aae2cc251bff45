// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { Answers, JsonValue, QuestionId } from '../../contract/questions/register.ts'
import { messageOf } from '../../contract/text/format.ts'
import { Interrupted, Unreachable } from '../engine/drift.ts'
import type { LiveWorkspace } from './live-workspace.ts'

/** In the place of an answer where operations that one question governs differ. */
export const mixed = 'mixed'

/**
 * The answer to a question, or the part of it that can be seen (undefined: no answer covers what was seen); the evidence,
 * which begins with the operation where there are several; whether it is rounded or combined.
 */
export type Observation = readonly [answer: JsonValue | undefined, how: string, isEstimate?: true]

/**
 * Observes an answer; `known` holds the answers learned before.
 * @throws {Unreachable} where it cannot be observed
 */
export type Observe = (live: LiveWorkspace, known: Readonly<Partial<Answers>>) => Promise<Observation>

interface Probe {
  readonly needs: 'read' | 'write'
  readonly observe: Observe
}

/** Observes the answer to one question, on each operation that shows it. */
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

/**
 * Answers on which all probes agree count, others are `mixed`. An answer that only one of several probes shows is an
 * estimate.
 * @throws {Unreachable} where no probe shows one
 */
export async function observeAnswer(probes: readonly Probe[], ...given: Parameters<Observe>) {
  const seen: { readonly answer: JsonValue; readonly how: string; readonly estimate?: true }[] = []
  const missing: string[] = []
  for (const { needs, observe } of probes)
    try {
      if (needs === 'write' && !given[0].context.mayWrite) continue
      const [answer, how, estimate] = await observe(...given)
      if (answer === undefined) missing.push(`${how}, which no answer covers`)
      else seen.push({ answer, how, ...(estimate && { estimate }) })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      missing.push(messageOf(error))
    }
  const [first] = seen
  if (!first) throw new Unreachable(missing.join('; '))
  if (probes.length === 1) return first
  const how = seen.map((one) => one.how).join('; ')
  if (new Set(seen.map(({ answer }) => JSON.stringify(answer))).size > 1) return { answer: mixed, how }
  return { answer: first.answer, how, ...(seen.length === 1 && { estimate: true }) }
}

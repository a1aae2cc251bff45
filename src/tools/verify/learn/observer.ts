// How the answer to an open question is observed: on one operation, or on several that the question governs.
import type { Answers, JsonValue, QuestionId } from '../../../contract/questions/register.ts'
import { messageOf } from '../../../contract/text/format.ts'
import { Interrupted, Unreachable } from '../engine/drift.ts'
import type { LiveWorkspace } from './live-workspace.ts'

/** Stands for the answer where operations of one question differ. */
export const mixed = 'mixed'

/** The answer or its observed part (undefined: no answer covers it), the evidence, and whether it is an estimate. */
export type Observation = readonly [answer: JsonValue | undefined, how: string, isEstimate?: true]

/** @param known answers that were learned before @throws {Unreachable} where it cannot be observed */
export type Observe = (live: LiveWorkspace, known: Readonly<Partial<Answers>>) => Promise<Observation>

interface Probe {
  readonly needs: 'read' | 'write'
  readonly observe: Observe
}

/** The probes of a question, one for each operation that shows its answer. */
export interface Observer {
  readonly question: QuestionId
  readonly probes: readonly Probe[]
}

const makeObservers =
  (needs: Probe['needs']) =>
  (question: QuestionId, ...observers: readonly Observe[]): Observer => ({
    question,
    probes: observers.map((observe) => ({ needs, observe })),
  })

export const reading = makeObservers('read')
/** An observer whose probes write in the space and rows of the run. */
export const writing = makeObservers('write')

/** Probes must agree. An answer that only one of several shows is an estimate. @throws {Unreachable} where none shows one */
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

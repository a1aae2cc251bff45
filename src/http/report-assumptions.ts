// Owns which open questions of the contract the client's requests leaned on.
import type { OperationId } from '../contract/index.ts'
import { questions, questionsOf, type Answers } from '../contract/questions.ts'
import { quote } from '../contract/quote.ts'
import type { Exchange } from './journal.ts'
import type { Context } from './report-context.ts'
import { findingOf, nameRequests, type Finding } from './report-findings.ts'

interface Use {
  count: number
  readonly requests: number[]
}

/** Rule assumption. What a fault answered, or what was turned away at the door, depends on none. */
export class AssumptionRule {
  readonly #uses = new Map<OperationId, Use>()
  #answers: Answers | undefined

  add({ operation, key, fault, id }: Exchange, { world }: Context): void {
    if (operation === null || key === null || fault !== null) return
    this.#answers = world.answers
    let use = this.#uses.get(operation)
    if (!use) this.#uses.set(operation, (use = { count: 0, requests: [] }))
    use.count += 1
    nameRequests(use.requests, [id])
  }

  list(): Finding[] {
    const answers = this.#answers
    if (!answers) return []
    return [...this.#uses].flatMap(([operation, { count, requests }]) =>
      questionsOf(operation).map((id) => {
        const { notShown, fixed } = questions[id]
        const taken = fixed ? '' : `; the mock takes ${quote(answers[id])}`
        const what = `${operation} leans on question ${id}: ${notShown}${taken}`
        return findingOf({ rule: 'assumption', what, operation, count, requests })
      }),
    )
  }
}

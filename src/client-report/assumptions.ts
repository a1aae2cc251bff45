// Owns which open questions of the contract the client's requests leaned on.
import type { OperationId } from '../contract/index.ts'
import { questions, questionsOf, type Answers, type QuestionId } from '../contract/questions/register.ts'
import { operationIds } from '../contract/scopes.ts'
import { quote } from '../contract/quote.ts'
import type { Exchange } from '../core/journal.ts'
import type { Context } from './context.ts'
import { findingOf, nameRequests, type Finding } from './findings.ts'

interface Use {
  count: number
  readonly requests: number[]
}

interface Uses {
  readonly all: Use
  readonly refused: Use
}

const newUse = (): Use => ({ count: 0, requests: [] })

function count(use: Use, id: number): void {
  use.count += 1
  nameRequests(use.requests, [id])
}

/** What is open of every operation alike is how it refuses: a request that was carried out did not depend on it. */
const isAboutRefusals = (id: QuestionId) => questions[id].operations.length === operationIds.length

/** Rule assumption. What a fault answered, or what was turned away at the door, depends on none. */
export class AssumptionRule {
  readonly #uses = new Map<OperationId, Uses>()
  #answers: Answers | undefined

  add({ operation, key, fault, refusal, id }: Exchange, { store }: Context): void {
    if (operation === null || key === null || fault !== null) return
    this.#answers = store.answers
    let uses = this.#uses.get(operation)
    if (!uses) this.#uses.set(operation, (uses = { all: newUse(), refused: newUse() }))
    count(uses.all, id)
    if (refusal !== null) count(uses.refused, id)
  }

  list(): Finding[] {
    const answers = this.#answers
    if (!answers) return []
    return [...this.#uses].flatMap(([operation, { all, refused }]) =>
      questionsOf(operation).flatMap((id) => {
        const use = isAboutRefusals(id) ? refused : all
        if (use.count === 0) return []
        const { notShown, fixed } = questions[id]
        const taken = fixed ? '' : `; the mock takes ${quote(answers[id])}`
        const what = `${operation} leans on question ${id}: ${notShown.replace(/\.$/, '')}${taken}`
        return [findingOf({ rule: 'assumption', what, operation, ...use })]
      }),
    )
  }
}

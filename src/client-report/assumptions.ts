// Rule assumption: which open questions the responses in the journal depended on.
import type { OperationId } from '../contract/index.ts'
import { questions, questionsOf, type Answers, type QuestionId } from '../contract/questions/register.ts'
import { quote } from '../contract/text/quote.ts'
import type { Store } from '../store/store.ts'
import type { Journal } from '../core/journal/journal.ts'
import { toEvidence } from './conditions.ts'
import { dependsOn } from './dependence.ts'
import { nameRequests, newGathered, toFinding, type GatheredBreaches } from './findings.ts'
import type { Finding } from '../core/report.ts'

function gather(operation: OperationId, id: QuestionId, answers: Answers): GatheredBreaches {
  const { notShown, fixed } = questions[id]
  const taken = fixed ? '' : `; the mock takes ${quote(answers[id])}`
  const what = `${operation} depends on question ${id}: ${notShown.replace(/\.$/, '')}${taken}`
  return newGathered('assumption', what, operation)
}

/** One finding for each operation and question, by first use of the operation. */
export function assumptionsOf(journal: Journal, store: Store): Finding[] {
  const byOperation = new Map<OperationId, Map<QuestionId, GatheredBreaches>>()
  for (const exchange of journal.exchanges()) {
    const { id: request, operation, principal, isInjected, isConsole } = exchange
    // A response by a fault, or to an unknown key, depends on no question.
    if (operation === null || principal === undefined || isInjected || isConsole) continue
    const evidence = toEvidence(exchange, store)
    const found = byOperation.get(operation) ?? new Map<QuestionId, GatheredBreaches>()
    byOperation.set(operation, found)
    for (const id of questionsOf(operation)) {
      if (!dependsOn(evidence, id)) continue
      const gathered = found.get(id) ?? gather(operation, id, store.answers)
      found.set(id, gathered)
      gathered.count += 1
      nameRequests(gathered.requests, request, [])
    }
  }
  return [...byOperation.values()].flatMap((found) =>
    [...found].map(([question, gathered]) => ({ ...toFinding(gathered, journal), question })),
  )
}

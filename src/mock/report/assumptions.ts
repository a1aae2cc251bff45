// Rule assumption: open questions whose answers affected responses in the journal.
import { parseQueryText } from '../../contract/data/query-text.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import type { SeenExchange } from '../../contract/questions/seen-exchange.ts'
import { questions, questionsOf, type Answers, type QuestionId } from '../../contract/questions/register.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Store } from '../../service/store/store.ts'
import type { Exchange } from '../journal/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import type { Finding } from '../sandboxes/client-report.ts'
import { isMultipart } from '../requests/multipart.ts'
import { addRequest, createGathered, toFinding, type GatheredBreaches } from './findings.ts'
import { idOf, parseJsonObject } from './request.ts'

/**
 * Undefined if no question affects the response: a fault made it, the console sent the request, or its key or path is
 * unknown.
 */
function evidenceOf(
  exchange: Exchange,
  store: Store,
  customFields: SeenExchange['customFields'],
): SeenExchange | undefined {
  const { operation, principal, status, requestBody } = exchange
  if (operation === null || principal === undefined || exchange.isInjected || exchange.isConsole)
    return undefined
  const sent = requestBody === null ? {} : parseJsonObject(requestBody)
  const { documentedErrors }: OperationSpec = operations[operation]
  return {
    operation,
    status,
    isDone: status >= 200 && status < 300,
    refusal: exchange.refusal,
    breaches: exchange.breaches,
    key: principal.key,
    plan: principal.workspace.plan,
    isMultipart: isMultipart(exchange.contentType),
    query: parseQueryText(exchange.query),
    sent,
    response: parseJsonObject(exchange.responseBody),
    isListed: documentedErrors.some((error) => error === status),
    hasWrongPaging: exchange.breaches.some(
      ({ rule }) => rule === 'page-size' || rule === 'relist-submissions',
    ),
    table: store.tables.get(idOf(exchange, 'tableId')),
    customFields,
    isRepeating: (id) => typeof id === 'string' && Boolean(store.tasks.get(id)?.repeat_config),
  }
}

function createAssumption(operation: OperationId, id: QuestionId, answers: Answers): GatheredBreaches {
  const { notShown, fixed } = questions[id]
  const taken = fixed ? '' : `; the mock assumes ${quote(answers[id])}`
  const what = `${operation} depends on question ${id}: ${notShown.replace(/\.$/, '')}${taken}`
  return createGathered('assumption', { before: what })
}

/** Returns one finding per operation and question, ordered by the operation's first use. */
export function assumptionsOf(journal: Journal, store: Store): Finding[] {
  const { answers } = store
  const customFields = store.lists.all().flatMap(({ fields }) => fields)
  const byOperation = new Map<OperationId, Map<QuestionId, GatheredBreaches>>()
  for (const exchange of journal.exchanges()) {
    const evidence = evidenceOf(exchange, store, customFields)
    if (!evidence) continue
    const { operation } = evidence
    const found = getOrInsert(byOperation, operation, () => new Map<QuestionId, GatheredBreaches>())
    for (const id of questionsOf(operation)) {
      if (!questions[id].affects(evidence, answers[id])) continue
      const gathered = getOrInsert(found, id, () => createAssumption(operation, id, answers))
      addRequest(gathered, exchange)
    }
  }
  return [...byOperation.values()].flatMap((found) =>
    [...found].map(([question, gathered]) => ({ ...toFinding(gathered, journal), question })),
  )
}

// Rules for listing the submissions of a form: again, and by which moment.
import { operations } from '../../contract/index.ts'
import { firstMilliseconds } from '../../contract/limits.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Exchange, OpenExchange } from '../requests/exchange.ts'
import { hasSeen, History, HistoryRules } from './history.ts'
import { idOf } from './request.ts'
import { isUsable } from './fields.ts'

/** How far one client has come in listing a form's submissions. */
interface Listing {
  /** Submissions seen from the first on, without a gap. */
  readonly covered: number
  /** The request that completed a listing with submissions. */
  readonly completedBy: number | undefined
  readonly since: string | null
}

const { since: sinceParameter } = operations.listFormSubmissions.query

const readSince = (query: string) => new URLSearchParams(query).get('since')

/** The value of `since` if it is not a moment and so has no effect. */
export function findUnusableSince(query: string): string | undefined {
  const sent = readSince(query)
  const isMoment = sent !== null && isUsable(sent, sinceParameter) && Number.isSafeInteger(Number(sent))
  return sent === null || isMoment ? undefined : sent
}

/** Whether a usable `since` leaves nothing out, and is older than the form or repeats that of the request before. */
function isIdle({ store }: OpenExchange, formId: string, since: string, former: Listing): boolean {
  const createdAt = store.forms.get(formId)?.created_at ?? 0
  if (since !== former.since && Number(since) >= createdAt) return false
  return store.submissions.ownedBy(formId).every(({ created_at }) => created_at > Number(since))
}

/**
 * Rules relist-submissions and milliseconds. A listing is complete with the first page that is not full. An empty listing
 * leaves no timestamp to continue from.
 */
export class SubmissionRules extends HistoryRules {
  readonly #listings = new History<Listing>()

  add(exchange: OpenExchange): void {
    const { operation, status, queryText, responseBody } = exchange
    if (operation !== 'listFormSubmissions') return
    const formId = idOf(exchange, 'formId')
    const since = readSince(queryText)
    const unusable = findUnusableSince(queryText)
    if (unusable !== undefined) this.#addUnusable(exchange, formId, unusable)
    else if (Number(since) >= firstMilliseconds)
      this.findings.add(exchange, 'milliseconds', 'since', () => `${operation} sent since in milliseconds`)
    if (status !== 200 || typeof responseBody !== 'string') return
    const former = this.#listings.get(exchange, formId) ?? { covered: 0, completedBy: undefined, since: null }
    if (unusable === undefined && since !== null && !isIdle(exchange, formId, since, former)) {
      this.#listings.set(exchange, formId, { ...former, since })
      return
    }
    const page = JSON.parse(responseBody) as { submissions: unknown[]; limit: number; offset: number }
    if (page.offset > 0 && page.offset > former.covered) return
    if (page.offset === 0 && unusable === undefined) this.#judge(former, formId, exchange)
    const covered = page.offset + page.submissions.length
    const isComplete = page.submissions.length < page.limit && covered > 0
    const completedBy = former.completedBy ?? (isComplete ? exchange.id : undefined)
    this.#listings.set(exchange, formId, { covered, completedBy, since })
  }

  #addUnusable(exchange: Exchange, formId: string, since: string): void {
    const what = () =>
      `The submissions of form ${formId} were listed with since=${quote(since)}, which is not a moment in Unix seconds`
    this.findings.add(exchange, 'relist-submissions', `${formId} since`, what)
  }

  #judge({ completedBy }: Listing, formId: string, exchange: OpenExchange): void {
    // A listing that began before the other was complete could not know its last timestamp.
    if (completedBy === undefined || !hasSeen(exchange, completedBy)) return
    const what = () => `All submissions of form ${formId} were listed once more`
    this.findings.add(exchange, 'relist-submissions', formId, what, [completedBy])
  }
}

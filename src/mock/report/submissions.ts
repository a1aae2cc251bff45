// Rule relist-submissions: a form's submissions were listed again in full.
import type { OpenExchange } from '../requests/exchange.ts'
import type { Findings } from './findings.ts'
import { hasSeen, History } from './history.ts'
import { idOf } from './request.ts'

/** How far a client has got in listing all submissions of a form. */
interface SubmissionListing {
  /** Number of submissions read without a gap, starting with the first. */
  readonly covered: number
  /** The request that completed a listing with submissions. */
  readonly completedBy: number | undefined
}

/**
 * A listing is full if `since` is missing, unusable or earlier than the first submission. It is complete once a page
 * has fewer items than requested. An empty listing leaves no timestamp to continue from.
 */
export class SubmissionRules {
  readonly #findings: Findings
  readonly #listings = new History<SubmissionListing>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: OpenExchange): void {
    const { operation, status, page, query, store, breaches } = exchange
    if (operation !== 'listFormSubmissions' || status !== 200 || !page) return
    const { limit = 0, offset = 0, since } = query as Readonly<Record<string, number | undefined>>
    const formId = idOf(exchange, 'formId')
    const isFull =
      since === undefined || store.submissions.ownedBy(formId).every((each) => each.created_at > since)
    if (!isFull) return
    const former = this.#listings.get(exchange, formId) ?? { covered: 0, completedBy: undefined }
    if (offset > former.covered) return
    const isUnusable = breaches.some(({ rule }) => rule === 'relist-submissions')
    if (offset === 0 && !isUnusable) this.#judge(former, formId, exchange)
    const covered = offset + page.count
    const isComplete = page.count < limit && covered > 0
    const completedBy = former.completedBy ?? (isComplete ? exchange.id : undefined)
    if (covered !== former.covered || completedBy !== former.completedBy)
      this.#listings.set(exchange, formId, { covered, completedBy })
  }

  #judge({ completedBy }: SubmissionListing, formId: string, exchange: OpenExchange): void {
    // If this listing began before the other was complete, its client could not know the other's last timestamp.
    if (completedBy === undefined || !hasSeen(exchange, completedBy)) return
    const text = `All submissions of form ${formId} were listed again`
    this.#findings.add(exchange, 'relist-submissions', '', text, [completedBy])
  }
}

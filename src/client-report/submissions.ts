// Rule for listing the submissions of a form again.
import { operations } from '../contract/index.ts'
import { quote } from '../contract/text/quote.ts'
import { BoundedMap } from '../contract/data/bounded-map.ts'
import type { Exchange, OpenExchange } from '../core/exchange.ts'
import { clientOf, idOf } from './request.ts'
import { isUsable } from './fields.ts'
import type { Findings } from './findings.ts'

const formsRemembered = 1000

/** How far one client has come in listing a form's submissions. */
interface Listing {
  /** Submissions seen from the first on, without a gap. */
  readonly covered: number
  /** The request that completed a listing in which there were some. */
  readonly completedBy: number | undefined
}

const { since: sinceParameter } = operations.listFormSubmissions.query

/** The value of `since` if it is not a moment and so has no effect. */
export function unusableSince(query: string): string | undefined {
  const sent = new URLSearchParams(query).get('since')
  const isMoment = sent !== null && isUsable(sent, sinceParameter) && Number.isSafeInteger(Number(sent))
  return sent === null || isMoment ? undefined : sent
}

/**
 * Rule relist-submissions. A listing is complete with the first page that is not full; one that found nothing leaves no
 * timestamp to continue from.
 */
export class SubmissionRules {
  readonly #findings: Findings
  readonly #listings = new BoundedMap<Listing>(formsRemembered)

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: OpenExchange): void {
    const { operation, status, queryText, responseBody } = exchange
    if (operation !== 'listFormSubmissions') return
    const unusable = unusableSince(queryText)
    if (unusable !== undefined) this.#addUnusable(exchange, unusable)
    if (status !== 200 || typeof responseBody !== 'string') return
    if (unusable === undefined && new URLSearchParams(queryText).has('since')) return
    const page = JSON.parse(responseBody) as { submissions: unknown[]; limit: number; offset: number }
    const formId = idOf(exchange, 'formId')
    const key = `${clientOf(exchange)} ${formId}`
    const former = this.#listings.get(key) ?? { covered: 0, completedBy: undefined }
    if (page.offset > 0 && page.offset > former.covered) return
    if (page.offset === 0 && unusable === undefined) this.#judge(former, formId, exchange)
    const covered = page.offset + page.submissions.length
    const isComplete = page.submissions.length < page.limit && covered > 0
    const completedBy = former.completedBy ?? (isComplete ? exchange.id : undefined)
    this.#listings.set(key, { covered, completedBy })
  }

  #addUnusable(exchange: Exchange, since: string): void {
    const formId = idOf(exchange, 'formId')
    const what = () =>
      `The submissions of form ${formId} were listed with since=${quote(since)}, which is not a moment in Unix seconds`
    this.#findings.add(exchange, 'relist-submissions', `${formId} since`, what)
  }

  #judge({ completedBy }: Listing, formId: string, exchange: OpenExchange): void {
    // A listing that began before the other was complete could not know its last timestamp.
    if (completedBy === undefined || exchange.after < completedBy) return
    const what = () => `All submissions of form ${formId} were listed once more`
    this.#findings.add(exchange, 'relist-submissions', formId, what, [completedBy])
  }
}

// Owns the rules for requests as a whole: wrong ones, unencoded storage keys, and forms listed again.
import type { RuleId } from '../contract/client-rules.ts'
import type { Answers } from '../contract/questions/register.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import type { Exchange } from '../core/journal.ts'
import { clientOf, idOf, shown, type Context } from './context.ts'
import type { Findings } from './findings.ts'
import { isBareStorageKey } from '../core/route.ts'

/** Where a rule's breach is what a 400 is answered for, so that it needs no finding of its own. */
const refusers: Partial<Record<RuleId, (answers: Answers) => boolean>> = {
  'row-key-name': ({ unknownRowKeys }) => unknownRowKeys === 'reject',
  'unknown-key': ({ unknownRowKeys, unknownCustomFields }) =>
    unknownRowKeys === 'reject' || unknownCustomFields === 'reject',
  'read-only-write': ({ attachmentWrites }) => attachmentWrites === 'reject',
  'unknown-parameter': ({ unknownFilter }) => unknownFilter === 'reject',
  'unknown-field': ({ unknownBodyFields }) => unknownBodyFields === 'reject',
  'page-size': ({ limitAboveMax }) => limitAboveMax === 'reject',
  'content-type': ({ contentType }) => contentType === 'strict',
  'edit-running': () => true,
}

function errorOf({ responseBody }: Exchange): string {
  if (typeof responseBody !== 'string') return ''
  const { error } = JSON.parse(responseBody) as { readonly error?: unknown }
  return String(error)
}

/** Rules client-error and storage-key-encoding. An error that a fault made says nothing about the request. */
export class ErrorRules {
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: Exchange, { store }: Context): void {
    const { id, method, path, operation, status, fault, headers, observations } = exchange
    if (fault !== null) return
    if (status === 404 && operation === null) {
      if (isBareStorageKey(method, path)) {
        const key = path.slice(path.indexOf('/attachments/') + '/attachments/'.length)
        const what = () => `The storage key ${shown(key)} stood in the path of a ${method}`
        this.#findings.add({ rule: 'storage-key-encoding', cause: path, operation, requests: [id], what })
        return
      }
      const hint = headers['x-mock-hint']
      const what = () =>
        `${shown(`${method} ${path}`)} is no operation${hint === undefined ? '' : ` (${hint})`}`
      this.#findings.add({
        rule: 'client-error',
        cause: `${method} ${path}`,
        operation,
        requests: [id],
        what,
      })
    } else if (status === 400) {
      const isExplained = (rule: RuleId) => refusers[rule]?.(store.answers) ?? false
      if (observations.some(({ rule }) => isExplained(rule))) return
      if (isExplained('page-size') && this.#findings.isAtFault('page-size', id)) return
      const error = errorOf(exchange)
      const what = () => `${String(operation)} was refused: ${error}`
      this.#findings.add({
        rule: 'client-error',
        cause: `${String(operation)} ${error}`,
        operation,
        requests: [id],
        what,
      })
    }
  }
}

const formsRemembered = 1000

/** How far one client has come in listing a form's submissions. */
interface Listing {
  /** Submissions seen from the first on, without a gap. */
  readonly covered: number
  /** The request that completed a listing in which there were some. */
  readonly completedBy: number | undefined
}

/**
 * Rule relist-submissions. A listing is complete with the page that is not full; one that found nothing leaves no
 * timestamp to go on from.
 */
export class SubmissionRules {
  readonly #findings: Findings
  readonly #listings = new BoundedMap<Listing>(formsRemembered)

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** The store was replaced by another. */
  forget(): void {
    this.#listings.clear()
  }

  add(exchange: Exchange, context: Context): void {
    const { operation, status, query, responseBody } = exchange
    if (operation !== 'listFormSubmissions' || status !== 200 || typeof responseBody !== 'string') return
    if (new URLSearchParams(query).has('since')) return
    const page = JSON.parse(responseBody) as { submissions: unknown[]; limit: number; offset: number }
    const formId = idOf(exchange, 'formId')
    const key = `${clientOf(context)} ${formId}`
    const former = this.#listings.get(key) ?? { covered: 0, completedBy: undefined }
    if (page.offset === 0) this.#judge(former, formId, exchange, context)
    else if (page.offset > former.covered) return
    const covered = page.offset + page.submissions.length
    const isComplete = page.submissions.length < page.limit && covered > 0
    const completedBy = former.completedBy ?? (isComplete ? exchange.id : undefined)
    this.#listings.set(key, { covered, completedBy })
  }

  #judge({ completedBy }: Listing, formId: string, { id, operation }: Exchange, { after }: Context): void {
    // A listing that began before the other was complete could not know its last timestamp.
    if (completedBy === undefined || after < completedBy) return
    const what = () => `All submissions of form ${formId} were listed once more`
    const requests = [completedBy, id]
    this.#findings.add({ rule: 'relist-submissions', cause: formId, operation, requests, what })
  }
}

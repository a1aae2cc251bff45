// Report on the client: which of the contract's rules for clients its requests broke.
import type { Store } from '../../service/store/store.ts'
import type { BegunExchange } from '../requests/exchange.ts'
import type { Journal } from '../journal/journal.ts'
import type { ClientReport, Finding, ReportOptions } from '../sandboxes/client-report.ts'
import { assumptionsOf } from './assumptions.ts'
import { addFieldFindings } from './fields.ts'
import { Findings } from './findings.ts'
import type { HistoryRules } from './history.ts'
import { addErrorFindings } from './requests.ts'
import { RetryRules } from './retries.ts'
import { SizingRules } from './sizing.ts'
import { SubmissionRules } from './submissions.ts'
import { SweepRules } from './sweeps.ts'
import { PollRules } from './polls.ts'

const rulesOf = (findings: Findings): readonly HistoryRules[] => [
  new RetryRules(findings),
  new PollRules(findings),
  new SizingRules(findings),
  new SubmissionRules(findings),
  new SweepRules(findings),
]

export class Report implements ClientReport {
  readonly #journal: Journal
  readonly #findings = new Findings()
  #rules = rulesOf(this.#findings)
  #store: Store | undefined

  /** `journal` holds the requests that findings name. */
  constructor(journal: Journal) {
    this.#journal = journal
  }

  add(exchange: BegunExchange): void {
    const { store } = exchange
    // In another store ids are assigned anew, and nothing a client knew of the former one is valid.
    if (store !== this.#store) this.#rules = rulesOf(this.#findings)
    this.#store = store
    for (const rules of this.#rules) rules.add(exchange)
    addFieldFindings(this.#findings, exchange)
    addErrorFindings(this.#findings, exchange)
  }

  findings({ assumptions = false }: ReportOptions = {}): Finding[] {
    const found = this.#findings.list(this.#journal)
    if (!assumptions) return found.filter(({ severity }) => severity !== 'info')
    return this.#store ? [...found, ...assumptionsOf(this.#journal, this.#store)] : found
  }
}

// The report on the client: which of the contract's client rules its requests broke.
import { errorKinds } from '../../contract/errors.ts'
import { errorKindsOf } from '../../contract/operation.ts'
import type { Store } from '../../service/store/store.ts'
import { shorten } from '../../contract/text/quote.ts'
import type { BegunExchange, OpenExchange } from '../requests/exchange.ts'
import { isBareStorageKey } from '../requests/route.ts'
import type { Journal } from '../journal/journal.ts'
import type { ClientReport, Finding, ReportOptions } from '../sandboxes/client-report.ts'
import { assumptionsOf } from './assumptions.ts'
import { addFieldFindings } from './fields.ts'
import { Findings } from './findings.ts'
import { parseJsonObject } from './request.ts'
import { LostRules } from './lost.ts'
import { RetryRules } from './retries.ts'
import { SizingRules } from './sizing.ts'
import { SubmissionRules } from './submissions.ts'
import { SweepRules } from './sweeps.ts'
import { PollRules } from './polls.ts'

const createRules = (findings: Findings) => ({
  retries: new RetryRules(findings),
  lost: new LostRules(findings),
  polls: new PollRules(findings),
  sizing: new SizingRules(findings),
  submissions: new SubmissionRules(findings),
  sweeps: new SweepRules(findings),
})

/** Whether a request read anything but a listing or a job. Such a request breaks no rule by itself. */
const isPlainRead = ({ call, status, page, route, breaches }: BegunExchange) =>
  call.method === 'GET' &&
  status === 200 &&
  page === undefined &&
  breaches.length === 0 &&
  route?.operation.advancesClock !== true

const isDocumented = ({ route, status }: BegunExchange) =>
  route !== undefined && errorKindsOf(route.operation).some((kind) => errorKinds[kind].status === status)

/** Rules client-error and storage-key-encoding. An error injected by a fault says nothing about the request. */
function addErrorFindings(findings: Findings, exchange: OpenExchange): void {
  const { operation, status, isInjected, response } = exchange
  const { method, path, outside } = exchange.call
  if (isInjected || response.reported === true) return
  if (status === 404 && operation === null) {
    if (isBareStorageKey(method, path)) {
      const key = path.slice(path.indexOf('/attachments/') + '/attachments/'.length)
      const text = `The storage key ${shorten(key)} was sent unencoded in the path of a ${method}`
      findings.add(exchange, 'storage-key-encoding', '', text)
      return
    }
    const hint = response.headers['x-mock-hint']
    const target = `${method} ${outside ?? path}`
    const text = `${shorten(target)} is not an operation${hint === undefined ? '' : ` (${hint})`}`
    findings.add(exchange, 'client-error', target, text)
  } else if (status === 400 && !exchange.breaches.some(({ rule }) => rule === 'empty-patch')) {
    const error = String(parseJsonObject(response.body)?.error)
    const before = `${String(operation)} was refused:`
    findings.addBreach(exchange, {
      rule: 'client-error',
      // All refusals of one operation are one cause; each distinct message is one of its items.
      signs: [`${before} ${error}`, before],
      describe: () => ({ item: error, before, beforeMany: before }),
    })
  }
}

export class Report implements ClientReport {
  readonly #journal: Journal
  readonly #findings: Findings
  #rules: ReturnType<typeof createRules>
  #store: Store | undefined

  /** `journal` holds the requests that findings name. */
  constructor(journal: Journal) {
    this.#journal = journal
    this.#findings = new Findings(journal)
    this.#rules = createRules(this.#findings)
  }

  add(exchange: BegunExchange): void {
    const { store } = exchange
    // A new store assigns ids anew, so what a client knew about the former store is no longer valid.
    if (store !== this.#store && this.#store) this.#rules = createRules(this.#findings)
    this.#store = store
    const { retries, lost, polls, sizing, submissions, sweeps } = this.#rules
    // A response set by the test says nothing about the state, and a status that the contract lacks has no retry rule.
    if (exchange.failure?.response) {
      if (isDocumented(exchange)) retries.add(exchange)
      addFieldFindings(this.#findings, exchange)
      return
    }
    if (!retries.isIdle || exchange.status >= 400) retries.add(exchange)
    if (!lost.isIdle || exchange.status === 0) lost.add(exchange)
    if (isPlainRead(exchange)) return
    polls.add(exchange)
    sizing.add(exchange)
    submissions.add(exchange)
    sweeps.add(exchange)
    addFieldFindings(this.#findings, exchange)
    addErrorFindings(this.#findings, exchange)
  }

  findings({ assumptions = false }: ReportOptions = {}): Finding[] {
    const found = this.#findings.list()
    if (!assumptions) return found.filter(({ severity }) => severity !== 'info')
    const stopped = new Findings(this.#journal)
    this.#rules.sweeps.addStopped(stopped)
    const assumed = this.#store ? assumptionsOf(this.#journal, this.#store) : []
    return [...found, ...stopped.list(), ...assumed]
  }
}

// Owns the report on the client: which of the contract's rules for clients its requests broke.
import type { Store } from '../store/store.ts'
import type { Exchange } from '../core/journal.ts'
import { AssumptionRule } from './assumptions.ts'
import type { Context } from './context.ts'
import { FieldRules } from './fields.ts'
import { Findings, type Finding } from './findings.ts'
import { ErrorRules, SubmissionRules } from './requests.ts'
import { RetryRules } from './retries.ts'
import { SizingRules } from './sizing.ts'
import { PollRules } from './time.ts'

export type { Finding } from './findings.ts'

export interface ReportOptions {
  /** Also lists where an answer depended on an open question. */
  readonly assumptions?: boolean | undefined
}

export class Report {
  readonly #findings = new Findings()
  readonly #assumptions = new AssumptionRule()
  readonly #retries = new RetryRules(this.#findings)
  readonly #fields = new FieldRules(this.#findings)
  readonly #errors = new ErrorRules(this.#findings)
  readonly #polls = new PollRules(this.#findings)
  readonly #sizing = new SizingRules(this.#findings)
  readonly #submissions = new SubmissionRules(this.#findings)
  #store: Store | undefined

  /** Judges a request, in the order in which requests were answered. */
  add(exchange: Exchange, context: Context): void {
    if (context.store !== this.#store) this.#begin(context.store)
    this.#assumptions.add(exchange, context)
    this.#retries.add(exchange, context)
    this.#polls.add(exchange, context)
    this.#sizing.add(exchange, context)
    this.#submissions.add(exchange, context)
    this.#fields.add(exchange, context)
    this.#errors.add(exchange, context)
  }

  /** What was found, by first occurrence; then the assumptions, if asked for, by first use. */
  findings({ assumptions = false }: ReportOptions = {}): Finding[] {
    return assumptions ? [...this.#findings.list(), ...this.#assumptions.list()] : this.#findings.list()
  }

  /** In another store ids are given anew, and nothing that a client knew of the former holds. */
  #begin(store: Store): void {
    this.#store = store
    for (const rules of [this.#retries, this.#polls, this.#sizing, this.#submissions]) rules.forget()
  }
}

// Judges a run: the findings that it shows about the client.
import type { StateDifference } from '../compare/comparison.ts'
import { clientRules } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import { laterWaits } from '../contract/limits.ts'
import { quote } from '../contract/text/quote.ts'
import type { Finding } from '../core/report.ts'
import { faultCall, faultName, isAssumed, isTransient } from './plan.ts'
import type { RunRecord } from './runner.ts'
import type { ExploredFault, ExploreFinding } from './types.ts'
import { UndisturbedEnd } from './undisturbed-end.ts'

/** A finding of one run, which other runs can show too. */
export type Judgement = Omit<ExploreFinding, 'count' | 'requests' | 'report'> & {
  /** Findings of the same kind and fault with different causes are counted separately. */
  readonly cause: string
}

/** A finding without its faults. The severity is `error` by default. */
type Statement = Pick<Judgement, 'kind' | 'message' | 'advice'> &
  Partial<Pick<Judgement, 'severity' | 'cause' | 'difference' | 'rule'>>

/** A finding of a run with these faults; `operation` is that of a finding without faults. */
export function judgementOf(
  statement: Statement,
  faults: readonly ExploredFault[],
  operation: OperationId | null = null,
): Judgement {
  const [fault = null] = faults
  const reproduction = faults.map(faultCall).join('\n')
  const about = { operation: fault?.operation ?? operation, fault, faults, reproduction }
  return { severity: 'error', cause: '', ...statement, ...about }
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : quote(error))

const ordinal = (skip: number | undefined) => (skip === undefined ? '' : ` (request ${String(skip + 1)})`)

/** Faults in words: `createTask (request 2): 503, then getTask: 500`. */
export const faultsText = (faults: readonly ExploredFault[]) =>
  faults.map((fault) => `${fault.operation}${ordinal(fault.skip)}: ${faultName(fault)}`).join(', then ')

/** What the contract requires of a client after a fault. */
function adviceFor({ network, phase, status = 500 }: ExploredFault): string {
  if (network === true)
    return phase === 'after'
      ? 'A request without a response may have been carried out: find out before repeating a write. The contract does not cover broken connections.'
      : 'Repeating is safe for reads; before repeating a write find out whether it was carried out. The contract does not cover broken connections.'
  if (status === 429)
    return 'Contract, Errors, rule 2: wait as long as Retry-After says, then repeat the request.'
  if (status >= 500)
    return phase === 'after'
      ? 'Contract, Errors, rule 2 calls 500 and 503 safe to retry; where a service commits and then fails, find out before repeating a write.'
      : `Contract, Errors, rule 2: repeat at once, then after ${laterWaits} s, and give up from attempt 6.`
  return `Contract, Errors: ${String(status)} is final; report it to the caller instead of going on.`
}

const adviceForIgnored = (fault: ExploredFault) =>
  `Repeat a request that failed, or report its failure to the caller. ${isTransient(fault) ? adviceFor(fault) : ''}`.trim()

function differenceText({
  resource,
  change,
  field,
  record,
  undisturbed,
  disturbed,
}: StateDifference): string {
  const what = `${resource} ${quote(record)}`
  switch (change) {
    case 'twice':
      return `${what} exists ${String(disturbed)} times instead of ${String(undisturbed)}`
    case 'missing':
      return `${what} is missing`
    case 'added':
      return `${what} exists, but not after the undisturbed run`
    case 'changed':
      if (field === 'deleted') return `${what} is ${disturbed === true ? 'deleted' : 'not deleted'}`
      return `${field ?? 'content'} of ${what} is ${quote(disturbed)} instead of ${quote(undisturbed)}`
  }
}

const differencesText = (first: StateDifference, { length }: readonly StateDifference[]): string => {
  const others = length === 1 ? '' : ` (and ${String(length - 1)} more difference${length === 2 ? '' : 's'})`
  return `${differenceText(first)}${others}`
}

const causeOf = ({ resource, change, field }: StateDifference) => `${resource} ${change} ${field ?? ''}`

/** Identifies a broken rule, regardless of the ids in its message. */
const ruleKey = (rule: string, operation: OperationId | null) => `${rule} ${operation ?? ''}`

export class RunJudge {
  readonly #undisturbed: UndisturbedEnd
  /** The rules that the undisturbed run broke already. */
  readonly #known: ReadonlySet<string>

  constructor(undisturbed: RunRecord) {
    this.#undisturbed = new UndisturbedEnd(undisturbed)
    this.#known = new Set(undisturbed.report.map(({ rule, operation }) => ruleKey(rule, operation)))
  }

  /** Reports how a second undisturbed run differs from the first, and leaves those differences out of later comparisons. */
  compareUndisturbed(record: RunRecord): Judgement[] {
    const differences = this.#undisturbed.differences(record)
    const [difference] = differences
    if (!difference) return []
    this.#undisturbed.ignore(differences)
    const statement: Statement = {
      kind: 'not deterministic',
      severity: 'info',
      message: `two undisturbed runs leave different states: ${differencesText(difference, differences)}`,
      advice:
        'These fields are not compared in other runs. A client that does the same each time can be explored in full.',
      cause: causeOf(difference),
      difference,
    }
    return [judgementOf(statement, [])]
  }

  judge(faults: readonly ExploredFault[], record: RunRecord): Judgement[] {
    const last = faults.at(-1)
    if (!last) return []
    const isOnAssumption = faults.some(isAssumed)
    return [...this.#statements(faults, last, record)].map((statement) => {
      const judgement = judgementOf(statement, faults)
      const isDoubtful = isOnAssumption && judgement.severity === 'error'
      return isDoubtful ? { ...judgement, severity: 'assumption' } : judgement
    })
  }

  *#statements(
    faults: readonly ExploredFault[],
    last: ExploredFault,
    record: RunRecord,
  ): Generator<Statement> {
    const { outcome, error, report, violation } = record
    const why = errorText(error)
    if (outcome === 'resolved') yield* this.#state(last, record)
    else if (outcome === 'hang') {
      const advice = 'Contract, Errors, rule 2: retries end; give up from attempt 6.'
      yield { kind: 'hang', message: why, advice }
    } else {
      // A client has to withstand one transient fault.
      if (faults.length === 1 && isTransient(last)) {
        const message = `it rejected after this one transient failure: ${why}`
        const severity = last.network === true ? 'assumption' : 'error'
        yield { kind: 'gave up', severity, message, advice: adviceFor(last) }
      }
      yield* this.#lost(last, record)
    }
    for (const finding of report) if (finding.severity === 'error') yield* this.#rule(finding)
    if (violation) {
      const message = `check threw: ${errorText(violation.error)}`
      yield { kind: 'check', message, advice: 'Your own invariant, the option check, is violated.' }
    }
  }

  *#state(last: ExploredFault, record: RunRecord): Generator<Statement> {
    const differences = this.#undisturbed.differences(record)
    const [difference] = differences
    if (!difference) return
    const message = `it resolved, but ${differencesText(difference, differences)}`
    const advice = difference.change === 'twice' ? adviceFor(last) : adviceForIgnored(last)
    yield { kind: 'state', message, advice, cause: causeOf(difference), difference }
  }

  /** The writes of a client that gave up. */
  *#lost(last: ExploredFault, { end, error }: RunRecord): Generator<Statement> {
    const counts = new Map<string, number>()
    for (const { resource } of this.#undisturbed.changedIn(end).values())
      if (resource !== 'file') counts.set(resource, (counts.get(resource) ?? 0) + 1)
    if (counts.size === 0) return
    const what = [...counts].map(([resource, count]) => `${resource}: ${String(count)}`).join(', ')
    yield {
      kind: 'lost',
      severity: 'info',
      message: `it rejected (${errorText(error)}) and left part of its writes (${what})`,
      advice: `${faultName(last)} ended it midway; when it runs again, it has to find what exists already.`,
    }
  }

  *#rule({ rule, operation, message: said }: Finding): Generator<Statement> {
    const cause = ruleKey(rule, operation)
    if (this.#known.has(cause)) return
    const { advice, source } = clientRules[rule]
    const message = said.replace(` ${advice}`, '').replace(/\.$/, '')
    yield { kind: 'rule', message, advice: `Contract, ${source}: ${advice}`, cause, rule }
  }
}

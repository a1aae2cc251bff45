// What a run with faults says about the client: the findings of that run alone.
import { clientRules } from '../contract/client-rules.ts'
import type { OperationId } from '../contract/index.ts'
import type { Finding } from '../core/report.ts'
import { faultCall, faultName, isAssumed, isTransient } from './plan.ts'
import type { RunRecord } from './runner.ts'
import type { ExploredFault, ExploreFinding, StateDifference } from './types.ts'
import { UndisturbedEnd } from './undisturbed-end.ts'

/** A finding of one run. */
export type Judgement = Omit<ExploreFinding, 'count' | 'requests' | 'report'> & {
  /** Distinguishes it from other findings of the same operation and fault. */
  readonly cause: string
}

/** What a finding says; an error unless another severity is given. */
type Statement = Pick<Judgement, 'kind' | 'message' | 'advice'> &
  Partial<Pick<Judgement, 'severity' | 'cause' | 'difference' | 'rule'>>

/** The finding of a run with these faults; one without faults can name an operation. */
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

const quoted = (value: unknown) => {
  const text = (JSON.stringify(value) as string | undefined) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : quoted(error))

const ordinal = (skip: number | undefined) => (skip === undefined ? '' : ` (request ${String(skip + 1)})`)

/** Faults in words: `createTask (request 2): 503, then getTask: 500`. */
export const faultsText = (faults: readonly ExploredFault[]) =>
  faults.map((fault) => `${fault.operation}${ordinal(fault.skip)}: ${faultName(fault)}`).join(', then ')

/** What the contract asks of a client that meets a fault. */
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
      : 'Contract, Errors, rule 2: repeat at once, then after 1, 2, 4 and 8 s, and give up from attempt 6.'
  return `Contract, Errors: ${String(status)} is final; report it to the caller instead of going on.`
}

const notSwallowed = (fault: ExploredFault) =>
  `A request that failed is repeated, or its failure reported to the caller. ${isTransient(fault) ? adviceFor(fault) : ''}`.trim()

function differenceText({
  resource,
  change,
  field,
  record,
  undisturbed,
  disturbed,
}: StateDifference): string {
  const what = `${resource} ${quoted(record)}`
  switch (change) {
    case 'twice':
      return `${what} exists ${String(disturbed)} times instead of ${quoted(undisturbed)}`
    case 'missing':
      return `${what} is missing`
    case 'added':
      return `${what} exists, which the undisturbed run does not leave`
    case 'changed':
      if (field === 'deleted') return `${what} is ${disturbed === true ? 'deleted' : 'not deleted'}`
      return `${field ?? 'content'} of ${what} is ${quoted(disturbed)} instead of ${quoted(undisturbed)}`
  }
}

const differencesText = (first: StateDifference, { length }: readonly StateDifference[]): string => {
  const others = length === 1 ? '' : ` (and ${String(length - 1)} more difference${length === 2 ? '' : 's'})`
  return `${differenceText(first)}${others}`
}

const causeOf = ({ resource, change, field }: StateDifference) => `${resource} ${change} ${field ?? ''}`

/** A rule of the report that a run broke, whatever the ids in its message. */
const ruleKey = (rule: string, operation: OperationId | null) => `${rule} ${operation ?? ''}`

export class RunJudge {
  readonly #undisturbed: UndisturbedEnd
  /** Errors that the report has of the undisturbed run. */
  readonly #known: ReadonlySet<string>

  constructor(undisturbed: RunRecord) {
    this.#undisturbed = new UndisturbedEnd(undisturbed)
    this.#known = new Set(undisturbed.report.map(({ rule, operation }) => ruleKey(rule, operation)))
  }

  /** Reports what a second undisturbed run does not do as the first, and leaves it out of later comparisons. */
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
        'This is left out of all comparisons; a client that does the same each time is explored more closely.',
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
      // One transient fault is for a client to bear.
      if (faults.length === 1 && isTransient(last)) {
        const message = `it rejected although this was all that happened: ${why}`
        const severity = last.network === true ? 'assumption' : 'error'
        yield { kind: 'gave up', severity, message, advice: adviceFor(last) }
      }
      yield* this.#lost(last, record)
    }
    for (const finding of report) if (finding.severity === 'error') yield* this.#rule(finding)
    if (violation) {
      const message = `check threw: ${errorText(violation.error)}`
      yield { kind: 'check', message, advice: 'This is an invariant of your own.' }
    }
  }

  *#state(last: ExploredFault, record: RunRecord): Generator<Statement> {
    const differences = this.#undisturbed.differences(record)
    const [difference] = differences
    if (!difference) return
    const message = `it resolved, but ${differencesText(difference, differences)}`
    const advice = difference.change === 'twice' ? adviceFor(last) : notSwallowed(last)
    yield { kind: 'state', message, advice, cause: causeOf(difference), difference }
  }

  /** Writes that a client which gave up has left. */
  *#lost(last: ExploredFault, { end, error }: RunRecord): Generator<Statement> {
    const counts = new Map<string, number>()
    for (const { resource } of this.#undisturbed.changedIn(end).values())
      if (resource !== 'file') counts.set(resource, (counts.get(resource) ?? 0) + 1)
    if (counts.size === 0) return
    const what = [...counts].map(([resource, count]) => `${String(count)} ${resource}`).join(', ')
    yield {
      kind: 'lost',
      severity: 'info',
      message: `it rejected (${errorText(error)}) and left part of its writes: ${what}`,
      advice: `${faultName(last)} ended it midway; what is there already has to be found when it runs again.`,
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

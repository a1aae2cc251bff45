// Judges a run by the oracle of its fault.
import type { StateDifference } from '../compare/comparison.ts'
import { GeneratedIds } from '../../service/store/generated-ids.ts'
import { clientRules, type RuleId } from '../../contract/client-rules.ts'
import { retryScheduleMs } from '../../contract/limits.ts'
import type { JournalEntry } from '../../mock/journal/entry.ts'
import type { Finding } from '../../mock/sandboxes/client-report.ts'
import type { Store } from '../../service/store/store.ts'
import { readingOf } from './extensions.ts'
import { numberRequests, type Oracle, type PlannedCase } from './oracle.ts'
import { compareValuesWith } from './reported-value.ts'
import type { RunRecord } from './runner.ts'
import { formatDifferences, formatError, formatPlace } from './texts.ts'
import type { ExploreFinding, ExploreKind, ExploreSeverity } from './types.ts'
import { UndisturbedEnd } from './undisturbed-end.ts'

/** What a run shows; with the same cause it is the same finding. */
export type Statement = Pick<ExploreFinding, 'kind' | 'severity' | 'message' | 'advice' | 'cause'> &
  Partial<Pick<ExploreFinding, 'difference' | 'rule'>>

/** A disturbed run with what it is compared with. */
export interface Trial {
  readonly record: RunRecord
  /** The run after it, if the client was to run again. */
  readonly again?: RunRecord | undefined
  /** Further ends that are accepted. */
  readonly ends: readonly Store[]
}

/** From the worst on. */
const severities: readonly ExploreSeverity[] = ['error', 'warning', 'assumption', 'info']
export const rankOf = (severity: ExploreSeverity) => severities.indexOf(severity)

const aboutRepetition: ReadonlySet<RuleId> = new Set(['backoff', 'retry-after', 'retry-unsafe'])

const requestKeyOf = ({ method, path, query, requestBody }: JournalEntry) =>
  JSON.stringify([method, path, query, requestBody])

/** Identifies a broken rule, regardless of the ids in its message. */
const ruleKeyOf = ({ rule, operation }: Pick<Finding, 'rule' | 'operation'>) => `${rule} ${operation ?? ''}`

export function statementOf(
  kind: ExploreKind,
  message: string,
  advice: string,
  more: Partial<Statement> = {},
): Statement {
  return { kind, severity: 'error', message, advice, cause: '', ...more }
}

const createHangStatement = (message: string): Statement =>
  statementOf('hang', message, 'Contract, Errors, rule 2: retries end; give up from attempt 6.')

/** A statement on the first of the differences, if there are any. */
function listStateStatements(
  lead: string,
  differences: readonly StateDifference[],
  advice: string,
  more: Partial<Statement> = {},
): Statement[] {
  const [difference] = differences
  if (!difference) return []
  const { resource, change, field } = difference
  const cause = `${resource} ${change}${field === undefined ? '' : ` ${field}`}`
  const message = `${lead} ${formatDifferences(differences)}`
  return [statementOf('state', message, advice, { cause, difference, ...more })]
}

export class RunJudge {
  readonly #undisturbed: UndisturbedEnd
  readonly #differingValues: (value: unknown) => string[]
  /** What differs between the values of undisturbed runs. */
  readonly #ignoredValues = new Set<string>()
  readonly #known: Set<string>
  /** What the undisturbed run sends more than once: for more than one purpose, so that neither repeats the other. */
  readonly #sentTwice: ReadonlySet<string>
  /** Why a client that runs again is not judged; undefined if it is. */
  whyNotRestartable: string | undefined

  constructor(first: RunRecord, start: Store) {
    const { end, value, report, journal } = first
    this.#undisturbed = new UndisturbedEnd(start, end)
    this.#differingValues = compareValuesWith(value, new GeneratedIds(start))
    this.#known = new Set(report.map(ruleKeyOf))
    const sent = journal().map(requestKeyOf)
    this.#sentTwice = new Set(sent.filter((line, index) => sent.indexOf(line) !== index))
  }

  /** Reports how a second undisturbed run differs from the first; later comparisons ignore these differences. */
  compareUndisturbed({ end, value }: RunRecord): Statement[] {
    for (const path of this.#differingValues(value)) this.#ignoredValues.add(path)
    const differences = this.#undisturbed.findDifferences(end)
    this.#undisturbed.ignore(differences)
    const advice =
      'These fields are not compared in other runs. A client that does the same each time can be explored in full.'
    const more = { kind: 'not deterministic', severity: 'info' } as const
    return listStateStatements('two undisturbed runs leave different states:', differences, advice, more)
  }

  /** Learns from a second undisturbed run on top of the first whether a client that was stopped can run again. */
  compareRepeated({ outcome, error, end, report }: RunRecord): void {
    for (const finding of report) this.#known.add(ruleKeyOf(finding))
    const differences = outcome === 'resolved' ? this.#undisturbed.findDifferences(end) : []
    if (outcome !== 'resolved') this.whyNotRestartable = `rejects: ${formatError(error)}`
    else if (differences.length > 0) this.whyNotRestartable = `leaves more: ${formatDifferences(differences)}`
  }

  judge(planned: PlannedCase, trial: Trial): Statement[] {
    const { most = 'error' } = planned.oracle
    return [...this.#listStatements(planned, trial)].map((statement) =>
      rankOf(statement.severity) < rankOf(most) ? { ...statement, severity: most } : statement,
    )
  }

  *#listStatements(planned: PlannedCase, trial: Trial): Generator<Statement> {
    const { record, again } = trial
    const { oracle } = planned
    if (record.outcome === 'resolved') yield* this.#judgeResolved(oracle, trial)
    if (record.outcome === 'rejected') yield* this.#judgeRejected(planned, trial)
    if (record.outcome === 'hang') yield createHangStatement(formatError(record.error))
    if (oracle.rules) yield* this.#findBrokenRules(oracle, record)
    if (again) yield* this.#judgeSecondRun(again, record, oracle.advice)
    const { violation } = again ?? record
    if (!violation) return
    const cause = `check threw: ${formatError(violation.error)}`
    yield statementOf('check', cause, 'Your own invariant, the option check, is violated.', { cause })
  }

  /** The differences from the nearest of the accepted ends. */
  #findDifferences({ record, ends }: Trial): readonly StateDifference[] {
    const accepted =
      ends.length === 0 ? [this.#undisturbed] : ends.map((end) => this.#undisturbed.withEnd(end))
    const all = accepted.map((end) => end.findDifferences(record.end))
    return all.reduce((best, one) => (one.length < best.length ? one : best))
  }

  #judgeResolved(oracle: Oracle, trial: Trial): Statement[] {
    const { canTell, extraOnly, reads, advice, ifIgnored = advice } = oracle
    if (reads !== undefined) return judgePages(reads, trial.record, advice)
    const found = this.#findDifferences(trial)
    const isTold =
      canTell && this.#differingValues(trial.record.value).some((path) => !this.#ignoredValues.has(path))
    const isExtra = ({ change }: StateDifference) => change === 'twice' || change === 'added'
    const counted = isTold || extraOnly ? found.filter(isExtra) : found
    return listStateStatements(
      'it resolved, but',
      counted,
      counted[0]?.change === 'twice' ? advice : ifIgnored,
    )
  }

  *#judgeRejected({ oracle, fault, name, at }: PlannedCase, trial: Trial): Generator<Statement> {
    const { advice, rejection, listsLost } = oracle
    const { record } = trial
    const why = formatError(record.error)
    if (rejection === 'gave up') {
      const severity = fault.network === true ? 'assumption' : 'error'
      const message = `it rejected after this one transient failure: ${why}`
      yield statementOf('gave up', message, advice, { severity, cause: severity })
    }
    if (rejection === 'depends') yield statementOf('depends', `it rejected: ${why}`, advice, { cause: name })
    if (rejection === 'stopped')
      yield statementOf('stopped', `it rejected: ${why}`, advice, { severity: 'warning' })
    if (listsLost) {
      const place = { operation: at?.operation ?? null, request: at && at.index + 1 }
      yield* this.#judgeLost(formatPlace(place, name), record)
      return
    }
    const twice = this.#findDifferences(trial).filter(({ change }) => change === 'twice')
    yield* listStateStatements('it rejected, and', twice, advice)
    const recommended = retryScheduleMs.length
    if (fault.status !== 503 || fault.times !== null || record.hits > recommended) return
    const after = `after ${String(record.hits - 1)} of the ${String(recommended)} retries`
    const message = `it gave up ${record.hits === 1 ? 'without a retry' : after} that the contract recommends`
    yield statementOf('gave up early', message, advice, { severity: 'info' })
  }

  *#judgeSecondRun(again: RunRecord, before: RunRecord, advice: string): Generator<Statement> {
    const when = `after it ${before.outcome === 'stopped' ? 'was stopped' : 'gave up'} and ran again`
    if (again.outcome === 'resolved')
      yield* listStateStatements(`${when},`, this.#undisturbed.findDifferences(again.end), advice)
    else if (again.outcome === 'hang') yield createHangStatement(`${when}, ${formatError(again.error)}`)
    else yield statementOf('not restartable', `${when}, it rejected: ${formatError(again.error)}`, advice)
  }

  /** The writes of a client that gave up. */
  #judgeLost(what: string, { end, error }: RunRecord): Statement[] {
    const counts = new Map<string, number>()
    for (const { resource } of this.#undisturbed.findChanges(end).values())
      if (resource !== 'file') counts.set(resource, (counts.get(resource) ?? 0) + 1)
    if (counts.size === 0) return []
    const left = [...counts].map(([resource, count]) => `${resource}: ${String(count)}`).join(', ')
    const message = `it rejected (${formatError(error)}) and left part of its writes (${left})`
    const advice = `${what} ended it midway; when it runs again, it has to find what exists already.`
    return [statementOf('lost', message, advice, { severity: 'info' })]
  }

  *#findBrokenRules({ rules }: Oracle, { report, journal }: RunRecord): Generator<Statement> {
    for (const finding of report) {
      const { rule, severity, message: said, requests } = finding
      if (severity !== 'error' || this.#known.has(ruleKeyOf(finding))) continue
      if (rules === 'own' && rule === 'client-error') continue
      const isSentTwice = (entry: JournalEntry) =>
        requests.includes(entry.id) && this.#sentTwice.has(requestKeyOf(entry))
      if (aboutRepetition.has(rule) && journal().some(isSentTwice)) continue
      const { advice, source } = clientRules[rule]
      const message = said.replace(` ${advice}`, '').replace(/\.$/, '')
      yield statementOf('rule', message, `Contract, ${source}: ${advice}`, { cause: rule, rule })
    }
  }
}

/** Whether a listing that the undisturbed run read to its end was read to its end when it was longer. */
function judgePages(path: string, record: RunRecord, advice: string): Statement[] {
  const { pages, isComplete } = readingOf(path, numberRequests(record.journal()))
  if (isComplete) return []
  const message = `it read ${pages === 1 ? 'the first page' : `${String(pages)} pages`} of ${path} alone, though there are more`
  // A single page can be all that the client wants.
  return [
    statementOf('depends', message, advice, {
      severity: pages === 1 ? 'assumption' : 'error',
      cause: 'pages',
    }),
  ]
}

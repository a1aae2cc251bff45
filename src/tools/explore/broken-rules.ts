// Finds rules of the report that a run breaks but the undisturbed run keeps.
import { clientRules, type RuleId } from '../../contract/client-rules.ts'
import { retryScheduleMs } from '../../contract/limits.ts'
import type { Finding, JournalEntry } from '../../mock/explorable.ts'
import type { Expectation } from './expectation.ts'
import { linesForWaits } from './reproduction.ts'
import type { RunRecord } from './runner.ts'
import { statementOf, type Statement } from './statement.ts'

const aboutTime: ReadonlySet<RuleId> = new Set(['backoff', 'retry-after', 'poll-interval'])
/** A client that breaks one of these rules skips items of a listing. */
const aboutPages: ReadonlySet<RuleId> = new Set(['paging-gap', 'delete-while-paging'])
const aboutRepetition: ReadonlySet<RuleId> = new Set(['backoff', 'retry-after', 'retry-unsafe'])

const requestKeyOf = ({ method, path, query, requestBody }: JournalEntry) =>
  JSON.stringify([method, path, query, requestBody])

/** Identifies a broken rule whatever ids its message contains. */
const ruleKeyOf = ({ rule, operation }: Pick<Finding, 'rule' | 'operation'>) => `${rule} ${operation ?? ''}`

function toRuleStatement(finding: Finding, journal: readonly JournalEntry[]): Statement {
  const { rule, message: said } = finding
  const { advice, source } = clientRules[rule]
  const message = said.replace(` ${advice}`, '').replace(/\.$/, '')
  const more = aboutTime.has(rule) && { lines: linesForWaits(journal, finding) }
  return statementOf('rule', message, `Contract, ${source}: ${advice}`, { cause: rule, rule, ...more })
}

/** The report's findings about skipped items. */
export const judgeListings = ({ report, journal }: RunRecord): Statement[] =>
  report.filter(({ rule }) => aboutPages.has(rule)).map((finding) => toRuleStatement(finding, journal()))

/** Whether the first request that broke a rule exceeded the number of retries in the schedule. */
function isBeyondSchedule(journal: readonly JournalEntry[], { offending: [first] }: Finding): boolean {
  const entry = journal.find(({ id }) => id === first)
  if (!entry) return false
  const key = requestKeyOf(entry)
  const before = journal.filter((one) => one.id < entry.id && requestKeyOf(one) === key)
  return before.length > retryScheduleMs.length
}

/** Whether a failed request was repeated successfully after other writes. */
export function isRepeatedLater(journal: readonly JournalEntry[]): boolean {
  const failed = journal.findIndex(({ fault, status }) => fault !== null && (status === 0 || status >= 400))
  const [first] = journal.slice(failed)
  if (failed === -1 || !first) return false
  const again = journal.findLastIndex(
    (entry) => entry.status < 300 && entry.status > 0 && requestKeyOf(entry) === requestKeyOf(first),
  )
  return journal.slice(failed + 1, Math.max(again, 0)).some(({ changes }) => changes.length > 0)
}

export class BrokenRules {
  readonly #known = new Set<string>()
  /** Requests the undisturbed run sends more than once. Their repeats are deliberate, not retries. */
  readonly #sentTwice: ReadonlySet<string>

  constructor(first: RunRecord) {
    this.accept(first)
    const sent = first.journal().map(requestKeyOf)
    this.#sentTwice = new Set(sent.filter((line, index) => sent.indexOf(line) !== index))
  }

  /** Stops reporting rules that an undisturbed run breaks. */
  accept({ report }: RunRecord): void {
    for (const finding of report) this.#known.add(ruleKeyOf(finding))
  }

  /**
   * Reports rules that even the undisturbed run must keep: rules about waits, which only explorations can judge
   * because their clock moves, and rules about skipped items, since every later comparison would miss those items as
   * well.
   */
  static *ofUndisturbed({ report, journal }: RunRecord): Generator<Statement> {
    for (const finding of report)
      if (aboutTime.has(finding.rule) || aboutPages.has(finding.rule))
        yield toRuleStatement(finding, journal())
  }

  *find({ rules }: Expectation, { report, journal, outcome }: RunRecord): Generator<Statement> {
    for (const finding of report) {
      const { rule, severity, requests } = finding
      if (severity !== 'error' || this.#known.has(ruleKeyOf(finding))) continue
      if (rules === 'own' && rule === 'client-error') continue
      const isSentTwice = (entry: JournalEntry) =>
        requests.includes(entry.id) && this.#sentTwice.has(requestKeyOf(entry))
      if (aboutRepetition.has(rule) && journal().some(isSentTwice)) continue
      // Endless retries are already reported as a hang.
      if (outcome === 'hang' && rule === 'backoff' && isBeyondSchedule(journal(), finding)) continue
      yield toRuleStatement(finding, journal())
    }
  }
}

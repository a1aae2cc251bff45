// Judges a run by what is expected under its fault.
import type { Changed } from '../compare/changes.ts'
import type { StateDifference } from '../compare/comparison.ts'
import { GeneratedIds, type Finding, type JournalEntry, type Store } from '../../mock/explorable.ts'
import type { OperationId } from '../../contract/index.ts'
import { clientRules, type RuleId } from '../../contract/client-rules.ts'
import { pollMs, retryScheduleMs } from '../../contract/limits.ts'
import { readingOf } from './extensions.ts'
import {
  foreignText,
  jsonOf,
  numberRequests,
  type Expectation,
  type PlannedCase,
  type RunRequest,
} from './expectation.ts'
import { compareValuesWith, showsKey } from './reported-value.ts'
import type { RunRecord } from './runner.ts'
import { describeValue } from './describe-value.ts'
import { formatDifferences, formatPlace } from './texts.ts'
import type { ExploreFinding, ExploreKind, ExploreSeverity } from './types.ts'
import { BaselineEnd } from './baseline-end.ts'

/** What a run shows; with the same cause it is the same finding. */
export type Statement = Pick<ExploreFinding, 'kind' | 'severity' | 'message' | 'advice' | 'cause'> &
  Partial<Pick<ExploreFinding, 'difference' | 'rule'>> & {
    /** Further lines that a plain test needs to show it, before the fault and after it. */
    readonly setUp?: string
    readonly steps?: string
  }

/** A disturbed run with what it is compared with. */
export interface Trial {
  readonly record: RunRecord
  /** The run after it, if the client was to run again. */
  readonly again?: RunRecord | undefined
  /** Further ends that are accepted. */
  readonly ends: readonly Store[]
}

/** The severities, the worst first. */
const severities: readonly ExploreSeverity[] = ['error', 'warning', 'assumption', 'info']
export const rankOf = (severity: ExploreSeverity) => severities.indexOf(severity)

const aboutTime: ReadonlySet<RuleId> = new Set(['backoff', 'retry-after', 'poll-interval'])
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

const reopen = 'A breaker lets a request through after a while, and closes when that succeeds.'

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
  const { resource, change, field, undisturbed } = difference
  // Of what the undisturbed run makes more than once there can be more or fewer.
  const isRepeated = change !== 'changed' && Number(undisturbed) > 1
  const cause = `${resource} ${isRepeated ? 'twice' : change}${field === undefined ? '' : ` ${field}`}`
  const message = `${lead} ${formatDifferences(differences)}`
  return [statementOf('state', message, advice, { cause, difference, ...more })]
}

/** Where a run shows the key to who reads its error, its result or its log. */
function findKey({ error, value, hasPrintedKey }: RunRecord, key: string): string | undefined {
  if (describeValue(error).includes(key)) return 'the message of its error'
  if (showsKey(error, key)) return 'its error'
  if (showsKey(value, key)) return 'its result'
  return hasPrintedKey === true ? 'what it prints to the console' : undefined
}

const runAgain =
  '// Run the client; when it has failed, mock.resetFaults(), and run it again with the same storage.'
const withoutTicks = '// The mock needs advanceOnPoll: false, since otherwise polls move the clock as well.'
const keepKey = 'Leave the key out of what others read.'
const inRealTime =
  "mock.clock.mode = 'system' // it does not wait, and rules about waits need a clock that moves"

const limitsOnClock = `AbortSignal.timeout = (ms) => { // as in an exploration, on the clock of the mock
  const controller = new AbortController()
  void mock.clock.sleep(ms).then(() => controller.abort(new DOMException('too late', 'TimeoutError')))
  return controller.signal
}`
const letJobsEnd = "// Run the client, then mock.clock.advance('1h'): its job goes on without it."

/** Further lines that show in a plain test what a run did to the state. */
function linesFor({ fault }: PlannedCase, { end, hasTimeLimit }: RunRecord): Partial<Statement> {
  const isJobOpen = end.schedule.entries().some(({ kind }) => kind === 'job')
  return {
    ...(fault.delayOn === 'clock' && hasTimeLimit && { setUp: limitsOnClock }),
    ...(isJobOpen && { steps: letJobsEnd }),
  }
}

const inOrder =
  'The request that failed was repeated, but others had written meanwhile: wait for one write before the next to the same record.'

/** Whether the clock had moved, other than by polls, before the request that broke a rule. */
function hasWaited(journal: readonly JournalEntry[], { requests, rule }: Finding): boolean {
  const [before, last] = journal.filter(({ id }) => requests.includes(id)).slice(-2)
  const pollMsOf = rule === 'poll-interval' ? pollMs : 0
  return before !== undefined && last !== undefined && last.atMs - before.atMs > pollMsOf
}

/** Whether the first request that broke a rule had been sent more often than the schedule has retries. */
function isBeyondSchedule(journal: readonly JournalEntry[], { offending: [first] }: Finding): boolean {
  const entry = journal.find(({ id }) => id === first)
  if (!entry) return false
  const key = requestKeyOf(entry)
  const before = journal.filter((one) => one.id < entry.id && requestKeyOf(one) === key)
  return before.length > retryScheduleMs.length
}

function createRuleStatement(finding: Finding, journal: readonly JournalEntry[]): Statement {
  const { rule, message: said } = finding
  const { advice, source } = clientRules[rule]
  const message = said.replace(` ${advice}`, '').replace(/\.$/, '')
  const setUp = aboutTime.has(rule) && !hasWaited(journal, finding) ? { setUp: inRealTime } : {}
  return statementOf('rule', message, `Contract, ${source}: ${advice}`, { cause: rule, rule, ...setUp })
}

/** Whether a request that met a fault was sent again, with success, after others had written. */
function isRepeated(journal: readonly JournalEntry[]): boolean {
  const failed = journal.findIndex(({ fault }) => fault !== null)
  const [first] = journal.slice(failed)
  if (failed === -1 || !first) return false
  const again = journal.findLastIndex(
    (entry) => entry.status < 300 && entry.status > 0 && requestKeyOf(entry) === requestKeyOf(first),
  )
  return journal.slice(failed + 1, Math.max(again, 0)).some(({ changes }) => changes.length > 0)
}

export class RunJudge {
  readonly #baseline: BaselineEnd
  readonly #differingValues: (value: unknown) => string[]
  /** What differs between the values of undisturbed runs. */
  readonly #ignoredValues = new Set<string>()
  readonly #known: Set<string>
  /** What the undisturbed run sends more than once: for more than one purpose, so that neither repeats the other. */
  readonly #sentTwice: ReadonlySet<string>
  /** Why a client that runs again is not judged; undefined if it is. */
  whyNotRestartable: string | undefined
  /** What was not judged, and why. */
  readonly notes = new Set<string>()
  readonly #key: string

  constructor(first: RunRecord, start: Store, key: string) {
    this.#key = key
    const { end, value, report, journal } = first
    this.#baseline = new BaselineEnd(start, end)
    this.#differingValues = compareValuesWith(value, new GeneratedIds(start))
    this.#known = new Set(report.map(ruleKeyOf))
    const sent = journal().map(requestKeyOf)
    this.#sentTwice = new Set(sent.filter((line, index) => sent.indexOf(line) !== index))
  }

  /** Notes how a second run without a fault differs from the first; later comparisons ignore these differences. */
  compareBaselines({ end, value }: RunRecord): void {
    for (const path of this.#differingValues(value)) this.#ignoredValues.add(path)
    const differences = this.#baseline.findDifferences(end)
    if (differences.length === 0) return
    this.#baseline.ignore(differences)
    this.notes.add(
      `two undisturbed runs leave different states: ${formatDifferences(differences)}; so these fields were not compared`,
    )
  }

  /** Learns from a second undisturbed run on top of the first whether a client that was stopped can run again. */
  compareRepeated({ outcome, error, end, report }: RunRecord): void {
    for (const finding of report) this.#known.add(ruleKeyOf(finding))
    const differences = outcome === 'resolved' ? this.#baseline.findDifferences(end) : []
    if (outcome !== 'resolved') this.whyNotRestartable = `rejects: ${describeValue(error)}`
    else if (differences.length > 0) this.whyNotRestartable = `leaves more: ${formatDifferences(differences)}`
  }

  judge(planned: PlannedCase, trial: Trial): Statement[] {
    const { most = 'error' } = planned.expected
    return [...this.#listStatements(planned, trial)].map((statement) => ({
      ...(statement.kind === 'state' && linesFor(planned, trial.record)),
      ...statement,
      severity: rankOf(statement.severity) < rankOf(most) ? most : statement.severity,
    }))
  }

  *#listStatements(planned: PlannedCase, trial: Trial): Generator<Statement> {
    const { record, again } = trial
    const { expected } = planned
    const runs = [record, ...(again ? [again] : [])]
    for (const one of runs) yield* this.judgeAlways(one, planned.at?.operation)
    const hasUnhandled = record.unhandled !== undefined && record.unhandled.length > 0
    // What would have ended its process is one finding, and so is what arrived too late.
    const hasCrashed = record.unhandled?.includes(record.error) === true
    const isCut = record.late !== undefined && record.late > 0
    if (record.outcome === 'resolved' && !isCut && !hasUnhandled) yield* this.#judgeResolved(expected, trial)
    if (record.outcome === 'rejected' && !hasCrashed) yield* this.#judgeRejected(planned, trial)
    if (record.outcome === 'hang' && !hasUnhandled) yield createHangStatement(describeValue(record.error))
    if (expected.rules) yield* this.#findBrokenRules(expected, record)
    if (again)
      for (const statement of this.#judgeSecondRun(again, record, expected.advice))
        yield { ...statement, steps: runAgain }
    const { violation } = again ?? record
    if (!violation) return
    const cause = `check threw: ${describeValue(violation.error)}`
    yield statementOf('check', cause, 'Your own invariant, the option check, is violated.', { cause })
  }

  /** What counts in every run, without a fault too. */
  *judgeAlways(record: RunRecord, at?: OperationId): Generator<Statement> {
    for (const error of record.unhandled ?? []) {
      const operation = at ?? record.journal().find(({ fault }) => fault !== null)?.operation
      const message = `nothing handled ${describeValue(error)}`
      yield statementOf(
        'unhandled',
        message,
        'Await every promise, and catch what it rejects with: in Node it ends the process.',
        { cause: operation ?? '' },
      )
    }
    for (const { origin, hasKey } of record.strays ?? [])
      yield statementOf(
        'other origin',
        `it sent a request to ${origin}${hasKey ? ' with the key of the API in it' : ''}`,
        hasKey ? 'Send the key to the API alone.' : 'It is no request to the API: the mock answers 404.',
        { severity: hasKey ? 'error' : 'info', cause: origin },
      )
    const shown = findKey(record, this.#key)
    if (shown !== undefined) yield statementOf('key shown', `${shown} contains the key`, keepKey)
  }

  /** The differences from the nearest of the accepted ends. */
  #findDifferences({ record, ends }: Trial): readonly StateDifference[] {
    const accepted = ends.length === 0 ? [this.#baseline] : ends.map((end) => this.#baseline.withEnd(end))
    const all = accepted.map((end) => end.findDifferences(record.end))
    return all.reduce((best, one) => (one.length < best.length ? one : best))
  }

  #judgeResolved(expected: Expectation, trial: Trial): Statement[] {
    const { canTell, extraOnly, missingOnly, reads, keeps, polls, advice, ifIgnored = advice } = expected
    if (reads !== undefined) return judgePages(reads, trial.record, advice)
    if (keeps) return this.#judgeForeign(keeps, trial.record, advice)
    if (polls && this.#isPassedOver(polls, trial.record)) {
      const message = `it resolved, but no later request for new submissions found the one that was made after a response of ${polls.entry.path}`
      return [statementOf('state', message, advice, { cause: 'submission missing' })]
    }
    const all = this.#findDifferences(trial)
    const found = missingOnly ? all.filter(({ change }) => change === 'missing') : all
    const isTold =
      canTell && this.#differingValues(trial.record.value).some((path) => !this.#ignoredValues.has(path))
    const isExtra = ({ change }: StateDifference) => change === 'twice' || change === 'added'
    const counted = isTold || extraOnly ? found.filter(isExtra) : found
    const [worst] = counted
    const fits = worst?.change === 'twice' ? advice : ifIgnored
    const isOverwritten = worst?.change === 'changed' && isRepeated(trial.record.journal())
    return listStateStatements('it resolved, but', counted, isOverwritten ? inOrder : fits)
  }

  /** Whether a record that somebody else made is still there. */
  #judgeForeign(what: string, { end }: RunRecord, advice: string): Statement[] {
    const isGone = ({ fields }: Changed) => !fields || fields.deleted === true
    const changes = [...this.#baseline.findChanges(end).values()]
    const foreign = changes.filter(
      ({ resource, outline }) => resource === what && outline.text.includes(foreignText),
    )
    if (foreign.some((record) => !isGone(record))) return []
    // One that deletes what it found at the start as well is meant to.
    if ([...this.#baseline.changes.values()].some((record) => record.was && isGone(record))) return []
    const message = `it resolved, but the ${what} that another user had made meanwhile is deleted`
    return [statementOf('state', message, advice, { cause: `${what} of others`, severity: 'warning' })]
  }

  /** Whether later requests for new submissions all leave out one that somebody else made. */
  #isPassedOver(point: RunRequest, { end, journal }: RunRecord): boolean {
    const { operation, index, entry } = point
    const isMade = ({ resource, was }: Changed) => resource === 'submission' && was === null
    const [made] = [...this.#baseline.findChanges(end).values()].filter(isMade)
    const later = numberRequests(journal())
      .filter((one) => one.operation === operation && one.index > index)
      .map((one) => one.entry)
      .filter(({ path, query, status }) => path === entry.path && query.since !== undefined && status === 200)
    const isRead = ({ responseBody }: JournalEntry) => {
      const json = jsonOf(responseBody)
      return json === undefined || JSON.stringify(json).includes(`"${String(made?.id)}"`)
    }
    return made !== undefined && later.length > 0 && !later.some(isRead)
  }

  *#judgeRejected({ expected, fault, name, at }: PlannedCase, trial: Trial): Generator<Statement> {
    const { advice, rejection, listsLost } = expected
    const { record } = trial
    const why = describeValue(record.error)
    if (rejection === 'gave up') {
      const isShared = fault.each === true && record.isInterleaved
      const severity = fault.network === true || isShared ? 'assumption' : 'error'
      const what = fault.effect
        ? `when the ${name}`
        : fault.each
          ? 'although each request failed once only'
          : 'after this one transient failure'
      const message = `it rejected ${what}: ${why}`
      const setUp = fault.effect && 'answers' in fault.effect ? { setUp: withoutTicks } : {}
      yield statementOf('gave up', message, advice, { severity, cause: severity, ...setUp })
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
    if (fault.status === 429 && fault.each) {
      const message = `it gave up when the same request was limited twice: ${why}`
      yield statementOf('gave up early', message, advice, { severity: 'info' })
    }
    if (fault.status !== 503 || fault.each) return
    const { waits = 0, waitedMs = 0 } = record
    if (fault.times !== null && waits > 1) {
      const seconds = String(Math.round(waitedMs / 1000))
      const message = `it rejected after ${String(waits)} waits, ${seconds} s in all, without another request, though the service was well again: ${why}`
      yield statementOf('gave up', message, reopen, { severity: 'warning', cause: 'stays away' })
      return
    }
    const recommended = retryScheduleMs.length
    if (record.hits > recommended) return
    const after = `after ${String(record.hits - 1)} of the ${String(recommended)} retries`
    const message = `it gave up ${record.hits === 1 ? 'without a retry' : after} that the contract recommends`
    yield statementOf('gave up early', message, advice, { severity: 'info' })
  }

  *#judgeSecondRun(again: RunRecord, before: RunRecord, advice: string): Generator<Statement> {
    const when = `after it ${before.outcome === 'stopped' ? 'was stopped' : 'gave up'} and ran again`
    const why = describeValue(again.error)
    if (again.outcome === 'hang') {
      yield createHangStatement(`${when}, ${why}`)
      return
    }
    const differences = this.#baseline.findDifferences(again.end)
    const isRejected = again.outcome === 'rejected'
    if (isRejected && differences.length === 0)
      this.notes.add(`${when}, it rejected: ${why}; it had done its work, so that nothing was judged`)
    yield* listStateStatements(
      isRejected ? `${when}, it rejected (${why}), and` : `${when},`,
      differences,
      advice,
    )
  }

  /** The writes of a client that gave up. */
  #judgeLost(what: string, { end, error }: RunRecord): Statement[] {
    const counts = new Map<string, number>()
    for (const { resource } of this.#baseline.findChanges(end).values())
      if (resource !== 'file') counts.set(resource, (counts.get(resource) ?? 0) + 1)
    if (counts.size === 0) return []
    const left = [...counts].map(([resource, count]) => `${resource}: ${String(count)}`).join(', ')
    const message = `it rejected (${describeValue(error)}) and left part of its writes (${left})`
    const advice = `${what} ended it midway; when it runs again, it has to find what exists already.`
    return [statementOf('lost', message, advice, { severity: 'info' })]
  }

  *#findBrokenRules({ rules }: Expectation, record: RunRecord): Generator<Statement> {
    const { report, journal, outcome } = record
    for (const finding of report) {
      const { rule, severity, requests } = finding
      if (severity !== 'error' || this.#known.has(ruleKeyOf(finding))) continue
      if (rules === 'own' && rule === 'client-error') continue
      const isSentTwice = (entry: JournalEntry) =>
        requests.includes(entry.id) && this.#sentTwice.has(requestKeyOf(entry))
      if (aboutRepetition.has(rule) && journal().some(isSentTwice)) continue
      // Retries without end are the hang.
      if (outcome === 'hang' && rule === 'backoff' && isBeyondSchedule(journal(), finding)) continue
      yield createRuleStatement(finding, journal())
    }
  }

  /** What only an exploration sees of a run without a fault: rules about waits, which need a clock that moves; the key in a body. */
  *judgeUndisturbed({ report, journal }: RunRecord): Generator<Statement> {
    const entries = journal()
    for (const finding of report) if (aboutTime.has(finding.rule)) yield createRuleStatement(finding, entries)
    if (entries.some(({ requestBody }) => showsKey(requestBody, this.#key)))
      yield statementOf('key shown', 'the body of a request contains the key', keepKey)
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

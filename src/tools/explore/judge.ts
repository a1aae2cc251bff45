// Judges a run by what its fault expects of a client.
import { isWrite } from '../../contract/scopes.ts'
import type { Changed } from '../compare/changes.ts'
import type { StateDifference } from '../compare/comparison.ts'
import { retryScheduleMs } from '../../contract/limits.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JournalEntry, Store } from '../../mock/explorable.ts'
import { BaselineEnd } from '../compare/baseline-end.ts'
import { BrokenRules, isRepeatedLater, judgeListings } from './broken-rules.ts'
import { judgeBodies, judgeConduct } from './conduct.ts'
import { describeValue, formatDifferences, formatPlace } from './texts.ts'
import { foreignText, jsonOf, numberRequests, type PlannedCase, type RunRequest } from './expectation.ts'
import { readingOf, type Listing } from './extensions.ts'
import { judgeRepeatedRun, judgeRepeats } from './ends/at-rest.ts'
import { BaselineValue } from './ends/reported-value.ts'
import { linesForState, runAgain, withoutTicks } from './reproduction.ts'
import type { Runner, RunRecord } from './runner.ts'
import {
  createHangStatement,
  createLateStatement,
  listStateStatements,
  rankOf,
  statementOf,
  type Statement,
} from './statement.ts'

/** A run with a fault, and what it is compared with. */
export interface Trial {
  readonly record: RunRecord
  /** The second run, if the client had to run again. */
  readonly again?: RunRecord | undefined
  /** Accepted final states. If empty, only the undisturbed run's is accepted. */
  readonly ends: readonly Store[]
}

const reopen = 'A circuit breaker must let a request through after a while, and close when it succeeds.'
const inOrder =
  'The failed request was repeated after later writes: wait for each write to a record before sending the next one.'
const meantOnce =
  'The run without a fault already creates it more than once. If that is a bug, fix it first; otherwise repeat or report what failed.'
const readFirst =
  'A failed read is not an empty result: repeat it or report its failure before writing anything that depends on it.'
const sameKey =
  'key_column must name a column that has a value in every row, the same each time the row is sent.'
const keepLast = 'Save the checkpoint after storing what was read, not before.'

const byId = 'Store what is read by its id, so that reading it again replaces it.'

/** The first failed read that was never repeated successfully. */
function findFailedRead(journal: readonly JournalEntry[]): string | undefined {
  const isSame = (a: JournalEntry, b: JournalEntry) => a.method === b.method && a.path === b.path
  const failed = journal.find(
    (entry, index) =>
      entry.method === 'GET' &&
      (entry.status === 0 || entry.status >= 429) &&
      !journal.slice(index).some((later) => isSame(later, entry) && later.status === 200),
  )
  return failed && `${failed.method} ${failed.path}`
}

const isInsertedByUpsert = ({ operation, requestBody, responseBody }: JournalEntry) => {
  const [sent, received] = [jsonOf(requestBody), jsonOf(responseBody)]
  if (operation !== 'bulkInsertRows' || !isObject(sent) || !isObject(received)) return false
  return sent.mode === 'upsert' && Number(received.inserted) > 0
}

export class RunJudge {
  readonly #baseline: BaselineEnd
  readonly #value: BaselineValue
  readonly #kept: BaselineValue
  readonly #first: RunRecord
  /** Whether the user requires a client that can run again. */
  readonly #isInsisting: boolean
  readonly #rules: BrokenRules
  readonly #key: string
  /** Whether the client is a command. What a command prints is a log, not its result. */
  readonly #isCommand: boolean
  /** Whether a client that runs again can be judged. */
  isRestartable = true
  /** Whether what the client keeps after running again can be judged. */
  #isKeptAgain = true
  /** What was not judged, and why. */
  readonly notes = new Set<string>()

  constructor(first: RunRecord, { host: { start, key }, isRealTime }: Runner, isInsisting: boolean) {
    this.#first = first
    this.#isInsisting = isInsisting
    this.#key = key
    this.#isCommand = isRealTime
    this.#baseline = new BaselineEnd(start, first.end)
    this.#value = new BaselineValue(first.value, start, false)
    this.#kept = new BaselineValue(first.kept, start, true)
    this.#rules = new BrokenRules(first)
  }

  *judgeUndisturbed(first: RunRecord): Generator<Statement> {
    yield* judgeConduct(first, this.#key)
    yield* BrokenRules.ofUndisturbed(first)
    yield* judgeBodies(first, this.#key)
    yield* judgeRepeats(first, this.#baseline.changes.values(), this.#isInsisting)
  }

  /** Notes how a second undisturbed run differs from the first; later comparisons ignore these differences. */
  compareBaselines({ end, value, kept }: RunRecord): void {
    this.#value.ignoreDifferences(value)
    this.#kept.ignoreDifferences(kept)
    const differences = this.#baseline.findDifferences(end)
    if (differences.length === 0) return
    this.#baseline.ignore(differences)
    this.notes.add(
      `two undisturbed runs leave different states: ${formatDifferences(differences)}; these fields were not compared`,
    )
  }

  /** Learns from an undisturbed run on the state the first one left whether a stopped client can run again. */
  compareRepeated(repeated: RunRecord): Statement[] {
    const { outcome, error, end, journal } = repeated
    this.#rules.accept(repeated)
    const differences = outcome === 'resolved' ? this.#baseline.findDifferences(end) : []
    this.isRestartable = outcome === 'resolved' && differences.length === 0
    this.#isKeptAgain = !this.#kept.findHarm(repeated.kept, journal)
    if (!this.isRestartable && !this.#isInsisting)
      this.notes.add(
        `a second undisturbed run ${outcome === 'resolved' ? `leaves a different state: ${formatDifferences(differences)}` : `rejects: ${describeValue(error)}`}; so the client was not run again after it was stopped or gave up (restartable: true requires it)`,
      )
    const atRest =
      differences.length === 0
        ? []
        : judgeRepeatedRun(this.#first, repeated, this.#baseline, this.#isInsisting)
    const rows = differences.filter(({ resource, change }) => resource === 'row' && change !== 'missing')
    if (rows.length === 0 || !journal().some(isInsertedByUpsert)) return atRest
    return listStateStatements(
      'when it ran again without a fault, its upsert inserted rows:',
      rows,
      sameKey,
      {
        severity: 'warning',
      },
    )
  }

  judge(planned: PlannedCase, trial: Trial): Statement[] {
    const { most = 'error' } = planned.expected
    return [...this.#listStatements(planned, trial)].map((statement) => ({
      ...statement,
      ...(statement.kind === 'state' && {
        lines: { ...linesForState(planned.fault, trial.record), ...statement.lines },
      }),
      severity: rankOf(statement.severity) < rankOf(most) ? most : statement.severity,
    }))
  }

  *#listStatements(planned: PlannedCase, trial: Trial): Generator<Statement> {
    const { record, again } = trial
    const { expected } = planned
    for (const one of again ? [record, again] : [record])
      yield* judgeConduct(one, this.#key, planned.at?.operation)
    const hasUnhandled = record.unhandled !== undefined && record.unhandled.length > 0
    // A crash or a late request must not cause further findings.
    const hasCrashed = record.unhandled?.includes(record.error) === true
    const isCut = record.late !== undefined && record.late > 0
    if (record.outcome === 'resolved' && !isCut && !hasUnhandled) yield* this.#judgeResolved(planned, trial)
    if (record.outcome === 'rejected' && !hasCrashed) yield* this.#judgeRejected(planned, trial)
    if (record.leftBehind) yield createLateStatement(record.leftBehind, 'rejected')
    if (record.outcome === 'hang' && !hasUnhandled) yield createHangStatement(describeValue(record.error))
    if (expected.rules) yield* this.#rules.find(expected, record)
    if (again)
      for (const statement of this.#judgeSecondRun(again, record, expected.advice))
        yield { ...statement, lines: { steps: runAgain } }
    const { violation } = again ?? record
    if (!violation) return
    const cause = `check threw: ${describeValue(violation.error)}`
    yield statementOf('check', cause, 'Your invariant, the option check, is violated.', { cause })
  }

  /** Differences from the nearest accepted final state. */
  #findDifferences({ record, ends }: Trial): readonly StateDifference[] {
    const accepted = ends.length === 0 ? [this.#baseline] : ends.map((end) => this.#baseline.withEnd(end))
    const all = accepted.map((end) => end.findDifferences(record.end))
    return all.reduce((best, one) => (one.length < best.length ? one : best))
  }

  #judgeResolved(planned: PlannedCase, trial: Trial): Statement[] {
    const { expected, fault, at } = planned
    const { canTell, extraOnly, reads, keeps, polls, orders, advice, ifIgnored = advice } = expected
    const { record } = trial
    if (reads !== undefined) return judgePages(reads, record, planned.name, advice)
    if (keeps !== undefined) return this.#judgeForeign(keeps, record, advice)
    if (polls && this.#isPassedOver(polls, record)) {
      const message = `it resolved, but no later poll found the submission made after a response from ${polls.entry.path}`
      return [statementOf('state', message, advice, { cause: 'submission missing' })]
    }
    const all = this.#findDifferences(trial)
    const found = polls ? all.filter(({ change }) => change === 'missing') : all
    const isTold = canTell && this.#value.findDifferences(record.value).length > 0
    const isExtra = ({ change }: StateDifference) => change === 'twice' || change === 'added'
    const counted = isTold || extraOnly ? found.filter(isExtra) : found
    const [worst] = counted
    if (worst) return listStateStatements('it resolved, but', counted, this.#adviseOn(worst, planned, record))
    // Results cannot be compared after a refusal, a lost response to a write, another user's change or another answer.
    const isComparable =
      !(at && isWrite(at.operation)) &&
      !orders &&
      expected.rejection !== 'depends' &&
      (fault.status ?? 500) >= 429
    return isComparable && found.length === 0 ? this.#judgeReport(record, ifIgnored) : []
  }

  /** Advice on what went wrong, which is not always the request that failed first. */
  #adviseOn(worst: StateDifference, { expected, fault, at }: PlannedCase, record: RunRecord): string {
    const { advice, ifIgnored = advice } = expected
    // If the undisturbed run creates a record several times, a run with fewer may be the correct one.
    if (worst.change === 'missing' && Number(worst.undisturbed) > 1) return meantOnce
    if (worst.change === 'twice') return advice
    if (worst.change === 'changed' && isRepeatedLater(record.journal())) return inOrder
    const isFailedRead =
      at !== null && !isWrite(at.operation) && (fault.status !== undefined || fault.network)
    return isFailedRead === true ? readFirst : ifIgnored
  }

  /** Finds out whether a resolved client returned or kept something different without saying so. */
  #judgeReport(record: RunRecord, advice: string): Statement[] {
    const { value, journal } = record
    if (this.#value.tells(value, journal)) return []
    const harm = this.#isCommand ? undefined : this.#value.findHarm(value, journal)
    if (harm) {
      const message = `it resolved, but its result ${harm.what}, and nothing in it says so`
      return [statementOf('result', message, harm.isTwice ? byId : advice, { severity: 'warning' })]
    }
    const kept = this.#judgeKept(record, 'it resolved, but', ', and nothing in it says so', advice)
    const failed = this.#isCommand && record.kept.size <= 1 ? findFailedRead(journal()) : undefined
    if (kept.length > 0 || !failed) return kept
    const message = `it exited with code 0 and the same output as the undisturbed run, although ${failed} never succeeded`
    return [statementOf('result', message, advice, { severity: 'warning' })]
  }

  #judgeKept({ kept, journal }: RunRecord, lead: string, end: string, advice: string): Statement[] {
    const harm = this.#kept.findHarm(kept, journal)
    if (!harm) return []
    const message = `${lead} what it keeps in its ${this.#isCommand ? 'folder' : 'storage'} ${harm.what}${end}`
    return [statementOf('storage', message, harm.isTwice ? byId : advice, { severity: 'warning' })]
  }

  /** Checks that another user's record still exists. */
  #judgeForeign(what: string, { end }: RunRecord, advice: string): Statement[] {
    const isGone = ({ fields }: Changed) => !fields || fields.deleted === true
    const changes = this.#baseline.findChanges(end, new Set()).values()
    const foreign = [...changes].filter(
      ({ resource, outline }) => resource === what && outline.text.includes(foreignText),
    )
    if (foreign.some((record) => !isGone(record))) return []
    // If the undisturbed run deletes existing records too, the deletion is deliberate.
    if ([...this.#baseline.changes.values()].some((record) => record.was && isGone(record))) return []
    const message = `it resolved, but it deleted the ${what} that another user had created meanwhile`
    return [statementOf('state', message, advice, { cause: `${what} of others`, severity: 'warning' })]
  }

  /** Whether every later poll missed a submission that was made meanwhile. */
  #isPassedOver(point: RunRequest, { end, journal }: RunRecord): boolean {
    const { operation, index, entry } = point
    const isMade = ({ resource, was }: Changed) => resource === 'submission' && was === null
    const made = [...this.#baseline.findChanges(end).values()].filter(isMade)
    const read = numberRequests(journal()).filter(
      (one) => one.operation === operation && one.index >= index && one.entry.path === entry.path,
    )
    const later = read.filter((one) => one.index > index && one.entry.query.since !== undefined)
    const isRead = ({ id }: Changed) =>
      read.some(({ entry: { responseBody, status } }) => {
        const json = status === 200 ? jsonOf(responseBody) : null
        return json === undefined || JSON.stringify(json).includes(`"${id}"`)
      })
    return later.some((one) => one.entry.status === 200) && made.some((one) => !isRead(one))
  }

  *#judgeRejected({ family, expected, fault, name, at }: PlannedCase, trial: Trial): Generator<Statement> {
    const { advice, rejection } = expected
    const { record } = trial
    const why = describeValue(record.error)
    if (rejection === 'gave up') {
      const isShared = fault.each === true && record.isInterleaved
      const severity = fault.network === true || isShared ? 'assumption' : 'error'
      const what = fault.effect
        ? `when the ${name}`
        : fault.each
          ? 'although each request failed only once'
          : 'after this one transient failure'
      const message = `it rejected ${what}: ${why}`
      const setUp = fault.effect && 'answers' in fault.effect ? { lines: { setUp: withoutTicks } } : {}
      yield statementOf('gave up', message, advice, { severity, cause: severity, ...setUp })
    }
    if (rejection === 'depends') yield statementOf('depends', `it rejected: ${why}`, advice, { cause: name })
    if (rejection === 'stopped')
      yield statementOf('stopped', `it rejected: ${why}`, advice, { severity: 'assumption' })
    if (family === 'errors') {
      const place = { operation: at?.operation ?? null, request: at && at.index + 1 }
      yield* this.#judgeLost(formatPlace(place, name), record)
      return
    }
    const twice = this.#findDifferences(trial).filter(({ change }) => change === 'twice')
    yield* listStateStatements('it rejected, and', twice, advice)
    if (fault.status === 429 && fault.each) {
      const message = `it gave up when the same request was rate-limited twice: ${why}`
      yield statementOf('gave up early', message, advice, { severity: 'info' })
    }
    if (fault.status !== 503 || fault.each) return
    const { waits = 0, waitedMs = 0 } = record
    if (fault.times !== null && waits > 1) {
      const seconds = String(Math.round(waitedMs / 1000))
      const message = `it rejected after ${String(waits)} waits (${seconds} s in total) without another request, although the service had recovered: ${why}`
      yield statementOf('gave up', message, reopen, { severity: 'warning', cause: 'stays away' })
      return
    }
    const recommended = retryScheduleMs.length
    if (record.hits > recommended) return
    const after = `after ${String(record.hits - 1)} of the ${String(recommended)} retries`
    const message = `it gave up ${record.hits === 1 ? 'without the retries' : after} that the contract recommends`
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
      this.notes.add(`${when}, it rejected: ${why}; its work was already done, so nothing was judged`)
    yield* listStateStatements(
      isRejected ? `${when}, it rejected (${why}), and` : `${when},`,
      differences,
      advice,
    )
    if (isRejected || differences.length > 0 || !this.#isKeptAgain) return
    yield* this.#judgeKept(again, `${when},`, '', keepLast)
  }

  /** Finds the writes a client left behind when it gave up. */
  #judgeLost(what: string, { end, error }: RunRecord): Statement[] {
    const counts = new Map<string, number>()
    for (const { resource } of this.#baseline.findChanges(end).values())
      if (resource !== 'file') counts.set(resource, (counts.get(resource) ?? 0) + 1)
    if (counts.size === 0) return []
    const left = [...counts].map(([resource, count]) => `${resource}: ${String(count)}`).join(', ')
    const message = `it rejected (${describeValue(error)}) and left part of its writes behind (${left})`
    const advice = `${what} ended it midway; when it runs again, it must find what already exists.`
    return [statementOf('lost', message, advice, { severity: 'info' })]
  }
}

/** Checks that the client read an extended listing to its end, as it did in the undisturbed run. */
function judgePages(listing: Listing, record: RunRecord, name: string, advice: string): Statement[] {
  const { pages, isComplete, hasGap } = readingOf(listing, numberRequests(record.journal()))
  // Nothing follows a page that is exactly full, so a gap after it loses nothing.
  if (hasGap && name.startsWith('page full')) return []
  const lost = judgeListings(record)
  if (isComplete || lost.length > 0) return lost
  const read = pages === 1 ? 'the first page' : `${String(pages)} pages`
  const message = `it read only ${read} of ${listing.path}, ${hasGap ? 'with a gap before the last one' : 'although there are more'}`
  // One page may be all the client wants.
  const severity = pages === 1 ? 'assumption' : 'error'
  return [statementOf('depends', message, advice, { severity, cause: 'pages' })]
}

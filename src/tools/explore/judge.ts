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
  /** Other accepted final states. */
  readonly ends: readonly Store[]
}

const reopen = 'A breaker lets a request through after a while, and closes when that succeeds.'
const inOrder =
  'The request that failed was repeated, but others had written meanwhile: wait for each write to a record before the next one.'
const meantOnce =
  'The undisturbed run makes it more than once: if one is meant, look there; else report or repeat what failed.'
const readFirst =
  'A read that failed is no empty result: repeat it or report its failure before anything that depends on it is written.'
const sameKey = 'key_column names a column that has a value in each row, the same whenever the row is sent.'
const keepLast = 'Save the checkpoint after what was read is stored, not before.'

const byId = 'Keep what is read by its id, so that reading it again replaces it.'

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
  /** Whether the user insists on a client that can run again. */
  readonly #isInsisting: boolean
  readonly #rules: BrokenRules
  readonly #key: string
  /** What a command prints is a log, not its result. */
  readonly #isCommand: boolean
  /** Whether a client that runs again can be judged, and whether what it then keeps can be. */
  isRestartable = true
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
      `two undisturbed runs leave different states: ${formatDifferences(differences)}; so these fields were not compared`,
    )
  }

  /** Learns from an undisturbed run on top of the first whether a stopped client can run again. */
  compareRepeated(repeated: RunRecord): Statement[] {
    const { outcome, error, end, journal } = repeated
    this.#rules.accept(repeated)
    const differences = outcome === 'resolved' ? this.#baseline.findDifferences(end) : []
    this.isRestartable = outcome === 'resolved' && differences.length === 0
    this.#isKeptAgain = !this.#kept.findHarm(repeated.kept, journal)
    if (!this.isRestartable && !this.#isInsisting)
      this.notes.add(
        `a second undisturbed run ${outcome === 'resolved' ? `leaves more: ${formatDifferences(differences)}` : `rejects: ${describeValue(error)}`}; so no client was run again after it was stopped or gave up (restartable: true insists on it)`,
      )
    const atRest =
      differences.length === 0
        ? []
        : judgeRepeatedRun(this.#first, repeated, this.#baseline, this.#isInsisting)
    const rows = differences.filter(({ resource, change }) => resource === 'row' && change !== 'missing')
    if (rows.length === 0 || !journal().some(isInsertedByUpsert)) return atRest
    return listStateStatements('run again without a fault, its upsert inserted rows:', rows, sameKey, {
      severity: 'warning',
    })
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
    // A crash or a late request is one finding, not several.
    const hasCrashed = record.unhandled?.includes(record.error) === true
    const isCut = record.late !== undefined && record.late > 0
    if (record.outcome === 'resolved' && !isCut && !hasUnhandled) yield* this.#judgeResolved(planned, trial)
    if (record.outcome === 'rejected' && !hasCrashed) yield* this.#judgeRejected(planned, trial)
    if (record.leftBehind) yield createLateStatement(record.leftBehind, 'rejected, and goes on')
    if (record.outcome === 'hang' && !hasUnhandled) yield createHangStatement(describeValue(record.error))
    if (expected.rules) yield* this.#rules.find(expected, record)
    if (again)
      for (const statement of this.#judgeSecondRun(again, record, expected.advice))
        yield { ...statement, lines: { steps: runAgain } }
    const { violation } = again ?? record
    if (!violation) return
    const cause = `check threw: ${describeValue(violation.error)}`
    yield statementOf('check', cause, 'Your own invariant, the option check, is violated.', { cause })
  }

  /** Differences from the accepted final state that is nearest. */
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
      const message = `it resolved, but no later request for new submissions found the one that was made after a response of ${polls.entry.path}`
      return [statementOf('state', message, advice, { cause: 'submission missing' })]
    }
    const all = this.#findDifferences(trial)
    const found = polls ? all.filter(({ change }) => change === 'missing') : all
    const isTold = canTell && this.#value.findDifferences(record.value).length > 0
    const isExtra = ({ change }: StateDifference) => change === 'twice' || change === 'added'
    const counted = isTold || extraOnly ? found.filter(isExtra) : found
    const [worst] = counted
    if (worst) return listStateStatements('it resolved, but', counted, this.#adviseOn(worst, planned, record))
    // Results cannot be compared after a refusal, a lost response to a write, a change by others or another answer.
    const isComparable =
      !(at && isWrite(at.operation)) &&
      !orders &&
      expected.rejection !== 'depends' &&
      (fault.status ?? 500) >= 429
    return isComparable && found.length === 0 ? this.#judgeReport(record, ifIgnored) : []
  }

  /** Advice for what went wrong, which need not be the request that failed first. */
  #adviseOn(worst: StateDifference, { expected, fault, at }: PlannedCase, record: RunRecord): string {
    const { advice, ifIgnored = advice } = expected
    // When the undisturbed run makes a record several times, the run with fewer can be the right one.
    if (worst.change === 'missing' && Number(worst.undisturbed) > 1) return meantOnce
    if (worst.change === 'twice') return advice
    if (worst.change === 'changed' && isRepeatedLater(record.journal())) return inOrder
    const isFailedRead =
      at !== null && !isWrite(at.operation) && (fault.status !== undefined || fault.network)
    return isFailedRead === true ? readFirst : ifIgnored
  }

  /** Whether a client that resolved returned or kept something other than undisturbed without saying so. */
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
    const message = `it ended with exit code 0 and the undisturbed output, although ${failed} failed for good`
    return [statementOf('result', message, advice, { severity: 'warning' })]
  }

  #judgeKept({ kept, journal }: RunRecord, lead: string, end: string, advice: string): Statement[] {
    const harm = this.#kept.findHarm(kept, journal)
    if (!harm) return []
    const message = `${lead} what it keeps in its ${this.#isCommand ? 'folder' : 'storage'} ${harm.what}${end}`
    return [statementOf('storage', message, harm.isTwice ? byId : advice, { severity: 'warning' })]
  }

  /** Whether another user's record still exists. */
  #judgeForeign(what: string, { end }: RunRecord, advice: string): Statement[] {
    const isGone = ({ fields }: Changed) => !fields || fields.deleted === true
    const changes = this.#baseline.findChanges(end, new Set()).values()
    const foreign = [...changes].filter(
      ({ resource, outline }) => resource === what && outline.text.includes(foreignText),
    )
    if (foreign.some((record) => !isGone(record))) return []
    // A client that also deletes records it found at the start deletes on purpose.
    if ([...this.#baseline.changes.values()].some((record) => record.was && isGone(record))) return []
    const message = `it resolved, but the ${what} that another user had made meanwhile is deleted`
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
          ? 'although each request failed once only'
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
    if (isRejected || differences.length > 0 || !this.#isKeptAgain) return
    yield* this.#judgeKept(again, `${when},`, '', keepLast)
  }

  /** The writes a client left behind when it gave up. */
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
}

/** Whether the client read a longer listing to its end, as it did undisturbed. */
function judgePages(listing: Listing, record: RunRecord, name: string, advice: string): Statement[] {
  const { pages, isComplete, hasGap } = readingOf(listing, numberRequests(record.journal()))
  // Nothing follows a page that is exactly full, so a gap after it loses nothing.
  if (hasGap && name.startsWith('page full')) return []
  const lost = judgeListings(record)
  if (isComplete || lost.length > 0) return lost
  const read = pages === 1 ? 'the first page' : `${String(pages)} pages`
  const message = `it read ${read} of ${listing.path} alone, ${hasGap ? 'with a gap before the last one' : 'though there are more'}`
  // One page can be all the client wants.
  const severity = pages === 1 ? 'assumption' : 'error'
  return [statementOf('depends', message, advice, { severity, cause: 'pages' })]
}

// Plays scenarios until their differences are certain, and explains these by answers to open questions.
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import type { OperationId } from '../../../contract/index.ts'
import { isByOthers, placeOf, type Difference, type OtherAnswer } from '../compare/difference.ts'
import { removeMade } from '../../deployment/run.ts'
import { lastingWrites } from '../../deployment/ledger.ts'
import { CannotRun } from '../../deployment/start.ts'
import { explainFailure, Interrupted, Stop, type InconclusiveReason } from '../../deployment/stop.ts'
import { ScenarioContext, type Scenario } from '../twin/player.ts'
import type { Transcript } from '../twin/transcript.ts'
import type { Twin } from '../twin/twin.ts'
import { decide, type Decision, type Round } from './decide.ts'
import { explain, isGone, listOtherAnswers } from './explain.ts'

/** A value that differs under so many rules needs no second round under another. */
const enoughRules = 3
/** How often a scenario begins anew because a write was sent twice. */
const mostVoids = 12
/** All requests of a run, as a multiple of those of a run in which each scenario is played once and no request fails. */
const mostEffort = 2.5

/** Why a scenario did not come to its end. */
export interface Stopped {
  readonly why: string
  readonly reason: InconclusiveReason
  /** A refusal for lack of a permission, which is drift if the operation ever succeeds: the end of the run shows it. */
  readonly refusal?: Difference | undefined
}

export interface Verdict {
  readonly scenario: Scenario
  readonly differences: readonly Difference[]
  /** Operations of which something was judged. */
  readonly judged: ReadonlySet<OperationId>
  /** Statuses in which the sides agreed. */
  readonly agreed: readonly (readonly [OperationId, number])[]
  readonly stopped?: Stopped | undefined
}

/** Of a scenario that was not played, or broke. */
export const toUnplayed = (scenario: Scenario, stopped: Stopped): Verdict => ({
  scenario,
  differences: [],
  judged: new Set(),
  agreed: [],
  stopped,
})

const agreedIn = ({ exchanges }: Transcript) =>
  exchanges.flatMap(({ about, ours, theirs }) =>
    ours.status === theirs.status ? [[about.operation, ours.status] as const] : [],
  )

export const tooUnsteady = 'the deployment was too unsteady for this check'

const isLasting = ({ operations: all }: Scenario) => all.some((id) => lastingWrites.has(id))

function stoppedOf({ stopped, exchanges }: Transcript): Stopped | undefined {
  if (!stopped) return undefined
  const { message: why, reason } = stopped
  if (reason === 'parted' || reason === 'unreadable' || reason === 'repeated') return undefined
  const { theirs, differences } = exchanges.at(-1) ?? {}
  const isRefused = reason === 'permission' && (theirs?.status === 402 || theirs?.status === 403)
  return { why, reason, refusal: isRefused ? differences?.find(({ kind }) => kind === 'status') : undefined }
}

export class Verdicts {
  readonly #twin: Twin
  /** Answers that explain the differences that are certain, by place and scenario; undefined where none does. */
  readonly #certain = new Map<string, OtherAnswer | undefined>()
  /** Rules under which a value of a record of the run differs, which no answer explains, by place. */
  readonly #unexplained = new Map<string, Set<string>>()
  /** Answers that explained differences, tried first. */
  readonly #explanations = new Set<string>()
  /** The requests of a run in which each scenario is played once and no request fails. */
  #quietRequests: number

  constructor(twin: Twin) {
    this.#twin = twin
    this.#quietRequests = this.#countRequests()
  }

  /** Those that were sent so far, without retries. */
  #countRequests(): number {
    const { requests, retries } = this.#twin.context.api.transport
    return requests - retries
  }

  get #mayRepeat(): boolean {
    return this.#twin.context.api.transport.requests < mostEffort * this.#quietRequests
  }

  /** Whatever breaks in a scenario makes that scenario inconclusive, in words. */
  async judge(scenario: Scenario): Promise<Verdict> {
    try {
      return await this.#judge(scenario)
    } catch (error) {
      if (error instanceof Interrupted || error instanceof CannotRun) throw error
      return toUnplayed(scenario, { why: explainFailure(error), reason: 'failure' })
    }
  }

  async #judge(scenario: Scenario): Promise<Verdict> {
    const rounds: Round[] = []
    let [quiet, voids] = [0, 0]
    for (;;) {
      const before = this.#countRequests()
      const transcript = await play(this.#twin, scenario)
      const spent = this.#countRequests() - before
      this.#quietRequests += Math.max(0, spent - quiet)
      quiet = Math.max(quiet, spent)
      const { found, judged, stopped } = transcript
      const known = found.filter((one) => this.#isCertain(one))
      const fresh = found.filter((one) => !known.includes(one))
      const isVoid = stopped?.reason === 'repeated'
      if (isVoid) voids += 1
      else rounds.push(fresh)
      if (isVoid && voids <= mostVoids && this.#mayRepeat) {
        await this.#twin.refresh()
        continue
      }
      const decision: Decision = isVoid ? { kind: 'unsteady' } : this.#decide(rounds)
      if (decision.kind === 'again') {
        if (decision.afterPull || isLasting(scenario)) await this.#twin.refresh()
        continue
      }
      const isCertain = decision.kind === 'certain'
      const { always = [], sometimes = [] } = isCertain ? decision : {}
      const wrong = await this.#findWronglyExplained(transcript, known)
      await this.#explain(transcript, [...always, ...wrong])
      const certain = [...(isVoid ? [] : known), ...always].map((one) => this.#withAnswer(one))
      return {
        scenario,
        differences: [...certain, ...sometimes],
        judged,
        agreed: agreedIn(transcript),
        stopped: isCertain ? stoppedOf(transcript) : { why: tooUnsteady, reason: 'unstable' },
      }
    }
  }

  #decide(rounds: readonly Round[]): Decision {
    const { areOthersWriting, hasChanged, context } = this.#twin
    const isUnsteady = context.api.transport.repeats > 0 || hasChanged
    return decide(rounds, { areOthersWriting, isUnsteady, mayRepeat: this.#mayRepeat })
  }

  #keyOf(difference: Difference): string {
    const { kind, rule, expected, got } = difference
    const isOfField =
      ['missing', 'extra', 'header', 'type'].includes(kind) && expected !== null && got !== null
    return isOfField ? placeOf(difference) : `${placeOf(difference)} ${rule}`
  }

  #isCertain(difference: Difference): boolean {
    const isUsual =
      !isByOthers(difference) && (this.#unexplained.get(placeOf(difference))?.size ?? 0) >= enoughRules
    const isUnsteady = this.#twin.rereads.seenOf(difference) !== undefined
    return isUsual || isUnsteady || this.#certain.has(this.#keyOf(difference))
  }

  #withAnswer(difference: Difference): Difference {
    const explained = this.#certain.get(this.#keyOf(difference))
    return {
      ...difference,
      ...(explained && { explained, source: { assumption: explained.question } }),
      seen: difference.seen ?? this.#twin.rereads.seenOf(difference),
    }
  }

  /** Differences that the answer of the same place in an earlier scenario does not explain in this one. */
  async #findWronglyExplained(transcript: Transcript, known: readonly Difference[]): Promise<Difference[]> {
    const explained = known.filter((one) => this.#certain.get(this.#keyOf(one)))
    if (explained.length === 0) return []
    const answers = explained.flatMap((one) => this.#certain.get(this.#keyOf(one)) ?? [])
    const together = Object.fromEntries(answers.map(({ question, answer }) => [question, answer]))
    const left = await this.#twin.replay(transcript, together)
    const shown = transcript.exchanges.map((exchange) => exchange.differences)
    return explained.filter((one) => !isGone(one, shown, left))
  }

  /** Finds for each difference the answer to an open question under which it would not show, and makes all of them certain. */
  async #explain(transcript: Transcript, differences: readonly Difference[]): Promise<void> {
    const isKnown = (other: OtherAnswer) => Number(this.#explanations.has(JSON.stringify(other)))
    const others = listOtherAnswers(differences, this.#twin.context.answers)
    const shown = transcript.exchanges.map((exchange) => exchange.differences)
    const replay = (answers: AnswersInput) => this.#twin.replay(transcript, answers)
    others.sort((a, b) => isKnown(b) - isKnown(a))
    const explained = await explain(differences, shown, others, replay)
    for (const other of explained.values()) this.#explanations.add(JSON.stringify(other))
    for (const one of differences) {
      this.#certain.set(this.#keyOf(one), explained.get(one))
      if (!explained.has(one) && one.kind === 'value')
        getOrInsert(this.#unexplained, placeOf(one), () => new Set<string>()).add(one.rule)
    }
  }
}

/** Plays, and takes back what changed in the mock, so that the next scenario begins with the same state, unless what it makes stays. */
async function play(twin: Twin, scenario: Scenario): Promise<Transcript> {
  const { context, mirror } = twin
  const { transport } = context.api
  const { repeats } = transport
  const ctx = new ScenarioContext(twin, scenario)
  let stopped: Stop | undefined
  try {
    await scenario.send(ctx)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    stopped = error
    if (error.reason === 'unreadable')
      ctx.differ(
        scenario.operations[0] ?? 'getIdentity',
        '',
        'a response that can be read',
        error.message,
        'rule',
      )
  } finally {
    if (isLasting(scenario)) twin.keepIds(ctx.ids)
    else mirror.mock.restore(ctx.transcript.start)
    // What cannot be removed is found again, and named, when the run cleans up.
    await removeMade(context, transport.repeats > repeats)
  }
  stopped ??= refusalOf(ctx.transcript, scenario)
  return { ...ctx.transcript, stopped }
}

/** A scenario shows nothing if both sides refuse each of its requests, unless refusals are what it is about. */
function refusalOf(
  { exchanges, found }: Transcript,
  { operations, asksRefusals }: Scenario,
): Stop | undefined {
  const [main] = operations
  const ofMain = exchanges.filter(({ about }) => about.operation === main)
  const areRefused = ofMain.every(({ ours, theirs }) => ours.status >= 400 && ours.status === theirs.status)
  const [first] = ofMain
  if (asksRefusals || !first || !areRefused || found.length > 0) return undefined
  return new Stop(`both sides refuse ${String(main)}: ${first.theirs.summary}`, 'status')
}

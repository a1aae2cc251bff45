// Plays scenarios until their differences are certain, then explains the differences with answers to open questions.
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

/** Once a value has differed under this many rules, further rules need no second round. */
const enoughRules = 3
/** Maximum restarts of a scenario because a write was sent twice. */
const mostVoids = 12
/** Maximum requests of a run, as a multiple of the number needed to play each scenario once without failures. */
const mostEffort = 2.5

/** Why a scenario ended early. */
export interface Stopped {
  readonly why: string
  readonly reason: InconclusiveReason
  /** A permission refusal. If the operation succeeds elsewhere in the run, it is drift. */
  readonly refusal?: Difference | undefined
}

export interface Verdict {
  readonly scenario: Scenario
  readonly differences: readonly Difference[]
  /** Operations with a judged response. */
  readonly judged: ReadonlySet<OperationId>
  /** Statuses both sides agreed on. */
  readonly agreed: readonly (readonly [OperationId, number])[]
  readonly stopped?: Stopped | undefined
}

/** The verdict on a scenario that was not played or failed unexpectedly. */
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

export const tooUnsteady = 'the deployment was too unstable for this check'

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
  /** Answers that explain certain differences, by place and scenario; undefined if none does. */
  readonly #certain = new Map<string, OtherAnswer | undefined>()
  /** By place: rules under which a value in the run's records differs without an explanation. */
  readonly #unexplained = new Map<string, Set<string>>()
  /** Answers that explained differences before; tried first. */
  readonly #explanations = new Set<string>()
  /** Requests needed to play each scenario once without failures. */
  #quietRequests: number

  constructor(twin: Twin) {
    this.#twin = twin
    this.#quietRequests = this.#countRequests()
  }

  /** Counts the requests sent so far, excluding retries. */
  #countRequests(): number {
    const { requests, retries } = this.#twin.context.api.transport
    return requests - retries
  }

  get #mayRepeat(): boolean {
    return this.#twin.context.api.transport.requests < mostEffort * this.#quietRequests
  }

  /** Judges a scenario; an unexpected error makes it inconclusive. */
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
        if (isLasting(scenario)) await this.#twin.refresh()
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

  /** Finds differences that an earlier scenario's answer does not explain in this one. */
  async #findWronglyExplained(transcript: Transcript, known: readonly Difference[]): Promise<Difference[]> {
    const explained = known.filter((one) => this.#certain.get(this.#keyOf(one)))
    if (explained.length === 0) return []
    const answers = explained.flatMap((one) => this.#certain.get(this.#keyOf(one)) ?? [])
    const together = Object.fromEntries(answers.map(({ question, answer }) => [question, answer]))
    const left = await this.#twin.replay(transcript, together)
    const shown = transcript.exchanges.map((exchange) => exchange.differences)
    return explained.filter((one) => !isGone(one, shown, left))
  }

  /** Finds the answer that explains each difference, and marks all of them as certain. */
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

/** Plays a scenario, then restores the mock for the next one, unless the scenario makes lasting records. */
async function play(twin: Twin, scenario: Scenario): Promise<Transcript> {
  const { context, mirror } = twin
  const ctx = new ScenarioContext(twin, scenario)
  let stopped: Stop | undefined
  try {
    await scenario.send(ctx)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    stopped = error
    if (error.reason === 'unreadable')
      ctx.differ(scenario.operations[0] ?? 'getIdentity', '', 'a readable response', error.message, 'rule')
  } finally {
    if (isLasting(scenario)) twin.keepIds(ctx.ids)
    else mirror.mock.restore(ctx.transcript.start)
    // The final clean-up finds and names what cannot be removed now.
    await removeMade(context, false)
  }
  stopped ??= refusalOf(ctx.transcript, scenario)
  return { ...ctx.transcript, stopped }
}

/** A scenario proves nothing if both sides refuse all its requests, unless it is about refusals. */
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

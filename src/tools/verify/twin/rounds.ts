// Plays a scenario until its differences are certain: again, after a new pull where others could have caused them.
import { listAnswers, questionsOf } from '../../../contract/questions/register.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import type { OperationId } from '../../../contract/index.ts'
import { removeMade } from '../../deployment/run.ts'
import { lastingWrites } from '../../deployment/ledger.ts'
import { CannotRun } from '../../deployment/start.ts'
import { explainFailure, Interrupted, Stop, type InconclusiveReason } from '../../deployment/stop.ts'
import { placeOf, type Difference, type OtherAnswer } from '../findings/difference.ts'
import { isByOthers, ScenarioContext, signatureOf, type Scenario } from './scenario.ts'
import type { MockState, Twin } from './twin.ts'

/** Rounds that must show a difference: where nobody else writes, and where others do. */
const fewestRounds = 2
const roundsAmongOthers = 3
/** A value that differs under so many rules needs no second round under another. */
const enoughRules = 3
/** Most rounds for what shows in some of them only. */
const mostRounds = 8
/** How often a scenario begins anew because a write was sent twice. */
const mostRestarts = 12
/** All requests of a run, as a multiple of those of a run without retries, restarts and second rounds. */
const mostEffort = 2.5

/** Why a scenario did not come to its end. Only the end of the run shows whether the key lacks a permission. */
type Stopped = { readonly why: string; readonly reason: InconclusiveReason } & Pick<Partial<Stop>, 'refusal'>

export interface Result {
  readonly scenario: Scenario
  readonly differences: readonly Difference[]
  /** Operations of which something was judged. */
  readonly judged: ReadonlySet<OperationId>
  readonly stopped?: Stopped | undefined
}

interface Round {
  readonly ctx: ScenarioContext
  /** The state in which it began. */
  readonly start: MockState
  readonly stopped: Stopped | 'repeated' | undefined
}

export const tooUnsteady = 'the deployment was too unsteady for this check'
const unsteady: Stopped = { why: tooUnsteady, reason: 'unstable' }

export class Rounds {
  readonly #twin: Twin
  /** Answers that explain the differences that are certain, by place and scenario; undefined where none does. */
  readonly #certain = new Map<string, OtherAnswer | undefined>()
  /** Rules under which a value of a record of the run differs, which no answer explains, by place. */
  readonly #unexplained = new Map<string, Set<string>>()
  /** Answers that explained differences, tried first. */
  readonly #explanations = new Set<string>()
  /** The requests of a run in which each scenario is played once and no request fails. */
  #quietRequests = 0

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
  async judge(scenario: Scenario): Promise<Result> {
    try {
      return await this.#judge(scenario)
    } catch (error) {
      if (error instanceof Interrupted || error instanceof CannotRun) throw error
      const stopped = { why: explainFailure(error), reason: 'failure' } as const
      return { scenario, differences: [], judged: new Set(), stopped }
    }
  }

  async #judge(scenario: Scenario): Promise<Result> {
    const { transport } = this.#twin.context.api
    const tally = new Map<string, { readonly difference: Difference; readonly times: number }>()
    let [rounds, restarts, quiet] = [0, 0, 0]
    for (;;) {
      const before = this.#countRequests()
      const { ctx, start, stopped } = await this.#play(scenario)
      const spent = this.#countRequests() - before
      this.#quietRequests += Math.max(0, spent - quiet)
      quiet = Math.max(quiet, spent)
      const { judged, found } = ctx
      if (stopped === 'repeated') {
        restarts += 1
        if (restarts > mostRestarts || !this.#mayRepeat)
          return { scenario, differences: [], judged, stopped: unsteady }
        await this.#twin.refresh()
        continue
      }
      rounds += 1
      const known = found.filter((one) => this.#isCertain(one)).map((one) => this.#withAnswer(one))
      // Several differences of a round can be of one place: it was seen in that round, once.
      const fresh = found.filter((one) => !this.#isCertain(one))
      for (const [signature, difference] of new Map(fresh.map((one) => [signatureOf(one), one])))
        tally.set(signature, { difference, times: (tally.get(signature)?.times ?? 0) + 1 })
      const open = [...tally.values()]
      if (open.length === 0) return { scenario, differences: known, judged, stopped }
      const areByOthers = open.some(({ difference }) => isByOthers(difference))
      const always = open.filter(({ times }) => times === rounds)
      const sometimes = open.filter(({ difference, times }) => times < rounds && !isByOthers(difference))
      const often = sometimes.filter(({ times }) => times > 1)
      const needed = areByOthers && this.#twin.areOthersWriting ? roundsAmongOthers : fewestRounds
      const isClear = always.length > 0 || sometimes.length === often.length || rounds >= mostRounds
      if ((rounds >= needed && isClear) || !this.#mayRepeat) {
        if (rounds < needed && (transport.repeats > 0 || this.#twin.hasChanged))
          return { scenario, differences: known, judged, stopped: unsteady }
        const certain = always.map(({ difference }) => difference)
        const explained = await this.#explain(ctx, start, certain)
        const flickering = often.map(({ difference, times }) => ({
          ...difference,
          seen: `${String(times)} of ${String(rounds)}`,
        }))
        return { scenario, differences: [...known, ...explained, ...flickering], judged, stopped }
      }
      if (areByOthers || isLasting(scenario)) await this.#twin.refresh()
    }
  }

  #keyOf(difference: Difference): string {
    const { kind, rule, expected, got } = difference
    const isOfField =
      ['missing', 'extra', 'header', 'type'].includes(kind) && expected !== null && got !== null
    return isOfField ? placeOf(difference) : `${placeOf(difference)} ${rule}`
  }

  #isCertain(difference: Difference): boolean {
    const place = placeOf(difference)
    const isUsual = !isByOthers(difference) && (this.#unexplained.get(place)?.size ?? 0) >= enoughRules
    return isUsual || this.#certain.has(this.#keyOf(difference)) || this.#twin.unsteady.has(place)
  }

  #withAnswer(difference: Difference): Difference {
    const explained = this.#certain.get(this.#keyOf(difference))
    const seen = difference.seen ?? this.#twin.unsteady.get(placeOf(difference))?.seen
    return {
      ...difference,
      ...(explained && { explained, source: { assumption: explained.question } }),
      seen,
    }
  }

  /** Plays, and takes back what changed in the mock, so that the next scenario begins with the same state, unless what it makes stays. */
  async #play(scenario: Scenario): Promise<Round> {
    const twin = this.#twin
    const { reference, context } = twin
    const ctx = new ScenarioContext(twin, scenario)
    const { ids, mock } = reference
    twin.sent = []
    if (!isLasting(scenario)) reference.ids = ids.copy()
    const start = mock.snapshot()
    const { transport } = context.api
    const { repeats } = transport
    let stopped: Round['stopped']
    try {
      await scenario.send(ctx)
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      const { message: why, reason, refusal } = error
      if (reason === 'unreadable')
        ctx.differ(scenario.operations[0] ?? 'getIdentity', '', 'a response that can be read', why, 'rule')
      else if (reason === 'repeated') stopped = reason
      else if (reason !== 'parted') stopped = { why, reason, refusal }
    } finally {
      reference.ids = ids
      if (!isLasting(scenario)) mock.restore(start)
      // What cannot be removed is found again, and named, when the run cleans up.
      await removeMade(context, transport.repeats > repeats)
    }
    return { ctx, start, stopped }
  }

  /** Names for each difference the answer to an open question under which it would not show, and makes all of them certain. */
  async #explain(
    { exchanges, compared }: ScenarioContext,
    start: MockState,
    differences: readonly Difference[],
  ): Promise<Difference[]> {
    const end = this.#twin.reference.mock.snapshot()
    const comparable = new Set([...compared].map(signatureOf))
    const explained = new Map<Difference, OtherAnswer>()
    for (const other of this.#findOtherAnswers(differences)) {
      const open = differences.filter((one) => comparable.has(signatureOf(one)) && !explained.has(one))
      if (open.length === 0) break
      const answers = { [other.question]: other.answer }
      const replayed = await this.#twin.replay(exchanges, answers, { start, end })
      const shown = new Set(replayed.flat().map(signatureOf))
      if (shown.size >= comparable.size) continue
      for (const one of open.filter((difference) => !shown.has(signatureOf(difference)))) {
        explained.set(one, other)
        this.#explanations.add(JSON.stringify(other))
      }
    }
    return differences.map((one) => {
      const answer = explained.get(one)
      this.#certain.set(this.#keyOf(one), answer)
      if (!answer && one.kind === 'value')
        getOrInsert(this.#unexplained, placeOf(one), () => new Set<string>()).add(one.rule)
      return this.#withAnswer(one)
    })
  }

  /** Other answers to the questions of the operations, those that explained something before first. */
  #findOtherAnswers(differences: readonly Difference[]): OtherAnswer[] {
    const ids = new Set(
      differences.flatMap(({ operation, after }) =>
        [operation, after].flatMap((id) => (id === undefined || id === 'general' ? [] : questionsOf(id))),
      ),
    )
    const { answers } = this.#twin.context
    const all = [...ids].flatMap((question) => {
      const own = JSON.stringify(answers[question])
      const others = listAnswers(question).filter((answer) => JSON.stringify(answer) !== own)
      return others.map((answer): OtherAnswer => ({ question, answer }))
    })
    const isKnown = (other: OtherAnswer) => Number(this.#explanations.has(JSON.stringify(other)))
    return all.sort((a, b) => isKnown(b) - isKnown(a))
  }
}

const isLasting = ({ operations: all }: Scenario) => all.some((id) => lastingWrites.has(id))

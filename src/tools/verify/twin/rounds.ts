// Plays a scenario until its differences are certain: again, after a new pull where others could have caused them.
import { questions, questionsOf, type QuestionId } from '../../../contract/questions/register.ts'
import type { OperationId } from '../../../contract/index.ts'
import { removeMade } from '../engine/clean-up.ts'
import {
  explainFailure,
  Interrupted,
  Unreachable,
  Unreadable,
  type Drift,
  type OtherAnswer,
} from '../engine/drift.ts'
import { lastingWrites } from '../engine/ledger.ts'
import { CannotRun } from '../engine/start.ts'
import { isByOthers, placeOf, Play, signatureOf, type Scenario } from './play.ts'
import { replay, type MockState } from './replay.ts'
import { RoundEnd, type Twin } from './twin.ts'

/** Rounds that must show a difference: where nobody else writes, and where others do. */
const fewestRounds = 2
const roundsAmongOthers = 3
/** Most rounds for what shows in some of them only. */
const mostRounds = 8
/** How often a scenario begins anew because a write was sent twice. */
const mostRestarts = 12
/** All requests of a run, as a multiple of those of a run without retries, restarts and second rounds. */
const mostEffort = 2.5

/** The result of a scenario. Only the end of the run shows whether the key lacks a permission. */
export interface Played {
  readonly scenario: Scenario
  readonly drifts: readonly Drift[]
  /** Operations of which something was judged. */
  readonly judged: ReadonlySet<OperationId>
  /** Why the scenario could not be played to its end. */
  readonly stopped?: Unreachable | undefined
}

interface Round {
  readonly play: Play
  /** The state in which it began. */
  readonly start: MockState
  /** Whether a write may have been carried out twice. */
  readonly isRepeated: boolean
  readonly stopped: Unreachable | undefined
}

export const tooUnsteady = 'the deployment was too unsteady for this check'

export class Rounds {
  readonly #twin: Twin
  /** Answers that explain the differences that are certain, by place and scenario; undefined where none does. */
  readonly #certain = new Map<string, OtherAnswer | undefined>()
  /** Answers that explained differences, tried first. */
  readonly #explanations = new Set<string>()
  /** The requests of a run in which each scenario is played once and no request fails. */
  #quietRequests: number

  constructor(twin: Twin) {
    this.#twin = twin
    const { requests, retries } = twin.context.api.transport
    this.#quietRequests = requests - retries
  }

  get #mayRepeat(): boolean {
    return this.#twin.context.api.transport.requests < mostEffort * this.#quietRequests
  }

  /** Whatever breaks in a scenario makes that scenario inconclusive, in words. */
  async judge(scenario: Scenario): Promise<Played> {
    try {
      return await this.#judge(scenario)
    } catch (error) {
      if (error instanceof Interrupted || error instanceof CannotRun) throw error
      const stopped = new Unreachable(explainFailure(error), 'failure', { cause: error })
      return { scenario, drifts: [], judged: new Set(), stopped }
    }
  }

  async #judge(scenario: Scenario): Promise<Played> {
    const tally = new Map<string, { drift: Drift; times: number }>()
    let quiet = 0
    let rounds = 0
    for (let restarts = 0; ;) {
      const { requests, retries } = this.#twin.context.api.transport
      const { play, start, isRepeated, stopped } = await this.#playOnce(scenario)
      const { transport } = this.#twin.context.api
      const spent = transport.requests - requests - (transport.retries - retries)
      this.#quietRequests += Math.max(0, spent - quiet)
      quiet = Math.max(quiet, spent)
      const conclude = (drifts: readonly Drift[], why = stopped): Played => {
        return { scenario, drifts, judged: play.judged, stopped: why }
      }
      if (isRepeated) {
        restarts += 1
        if (restarts > mostRestarts || !this.#mayRepeat)
          return conclude([], new Unreachable(tooUnsteady, 'unstable'))
        await this.#twin.refresh()
        continue
      }
      rounds += 1
      const known = play.found.filter((one) => this.#isCertain(one)).map((one) => this.#withAnswer(one))
      // Several differences of a round can be of one place: it was seen in that round, once.
      const seen = new Map(
        play.found.filter((one) => !this.#isCertain(one)).map((one) => [signatureOf(one), one] as const),
      )
      for (const [signature, drift] of seen)
        tally.set(signature, { drift: { ...drift }, times: (tally.get(signature)?.times ?? 0) + 1 })
      const open = [...tally.values()]
      if (open.length === 0) return conclude(known)
      const always = open.filter(({ times }) => times === rounds)
      const sometimes = open.filter(({ drift, times }) => times < rounds && !isByOthers(drift))
      const enough = this.#twin.areOthersWriting && open.some(({ drift }) => isByOthers(drift))
      if (rounds >= (enough ? roundsAmongOthers : fewestRounds)) {
        const often = sometimes.filter(({ times }) => times > 1)
        const isDecided = always.length > 0 || sometimes.length === often.length
        if (isDecided || rounds >= mostRounds || !this.#mayRepeat) {
          const flickering = often.map(({ drift, times }) => ({
            ...drift,
            seen: `${String(times)} of ${String(rounds)}`,
          }))
          return conclude([
            ...known,
            ...(await this.#explain(
              play,
              start,
              always.map(({ drift }) => drift),
            )),
            ...flickering,
          ])
        }
      } else if (!this.#mayRepeat) {
        const { repeats } = this.#twin.context.api.transport
        if (repeats > 0 || this.#twin.hasChanged)
          return conclude(known, new Unreachable(tooUnsteady, 'unstable'))
        return conclude([
          ...known,
          ...(await this.#explain(
            play,
            start,
            open.map(({ drift }) => drift),
          )),
        ])
      }
      if (open.some(({ drift }) => isByOthers(drift)) || isLasting(scenario)) await this.#twin.refresh()
    }
  }

  #keyOf(drift: Drift): string {
    const { kind, rule, expected, got } = drift
    const isOfField =
      ['missing', 'extra', 'header', 'type'].includes(kind) && expected !== null && got !== null
    return isOfField ? placeOf(drift) : `${placeOf(drift)} ${rule}`
  }

  #isCertain(drift: Drift): boolean {
    return this.#certain.has(this.#keyOf(drift)) || this.#twin.unsteady.has(placeOf(drift))
  }

  #withAnswer(drift: Drift): Drift {
    const explained = this.#certain.get(this.#keyOf(drift))
    const seen = drift.seen ?? this.#twin.unsteady.get(placeOf(drift))?.seen
    return {
      ...drift,
      ...(explained && { explained, source: { assumption: explained.question } }),
      ...(seen !== undefined && { seen }),
    }
  }

  /** Plays, and takes back what changed in the mock, so that the next scenario begins with the same state, unless what it makes stays. */
  async #playOnce(scenario: Scenario): Promise<Round> {
    const twin = this.#twin
    const { oracle, context } = twin
    const play = new Play(twin, scenario)
    const { ids } = oracle
    twin.sent = []
    if (!isLasting(scenario)) oracle.ids = ids.copy()
    const start = oracle.mock.snapshot()
    const { repeats } = context.api.transport
    let isRepeated = false
    let stopped: Unreachable | undefined
    try {
      await scenario.play(play)
    } catch (error) {
      if (error instanceof RoundEnd) isRepeated = error.why === 'repeated'
      else if (error instanceof Unreadable) {
        play.differ(
          scenario.operations[0] ?? 'getIdentity',
          '',
          'a response that can be read',
          error.message,
          'rule',
        )
      } else if (error instanceof Unreachable) stopped = error
      else throw error
    } finally {
      oracle.ids = ids
      if (!isLasting(scenario)) oracle.mock.restore(start)
      // What cannot be removed is found again, and named, when the run cleans up.
      await removeMade(context, context.api.transport.repeats > repeats)
    }
    return { play, start, isRepeated, stopped }
  }

  /** Names for each difference the answer to an open question under which it would not show, and makes all of them certain. */
  async #explain(play: Play, start: MockState, drifts: readonly Drift[]): Promise<Drift[]> {
    const end = this.#twin.oracle.mock.snapshot()
    const compared = new Set([...play.compared].map(signatureOf))
    const explained = new Map<Drift, OtherAnswer>()
    const open = () => drifts.filter((one) => compared.has(signatureOf(one)) && !explained.has(one))
    for (const other of this.#findOtherAnswers(drifts)) {
      if (open().length === 0) break
      const { exchanges } = play
      const answers = { [other.question]: other.answer }
      const replayed = await replay(this.#twin, exchanges, answers, { start, end })
      const shown = new Set(
        replayed.flatMap((all, index) => {
          const operation = exchanges[index]?.operation
          return operation ? all.map((one) => signatureOf({ operation, ...one })) : []
        }),
      )
      if (shown.size >= compared.size) continue
      for (const one of open().filter((drift) => !shown.has(signatureOf(drift)))) {
        explained.set(one, other)
        this.#explanations.add(JSON.stringify(other))
      }
    }
    return drifts.map((one) => {
      this.#certain.set(this.#keyOf(one), explained.get(one))
      return this.#withAnswer(one)
    })
  }

  /** Other answers to the questions of the operations, those that explained something before first. */
  #findOtherAnswers(drifts: readonly Drift[]): OtherAnswer[] {
    const ids = new Set(
      drifts.flatMap(({ operation, after }) =>
        [operation, after].flatMap((id) => (id === undefined || id === 'general' ? [] : questionsOf(id))),
      ),
    )
    const { answers } = this.#twin.context
    const all = [...ids].flatMap((question: QuestionId) => {
      const { fixed, meanings, schema } = questions[question]
      const isOther = (answer: unknown) =>
        schema().safeParse(answer).success && JSON.stringify(answer) !== JSON.stringify(answers[question])
      return fixed
        ? []
        : meanings
            .filter(({ answer }) => isOther(answer))
            .map(({ answer }): OtherAnswer => ({ question, answer }))
    })
    const isKnown = (other: OtherAnswer) => Number(this.#explanations.has(JSON.stringify(other)))
    return all.sort((a, b) => isKnown(b) - isKnown(a))
  }
}

const isLasting = ({ operations: all }: Scenario) => all.some((id) => lastingWrites.has(id))

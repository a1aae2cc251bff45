// Plays a scenario until its differences are certain: again after a new pull, and more often where others write.
import { questions, questionsOf, type QuestionId } from '../../../contract/questions/register.ts'
import type { OperationId } from '../../../contract/index.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import { removeMade } from '../engine/clean-up.ts'
import { Unreachable, type Source } from '../engine/drift.ts'
import { lastingWrites } from '../engine/ledger.ts'
import { Parted, Play, signatureOf, type Found, type Scenario } from './play.ts'
import { replay } from './replay.ts'
import { RepeatedWrite, type Twin } from './twin.ts'

/** Rounds that must show a difference: where nobody else writes, and where others do. */
const fewestRounds = 2
const roundsAmongOthers = 8
/** How often a scenario begins anew because a write was sent twice. */
const mostRestarts = 12

export interface Verdict {
  readonly found: readonly Found[]
  readonly compared: ReadonlySet<OperationId>
  /** Why the scenario could not be played to its end. */
  readonly stopped?: Unreachable | undefined
}

interface Round {
  readonly play: Play
  /** Whether a write may have been carried out twice. */
  readonly isRepeated?: boolean
  readonly stopped?: Unreachable
}

const verdictOf = ({ play, stopped }: Round, found: readonly Found[], why = stopped): Verdict => ({
  found,
  compared: play.compared,
  stopped: why,
})

type Candidate = readonly [question: QuestionId, answer: unknown]

export class Rounds {
  readonly #twin: Twin
  /** Sources of the differences that are certain, by signature: they need no other round. */
  readonly #confirmed = new Map<string, Source>()
  /** Answers that explained differences, tried first. */
  readonly #explanations = new Set<string>()
  /** The state in which the last round began, if the mock has changed since. */
  #start: ReturnType<WorkspaceMock['snapshot']> | undefined

  constructor(twin: Twin) {
    this.#twin = twin
  }

  async judge(scenario: Scenario): Promise<Verdict> {
    let left: readonly Found[] | undefined
    let restarts = 0
    for (let rounds = 1; ; rounds += 1) {
      const round = await this.#playOnce(scenario)
      const { found } = round.play
      if (round.isRepeated === true) {
        await this.#twin.refresh()
        rounds -= 1
        if ((restarts += 1) < mostRestarts) continue
        return verdictOf(round, [], new Unreachable('requests failed again and again', 'unstable'))
      }
      const sourceOf = (one: Found) => this.#confirmed.get(signatureOf(one))
      if (found.every(sourceOf))
        return verdictOf(
          round,
          found.map((one) => ({ ...one, source: sourceOf(one) ?? one.source })),
        )
      const again = new Set(found.map(signatureOf))
      left = left?.filter((one) => again.has(signatureOf(one))) ?? found
      if (left.length === 0) return verdictOf(round, [])
      const enough = this.#twin.areOthersWriting ? roundsAmongOthers : fewestRounds
      if (rounds >= enough) return this.#conclude(scenario, round, left)
      await this.#twin.refresh()
    }
  }

  /** A write of others between the pull and a read looks like drift: while others write, reads are inconclusive. */
  async #conclude({ needs }: Scenario, round: Round, left: readonly Found[]): Promise<Verdict> {
    const found = await this.#explain(round.play, left)
    if (this.#twin.areOthersWriting && needs === 'read' && (await this.#twin.refresh()))
      return verdictOf(round, [], new Unreachable('others write to the workspace meanwhile', 'unstable'))
    for (const one of found) this.#confirmed.set(signatureOf(one), one.source)
    return verdictOf(round, found)
  }

  /** Plays in a copy of the mock, so that the next scenario begins with the same state, unless what it makes stays. */
  async #playOnce(scenario: Scenario): Promise<Round> {
    const { oracle, context } = this.#twin
    const isLasting = scenario.operations.some((id) => lastingWrites.has(id))
    const play = new Play(this.#twin, scenario)
    const { ids } = oracle
    if (!isLasting) oracle.ids = ids.copy()
    this.#start = isLasting ? oracle.mock.snapshot() : undefined
    const { repeats } = context.api.transport
    const perform = async () => scenario.play(play)
    try {
      await (isLasting ? perform() : oracle.mock.boundary(perform)())
      return { play }
    } catch (error) {
      if (error instanceof RepeatedWrite) return { play, isRepeated: true }
      if (error instanceof Parted) return { play }
      if (!(error instanceof Unreachable)) throw error
      return { play, stopped: error }
    } finally {
      oracle.ids = ids
      // What cannot be removed is found again, and named, when the run cleans up.
      await removeMade(context, context.api.transport.repeats > repeats)
    }
  }

  /** Replaces the source of a difference by the open question of which another answer would explain it. */
  async #explain(play: Play, found: readonly Found[]): Promise<Found[]> {
    const explained = new Map<Found, QuestionId>()
    const open = () => found.filter((one) => one.theirs !== undefined && !explained.has(one))
    for (const [question, answer] of this.#findCandidates(found)) {
      if (open().length === 0) break
      const replayed = await replay(
        this.#twin,
        play.exchanges,
        { [question]: answer },
        { start: this.#start },
      )
      const shown = new Set(
        replayed.flatMap((all, index) => {
          const operation = play.exchanges[index]?.operation
          return operation ? all.map((one) => signatureOf({ operation, ...one })) : []
        }),
      )
      if (shown.size >= new Set(play.found.map(signatureOf)).size) continue
      for (const one of open().filter((difference) => !shown.has(signatureOf(difference)))) {
        explained.set(one, question)
        this.#explanations.add(JSON.stringify([question, answer]))
      }
    }
    return found.map((one) => {
      const question = explained.get(one)
      return question === undefined ? one : { ...one, source: { assumption: question } }
    })
  }

  /** Other answers to the questions of the operations, those that explained something before first. */
  #findCandidates(found: readonly Found[]): Candidate[] {
    const ids = new Set(
      found.flatMap(({ operation, after = operation }) => [...questionsOf(operation), ...questionsOf(after)]),
    )
    const { answers } = this.#twin.context
    const all = [...ids].flatMap((id) => {
      const { fixed, meanings, schema } = questions[id]
      const isOther = (answer: unknown) =>
        schema().safeParse(answer).success && JSON.stringify(answer) !== JSON.stringify(answers[id])
      return fixed
        ? []
        : meanings.filter(({ answer }) => isOther(answer)).map(({ answer }): Candidate => [id, answer])
    })
    const isKnown = (candidate: Candidate) => Number(this.#explanations.has(JSON.stringify(candidate)))
    return all.sort((a, b) => isKnown(b) - isKnown(a))
  }
}

// Effects that answer open questions. Each lasts until its fault is removed; of two for one question the one set last counts.
import { getOrInsert } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import {
  defaultAnswers,
  resolveAnswers,
  type Answers,
  type AnswersInput,
  type QuestionId,
} from '../../contract/questions/register.ts'
import { messageOf } from '../../contract/text/format.ts'
import { rescheduleJobs } from '../../service/resources/jobs.ts'
import type { Store } from '../../service/store/store.ts'
import type { KnownFault } from './fault-spec.ts'

interface AnsweringFault {
  readonly spec: KnownFault
  /** The questions that its effect answers now; undefined until it begins. */
  answering?: readonly string[] | undefined
  problem: string | null
}

const answersOf = ({ spec: { effect } }: AnsweringFault): Readonly<Record<string, unknown>> =>
  effect && 'answers' in effect ? effect.answers : {}

/** The questions that the effect of a fault answers. */
export const questionsOf = (fault: AnsweringFault): string[] => Object.keys(answersOf(fault))

const idsOf = (faults: Iterable<AnsweringFault>) =>
  new Set([...faults].flatMap(({ answering = [] }) => answering))

const pick = (answers: object, ids: readonly string[]) =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => ids.includes(id)))

/** From the last to the first, without a copy: of thousands most often only the last is read. */
function* reversed<T>(items: readonly T[]): Generator<T> {
  for (let left = items.length; left > 0; left--) yield* items.slice(left - 1, left)
}

/** What faults answer to a question together: objects are merged one level deep, as by `setAnswers`. */
function combineAnswers(id: string, faults: readonly AnsweringFault[]): unknown {
  const isMerged = isObject(defaultAnswers[id as QuestionId])
  let given: unknown
  for (const fault of reversed(faults)) {
    const earlier = answersOf(fault)[id]
    given = isObject(earlier) && isObject(given) ? { ...earlier, ...given } : (given ?? earlier)
    if (!isMerged || !isObject(earlier)) break
  }
  return given
}

export class AnswerEffects {
  readonly #store: Store
  /** What was answered before any effect, by the question that effects answer now. */
  #former: Readonly<Record<string, unknown>> = {}
  /** The faults whose effects answer a question now, by its id, in the order in which they were set. */
  readonly #faults = new Map<string, AnsweringFault[]>()

  constructor(store: Store) {
    this.#store = store
  }

  #enter(fault: AnsweringFault): void {
    for (const id of fault.answering ?? []) getOrInsert(this.#faults, id, () => []).push(fault)
  }

  /** The answers as they are without effects. */
  get own(): Answers {
    const { answers } = this.#store
    return this.#faults.size === 0 ? answers : resolveAnswers({}, { ...answers, ...this.#former })
  }

  /** @param faults in the order in which they were set */
  begin(faults: readonly AnsweringFault[]): void {
    for (const fault of faults) {
      fault.answering ??= questionsOf(fault)
      this.#former = { ...pick(this.#store.answers, fault.answering), ...this.#former }
      this.#enter(fault)
    }
    this.#answer(faults)
  }

  /** Ends the effects of faults that are no longer set. */
  end(faults: readonly AnsweringFault[]): void {
    for (const fault of faults)
      for (const id of fault.answering ?? []) {
        const known = this.#faults.get(id) ?? []
        known.splice(known.indexOf(fault), 1)
      }
    this.#answer(faults)
  }

  /**
   * Sets answers for good, over those of effects.
   * @throws {AnswerError} for an unknown question or an invalid answer
   */
  set(answers: AnswersInput): Answers {
    const own = resolveAnswers(answers, {
      ...this.#store.answers,
      ...pick(this.#former, Object.keys(answers)),
    })
    for (const id of Object.keys(answers)) {
      for (const fault of this.#faults.get(id) ?? [])
        fault.answering = fault.answering?.filter((other) => other !== id)
      this.#forget(id)
    }
    return this.#put(own)
  }

  #forget(id: string): void {
    this.#faults.delete(id)
    this.#former = Object.fromEntries(Object.entries(this.#former).filter(([other]) => other !== id))
  }

  /** Answers the questions of faults that have begun or ended. */
  #answer(changed: Iterable<AnsweringFault>): void {
    const ids = idsOf(changed)
    if (ids.size === 0) return
    let answers: Answers = { ...this.#store.answers, ...pick(this.#former, [...ids]) }
    for (const id of ids) {
      const faults = this.#faults.get(id) ?? []
      const given = combineAnswers(id, faults)
      if (given === undefined) this.#forget(id)
      else
        try {
          answers = resolveAnswers({ [id]: given }, answers)
        } catch (error) {
          for (const fault of faults) fault.problem = messageOf(error)
        }
    }
    this.#put(resolveAnswers({}, answers))
  }

  #put(answers: Answers): Answers {
    this.#store.answers = answers
    rescheduleJobs(this.#store)
    return answers
  }
}

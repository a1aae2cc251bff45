// Effects that answer open questions. Each lasts until its fault is removed; if two answer the same question, the one set
// last wins.
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
  /** The questions its effect currently answers; undefined until it begins. */
  answering?: readonly string[] | undefined
  problem: string | null
}

const answersOf = ({ spec: { effect } }: AnsweringFault): Readonly<Record<string, unknown>> =>
  effect && 'answers' in effect ? effect.answers : {}

/** The questions that a fault's effect answers. */
export const questionsOf = (fault: AnsweringFault): string[] => Object.keys(answersOf(fault))

const questionIdsOf = (faults: Iterable<AnsweringFault>) =>
  new Set([...faults].flatMap(({ answering = [] }) => answering))

const pick = (answers: object, ids: readonly string[]) =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => ids.includes(id)))

/** Iterates backwards without a copy: among thousands of faults, usually only the last is read. */
function* reversed<T>(items: readonly T[]): Generator<T> {
  for (let left = items.length; left > 0; left--) yield* items.slice(left - 1, left)
}

/** Combines the answers that faults give to one question. Objects are merged one level deep, as in `setAnswers`. */
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
  /** The answers without effects, for each question that an effect currently answers. */
  #former: Readonly<Record<string, unknown>> = {}
  /** Faults whose effects now answer a question, by question id, in the order they were set. */
  readonly #faults = new Map<string, AnsweringFault[]>()

  constructor(store: Store) {
    this.#store = store
  }

  #enter(fault: AnsweringFault): void {
    for (const id of fault.answering ?? []) getOrInsert(this.#faults, id, () => []).push(fault)
  }

  /** The answers without any effects. */
  get own(): Answers {
    const { answers } = this.#store
    return this.#faults.size === 0 ? answers : resolveAnswers({}, { ...answers, ...this.#former })
  }

  /** @param faults in the order they were set */
  begin(faults: readonly AnsweringFault[]): void {
    for (const fault of faults) {
      fault.answering ??= questionsOf(fault)
      this.#former = { ...pick(this.#store.answers, fault.answering), ...this.#former }
      this.#enter(fault)
    }
    this.#answer(faults)
  }

  /** Ends the effects of faults that have been removed. */
  end(faults: readonly AnsweringFault[]): void {
    for (const fault of faults)
      for (const id of fault.answering ?? []) {
        const known = this.#faults.get(id) ?? []
        known.splice(known.indexOf(fault), 1)
      }
    this.#answer(faults)
  }

  /**
   * Sets answers permanently; they override answers from effects.
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

  /** Recomputes the answers to the questions of faults that began or ended. */
  #answer(changed: Iterable<AnsweringFault>): void {
    const ids = questionIdsOf(changed)
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

// Learns what a deployment does where the contract is silent.
import {
  AnswerError,
  questionIds,
  questions,
  resolveAnswers,
  type AnswersInput,
  type JsonValue,
  type QuestionId,
} from '../../../contract/questions/register.ts'
import { jobObservers } from './jobs.ts'
import { limitObservers } from './limits.ts'
import { bulkTotal, customFieldTypes, lockedTable, statusTransitions, taskPriority } from './measured.ts'
import { readProbes, writeProbes } from './probes.ts'
import type { Observer } from './observer.ts'
import { explainFailure, Interrupted, Stop } from '../../deployment/stop.ts'
import { createContext, needsWriting, type RunOptions } from '../../deployment/start.ts'
import { Judge } from '../findings/judge.ts'
import { Learner } from './learner.ts'
import { runSteps, type LeftBehind } from '../../deployment/run.ts'

export interface LearnOptions extends RunOptions {
  /** The date of the result, such as `2026-01-05`; by default today, in UTC. */
  readonly date?: string | undefined
}

/** An observed answer. */
export interface Evidence {
  readonly question: QuestionId
  /** An answer to the question, or its observed part; `mixed`, which is not in `answers`, if operations differ. */
  readonly answer: JsonValue
  /** The evidence, in words. */
  readonly how: string
  /** Whether it is rounded or combined from several observations. */
  readonly estimate?: boolean
}

/** A question whose answer was not observed. */
export interface NotObserved {
  readonly question: QuestionId
  /** The reason, in words. */
  readonly why: string
}

/** What a run learned: plain JSON. */
export interface Learned {
  readonly date: string
  /** The base URL as given, without a trailing slash. */
  readonly baseUrl: string
  /** The `answers` to pass to `createWorkspaceMock` and `verify`. */
  readonly answers: AnswersInput
  readonly evidence: readonly Evidence[]
  readonly notObserved: readonly NotObserved[]
  readonly leftBehind: readonly LeftBehind[]
  /** Whether the run was interrupted; what was not observed by then is in `notObserved`. */
  readonly interrupted: boolean
}

/** The order matters: earlier answers help to learn later answers. */
export const observers: readonly Observer[] = [
  taskPriority,
  ...readProbes,
  customFieldTypes,
  ...writeProbes,
  bulkTotal,
  lockedTable,
  statusTransitions,
  ...jobObservers,
  ...limitObservers,
]

/** Why the remaining questions cannot be observed. */
export const unobservable: Readonly<Partial<Record<QuestionId, string>>> = {
  customDataPatch:
    'the API cannot create custom fields, so the lists created here have none; other lists are left alone',
  privateById: 'a hidden private list looks like one that does not exist',
  scopes: 'this needs a scoped key for each scope',
  ownComment: 'this needs two keys of one member',
  bodyBytes:
    'the refusal does not name the limit, and finding it would take many uploads of several megabytes',
}

/** The answer if the operations that a question governs differ. */
const mixed = 'mixed'

/** Why an answer is missing, in words. */
const explainError = (error: unknown): string =>
  error instanceof AnswerError ? error.message : explainFailure(error)

/**
 * Combines probes, which must agree; an answer from only one of several is an estimate.
 * @throws {Stop} if no probe shows an answer
 */
export async function observeAnswer(probes: Observer['probes'], learner: Learner) {
  const seen: { readonly answer: JsonValue; readonly how: string; readonly estimate?: true }[] = []
  const missing: string[] = []
  for (const { needs, observe } of probes)
    try {
      if (needs === 'write' && !learner.context.mayWrite) continue
      const [answer, how, estimate] = await observe(learner)
      if (answer === undefined) missing.push(`${how}, which no answer covers`)
      else seen.push({ answer, how, ...(estimate && { estimate }) })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      missing.push(explainError(error))
    }
  const [first] = seen
  if (!first) throw new Stop(missing.join('; '))
  if (probes.length === 1) return first
  const how = seen.map((one) => one.how).join('; ')
  if (new Set(seen.map(({ answer }) => JSON.stringify(answer))).size > 1) return { answer: mixed, how }
  return { answer: first.answer, how, ...(seen.length === 1 && { estimate: true }) }
}

/**
 * Observes a deployment where the contract is silent. Questions that need writes are observed only with `write`. The
 * run writes in its own space and rows, and removes everything that can be deleted.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 * @throws {AnswerError} for invalid `answers`; the main entry exports the class
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  let judge!: Judge
  const context = createContext(options, 'learn', (answers) => (judge = new Judge(answers)))
  const learner = new Learner(context, judge, options.table)
  const evidence: Evidence[] = []
  const reasons: Partial<Record<QuestionId, string>> = { ...unobservable }
  const learnAnswer = async ({ question, probes }: Observer) => {
    if (!context.mayWrite && probes.every(({ needs }) => needs === 'write')) {
      reasons[question] = needsWriting
      return
    }
    try {
      const seen = await observeAnswer(probes, learner)
      if (seen.answer !== mixed) {
        // Throws if the answer is invalid.
        resolveAnswers({ [question]: seen.answer })
        learner.known = { ...learner.known, [question]: seen.answer }
      }
      evidence.push({ question, ...seen })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      reasons[question] = explainError(error)
    }
  }
  const steps = observers.map((one) => ({ name: one.question, take: () => learnAnswer(one) }))
  const begin = { name: 'pull', take: () => learner.begin() }
  const { interruption, leftBehind } = await runSteps(context, [begin, ...steps], options)
  const notObserved = questionIds
    .filter((id) => !questions[id].fixed && !evidence.some(({ question }) => question === id))
    .map((question) => ({ question, why: reasons[question] ?? 'the run was interrupted' }))
  return {
    date: options.testing?.date ?? options.date ?? new Date().toISOString().slice(0, 10),
    baseUrl: context.api.transport.baseUrl,
    answers: learner.known,
    evidence,
    notObserved,
    leftBehind,
    interrupted: interruption !== undefined,
  }
}

// The register of open questions: what the contract does not say, what the mock assumes, and the alternatives.
import { isObject } from '../data/objects.ts'
import * as z from 'zod/mini'
import { keyQuestions } from './keys.ts'
import { findNear, describeNearestName } from '../text/nearest.ts'
import { getOrInsert } from '../data/maps.ts'
import { quote } from '../text/quote.ts'
import { listFieldNames } from '../schema/field-names.ts'
import { describeNearestValue, findMostSpecificIssue } from '../schema/issues.ts'
import { requestQuestions } from './requests.ts'
import { rowServiceQuestions } from './service-rows.ts'
import { taskServiceQuestions } from './service-tasks.ts'
import { shapeQuestions } from './shapes.ts'
import type { JsonValue, QuestionFacts, QuestionSpec } from './question.ts'
import type { OperationId } from '../scopes.ts'
import type * as types from '../types.d.ts'

export type { JsonValue } from './question.ts'
export type { OperationId } from '../scopes.ts'

type QuestionPart = 'Shapes' | 'Requests' | 'Service' | 'Keys, scopes, numbers'

const serviceQuestions = { ...rowServiceQuestions, ...taskServiceQuestions }
const specs = { ...shapeQuestions, ...requestQuestions, ...serviceQuestions, ...keyQuestions }

export type QuestionId = keyof Answers

/** A gap in the contract, with everything the documentation says about it. */
export interface Question<S extends z.ZodMiniType = z.ZodMiniType> extends QuestionSpec<S> {
  readonly id: QuestionId
  readonly part: QuestionPart
}

export type Answers = types.Answers

/** Answers to set. Objects may be partial and are merged one level deep, except `statusTransitions`. */
export type AnswersInput = {
  readonly [K in keyof Answers]?: Answers[K] extends readonly unknown[]
    ? Answers[K]
    : Answers[K] extends object
      ? Partial<Answers[K]>
      : Answers[K]
}

function recordsOfPart(part: QuestionPart, group: Readonly<Record<string, QuestionSpec>>) {
  return Object.entries(group).map(([id, spec]) => [id, { id, part, ...spec }] as const)
}

/** Every question by its id, in documentation order. */
export const questions = Object.freeze(
  Object.fromEntries([
    ...recordsOfPart('Shapes', shapeQuestions),
    ...recordsOfPart('Requests', requestQuestions),
    ...recordsOfPart('Service', serviceQuestions),
    ...recordsOfPart('Keys, scopes, numbers', keyQuestions),
  ]),
) as unknown as {
  readonly [K in QuestionId]: Question<ReturnType<(typeof specs)[K]['schema']>> & { readonly id: K }
}

export const questionIds = Object.freeze(Object.keys(questions)) as readonly QuestionId[]

/** The answers that a question lists, excluding those described in words; none if it is fixed. */
export function listAnswers(id: QuestionId): JsonValue[] {
  const { fixed, meanings, schema } = questions[id]
  return fixed
    ? []
    : meanings.map(({ answer }) => answer).filter((answer) => schema().safeParse(answer).success)
}

/** Thrown for an unknown question, or for an answer it does not allow. */
export class AnswerError extends Error {
  /** The id as received, known or not; undefined if the answers are not an object. */
  readonly question: string | undefined

  constructor(message: string, question?: string) {
    super(message)
    this.name = 'AnswerError'
    this.question = question
  }
}

/** Describes the allowed answers. Objects are omitted, because each only illustrates the description next to it. */
function describeAllowedAnswers({ meanings, schema }: Question): string {
  const shown = meanings
    .filter(({ answer }) => typeof answer !== 'object')
    .map(({ answer }) =>
      typeof answer === 'string' && !schema().safeParse(answer).success ? answer : quote(answer),
    )
  return shown.join(', or ')
}

/** Names the wrong places in an answer, such as ` (at pro)`, with the messages of the schema's custom checks. */
function describeFaultyPlaces(issues: readonly z.core.$ZodIssue[]): string {
  const paths = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  )
  const places = [...new Set(paths.map((path) => path.map(String).join('.')))].filter((place) => place !== '')
  const said = issues.flatMap((issue) => (issue.code === 'custom' ? issue.message : []))
  return (
    (places.length > 0 ? ` (at ${places.slice(0, 5).join(', ')})` : '') +
    said.map((text) => `: ${text}`).join('')
  )
}

/** The name nearest to the first wrong value or field. */
function describeNearestAnswer(
  { meanings, schema }: Question,
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
): string {
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys')
    return describeNearestName(issue.keys[0], listFieldNames(schema(), issue.path))
  const texts = meanings.map(({ answer }) => answer).filter((answer) => typeof answer === 'string')
  const value = issue ? describeNearestValue(issue, given) : ''
  return value === '' ? describeNearestName(given, texts) : value
}

function parseAnswer(question: Question, given: unknown, current: unknown): unknown {
  if (question.fixed && given !== 'fixed') {
    const message = `question ${question.id} is fixed: received ${quote(given)}, allowed is only "fixed"`
    throw new AnswerError(message, question.id)
  }
  const merges = isObject(question.default) && isObject(given)
  const result = question.schema().safeParse(merges ? { ...(current as object), ...given } : given)
  if (result.success) return result.data
  const issues = result.error.issues.map(findMostSpecificIssue)
  const place = describeFaultyPlaces(issues)
  const allowed = describeAllowedAnswers(question)
  throw new AnswerError(
    `question ${question.id}: received ${quote(given)}${place}, allowed: ${allowed}${describeNearestAnswer(question, issues, given)}`,
    question.id,
  )
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

/** The default answer to every question, deeply frozen. */
export const defaultAnswers: Answers = deepFreeze(
  Object.fromEntries(Object.entries(specs).map(([id, spec]) => [id, structuredClone(spec.default)])),
) as object as Answers

/**
 * Applies `input` to the current answers. Objects are merged one level deep, except `statusTransitions`. The result is new
 * and deeply frozen.
 * @throws {AnswerError} for an unknown id or a value the question does not allow
 */
export function resolveAnswers(input: unknown, current: Answers = defaultAnswers): Answers {
  if (!isObject(input)) {
    throw new AnswerError(`answers: received ${quote(input)}, allowed is an object keyed by question id`)
  }
  const answers: Record<string, unknown> = { ...current }
  for (const [id, given] of Object.entries(input)) {
    if (!Object.hasOwn(questions, id)) {
      const near = findNear(id, questionIds)
      const note = near === undefined ? `allowed: ${questionIds.join(', ')}` : `the nearest is ${quote(near)}`
      throw new AnswerError(`no question has the id ${quote(id)}; ${note}`, id)
    }
    answers[id] = parseAnswer(questions[id as QuestionId], given, current[id as QuestionId])
  }
  return deepFreeze<object>(answers) as Answers
}

const idsByOperation = new Map<OperationId, readonly QuestionId[]>()

/** The questions an operation depends on, in documentation order. */
export const questionsOf = (operation: OperationId): readonly QuestionId[] =>
  getOrInsert(idsByOperation, operation, () =>
    questionIds.filter((id) => questions[id].operations.includes(operation)),
  )

/** A question as JSON. */
export interface QuestionRecord extends QuestionFacts {
  readonly id: QuestionId
  readonly part: QuestionPart
  readonly default: JsonValue
  /** JSON Schema of a complete answer. */
  readonly schema: Readonly<Record<string, unknown>>
}

function toRecord(question: Question): QuestionRecord {
  const { id, part, source, notShown, meanings, operations, fixed } = question
  const schema: Record<string, unknown> = { ...z.toJSONSchema(question.schema()) }
  delete schema.$schema
  const standard = question.default as JsonValue
  return { id, part, source, notShown, schema, default: standard, meanings, operations, fixed }
}

let records: readonly QuestionRecord[] | undefined

/** All questions as JSON, in documentation order; created on first use, deeply frozen. */
export function questionRecords(): readonly QuestionRecord[] {
  records ??= deepFreeze(Object.values<Question>(questions).map(toRecord))
  return records
}

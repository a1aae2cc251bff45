// Checks a body against the schema of its operation, also with other answers to open questions.
import type * as z from 'zod/mini'
import type { OperationId } from '../../../contract/index.ts'
import { issueParts, findMostSpecificIssue, formatPath } from '../../../contract/schema/issues.ts'
import { resolveSchema, type ResponseSchema } from '../../../contract/operation.ts'
import { questions, questionsOf, type Answers } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import type { Difference } from './drift.ts'

type Issue = z.core.$ZodIssue

export interface SchemaCheck {
  /** If the body fits with another answer to an open question, that question is the source. */
  readonly differences: readonly Difference[]
  /** Paths of fields that the schema does not have. */
  readonly extra: readonly string[]
}

const shownDifferences = 3

/** Paths of the unknown fields; undefined where the issue is about something else, too. */
function extraFieldsOf(issue: Issue, above: readonly PropertyKey[] = []): string[] | undefined {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => formatPath([...path, key]))
  if (issue.code !== 'invalid_union') return undefined
  for (const branch of issue.errors) {
    const extras = branch.map((inner) => extraFieldsOf(inner, path))
    if (extras.every((extra) => extra !== undefined)) return extras.flat()
  }
  return undefined
}

function findDroppedFields(body: unknown, parsed: unknown, path: readonly PropertyKey[] = []): string[] {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null) return []
  if (Array.isArray(body) && Array.isArray(parsed)) {
    const all = body.flatMap((item, index) => findDroppedFields(item, parsed[index], [...path, '*']))
    return [...new Set(all)]
  }
  return Object.entries(body).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? findDroppedFields(value, Reflect.get(parsed, name), [...path, name])
      : [formatPath([...path, name])],
  )
}

export function differenceOf(given: Issue, body: unknown): Difference {
  const issue = findMostSpecificIssue(given)
  const { allowed, got = 'nothing' } = issueParts(issue, body)
  return { expected: `${formatPath(issue.path) || 'body'} ${allowed}`, got }
}

/** Another answer to an open question with which the body would fit. */
function findFittingAnswer(
  operation: OperationId,
  schemaOf: ResponseSchema,
  answers: Answers,
  body: unknown,
) {
  for (const id of questionsOf(operation)) {
    const { fixed, schema, meanings } = questions[id]
    if (fixed) continue
    for (const { answer } of meanings) {
      if (!schema().safeParse(answer).success) continue
      const others = { ...answers, [id]: answer } as Answers
      const checked = resolveSchema(schemaOf, others).safeParse(body)
      if (checked.success || checked.error.issues.every((issue) => extraFieldsOf(issue)))
        return { id, answer }
    }
  }
  return undefined
}

export function checkBody(
  operation: OperationId,
  schemaOf: ResponseSchema,
  answers: Answers,
  body: unknown,
): SchemaCheck {
  const checked = resolveSchema(schemaOf, answers).safeParse(body)
  if (checked.success) return { differences: [], extra: findDroppedFields(body, checked.data) }
  const { issues } = checked.error
  const extras = issues.map((issue) => extraFieldsOf(issue))
  const bad = issues.filter((_, index) => extras[index] === undefined)
  const extra = extras.flatMap((paths) => paths ?? [])
  if (bad.length === 0) return { differences: [], extra }
  const fitting = findFittingAnswer(operation, schemaOf, answers, body)
  if (!fitting)
    return { differences: bad.slice(0, shownDifferences).map((issue) => differenceOf(issue, body)), extra }
  const expected = `the body that the answer ${quote(answers[fitting.id])} makes`
  const got = `one that fits the answer ${quote(fitting.answer)}`
  return { differences: [{ expected, got, source: `assumption ${fitting.id}` }], extra }
}

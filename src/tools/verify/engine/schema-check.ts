// Checks a body against the schema of its operation, also with other answers to open questions; names unknown fields.
import type * as z from 'zod/mini'
import type { OperationId } from '../../../contract/index.ts'
import { formatPath } from '../../../contract/schema/issues.ts'
import { resolveSchema, type ResponseSchema } from '../../../contract/operation.ts'
import { questions, questionsOf, type Answers } from '../../../contract/questions/register.ts'

type Issue = z.core.$ZodIssue

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

/** Paths of fields that the schema does not have; undefined where the body does not fit for another reason. */
function findExtraFields(schema: z.core.$ZodType, body: unknown): string[] | undefined {
  const checked = (schema as z.ZodMiniType).safeParse(body)
  if (checked.success) return findDroppedFields(body, checked.data)
  const extras = checked.error.issues.map((issue) => extraFieldsOf(issue))
  return extras.every((paths) => paths !== undefined) ? extras.flat() : undefined
}

/** The same with the answers of the run or, where they do not fit, with another one to a question of the operation. */
export function findUnknownFields(
  operation: OperationId,
  schemaOf: ResponseSchema,
  answers: Answers,
  body: unknown,
): readonly string[] | undefined {
  const extra = findExtraFields(resolveSchema(schemaOf, answers), body)
  if (extra) return extra
  for (const id of questionsOf(operation))
    for (const { answer } of questions[id].fixed ? [] : questions[id].meanings) {
      const others = { ...answers, [id]: answer } as Answers
      const found = questions[id].schema().safeParse(answer).success
        ? findExtraFields(resolveSchema(schemaOf, others), body)
        : undefined
      if (found) return found
    }
  return undefined
}

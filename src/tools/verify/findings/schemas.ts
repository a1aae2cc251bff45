// Checks a body against the schema of its operation, also with other answers to open questions; names unknown fields.
import type * as z from 'zod/mini'
import type { OperationId } from '../../../contract/index.ts'
import { formatPath } from '../../../contract/schema/issues.ts'
import { resolveSchema, type ResponseSchema } from '../../../contract/operation.ts'
import { questions, questionsOf, type Answers } from '../../../contract/questions/register.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'

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

/** The schemas of responses with the answers of a run and, where those do not fit, with another one to a question of the operation. */
export class ResponseSchemas {
  readonly #answers: Answers
  readonly #schemas = new Map<ResponseSchema, z.core.$ZodType[]>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  /** Paths of fields that the schema does not have; undefined where the body does not fit for another reason. */
  findUnknownFields(operation: OperationId, schemaOf: ResponseSchema, body: unknown): string[] | undefined {
    const own = getOrInsert(this.#schemas, schemaOf, () => [resolveSchema(schemaOf, this.#answers)])
    const [first] = own
    const extra = first && findExtraFields(first, body)
    if (extra) return extra
    // Made once: a deployment with another shape has it in every response.
    if (own.length === 1)
      for (const id of questionsOf(operation)) {
        const { fixed, meanings, schema } = questions[id]
        for (const { answer } of fixed ? [] : meanings)
          if (schema().safeParse(answer).success)
            own.push(resolveSchema(schemaOf, { ...this.#answers, [id]: answer }))
      }
    for (const schema of own.slice(1)) {
      const found = findExtraFields(schema, body)
      if (found) return found
    }
    return undefined
  }
}
